package store

import (
	"fmt"
	"sync"
	"testing"
)

func TestWriterCommitsWhatManyWorkersBring(t *testing.T) {
	w, _ := create(t)
	var urls []string
	for i := range 400 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	admitted := seed(t, w, urls...)
	var mu sync.Mutex
	captured, found, commits := 0, map[string]bool{}, 0
	x := NewWriter(t.Context(), w, Hooks[string]{Committed: func(items []Item[string], as []Admission) {
		mu.Lock()
		defer mu.Unlock()
		commits++
		captured += len(items)
		for i, it := range items {
			if it.Tag != it.Capture.Page.URL {
				t.Errorf("the capture of %s came back with the tag %s", it.Capture.Page.URL, it.Tag)
			}
			if i > 0 && items[i-1].Capture.ID >= it.Capture.ID {
				t.Errorf("url %d follows url %d", it.Capture.ID, items[i-1].Capture.ID)
			}
		}
		for _, a := range as {
			if a.New && found[a.Row.URL] {
				t.Errorf("%s admitted twice", a.Row.URL)
			}
			found[a.Row.URL] = true
		}
	}, Hungry: func(int) bool { return false }, Failed: func(err error) { t.Error(err) }})
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for i := k; i < len(admitted); i += 8 {
				a := admitted[i].Row
				x.Lease(a.ID)
				// neighbours share their links, so workers race for the same new URLs
				x.Put(&Capture{ID: a.ID, State: Complete, Page: &Page{URL: a.URL}, Links: []Link{
					{URL: fmt.Sprintf("http://a.test/child/%d", i/4)}, {URL: fmt.Sprintf("http://a.test/child/%d", i/4+1)}}}, a.URL)
			}
		})
	}
	wg.Wait()
	must(t, x.Close())
	if captured != 400 || len(found) != 101 {
		t.Errorf("%d captures committed, %d URLs found; want 400 and 101", captured, len(found))
	}
	if commits > 200 {
		t.Errorf("%d commits for 400 captures: they are not grouped", commits)
	}
	if c := w.Counts(); c.Complete != 400 || c.Waiting != 101 || c.Processing != 0 {
		t.Errorf("counts %+v", c)
	}
	check(t, w)
}

func TestHungryWriterCommitsAtOnce(t *testing.T) {
	w, _ := create(t)
	a := seed(t, w, "http://a.test/")
	done := make(chan int)
	x := NewWriter(t.Context(), w, Hooks[int]{Committed: func(items []Item[int], _ []Admission) { done <- len(items) }, Hungry: func(int) bool { return true }, Failed: func(err error) { t.Error(err) }})
	x.Put(&Capture{ID: a[0].Row.ID, State: Complete, Page: &Page{URL: "http://a.test/"}}, 0)
	if n := <-done; n != 1 {
		t.Errorf("committed %d captures", n)
	}
	must(t, x.Close())
}

func TestWriterReportsAFailedCommitOnce(t *testing.T) {
	w, _ := create(t)
	seed(t, w, "http://a.test/")
	failures := 0
	x := NewWriter(t.Context(), w, Hooks[int]{Committed: func([]Item[int], []Admission) { t.Error("committed") }, Hungry: func(int) bool { return true }, Failed: func(error) { failures++ }})
	x.Put(&Capture{ID: 77, State: Complete}, 0)
	x.Put(&Capture{ID: 78, State: Complete}, 0)
	if err := x.Close(); err == nil || failures != 1 {
		t.Errorf("closed with %v after %d reports", err, failures)
	}
	if c := w.Counts(); c.Waiting != 1 {
		t.Errorf("counts %+v", c)
	}
}

func BenchmarkCommit(b *testing.B) {
	dir := b.TempDir() + "/ws"
	if err := Create(dir, testSettings()); err != nil {
		b.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	front, err := w.Seed([]string{"http://a.test/"})
	if err != nil {
		b.Fatal(err)
	}
	body := Compress(make([]byte, 12_000))
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		// one page of a batch of 64: 45 links, one of them new
		var batch []*Capture
		for len(batch) < 64 && len(front) > 0 {
			a := front[0]
			front = front[1:]
			if !a.New && a.Row.Source != 0 {
				continue
			}
			c := &Capture{ID: a.Row.ID, State: Complete, Page: &Page{URL: a.Row.URL, Title: "招标公告"}, Body: body, Terms: make([]byte, 300)}
			for i := range 43 {
				c.Links = append(c.Links, Link{URL: fmt.Sprintf("http://a.test/nav/%d", i)})
			}
			for range 2 {
				n++
				c.Links = append(c.Links, Link{URL: fmt.Sprintf("http://a.test/info/%d.htm", n)})
			}
			batch = append(batch, c)
		}
		found, err := w.Commit(nil, batch)
		if err != nil {
			b.Fatal(err)
		}
		front = append(front, found...)
	}
	b.ReportMetric(float64(w.Counts().Pages)/b.Elapsed().Seconds(), "pages/s")
}

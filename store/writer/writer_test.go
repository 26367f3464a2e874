package writer

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"angler/store"
	"angler/store/config"
)

func created(t *testing.T) *store.Workspace {
	t.Helper()
	dir, set := filepath.Join(t.TempDir(), "ws"), config.Default()
	set.Seeds = []string{"http://www.donghu.test/"}
	set.Store.ExpectedURLs = 1000
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func seed(t *testing.T, w *store.Workspace, urls ...string) []store.Admission {
	t.Helper()
	a, err := w.Seed(urls)
	must(t, err)
	return a
}

func TestWriterCommitsWhatManyWorkersBring(t *testing.T) {
	w := created(t)
	var urls []string
	for i := range 400 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	admitted := seed(t, w, urls...)
	var mu sync.Mutex
	captured, found, commits := 0, map[string]bool{}, 0
	x := New(t.Context(), w, Hooks[string]{Committed: func(items []Item[string], as []store.Admission) {
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
				x.Put(&store.Capture{ID: a.ID, State: store.Complete, Page: &store.Page{URL: a.URL}, Links: []store.Link{
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
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("the database is inconsistent: %q, %v", problems, err)
	}
}

func TestHungryWriterCommitsAtOnce(t *testing.T) {
	w := created(t)
	a := seed(t, w, "http://a.test/")
	done := make(chan int)
	x := New(t.Context(), w, Hooks[int]{Committed: func(items []Item[int], _ []store.Admission) { done <- len(items) }, Hungry: func(int) bool { return true }, Failed: func(err error) { t.Error(err) }})
	x.Put(&store.Capture{ID: a[0].Row.ID, State: store.Complete, Page: &store.Page{URL: "http://a.test/"}}, 0)
	if n := <-done; n != 1 {
		t.Errorf("committed %d captures", n)
	}
	must(t, x.Close())
}

func TestWriterReportsAFailedCommitOnce(t *testing.T) {
	w := created(t)
	seed(t, w, "http://a.test/")
	failures := 0
	x := New(t.Context(), w, Hooks[int]{Committed: func([]Item[int], []store.Admission) { t.Error("committed") }, Hungry: func(int) bool { return true }, Failed: func(error) { failures++ }})
	x.Put(&store.Capture{ID: 77, State: store.Complete}, 0)
	x.Put(&store.Capture{ID: 78, State: store.Complete}, 0)
	if err := x.Close(); err == nil || failures != 1 {
		t.Errorf("closed with %v after %d reports", err, failures)
	}
	if c := w.Counts(); c.Waiting != 1 {
		t.Errorf("counts %+v", c)
	}
}

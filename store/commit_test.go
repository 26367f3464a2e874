package store

import (
	"fmt"
	"testing"
)

func BenchmarkCommit(b *testing.B) {
	dir := b.TempDir() + "/ws"
	must(b, Create(dir, testSettings()))
	w, err := Open(dir)
	must(b, err)
	defer w.Close()
	front, err := w.Seed([]string{"http://a.test/"})
	must(b, err)
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
		must(b, err)
		front = append(front, found...)
	}
	b.ReportMetric(float64(w.Counts().Pages)/b.Elapsed().Seconds(), "pages/s")
}

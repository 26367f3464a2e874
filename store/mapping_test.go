//go:build linux

package store

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A crawl must not hold on to the memory of everything it has stored.
func TestMappedPagesAreLetGo(t *testing.T) {
	w, _ := create(t)
	found, err := w.Seed([]string{"http://a.test/"})
	must(t, err)
	id := found[0].Row.ID
	body := make([]byte, 32<<20) // one value as long as many pages
	for i := range body {
		body[i] = byte(i * 7 >> 3)
	}
	_, err = w.Commit(nil, []*Capture{{ID: id, State: Complete, Page: &Page{URL: "http://a.test/", Status: 200}, Body: append([]byte{formS2}, body...)}})
	must(t, err)
	look := func() int {
		if _, err := w.Body(id, 1<<20); err == nil {
			t.Fatal("a body that is none was read")
		}
		return mappedKB(t)
	}
	before := look()
	w.mapping = mapping{}
	w.mapping.release(w.db, time.Now())
	if after := mappedKB(t); after > before-30<<10 {
		t.Errorf("%d KB were mapped, after the release %d", before, after)
	}
	if again := look(); again < before-1<<10 {
		t.Errorf("looked at again, %d KB of %d are mapped", again, before)
	}
	w.mapping.release(w.db, w.mapping.released.Add(releaseEvery/2))
	if now := mappedKB(t); now < before-1<<10 {
		t.Errorf("released again at once: %d KB of %d", now, before)
	}
}

func mappedKB(t *testing.T) (kB int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	must(t, err)
	_, rest, ok := strings.Cut(string(status), "RssFile:")
	if _, err := fmt.Sscan(rest, &kB); !ok || err != nil {
		t.Skipf("the system does not tell how much is mapped: %v", err)
	}
	return kB
}

package urls

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestCrowdedHosts(t *testing.T) {
	known := map[string]bool{"http://a.test/known": true}
	open := func(limit int) *Filter {
		f := NewFilter(nil, time.Now)
		f.BoundHosts(limit, func(u string) bool { return known[u] })
		return f
	}
	check := func(f *Filter, u string, want reason) {
		t.Helper()
		if got := f.Check(u, Page); got != want {
			t.Errorf("%s: %v, want %v", u, got, want)
		}
	}
	f := open(3)
	for i := range 3 {
		check(f, "http://a.test/new", Accepted)
		if full := f.Wait(fmt.Sprintf("http://a.test/%d", i), 1); full != (i == 2) {
			t.Errorf("URL %d: full %v", i, full)
		}
	}
	check(f, "http://a.test/new", Crowded)
	check(f, "http://a.test/known", Accepted)
	check(f, "http://b.test/new", Accepted)
	check(f, "http://a.test:8080/new", Accepted)
	if f.Wait("http://a.test/9", 1) {
		t.Error("a host that is full was named twice")
	}
	f.Wait("http://a.test/0", -2)
	check(f, "http://a.test/new", Accepted)
	if f.Wait("http://a.test/1", 1) {
		t.Error("a host that is full again was named again")
	}
	check(f, "http://a.test/new", Crowded)
	if n := f.Counts()[Crowded].N; n != 2 {
		t.Errorf("%d refusals counted, want 2", n)
	}

	f.BoundHosts(10, nil)
	check(f, "http://a.test/new", Accepted)
	f.BoundHosts(2, nil)
	check(f, "http://a.test/new", Crowded)
	check(f, "http://a.test/known", Accepted)
	f.BoundHosts(0, nil)
	check(f, "http://a.test/new", Accepted)

	f = open(2)
	full := f.SetWaiting(map[string]int{"a.test": 2, "b.test": 1, "c.test": 7})
	slices.Sort(full)
	if !slices.Equal(full, []string{"a.test", "c.test"}) {
		t.Errorf("full: %v", full)
	}
	check(f, "https://c.test/new", Crowded)
	check(f, "https://b.test/new", Accepted)
	f.Wait("http://b.test/", -5) // never below none
	f.Wait("http://b.test/", 2)
	check(f, "https://b.test/new", Crowded)
	if full := f.SetWaiting(map[string]int{"a.test": 1}); len(full) > 0 {
		t.Errorf("full: %v", full)
	}
	check(f, "http://c.test/new", Accepted)
}

func TestCrowdedHostsTogether(t *testing.T) {
	f := NewFilter(nil, time.Now)
	f.BoundHosts(50, func(string) bool { return false })
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 1000 {
				u := fmt.Sprintf("http://h%d.test/%d", i%7, i)
				f.Check(u, Page)
				f.Wait(u, 1)
				if w%2 == 0 {
					f.Wait(u, -1)
				}
			}
		})
	}
	wg.Wait()
	if got := f.crowds.full.Load(); got != 7 {
		t.Errorf("%d full hosts, want 7", got)
	}
}

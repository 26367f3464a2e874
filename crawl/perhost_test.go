package crawl_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/store/config"
)

// fan is a site whose home page links to so many others.
func fan(pages int, page http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/":
			for i := range pages {
				fmt.Fprintf(w, `<a href="/d%d/%d.htm">公开文件 %d</a>`, i, i, i)
			}
		default:
			page(w, r)
		}
	})
}

// With crawl.per_host three fetches of one host are under way at once, and never four: the
// pages answer only when three have been asked for.
func TestFetchesOfOneHostAtOnce(t *testing.T) {
	const pages, atOnce = 12, 3
	var mu sync.Mutex
	inside, most, alone := 0, 0, 0
	group := make(chan struct{})
	e, _ := site(t, fan(pages, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		inside++
		most = max(most, inside)
		mine := group
		if inside == atOnce {
			close(group)
			group, inside = make(chan struct{}), 0
		}
		mu.Unlock()
		select {
		case <-mine:
		case <-time.After(time.Minute):
			mu.Lock()
			alone++
			mu.Unlock()
		}
		fmt.Fprintf(w, "<p>公开的文件 %s</p>", r.URL.Path)
	}), func(s *config.Settings) {
		s.Crawl.PerHost, s.Crawl.Workers, s.Crawl.Delay, s.Crawl.IPDelay = atOnce, 8, 0, "0"
	})
	s := discover(t, e.Runs)
	if s.Pages != pages+1 {
		t.Fatalf("%d pages", s.Pages)
	}
	if most != atOnce || alone != 0 {
		t.Errorf("%d at once, want %d; %d waited in vain", most, atOnce, alone)
	}
}

// One at a time is the default.
func TestOneFetchOfAHostByDefault(t *testing.T) {
	var inside, most atomic.Int64
	e, _ := site(t, fan(30, func(w http.ResponseWriter, r *http.Request) {
		if n := inside.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer inside.Add(-1)
		fmt.Fprintf(w, "<p>公开的文件 %s</p>", r.URL.Path)
	}), func(s *config.Settings) { s.Crawl.Workers, s.Crawl.Delay = 8, 0 })
	if s := discover(t, e.Runs); s.Pages != 31 {
		t.Fatalf("%d pages", s.Pages)
	}
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}

// A host that refuses is asked by one at a time and rests after six refusals, whatever
// crawl.per_host says: what was in flight then may come on top. The refusals wait for the
// pages before them, since an answer in between would end their row. The calendar does not
// jump to the end of the rest, whatever waits for it while requests are under way.
func TestABanWithSeveralInFlight(t *testing.T) {
	const atOnce, open = 4, 10
	var asked, refused atomic.Int64
	stored := make(chan struct{})
	c := newCalendar()
	e := siteOn(t, c, fan(40, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > open {
			<-stored
			refused.Add(1)
			w.WriteHeader(403)
			return
		}
		fmt.Fprintf(w, "<p>公开的文件 %s</p>", r.URL.Path)
	}))
	must(t, e.Settings.Change("per host", func(s *config.Settings) { s.Crawl.PerHost, s.Crawl.Workers = atOnce, 8 }))
	snapshots, end := e.Subscribe()
	defer end()
	go func() {
		for s := range snapshots {
			if s.Counts.Pages == open+1 {
				close(stored)
				return
			}
		}
	}()
	s := discover(t, e.Runs)
	if n := refused.Load(); n < 6 || n > 6+atOnce-1 {
		t.Errorf("the host was asked %d times while it refused", n)
	}
	if s.Later != 30 || metric(t, e, "angler_hosts_banned") != "1" {
		t.Errorf("%d URLs wait, %s hosts are banned", s.Later, metric(t, e, "angler_hosts_banned"))
	}
	for u := range each(t, e.Workspace().URLs()) {
		if u.Troubled() {
			t.Errorf("%s pays for a ban: %s, %d failures, %s", u.URL, u.State, u.Fails, u.Failure)
		}
	}
}

package crawl_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store/config"
)

// What the first screen tells of seeds, of today and of lists that could not be
// visited is what the store holds, after another opening too.
func TestTheStoryIsThatOfTheStore(t *testing.T) {
	web, server := demoWeb(t)
	lists := demo.TenderLists(web, 3)
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Depth = lists, 0, 0
		set.Revisit.Watch = 0 // the clock stands still: nothing waits for a host that failed
	})
	var now atomic.Int64
	now.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local).Unix())
	var gone atomic.Pointer[string] // a host that cannot be reached
	open := func() *crawl.Engine {
		t.Helper()
		return opened(t, dir, crawl.Options{Now: func() time.Time { return time.Unix(now.Load(), 0) },
			Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if host, _, _ := net.SplitHostPort(addr); gone.Load() != nil && host == *gone.Load() {
					return nil, &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}
				}
				return server.Dial(ctx, network, addr)
			}})
	}
	e := open()
	harvest := func() *view.Snapshot {
		t.Helper()
		harvest(t, e.Runs)
		return e.Snapshot()
	}
	discover(t, e.Runs)
	for _, u := range lists {
		addSample(t, e.Topic, u)
	}
	s := harvest()
	if s.Counts.Notices == 0 || s.Story != (view.Story{Seeds: 3, Sites: 3, Today: s.Counts.Notices}) {
		t.Fatalf("%d notices, and the story %+v", s.Counts.Notices, s.Story)
	}
	host := urls.HostOf(lists[0])
	gone.Store(&host)
	now.Add(int64((48 * time.Hour).Seconds()))
	if err := e.Close(); err != nil { // its connections, too
		t.Fatal(err)
	}
	e = open()
	held := s.Counts.Notices
	s = harvest()
	told := s.Story
	if told.Broken == 0 || told.Today != s.Counts.Notices-held {
		t.Errorf("a host is gone, two days later: %+v with %d notices after %d", told, s.Counts.Notices, held)
	}
	must(t, e.Close())
	e = open()
	defer e.Close()
	if s := e.Snapshot(); s.Story != told {
		t.Errorf("after another opening the story is %+v, it was %+v", s.Story, told)
	}
}

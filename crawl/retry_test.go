package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store/config"
)

// demoWeb serves the demo web to every client.
func demoWeb(t testing.TB) (*webtest.Web, *webtest.Server) {
	t.Helper()
	web, err := webtest.Demo(webtest.Options{})
	must(t, err)
	server, err := webtest.Serve(web)
	must(t, err)
	t.Cleanup(func() { server.Close() })
	return web, server
}

// unplugged is a crawl of the demo web with two pages over a network that is
// down while down holds.
func unplugged(t *testing.T, down *atomic.Bool, now func() time.Time) *crawl.Engine {
	t.Helper()
	web, server := demoWeb(t)
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Depth = web.Seeds()[:2], 0, 0
	})
	return opened(t, dir, crawl.Options{Now: now, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if down.Load() {
			return nil, &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}
		}
		return server.Dial(ctx, network, addr)
	}})
}

func metric(t *testing.T, e *crawl.Engine, name string) string {
	t.Helper()
	var b bytes.Buffer
	must(t, e.WriteMetrics(&b))
	_, rest, _ := strings.Cut(b.String(), "\n"+name+" ")
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

// A discovery that reaches no seed is tried again after a minute, two, four …
// and goes on as if nothing had been once the network is there.
func TestRoundsTryAgain(t *testing.T) {
	const outage = 9 // attempts
	c := newCalendar()
	var down atomic.Bool
	down.Store(true)
	e := unplugged(t, &down, c.Now)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type attempt struct {
		task    string
		fetched int
		err     error
	}
	var attempts []attempt
	var waits [outage]time.Duration // after each failure
	e.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
		attempts = append(attempts, attempt{s.Task, s.Fetched, err})
		down.Store(len(attempts) < outage)
	}, func(d time.Duration) <-chan time.Time {
		failures, s := metric(t, e, "angler_schedule_failures"), e.Snapshot()
		if n := len(attempts); n <= outage {
			if failures != strconv.Itoa(n) {
				t.Errorf("angler_schedule_failures is %s after %d", failures, n)
			}
			if !strings.HasPrefix(s.Why, "discovery failed; tried again at ") {
				t.Errorf("why idle: %q", s.Why)
			}
			if ev := s.Events[len(s.Events)-1]; ev.Kind != "warn" || !strings.Contains(ev.Text.String(), "the schedule tries again at") {
				t.Errorf("the last event: %+v", ev)
			}
			waits[n-1] += d // a look at what is due comes in between
		} else {
			if failures != "0" || strings.Contains(s.Why, "failed") {
				t.Errorf("afterwards: %s failures, idle because of %q", failures, s.Why)
			}
			cancel()
		}
		return c.after(d)
	})
	for i, d := range waits {
		least := min(time.Minute<<i, time.Hour)
		if d < least-5*time.Second || d > least*3/2 {
			t.Errorf("wait %d is %v, want %v … %v", i, d, least, least*3/2)
		}
	}
	if len(attempts) != outage+2 {
		t.Fatalf("attempts %+v", attempts)
	}
	for i, a := range attempts {
		switch {
		case i < outage && (a.task != view.Discovery || a.err == nil || !strings.Contains(a.err.Error(), "no seed could be fetched")):
			t.Errorf("attempt %d: %+v, want a discovery without a seed", i, a)
		case i == outage && (a.task != view.Discovery || a.err != nil || a.fetched < 2):
			t.Errorf("the network is back: %+v, want a discovery that fetches the seeds", a)
		case i > outage && !errors.Is(a.err, run.ErrNoTopic):
			t.Errorf("after it: %+v, want the harvest", a)
		}
	}
}

// The next round begins when it is due, however soon a retry would be.
func TestRoundsKeepTheirTimeWhileTheyFail(t *testing.T) {
	c := newCalendar()
	var down atomic.Bool
	down.Store(true)
	e := unplugged(t, &down, c.Now)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var at []time.Duration
	e.Schedule.Rounds(ctx, 10*time.Minute, func(run.Summary, error) {
		if at = append(at, c.Now().Sub(c.start)); len(at) == 12 {
			cancel()
		}
	}, c.after)
	for round := 10 * time.Minute; round < at[len(at)-1]; round += 10 * time.Minute {
		met := false
		for _, a := range at {
			met = met || a >= round && a < round+30*time.Second
		}
		if !met {
			t.Errorf("no attempt at %v: %v", round, at)
		}
	}
}

package crawl_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/run"
	"angler/crawl/view"
)

// setTimers are timers that are set and go off when the test says so.
type setTimers struct {
	*clock
	mu  sync.Mutex
	set []func()
}

func (x *setTimers) afterFunc(_ time.Duration, fn func()) func() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.set = append(x.set, fn)
	return func() bool { return false }
}

// goOff moves the clock and lets every timer go off.
func (x *setTimers) goOff(d time.Duration) {
	x.jump(d)
	x.mu.Lock()
	set := x.set
	x.set = nil
	x.mu.Unlock()
	for _, fn := range set {
		fn()
	}
}

// A delay that ends while a run goes on lets what it held back into the run at once.
func TestADelayEndsWithinARun(t *testing.T) {
	x := &setTimers{clock: &clock{start: time.Now()}}
	b := openFull(t, "", crawl.Options{Now: x.Now, AfterFunc: x.afterFunc})
	sampled(t, b, 3)
	discover(t, b.Runs, run.Options{MaxPages: 150})
	b.Runs.Pause()
	must(t, b.Runs.StartDiscovery())
	b.Runs.Pause()
	defer b.Runs.Stop()
	snaps, leave := b.Subscribe()
	defer leave()
	host := ""
	waits := func(name string, holds func(n int, s *view.Snapshot) bool) {
		t.Helper()
		deadline := time.After(10 * time.Minute)
		for {
			select {
			case s := <-snaps:
				most := 0
				for _, h := range s.Hosts {
					switch {
					case host == h.Host:
						most = h.Waiting
					case host == "" && h.Waiting > 20:
						host, most = h.Host, h.Waiting
					}
				}
				if s.State == view.Paused && holds(most, s) {
					return
				}
			case <-deadline:
				t.Fatalf("%s: never", name)
			}
		}
	}
	waits("a host waits", func(n int, _ *view.Snapshot) bool { return n > 20 })
	must(t, b.Runs.SteerBranches([]string{host + "/", "nowhere.test/"}, decisions.Delay, x.Now().Add(time.Hour)))
	waits("the delay holds it back", func(n int, _ *view.Snapshot) bool { return n == 0 })
	x.goOff(30 * time.Minute) // a person only looks
	x.goOff(31 * time.Minute)
	waits("the delay is over", func(n int, s *view.Snapshot) bool { return n > 20 && s.Lapsed == 2 })
	if saying(b.Engine, "the delay of "+host+"/ is over") == 0 {
		t.Error("no event tells that the delay is over")
	}
	x.jump(-61 * time.Minute) // an old decision is asked about
	if what, err := b.Topic.Undo(); err != nil || !strings.Contains(what.String(), "and 1 more") || len(b.Runs.SteerRules()) != 0 {
		t.Errorf("one undo of both says %q, %v, and leaves %d rules", what, err, len(b.Runs.SteerRules()))
	}
}

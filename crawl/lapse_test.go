package crawl_test

import (
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/run"
	"angler/crawl/view"
)

// A delay that ends while a run goes on lets what it held back into the run at once.
func TestADelayEndsWithinARun(t *testing.T) {
	x, bell := new(clock), &timers{}
	goOff := func(d time.Duration) {
		x.jump(d)
		bell.fire()
	}
	b := openFull(t, "", crawl.Options{Now: x.Now, AfterFunc: bell.after})
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
	goOff(30 * time.Minute) // a person only looks
	goOff(31 * time.Minute)
	waits("the delay is over", func(n int, s *view.Snapshot) bool { return n > 20 && s.Lapsed == 2 })
	if saying(b.Engine, "the delay of "+host+"/ is over") == 0 {
		t.Error("no event tells that the delay is over")
	}
	x.jump(-61 * time.Minute) // an old decision is asked about
	if what, err := b.Topic.Undo(); err != nil || !strings.Contains(what.String(), "and 1 more") || len(b.Runs.SteerRules()) != 0 {
		t.Errorf("one undo of both says %q, %v, and leaves %d rules", what, err, len(b.Runs.SteerRules()))
	}
}

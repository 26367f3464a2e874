package crawl_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// clock is a running clock that a test can move.
type clock struct {
	ahead atomic.Int64 // of the real one, ns
}

// clockAt returns a clock that shows a time now.
func clockAt(at time.Time) *clock {
	c := new(clock)
	c.jump(time.Until(at))
	return c
}

func (c *clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// jump moves the clock and returns its new time.
func (c *clock) jump(d time.Duration) time.Time {
	c.ahead.Add(int64(d))
	return c.Now()
}

// A known page is asked for again when it is due, and not before; what did not
// change stays as it is, what is new on it is found.
func TestDiscoveryVisitsWhatIsDue(t *testing.T) {
	alone(t)
	c := new(clock)
	b := openDemo(t, "", crawl.Options{Now: c.Now})
	sampled(t, b, 3)
	first := discover(t, b.Runs)
	before := b.Workspace().Counts()
	c.jump(30 * time.Minute)
	if again := discover(t, b.Runs); again.Pages != 0 || again.Fetched > first.Later {
		t.Errorf("half an hour later %d pages were fetched again", again.Fetched)
	}
	c.jump(45 * time.Minute)
	if again := discover(t, b.Runs); again.Pages != 0 || again.Fetched > first.Later {
		t.Errorf("after 75 minutes %d pages were fetched again", again.Fetched)
	}
	lists := harvest(t, b.Runs, run.Options{Due: true})
	if lists.Fetched < first.Aggregations {
		t.Errorf("after 75 minutes %d requests brought %d notices; %d aggregation pages were due", lists.Fetched, lists.Notices, first.Aggregations)
	}
	if again := harvest(t, b.Runs, run.Options{Due: true}); again.Fetched > first.Later {
		t.Errorf("at once %d pages were due again", again.Fetched)
	} else if n, next := again.Tally.NotDue.N, again.Tally.NotDue.Next; n+again.Tally.ToVisit != again.Aggregations || n == 0 || !next.After(c.Now()) || next.After(c.Now().Add(24*time.Hour)) {
		t.Errorf("at once %d of %d lists are not due, the next at %v; it is %v", n, again.Aggregations, next, c.Now())
	}
	before = b.Workspace().Counts()
	b.Web().Publish(2)
	c.jump(8 * time.Hour)
	all := discover(t, b.Runs)
	if all.Fetched < first.Pages*8/10 {
		t.Errorf("after another 8 hours %d of %d pages were fetched again", all.Fetched, first.Pages)
	}
	if now := b.Workspace().Counts(); now.Pages <= before.Pages {
		t.Errorf("two items were published on every column, but there are %d pages, %d before", now.Pages, before.Pages)
	}
	consistent(t, b.Engine)
}

// Rules over the frontier are counted before, act on what waits, survive in the
// log, and can be undone.
func TestSteering(t *testing.T) {
	b := openDemo(t, "", crawl.Options{By: "wang"})
	discover(t, b.Runs, run.Options{MaxPages: 40})
	waiting := func() (rows []linkorder.URLRow) {
		for _, r := range exported[linkorder.URLRow](t, b.Engine, "frontier") {
			if r.State == store.Waiting.String() && r.Depth <= b.Set().Crawl.Depth {
				rows = append(rows, r)
			}
		}
		return rows
	}
	all := waiting()
	host := all[len(all)-1].Host
	pattern := "^http://" + strings.ReplaceAll(host, ".", `\.`) + "/"
	n, examples, err := b.Runs.SteerCount(pattern)
	if err != nil || n == 0 || len(examples) == 0 || len(examples) > 5 {
		t.Fatalf("%d match, examples %q, %v", n, examples, err)
	}
	for name, bad := range map[string][2]string{"broken": {"(", "drop"}, "everything": {".*", "drop"}, "unknown action": {"/news/", "love"}} {
		if err := b.Runs.Steer(bad[0], bad[1]); !errors.Is(err, decisions.ErrRule) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, b.Runs.Steer(pattern, decisions.Boost))
	for i, r := range waiting()[:n] {
		if r.Host != host {
			t.Fatalf("row %d of the boosted frontier is %s", i, r.URL)
		}
		if r.Priority > 1e6 || !strings.HasPrefix(r.Why, "boosted, ") {
			t.Errorf("a boosted URL has priority %g (%s), want the strategy's own", r.Priority, r.Why)
		}
	}
	must(t, b.Runs.Steer(pattern, decisions.Drop))
	rest := discover(t, b.Runs)
	dropped := 0
	for _, r := range waiting() {
		if r.Host == host && strings.HasPrefix(r.Why, "dropped") {
			dropped++
		}
	}
	if dropped < n {
		t.Errorf("%d URLs of %s wait after a crawl without them, want at least %d", dropped, host, n)
	}
	if what, err := b.Topic.Undo(); err != nil || !strings.Contains(what.String(), pattern) {
		t.Errorf("undo said %q, %v", what, err)
	}
	if rules := b.Runs.SteerRules(); len(rules) != 1 || rules[0].Action != decisions.Boost || rules[0].By != "wang" {
		t.Errorf("rules after the undo: %+v", rules)
	}
	if err := b.Runs.Steer(pattern, ""); err != nil || len(b.Runs.SteerRules()) != 0 {
		t.Errorf("rules %+v, %v", b.Runs.SteerRules(), err)
	}
	if more := discover(t, b.Runs); more.Fetched < n {
		t.Errorf("%d fetched after the rule was taken away (%d before)", more.Fetched, rest.Fetched)
	}
	for _, r := range waiting() {
		if !strings.Contains(r.Why, "status") { // those that failed come later
			t.Errorf("%s still waits: %s", r.URL, r.Why)
		}
	}
}

// Settings change while a discovery runs: each takes effect, bad ones change
// nothing, and the file says the same afterwards.
func TestChangeWhileRunning(t *testing.T) {
	b := openFull(t, "", crawl.Options{})
	b.Runs.Pause() // nothing runs yet: no effect
	if err := b.Runs.SetBudget(5); !errors.Is(err, crawl.ErrNoRun) {
		t.Errorf("budget without a run: %v", err)
	}
	must(t, b.Runs.StartDiscovery())
	for name, change := range map[string]func() error{
		"strategy": func() error { return b.Settings.SetStrategy("best") },
		"workers":  func() error { return b.Settings.SetWorkers(0) },
		"depth":    func() error { return b.Settings.SetDepth(-1) },
		"scope": func() error {
			return b.Settings.Change("x", func(s *config.Settings) { s.Scope.Include = []string{"("} })
		},
		"order": func() error {
			return b.Settings.Change("x", func(s *config.Settings) { s.Crawl.Constants = []string{"shark.delta = 7"} })
		},
		"budget": func() error { return b.Runs.SetBudget(-1) },
	} {
		if err := change(); err == nil {
			t.Errorf("a bad %s was taken", name)
		}
	}
	for _, name := range b.Settings.Strategies() {
		if err := b.Settings.SetStrategy(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := b.Snapshot().Strategy; got != name {
			t.Errorf("strategy %s, want %s", got, name)
		}
	}
	for _, err := range []error{b.Settings.SetWorkers(3), b.Settings.SetDelay(time.Millisecond), b.Settings.SetDepth(2), b.Runs.SetBudget(2000)} {
		if err != nil {
			t.Error(err)
		}
	}
	// The scope shrinks to one host: nothing else is fetched any more.
	only := b.Set().Seeds[0]
	must(t, b.Settings.Change("one host", func(s *config.Settings) { s.Scope.Kind, s.Scope.Include = "pattern", []string{"^" + only} }))
	snapshots, end := b.Subscribe()
	defer end()
	for s := range snapshots {
		for _, row := range s.Frontier {
			if !strings.HasPrefix(row.URL, only) {
				t.Errorf("%s is in the frontier, out of scope", row.URL)
			}
		}
		if s.State == view.Idle {
			if !strings.Contains(s.Why, "ended") {
				t.Errorf("idle because of %q", s.Why)
			}
			break
		}
	}
	if set, err := config.Read(b.Workspace().Dir()); err != nil || set.Crawl.Workers != 3 || set.Crawl.Depth != 2 || set.Scope.Kind != "pattern" {
		t.Errorf("the file says %+v, %v", set.Crawl, err)
	}
}

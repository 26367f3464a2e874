// Tests of this package crawl for simulated days, under clocks that lie, and real sites
// from their files.
package schedule_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/demo/demotest"
	"angler/crawl/query"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// wall is a clock on the wall that a person sets: unlike the one of this process it
// has no monotonic reading, so nothing softens its jumps.
type wall struct{ off atomic.Int64 }

func (w *wall) Now() time.Time        { return time.Now().Round(0).Add(time.Duration(w.off.Load())) }
func (w *wall) set(off time.Duration) { w.off.Store(int64(off)) }

// countdown does something when a run has stored so many pages.
type countdown struct {
	query.Silent
	left atomic.Int64
	then func()
}

func (c *countdown) Page(view.PageRow) {
	if c.left.Add(-1) == 0 {
		c.then()
	}
}

// found is what a crawl has brought home.
type found struct {
	lists   map[string]float64 // aggregation pages and their scores
	notices map[string]string  // and the lists they came from
	theta   float64
	pages   map[string]bool
	visited int      // pages visited by the last discovery and harvest
	passed  []string // and those that were not, with what is known of them
	events  []string
}

// openWeb opens the web that the tests of this file crawl; heavy_test.go makes it the
// demo's own web.
var openWeb = demotest.Open

// atLeast is what an undisturbed crawl of that web finds.
var atLeast = struct{ lists, notices, brought int }{3, 20, 10}

// jumpAt is the page at which the clock is set in the middle of a crawl.
var jumpAt = 60

const tenYears = 10 * 365 * 24 * time.Hour

// twoDays crawls the demo web under a clock that is off by lie, jumps once the
// first run has stored jumpAt pages, is right on the next day, and crawls again.
func twoDays(t *testing.T, lie, jump time.Duration, jumpAt int) (first, second found) {
	t.Helper()
	ctx, dir, w := context.Background(), filepath.Join(t.TempDir(), "ws"), new(wall)
	w.set(lie)
	report := &countdown{then: func() { w.set(jump) }}
	report.left.Store(int64(jumpAt))
	day := func(first bool) (f found) {
		b := openWeb(t, dir, crawl.Options{Now: w.Now, Report: report, Override: func(s *config.Settings) { s.Crawl.Depth, s.Crawl.Workers, s.Crawl.Strategy = 1, 1, "bfs" }})
		if first {
			demotest.Sample(t, b, 3)
		}
		for _, e := range b.Snapshot().Events {
			f.events = append(f.events, e.Text.String())
		}
		begun := w.Now()
		for _, task := range []func(context.Context, run.Options) (run.Summary, error){b.Runs.Discover, b.Runs.Harvest} {
			if s, err := task(ctx, run.Options{}); err != nil {
				t.Errorf("%+v, %v", s, err)
			}
		}
		collect(t, b, begun, &f)
		demotest.Consistent(t, b.Engine)
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		return f
	}
	first = day(true)
	w.set(24 * time.Hour)
	return first, day(false)
}

func collect(t *testing.T, b *demo.Engine, since time.Time, f *found) {
	t.Helper()
	f.lists, f.notices, f.pages, f.passed = map[string]float64{}, map[string]string{}, map[string]bool{}, nil
	for _, p := range demotest.Exported[view.PageRow](t, b.Engine, "aggregations") {
		f.lists[p.URL] = p.Score
	}
	for _, n := range demotest.Exported[query.NoticeJSON](t, b.Engine, "notices") {
		f.notices[n.URL] = n.Source
	}
	f.theta = b.Snapshot().Theta
	for p, err := range b.Workspace().Pages() {
		must(t, err)
		if f.pages[p.URL] = true; !p.Fetched.Before(since) {
			f.visited++
			continue
		}
		n, err := b.Workspace().Notice(p.ID)
		must(t, err)
		_, read := revisit.Of(p)
		f.passed = append(f.passed, fmt.Sprintf("%s, last visited %v, score %.3f, read as a list: %v, a notice: %v", p.URL, p.Fetched, p.Score, read, n != nil))
	}
}

// missing lists what is in one set and not in the other.
func missing[V any](a, b map[string]V) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[k]; !ok {
			out = append(out, k)
		}
	}
	return out
}

// Whatever the clock said during the first crawl, the day after brings home what
// it would have brought home anyway, from the same visits, and the program says
// that the clock was wrong.
func TestCrawlUnderALyingClock(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls the demo web many times; -short leaves it out")
	}
	_, want := twoDays(t, 0, 0, -1)
	if len(want.lists) < atLeast.lists || len(want.notices) < atLeast.notices || want.visited < len(want.pages) {
		t.Fatalf("the undisturbed crawl found %d lists and %d notices, and visited %d pages again", len(want.lists), len(want.notices), want.visited)
	}
	ahead := func(n int) string { return fmt.Sprintf("the clock was ahead: %d visits lie in the future", n) }
	cases := map[string]struct {
		lie, jump time.Duration
		jumpAt    int
		says      func(first found) string
	}{
		"ten years ahead":         {tenYears, 0, -1, func(f found) string { return ahead(len(f.pages)) }},
		"in 1970":                 {-time.Since(time.Unix(1e6, 0)), 0, -1, nil},
		"set ahead in the middle": {0, tenYears, jumpAt, func(found) string { return "the clock was ahead: " }},
		"set back in the middle":  {tenYears, 0, jumpAt, func(found) string { return "the clock was ahead: " }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // one worker crawls, and mostly waits for the disk
			first, got := twoDays(t, c.lie, c.jump, c.jumpAt)
			if a, b := missing(want.lists, got.lists), missing(got.lists, want.lists); len(a)+len(b) > 0 {
				t.Errorf("aggregation pages lost: %q; besides: %q", a, b)
			}
			for u, s := range got.lists {
				if was, ok := want.lists[u]; ok && math.Abs(s-was) > 1e-6 {
					t.Errorf("%s has score %v, undisturbed %v", u, s, was)
				}
			}
			if a, b := missing(want.notices, got.notices), missing(got.notices, want.notices); len(a)+len(b) > 0 {
				t.Errorf("notices lost: %q; besides: %q", a, b)
			}
			if a, b := missing(want.pages, got.pages), missing(got.pages, want.pages); len(a)+len(b) > 0 {
				t.Errorf("pages lost: %q; besides: %q", a, b)
			}
			if got.visited < len(got.pages) {
				t.Errorf("%d of %d pages visited on the second day; not (θ = %.3f): %s", got.visited, len(got.pages), got.theta, strings.Join(got.passed, "\n"))
			}
			said := strings.Join(got.events, "\n")
			if c.says != nil && !strings.Contains(said, c.says(first)) {
				t.Errorf("the second day does not begin with %q:\n%s", c.says(first), said)
			}
			if c.lie < 0 && !strings.Contains(strings.Join(first.events, "\n"), "before this program was made") {
				t.Errorf("nothing is said of a clock in 1970: %q", first.events)
			}
		})
	}
}

// A known page that a list announces is read from the store for the list's sake, and
// visited again all the same where that is due: here the lists of the first day were
// judged, and their notices are sent for on the second.
func TestErrandsTakeNoVisitAway(t *testing.T) {
	ctx, dir, w := context.Background(), filepath.Join(t.TempDir(), "ws"), new(wall)
	var f found
	for day := range 2 {
		w.set(time.Duration(day) * 24 * time.Hour)
		b := openWeb(t, dir, crawl.Options{Now: w.Now, Override: func(s *config.Settings) {
			if s.Crawl.Depth = 1; day == 0 {
				s.Harvest.Share = 0
			}
		}})
		if day == 0 {
			demotest.Sample(t, b, 3)
		}
		begun := w.Now()
		if _, err := b.Runs.Discover(ctx, run.Options{}); err != nil {
			t.Fatal(err)
		}
		if day == 1 {
			if _, err := b.Runs.Harvest(ctx, run.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		collect(t, b, begun, &f)
		must(t, b.Close())
	}
	if len(f.notices) < atLeast.brought {
		t.Fatalf("%d notices came home", len(f.notices))
	}
	if len(f.passed) > 0 {
		t.Errorf("%d of %d pages were not visited on the second day: %s", len(f.passed), len(f.pages), strings.Join(f.passed, "\n"))
	}
}

// A schedule goes on by the distances that pass, whatever the clock on the wall is
// set to meanwhile: rounds come daily, lists are visited in between, and pages
// visited while the clock was ahead are visited again once it is right.
func TestRoundsWhileTheClockIsSet(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls the demo web for some days; -short leaves it out")
	}
	w, ctx := new(wall), context.Background()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := openWeb(t, "", crawl.Options{Now: w.Now, Override: func(s *config.Settings) { s.Crawl.Depth = 1 }})
	demotest.Sample(t, b, 3)
	elapsed, lie := time.Duration(0), time.Duration(0) // real time; what the wall is off by
	var discoveries, harvests []time.Duration
	fetched := map[int]int{} // by day of real time
	b.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
		if err != nil {
			t.Errorf("after %v: %v", elapsed, err)
		}
		fetched[int(elapsed/(24*time.Hour))] += s.Fetched
		if s.Task == view.Discovery {
			discoveries = append(discoveries, elapsed)
		} else {
			harvests = append(harvests, elapsed)
		}
	}, func(d time.Duration) <-chan time.Time {
		if d < 0 || d > 24*time.Hour {
			t.Errorf("after %v the schedule waits for %v", elapsed, d)
		}
		elapsed += d
		switch day := elapsed.Hours() / 24; { // ahead on the second day, in 1970 on the fourth
		case day >= 6:
			cancel()
		case day >= 1 && day < 2:
			lie = tenYears
		case day >= 3 && day < 4:
			lie = -2 * tenYears
		default:
			lie = 0
		}
		w.set(elapsed + lie)
		over := make(chan time.Time, 1)
		over <- w.Now()
		return over
	})
	widest := func(at []time.Duration) (gap time.Duration) {
		last := time.Duration(0)
		for _, d := range append(at, elapsed) {
			gap, last = max(gap, d-last), d
		}
		return gap
	}
	if g := widest(discoveries); g > 49*time.Hour {
		t.Errorf("%v passed without a discovery: %v", g, discoveries)
	}
	if g := widest(harvests); g > 26*time.Hour {
		t.Errorf("%v passed without a harvest: %v", g, harvests)
	}
	for day := range 6 {
		if fetched[day] == 0 {
			t.Errorf("nothing was fetched on day %d: %v", day, fetched)
		}
	}
	for p, err := range b.Workspace().Pages() {
		must(t, err)
		if age := w.Now().Sub(p.Fetched); age < -time.Minute || age > 4*24*time.Hour {
			t.Errorf("%s was visited %v ago", p.URL, age)
		}
	}
}

// A retry planned by a clock that was ten years ahead is due as soon as the clock is
// right, and it is said; one planned for an hour by a right clock is not.
func TestRetriesUnderALyingClock(t *testing.T) {
	for name, c := range map[string]struct {
		lie   time.Duration
		asked bool
	}{"ten years ahead": {tenYears, true}, "right": {0, false}} {
		t.Run(name, func(t *testing.T) {
			var down atomic.Bool
			down.Store(true)
			var asked atomic.Int64
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					http.NotFound(w, r)
					return
				}
				asked.Add(1)
				if down.Load() {
					w.Header().Set("Retry-After", "3600")
					http.Error(w, "later", http.StatusServiceUnavailable)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<title>here</title><p>again")
			})
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			w := new(wall)
			dir := demotest.Workspace(t, func(set *config.Settings) {
				set.Seeds, set.Crawl.Delay, set.Crawl.AllowPrivate = []string{server.URL + "/"}, 0, true
			})
			discover := func() (said string) {
				e := demotest.Engine(t, dir, crawl.Options{Now: w.Now})
				defer demotest.Close(t, e)
				_, _ = e.Runs.Discover(context.Background(), run.Options{}) // no seed answers at first
				e.Attend()()
				for _, ev := range e.Snapshot().Events {
					said += ev.Text.String() + "\n"
				}
				return said
			}
			w.set(c.lie)
			discover()
			down.Store(false)
			w.set(time.Minute)
			before := asked.Load()
			said := discover()
			if got := asked.Load() > before; before == 0 || got != c.asked {
				t.Errorf("asked %d times, then %d times", before, asked.Load()-before)
			}
			if got := strings.Contains(said, "the clock was ahead: 1 retries"); got != c.asked {
				t.Errorf("it was said: %v\n%s", got, said)
			}
		})
	}
}

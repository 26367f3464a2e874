package crawl_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store/config"
)

// calendar is a running clock that jumps to the end of a waiting when a caller
// waits for it. It starts on a Wednesday morning: visits follow the hours and days of the week.
type calendar struct {
	*clock
	start time.Time
	asked func()        // before each jump
	most  time.Duration // timers of more than that never go off; 0 = all do
}

func newCalendar() *calendar {
	start := time.Date(2026, time.November, 25, 9, 0, 0, 0, time.UTC)
	return &calendar{clock: clockAt(start), start: start, asked: func() {}}
}

func (c *calendar) after(d time.Duration) <-chan time.Time {
	c.asked()
	over := make(chan time.Time, 1)
	over <- c.jump(d)
	return over
}

// outcome is one run of the schedule.
type outcome struct {
	at   time.Duration // since the start
	task string
	sum  run.Summary
}

// days lets the schedule of a demo with three samples run for n days; between
// two jumps of the clock asked is called.
func days(t *testing.T, n int, asked func(*crawl.Engine, *calendar)) (runs []outcome) {
	t.Helper()
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	c := newCalendar()
	b := openDemo(t, t.TempDir(), crawl.Options{Now: c.Now, Override: func(s *config.Settings) { s.Crawl.Depth = 1 }})
	sampled(t, b, 3)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.asked = func() {
		asked(b.Engine, c)
		if c.Now().Sub(c.start) > time.Duration(n)*24*time.Hour {
			cancel()
		}
	}
	w := watcher{t: t, e: b.Engine, missed: map[string]int{}}
	b.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
		if err != nil {
			t.Errorf("after %v: %v", c.Now().Sub(c.start), err)
		}
		w.ran(s)
		runs = append(runs, outcome{c.Now().Sub(c.start), s.Task, s})
	}, w.after(c.after))
	return runs
}

// watcher sees to it that a harvest visits what is due when it begins. What
// becomes due while it runs, because the clock goes on or because what it fetched
// makes another page an aggregation page, is left to the next.
type watcher struct {
	t      *testing.T
	e      *crawl.Engine
	due    []string       // when the run under way began
	missed map[string]int // harvests in a row that left a page that was due
}

// after looks when the time of wait is over.
func (w *watcher) after(wait func(time.Duration) <-chan time.Time) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		over := wait(d)
		w.begins()
		return over
	}
}

func (w *watcher) begins() {
	w.t.Helper()
	var err error
	if w.due, err = due(w.e); err != nil {
		w.t.Fatal(err)
	}
}

// ran is told of every run, before the next one begins.
func (w *watcher) ran(s run.Summary) {
	w.t.Helper()
	was := w.due
	w.begins()
	if s.Task != view.Harvest {
		return
	}
	if s.Failed > 0 || s.Later > 0 {
		w.t.Errorf("a harvest in which %d fetches failed, %d to be tried later: nothing fails here", s.Failed, s.Later)
	}
	missed := map[string]int{}
	for _, u := range w.due {
		if slices.Contains(was, u) {
			// Once may be a page that was none of the harvest's for a moment, its
			// score beside the threshold.
			if missed[u] = w.missed[u] + 1; missed[u] > 1 {
				w.t.Errorf("%s was due before %d harvests in a row and is still", u, missed[u])
			}
		}
	}
	w.missed = missed
}

// TestRoundsOverDays: whatever a page does, no aggregation page waits for more
// than a day and the pause between two harvests, and what never changes is not
// asked for every hour.
func TestRoundsOverDays(t *testing.T) {
	alone(t)
	oldest := time.Duration(0)
	runs := days(t, 4, func(e *crawl.Engine, c *calendar) {
		for _, p := range exported[view.PageRow](t, e, "aggregations") {
			oldest = max(oldest, c.Now().Sub(p.FetchedAt))
		}
	})
	discoveries, lastDay, requests := 0, 0, 0
	began := -time.Hour // of the discovery before
	for _, r := range runs {
		if r.task == view.Discovery && r.at-began < 10*time.Minute {
			continue // a page of each site always fails: the first round goes on with it
		}
		if r.task == view.Discovery {
			began = r.at
			if want := time.Duration(discoveries) * 24 * time.Hour; r.at < want || r.at > want+10*time.Minute {
				t.Errorf("discovery %d began after %v, want %v", discoveries, r.at, want)
			}
			discoveries++
		}
		if r.at > 3*24*time.Hour && r.task == view.Harvest {
			lastDay++
			requests += r.sum.Fetched
		}
	}
	if discoveries < 4 {
		t.Errorf("%d discoveries in 4 days", discoveries)
	}
	if most := 24*time.Hour + 20*time.Minute; oldest > most || oldest < 20*time.Hour {
		t.Errorf("an aggregation page was left for %v, want about a day and at most %v", oldest, most)
	}
	lists, notices := runs[0].sum.Aggregations, 0
	for _, r := range runs {
		notices += r.sum.Notices
	}
	t.Logf("%d aggregation pages, never changed: %d harvests with %d requests on the fourth day, none left for more than %v", lists, lastDay, requests, oldest)
	// A young notice is looked at again at most once a day (revisit.watch_min).
	if lists == 0 || notices == 0 || requests > 2*lists+notices {
		t.Errorf("%d requests a day to %d lists and %d notices that never changed", requests, lists, notices)
	}
}

// TestRoundsFollowChanges: what is published every two hours is brought home
// long before the next round.
func TestRoundsFollowChanges(t *testing.T) {
	alone(t)
	c := newCalendar()
	b := openDemo(t, t.TempDir(), crawl.Options{Now: c.Now, Override: func(s *config.Settings) { s.Crawl.Depth = 1 }})
	sampled(t, b, 3)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	published := 0
	c.asked = func() {
		for since := c.Now().Sub(c.start); time.Duration(published)*2*time.Hour < since; published++ {
			b.Web().Publish(1)
		}
		if c.Now().Sub(c.start) > 36*time.Hour {
			cancel()
		}
	}
	var news []time.Duration
	w := watcher{t: t, e: b.Engine, missed: map[string]int{}}
	b.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
		if err != nil {
			t.Error(err)
		}
		w.ran(s)
		if at := c.Now().Sub(c.start); s.Task == view.Harvest && s.Notices > 0 && at > 18*time.Hour {
			news = append(news, at)
		}
	}, w.after(c.after))
	worst := time.Duration(0)
	for i := 1; i < len(news); i++ {
		worst = max(worst, news[i]-news[i-1])
	}
	t.Logf("in the last 18 hours %d harvests brought notices, at most %v apart", len(news), worst)
	if len(news) < 4 || worst > 6*time.Hour {
		t.Errorf("%d harvests brought notices, at most %v apart; there was news every 2 h", len(news), worst)
	}
}

// TestRoundsAndPeople: a harvest that a person stops is the last before the next
// round, and a run that a person started is waited for.
func TestRoundsAndPeople(t *testing.T) {
	t.Parallel()
	c := newCalendar()
	b := openDemo(t, t.TempDir(), crawl.Options{Now: c.Now, Override: func(s *config.Settings) { s.Crawl.Depth = 1 }})
	sampled(t, b, 3)
	b.Server().Fail(func(req *http.Request, _ int) webtest.Fault {
		if strings.HasSuffix(req.URL.Path, "/lxwm.htm") {
			return webtest.Fault{Status: http.StatusInternalServerError}
		}
		return webtest.Fault{}
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	step, asked := make(chan time.Time), make(chan time.Duration)
	told := make(chan run.Summary, 8)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
			if err != nil {
				t.Error(err)
			}
			told <- s
		}, func(d time.Duration) <-chan time.Time {
			select {
			case asked <- d:
			case <-ctx.Done():
			}
			return step
		})
	}()
	jump := func(d time.Duration) { step <- c.jump(d) }
	for _, task := range []string{view.Discovery, view.Harvest} {
		if s := <-told; s.Task != task || s.Stopped || task == view.Discovery && s.Fetched == 0 { // which brings the notices home, too
			t.Errorf("the first round: %+v, want a %s", s, task)
		}
	}
	d := <-asked
	if d > 3*time.Minute || !strings.HasPrefix(b.Snapshot().Why, "unfinished since ") {
		t.Errorf("one page of the demo web always fails, the round goes on in %v: %q", d, b.Snapshot().Why)
	}
	jump(d + time.Minute)
	for _, task := range []string{view.Discovery, view.Harvest} {
		if s := <-told; s.Task != task || s.Later > 0 {
			t.Errorf("the first round goes on: %+v, want a %s that finishes", s, task)
		}
	}
	d = <-asked
	if d < 15*time.Minute || d > time.Hour {
		t.Errorf("looks again after %v", d)
	}
	must(t, b.Settings.SetWorkers(1))
	// The next harvest of the schedule a person stops: then it is quiet.
	b.Web().Publish(30)
	jump(2 * time.Hour)
	waitFor(t, "a harvest is under way", func() bool { b.Runs.Stop(); return len(told) > 0 })
	if s := <-told; s.Task != view.Harvest || !s.Stopped {
		t.Errorf("%+v, want a harvest that was stopped", s)
	}
	if d := <-asked; d < 20*time.Hour {
		t.Errorf("after a harvest that a person stopped the schedule looks again in %v", d)
	}
	wang := b.As(auth.Actor{Name: "wang", Role: auth.Owner})
	must(t, wang.Runs.StartHarvest())
	wang.Runs.Pause()
	jump(24 * time.Hour)
	wang.Runs.Resume()
	if s := <-told; s.Task != view.Discovery {
		t.Errorf("%+v, want the next round's discovery", s)
	}
	cancel()
	b.Runs.Stop()
	<-ended
	by := map[string]bool{}
	for _, ev := range b.Snapshot().Events {
		by[ev.By] = true
	}
	if !by["schedule"] || !by["wang"] {
		t.Errorf("the events do not tell who started what: %v", by)
	}
}

// waitFor waits for a condition.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Minute)
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("never: %s", what)
		}
	}
}

// due lists the URLs of the aggregation pages that a harvest would visit now.
func due(e *crawl.Engine) ([]string, error) {
	ids, err := e.Schedule.Due()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, id := range ids {
		u, err := e.Workspace().URL(id)
		if err != nil {
			return nil, err
		}
		list = append(list, u.URL)
	}
	return list, nil
}

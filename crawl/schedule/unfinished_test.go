package schedule

import (
	"context"
	"slices"
	"testing"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// scripted runs what the test says, and notes what it was asked for.
type scripted struct {
	clock  time.Time
	asked  []string
	at     []time.Duration
	start  time.Time
	lists  [][]uint64
	due    bool // an aggregation page is due whenever a person asks
	answer func(task string, n int) run.Summary
}

func (s *scripted) run(task string, opt run.Options) (run.Summary, error) {
	s.asked, s.at, s.lists = append(s.asked, task), append(s.at, s.clock.Sub(s.start)), append(s.lists, opt.Lists)
	return s.answer(task, len(s.asked)), nil
}

func (s *scripted) Discover(_ context.Context, opt run.Options) (run.Summary, error) {
	return s.run(view.Discovery, opt)
}
func (s *scripted) Harvest(_ context.Context, opt run.Options) (run.Summary, error) {
	return s.run(view.Harvest, opt)
}

// scheduled runs a schedule over the script until n runs were made.
func (s *scripted) scheduled(t *testing.T, n int, waiting func(*Schedule)) {
	t.Helper()
	dir, set := t.TempDir(), config.Default()
	set.Seeds = []string{"http://a.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	ws, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s.start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	s.clock = s.start
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var aggregations []uint64
	if s.due {
		found, err := ws.Seed(set.Seeds)
		if err != nil {
			t.Fatal(err)
		}
		aggregations = []uint64{found[0].Row.ID}
		if _, err := ws.Commit(nil, []*store.Capture{{ID: aggregations[0], State: store.Complete, Page: &store.Page{URL: set.Seeds[0], Status: 200, Fetched: s.start}}}); err != nil {
			t.Fatal(err)
		}
	}
	x := New(Config{Runner: s, Jobs: new(jobs.Jobs), Store: ws, Aggregations: func() []uint64 { return aggregations }, Settings: func() *config.Settings { return &set }, Events: &view.EventLog{},
		Now: func() time.Time { return s.clock }})
	x.Rounds(ctx, 24*time.Hour, func(run.Summary, error) {
		if len(s.asked) >= n {
			cancel()
		}
	}, func(d time.Duration) <-chan time.Time {
		waiting(x)
		s.clock = s.clock.Add(max(d, time.Second))
		over := make(chan time.Time, 1)
		over <- s.clock
		return over
	})
}

// What a round has left goes on when the first of it is ready, and not later than
// the next round; what brings nothing home goes on more and more seldom.
func TestARoundGoesOn(t *testing.T) {
	s := &scripted{}
	s.answer = func(task string, n int) run.Summary {
		sum := run.Summary{Task: task}
		if task == view.Discovery && n < 9 {
			sum.Later, sum.Next = 1225, s.clock.Add(20*time.Minute)
			if n == 1 {
				sum.Pages, sum.Next = 500, s.clock.Add(30*time.Second)
			}
		}
		return sum
	}
	since := map[time.Time]bool{}
	s.scheduled(t, 12, func(x *Schedule) {
		if u := x.Unfinished(); u != nil {
			since[u.Since] = true
			if u.Waiting != 1225 || u.At.Before(s.clock) {
				t.Errorf("%+v at %v", u, s.clock)
			}
		} else if len(s.asked) < 10 {
			t.Errorf("after %d runs nothing is left", len(s.asked))
		}
	})
	want := []time.Duration{0, 2 * time.Minute, 22 * time.Minute, 42 * time.Minute, 62 * time.Minute, 24 * time.Hour}
	for i, w := range want {
		if s.asked[2*i] != view.Discovery || s.asked[2*i+1] != view.Harvest {
			t.Errorf("runs %v", s.asked)
		}
		if got := s.at[2*i]; got < w || got > w+time.Minute {
			t.Errorf("discovery %d began after %v, want %v", i+1, got, w)
		}
	}
	if len(since) != 1 {
		t.Errorf("unfinished since %v, want one time", since)
	}
}

func TestGoingOnBecomesSeldom(t *testing.T) {
	s := &scripted{answer: func(task string, _ int) run.Summary { return run.Summary{Task: task, Later: 1} }}
	s.scheduled(t, 40, func(*Schedule) {})
	var at []time.Duration
	for i, task := range s.asked {
		if task == view.Discovery {
			at = append(at, s.at[i])
		}
	}
	day := 0
	for _, a := range at {
		if a < 24*time.Hour {
			day++
		}
	}
	if day > 14 || !slices.ContainsFunc(at, func(d time.Duration) bool { return d >= 24*time.Hour && d < 24*time.Hour+time.Minute }) {
		t.Errorf("%d discoveries on the first day, all at %v", day, at)
	}
}

// A harvest that has left notices visits their lists again, due or not.
func TestAHarvestGoesOn(t *testing.T) {
	s := &scripted{}
	s.answer = func(task string, n int) run.Summary {
		if n == 2 {
			return run.Summary{Task: task, Later: 3, Lists: []uint64{7, 9}, Next: s.clock.Add(time.Minute)}
		}
		return run.Summary{Task: task}
	}
	s.scheduled(t, 3, func(*Schedule) {})
	if !slices.Equal(s.asked, []string{view.Discovery, view.Harvest, view.Harvest}) || !slices.Equal(s.lists[2], []uint64{7, 9}) {
		t.Errorf("runs %v with lists %v", s.asked, s.lists)
	}
}

// What a discovery, the harvest after it and the harvests between have left is visited
// by the harvest that goes on, and at the latest by that of the next round.
func TestNothingThatIsLeftIsForgotten(t *testing.T) {
	for name, c := range map[string]struct {
		left  map[int][]uint64 // by runs
		ready time.Duration
		want  []uint64
		after time.Duration // the round goes on
	}{
		"on the same day": {map[int][]uint64{1: {1, 2}, 2: {2, 7}, 3: {9}}, 90 * time.Minute, []uint64{1, 2, 7, 9}, 90 * time.Minute},
		"a harvest alone": {map[int][]uint64{5: {9}}, 4 * time.Hour, []uint64{9}, 4 * time.Hour},
		"on the next day": {map[int][]uint64{24: {9}}, 50 * time.Hour, []uint64{9}, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{due: true}
			s.answer = func(task string, n int) run.Summary {
				if c.left[n] == nil {
					return run.Summary{Task: task}
				}
				return run.Summary{Task: task, Later: 1, Lists: c.left[n], Next: s.start.Add(c.ready)}
			}
			s.scheduled(t, 40, func(*Schedule) {})
			on := slices.IndexFunc(s.lists, func(l []uint64) bool { return l != nil })
			if on < 0 || s.asked[on] != view.Harvest || !slices.Equal(s.lists[on], c.want) || s.at[on] < c.after || s.at[on] > c.after+time.Minute {
				t.Errorf("runs %v at %v with lists %v; want %v after %v", s.asked, s.at, s.lists, c.want, c.after)
			}
		})
	}
}

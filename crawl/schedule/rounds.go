// Package schedule keeps a workspace fresh: rounds of a discovery and a harvest,
// harvests between them when aggregation pages have become due, and another try
// of what failed. It starts runs through a small interface and never touches one.
// The clock and the waiting are given, so that a day can be simulated.
package schedule

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// Runner starts runs and waits for them to end.
type Runner interface {
	Discover(ctx context.Context, opt run.Options) (run.Summary, error)
	Harvest(ctx context.Context, opt run.Options) (run.Summary, error)
}

// Config is what a Schedule works with.
type Config struct {
	Runner       Runner
	Jobs         *jobs.Jobs
	Store        *store.Workspace
	Aggregations func() []uint64
	Settings     func() *config.Settings
	Events       *view.EventLog
	Now          func() time.Time
}

// Schedule is the schedule of one workspace. Rounds is called once at a time;
// Retry, Unfinished and Next are safe for concurrent use.
type Schedule struct {
	Config
	retry atomic.Pointer[Retry] // what could not be done; nil = nothing
	open  atomic.Pointer[Unfinished]
	next  atomic.Pointer[time.Time] // when the next round begins; nil = there are no rounds
}

// New returns a Schedule.
func New(c Config) *Schedule { return &Schedule{Config: c} }

// Retry is what is going to be tried again; nil = nothing.
func (s *Schedule) Retry() *Retry { return s.retry.Load() }

// Unfinished is what the last round has left; nil = nothing.
func (s *Schedule) Unfinished() *Unfinished { return s.open.Load() }

// Next is when the next round begins; zero = there are no rounds.
func (s *Schedule) Next() time.Time {
	if t := s.next.Load(); t != nil {
		return *t
	}
	return time.Time{}
}

// Due returns the aggregation pages that a harvest would visit now.
func (s *Schedule) Due() ([]uint64, error) {
	plan, err := revisit.Plan(&s.Settings().Revisit)
	if err != nil {
		return nil, err
	}
	due, _, err := revisit.Due(s.Store, s.Aggregations(), plan, s.Now())
	return due, err
}

// Rounds keeps a workspace fresh until ctx ends: a round, which is a discovery
// and then a harvest, at once and again whenever every has passed since the last
// one began. In between a harvest visits the aggregation pages that have become
// due (see revisit), so that one that changes by the hour is not left for a day,
// and none waits longer than the longest interval of the settings and the pause
// between two harvests. Other pages are visited by rounds alone.
//
// A run that a person has started is waited for; after one of these that a
// person stops nothing begins before the next round. What fails is tried again,
// see tryAgain, with what was to follow it. What is left because hosts rest or URLs
// wait for their next try goes on when the first of them is ready, see goOn. told is given the outcome of each
// run. after is the clock; nil = time.After.
func (s *Schedule) Rounds(ctx context.Context, every time.Duration, told func(run.Summary, error), after func(time.Duration) <-chan time.Time) {
	if after == nil {
		after = time.After
	}
	defer s.retry.Store(nil)
	defer s.open.Store(nil)
	defer s.next.Store(nil)
	var rest *Unfinished
	for ctx.Err() == nil {
		begun := s.Now()
		next := begun.Add(every)
		s.next.Store(&next)
		end := s.round(ctx, told, []task{{name: view.Discovery, run: s.Runner.Discover}, {name: view.Harvest, run: s.Runner.Harvest, lists: rest.left()}})
		retry := s.tryAgain(end, begun.Add(every), every)
		rest = s.goOn(end, begun.Add(every), every)
		for left := s.left(begun, every); left > 0; left = s.left(begun, every) {
			if !end.stopped {
				left = min(left, s.untilDue())
			}
			if retry != nil {
				left = min(left, max(0, retry.At.Sub(s.Now())))
			} else if rest != nil {
				left = min(left, max(0, rest.At.Sub(s.Now())))
			}
			from := s.Now()
			select {
			case <-after(left):
			case <-ctx.Done():
				return
			}
			begun = s.waited(begun, from, left)
			switch {
			case end.stopped || s.left(begun, every) <= 0:
			case retry != nil && !s.Now().Before(retry.At):
				end = s.round(ctx, told, end.failed)
				retry = s.tryAgain(end, begun.Add(every), every)
				rest = s.goOn(end, begun.Add(every), every)
			case retry == nil && rest != nil && !s.Now().Before(rest.At):
				end = s.round(ctx, told, rest.tasks(s.Runner))
				retry = s.tryAgain(end, begun.Add(every), every)
				rest = s.goOn(end, begun.Add(every), every)
			case s.anyDue():
				switch between := s.round(ctx, told, []task{{name: view.Harvest, run: s.Runner.Harvest}}); {
				case between.stopped:
					end, retry = between, s.tryAgain(between, begun.Add(every), every)
					rest = s.goOn(between, begun.Add(every), every)
				case rest != nil && between.later > 0:
					rest = s.besides(rest, between)
				case between.later > 0:
					rest = s.goOn(between, begun.Add(every), every)
				}
			}
		}
	}
}

// left is what remains of every since begun; never more than every, should the
// clock be set back.
func (s *Schedule) left(begun time.Time, every time.Duration) time.Duration {
	return min(every, begun.Add(every).Sub(s.Now()))
}

// waited is when the round began, by the clock that stands after a wait of d since
// from: where it was set back meanwhile, the next round must not wait until it has
// come so far again.
func (s *Schedule) waited(begun, from time.Time, d time.Duration) time.Time {
	now := s.Now()
	if passed := now.Sub(from); passed < d {
		begun = begun.Add(passed - d)
	}
	if now.Before(begun) {
		return now
	}
	return begun
}

// untilDue is how long to wait before looking whether a harvest is worth its
// while: until the next page that a harvest has read is due, at most the shortest
// interval of the settings, because people run harvests and find pages too, and
// at least a quarter of it, so that what becomes due shortly after each other is
// visited in one. Pages that are due already do not count: the harvest just over
// could not reach them, or they became due while it ran (what it read can make
// another page an aggregation page), and must not start another one at once.
func (s *Schedule) untilDue() time.Duration {
	plan, err := revisit.Plan(&s.Settings().Revisit)
	if err != nil {
		return time.Hour // the runs say what is wrong
	}
	now, shortest := s.Now(), plan.Aggregation.Min
	wait := shortest
	err = s.Store.EachPage(s.Aggregations(), func(p *store.Page) {
		h, read := revisit.Of(p)
		if d := h.Next(now, revisit.Aggregation, plan).Sub(now); read && d > 0 {
			wait = min(wait, d)
		}
	})
	if err != nil {
		wait = shortest
	}
	return max(wait, shortest/4, time.Minute)
}

// anyDue reports whether a harvest would find a page that is due.
func (s *Schedule) anyDue() bool {
	due, err := s.Due()
	return err == nil && len(due) > 0
}

// task is one of the runs that a round consists of.
type task struct {
	name  string
	run   func(context.Context, run.Options) (run.Summary, error)
	lists []uint64 // harvest: visited although they are not due
}

// roundEnd is what came of a round.
type roundEnd struct {
	stopped bool   // by a person
	failed  []task // the one that failed and those that were to follow it
	later   int    // URLs left to a later run
	next    time.Time
	names   []string // of the tasks that left them
	lists   []uint64 // lists whose notices were left
	gained  int      // pages and notices brought home
}

// round runs the tasks, each when the one before has ended. What fails ends the
// round, too.
func (s *Schedule) round(ctx context.Context, told func(run.Summary, error), tasks []task) roundEnd {
	var end roundEnd
	for i, t := range tasks {
		opt := run.Options{Due: true, Lists: t.lists}
		sum, err := t.run(ctx, opt)
		for errors.Is(err, run.ErrBusy) {
			s.Jobs.WaitIdle(ctx)
			sum, err = t.run(ctx, opt)
		}
		if ctx.Err() != nil {
			return roundEnd{}
		}
		told(sum, err)
		if end.gained += sum.Pages + sum.Notices; sum.Later > 0 {
			end.later += sum.Later
			end.names = append(end.names, t.name)
			end.lists = both(end.lists, sum.Lists)
			if end.next.IsZero() || !sum.Next.IsZero() && sum.Next.Before(end.next) {
				end.next = sum.Next
			}
		}
		switch {
		case sum.Stopped:
			return roundEnd{stopped: true}
		case errors.Is(err, run.ErrNoSeeds):
		case errors.Is(err, run.ErrNoTopic), errors.Is(err, run.ErrNoAggregations):
			return end // nothing to do yet is no failure
		case err != nil:
			end.failed = tasks[i:]
			return end
		}
	}
	return end
}

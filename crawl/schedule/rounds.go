// Package schedule keeps a workspace fresh: rounds of a discovery and a harvest, harvests between
// them when aggregation pages become due, and retries. It starts runs through a small interface and
// never accesses one. Clock and timer are injected, so that a day can be simulated.
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

// Runner starts runs and waits for their end.
type Runner interface {
	Discover(ctx context.Context, opt run.Options) (run.Summary, error)
	Harvest(ctx context.Context, opt run.Options) (run.Summary, error)
}

// Config holds the parts of a Schedule.
type Config struct {
	Runner       Runner
	Jobs         *jobs.Jobs
	Store        *store.Workspace
	Aggregations func() []uint64
	Settings     func() *config.Settings
	Events       *view.EventLog
	Now          func() time.Time
}

// Schedule is the schedule of one workspace. Only one call of Rounds may run at a time; Retry,
// Unfinished and Next are safe for concurrent use.
type Schedule struct {
	Config
	retry atomic.Pointer[Retry] // nil = none
	open  atomic.Pointer[Unfinished]
	next  atomic.Pointer[time.Time] // start of the next round; nil = no rounds
}

// New returns a Schedule.
func New(c Config) *Schedule { return &Schedule{Config: c} }

// Retry returns the next retry; nil = none.
func (s *Schedule) Retry() *Retry { return s.retry.Load() }

// Unfinished returns the work that the last round left; nil = none.
func (s *Schedule) Unfinished() *Unfinished { return s.open.Load() }

// Next returns the start of the next round; zero = no rounds.
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

// Rounds keeps a workspace fresh until ctx ends. A round is a discovery followed by a harvest, at
// once and then every interval. Between rounds, harvests visit aggregation pages that become due
// (see revisit). So a page that changes hourly does not wait for a day, and none waits longer than
// the longest interval of the settings plus the pause between two harvests. Only rounds visit other
// pages.
//
// Rounds waits for a run that a user started. After a user stops a scheduled run, nothing starts
// before the next round. planRetry retries a failed task with those after it. planContinue
// continues work that waits for pausing hosts or retries. report receives the result of each run.
// after is the timer; nil = time.After.
func (s *Schedule) Rounds(ctx context.Context, every time.Duration, report func(run.Summary, error),
	after func(time.Duration) <-chan time.Time) {
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
		end := s.round(ctx, report, []task{{name: view.Discovery, run: s.Runner.Discover},
			{name: view.Harvest, run: s.Runner.Harvest, lists: rest.left()}})
		retry := s.planRetry(end, begun.Add(every), every)
		rest = s.planContinue(end, begun.Add(every), every)
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
				end = s.round(ctx, report, end.failed)
				retry = s.planRetry(end, begun.Add(every), every)
				rest = s.planContinue(end, begun.Add(every), every)
			case retry == nil && rest != nil && !s.Now().Before(rest.At):
				end = s.round(ctx, report, rest.tasks(s.Runner))
				retry = s.planRetry(end, begun.Add(every), every)
				rest = s.planContinue(end, begun.Add(every), every)
			case s.anyDue():
				switch between := s.round(ctx, report, []task{{name: view.Harvest, run: s.Runner.Harvest}}); {
				case between.stopped:
					end, retry = between, s.planRetry(between, begun.Add(every), every)
					rest = s.planContinue(between, begun.Add(every), every)
				case rest != nil && between.later > 0:
					rest = s.addLists(rest, between)
				case between.later > 0:
					rest = s.planContinue(between, begun.Add(every), every)
				}
			}
		}
	}
}

// left returns the rest of the interval since begun, at most every, in case the clock is set back.
func (s *Schedule) left(begun time.Time, every time.Duration) time.Duration {
	return min(every, begun.Add(every).Sub(s.Now()))
}

// waited returns the start of the round, corrected after a wait of d since from. If the clock was
// set back meanwhile, the next round would otherwise be late by that amount.
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

// untilDue returns how long to wait before checking for a harvest: until the next harvested page is
// due. It is at most the shortest interval of the settings, because users also run harvests and
// find pages. It is at least a quarter of it, so that pages due shortly after each other share a
// harvest. Pages that are due already do not count. The last harvest could not reach them, or they
// became due during it, and they must not start another one at once.
func (s *Schedule) untilDue() time.Duration {
	plan, err := revisit.Plan(&s.Settings().Revisit)
	if err != nil {
		return time.Hour // the runs report the error
	}
	now, shortest := s.Now(), plan.Aggregation.Min
	wait := shortest
	err = revisit.EachList(s.Store, s.Aggregations(), plan, now,
		func(_ *store.Page, _ revisit.History, read bool, next time.Time) {
			if d := next.Sub(now); read && d > 0 {
				wait = min(wait, d)
			}
		})
	if err != nil {
		wait = shortest
	}
	return max(wait, shortest/4, time.Minute)
}

// anyDue reports whether any aggregation page is due.
func (s *Schedule) anyDue() bool {
	due, err := s.Due()
	return err == nil && len(due) > 0
}

// task is one run of a round.
type task struct {
	name  string
	run   func(context.Context, run.Options) (run.Summary, error)
	lists []uint64 // harvest: lists to visit although they are not due
}

// roundEnd is the result of a round.
type roundEnd struct {
	stopped bool   // by a user
	failed  []task // the failed task and those after it
	later   int    // URLs left to a later run
	next    time.Time
	names   []string // of the tasks that left URLs
	lists   []uint64 // lists with notices left
	gained  int      // pages and notices stored
}

// round runs the tasks one after the other. A failure ends the round.
func (s *Schedule) round(ctx context.Context, report func(run.Summary, error), tasks []task) roundEnd {
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
		report(sum, err)
		if end.gained += sum.Pages + sum.Notices; sum.Later > 0 {
			end.later += sum.Later
			end.names = append(end.names, t.name)
			end.lists = union(end.lists, sum.Lists)
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

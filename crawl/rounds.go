package crawl

import (
	"context"
	"errors"
	"time"

	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/store"
)

// Rounds keeps a workspace fresh until ctx ends: a round, which is a discovery
// and then a harvest, at once and again whenever every has passed since the last
// one began. In between a harvest visits the aggregation pages that have become
// due (see revisit), so that one that changes by the hour is not left for a day,
// and none waits longer than the longest interval of the settings and the pause
// between two harvests. Other pages are visited by rounds alone.
//
// A run that a person has started is waited for; after one of these that a
// person stops nothing begins before the next round. What fails is tried again,
// see tryAgain, with what was to follow it. told is given the outcome of each
// run. after is the clock; nil = time.After.
func (e *Engine) Rounds(ctx context.Context, every time.Duration, told func(Summary, error), after func(time.Duration) <-chan time.Time) {
	if after == nil {
		after = time.After
	}
	defer e.retry.Store(nil)
	for ctx.Err() == nil {
		begun := e.now()
		end := e.round(ctx, told, []task{{view.Discovery, e.Discover}, {view.Harvest, e.Harvest}})
		retry := e.tryAgain(end, begun.Add(every), every)
		for left := e.left(begun, every); left > 0; left = e.left(begun, every) {
			if !end.stopped {
				left = min(left, e.untilDue())
			}
			if retry != nil {
				left = min(left, max(0, retry.At.Sub(e.now())))
			}
			select {
			case <-after(left):
			case <-ctx.Done():
				return
			}
			switch {
			case end.stopped || e.left(begun, every) <= 0:
			case retry != nil && !e.now().Before(retry.At):
				end = e.round(ctx, told, end.failed)
				retry = e.tryAgain(end, begun.Add(every), every)
			case e.anyDue():
				if between := e.round(ctx, told, []task{{view.Harvest, e.Harvest}}); between.stopped {
					end, retry = between, e.tryAgain(between, begun.Add(every), every)
				}
			}
		}
	}
}

// left is what remains of every since begun; never more than every, should the
// clock be set back.
func (e *Engine) left(begun time.Time, every time.Duration) time.Duration {
	return min(every, begun.Add(every).Sub(e.now()))
}

// untilDue is how long to wait before looking whether a harvest is worth its
// while: until the next page that a harvest has read is due, at most the shortest
// interval of the settings, because people run harvests and find pages too, and
// at least a quarter of it, so that what becomes due shortly after each other is
// visited in one. Pages that are due already do not count: the harvest just over
// could not reach them, or they became due while it ran (what it read can make
// another page an aggregation page), and must not start another one at once.
func (e *Engine) untilDue() time.Duration {
	set := e.Settings()
	plan, err := schedule(&set.Revisit)
	if err != nil {
		return time.Hour // the runs say what is wrong
	}
	now, shortest := e.now(), plan.Aggregation.Min
	wait := shortest
	err = e.ws.EachPage(e.Aggregations(), func(p *store.Page) {
		h, read := historyOf(p)
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
func (e *Engine) anyDue() bool {
	due, err := e.due(e.Aggregations())
	return err == nil && len(due) > 0
}

// task is one of the runs that a round consists of.
type task struct {
	name string
	run  func(context.Context, RunOptions) (Summary, error)
}

// roundEnd is what came of a round.
type roundEnd struct {
	stopped bool   // by a person
	failed  []task // the one that failed and those that were to follow it
}

// round runs the tasks, each when the one before has ended. What fails ends the
// round, too.
func (e *Engine) round(ctx context.Context, told func(Summary, error), tasks []task) roundEnd {
	for i, t := range tasks {
		s, err := t.run(ctx, RunOptions{Due: true})
		for errors.Is(err, ErrBusy) {
			e.waitIdle(ctx)
			s, err = t.run(ctx, RunOptions{Due: true})
		}
		if ctx.Err() != nil {
			return roundEnd{}
		}
		told(s, err)
		switch {
		case s.Stopped:
			return roundEnd{stopped: true}
		case errors.Is(err, ErrNoSeeds):
		case errors.Is(err, ErrNoTopic), errors.Is(err, ErrNoAggregations):
			return roundEnd{} // nothing to do yet is no failure
		case err != nil:
			return roundEnd{failed: tasks[i:]}
		}
	}
	return roundEnd{}
}

// waitIdle waits for the run under way, if there is one.
func (e *Engine) waitIdle(ctx context.Context) {
	if r := e.current(); r != nil {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
	}
}

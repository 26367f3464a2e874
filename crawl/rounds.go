package crawl

import (
	"context"
	"errors"
	"time"
)

// Rounds keeps a workspace fresh until ctx ends: a round, which is a discovery
// and then a harvest, at once and again whenever every has passed since the last
// one began. A run that a person has started is waited for; a round that a
// person stops is over. told is given the outcome of each run. after is the
// clock; nil = time.After.
func (e *Engine) Rounds(ctx context.Context, every time.Duration, told func(Summary, error), after func(time.Duration) <-chan time.Time) {
	if after == nil {
		after = time.After
	}
	for ctx.Err() == nil {
		next := after(every)
		e.round(ctx, told)
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
}

func (e *Engine) round(ctx context.Context, told func(Summary, error)) {
	for _, task := range []func(context.Context, RunOptions) (Summary, error){e.Discover, e.Harvest} {
		s, err := task(ctx, RunOptions{Due: true})
		for errors.Is(err, ErrBusy) {
			e.waitIdle(ctx)
			s, err = task(ctx, RunOptions{Due: true})
		}
		if ctx.Err() != nil {
			return
		}
		told(s, err)
		if s.Stopped || err != nil && !errors.Is(err, ErrNoSeeds) {
			return
		}
	}
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

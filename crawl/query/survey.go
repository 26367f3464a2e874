package query

import (
	"context"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Survey answers for all viewers. It is safe for concurrent use.
type Survey struct {
	Config
	turn   chan struct{} // one ranking at a time; guards what follows
	from   sources
	ranked *FrontierQueue // made from it, without a filter; nil = none yet
}

// NewSurvey returns a Survey.
func NewSurvey(c Config) *Survey { return &Survey{Config: c, turn: make(chan struct{}, 1)} }

// sources name what the order of the frontier is made from: equal ones give the
// same order, but for retries whose time comes.
type sources struct {
	counts   store.Counts
	state    *decisions.State
	settings *config.Settings
}

func (s *Survey) sources() sources {
	return sources{s.Store.Counts(), s.Decisions.State(), s.Settings.Now()}
}

// fresh is how long an order is kept though nothing has changed: retries and delays
// come to their time.
const fresh = time.Minute

// Queue returns what waits in the order in which a discovery takes it, as things
// stand. match, if it is not nil, chooses by a URL and its anchor.
func (s *Survey) Queue(ctx context.Context, match func(text string) bool) (*FrontierQueue, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	from := s.sources()
	kept := s.ranked
	if s.from != from || kept != nil && s.Now().Sub(kept.At).Abs() > fresh {
		kept = nil
	}
	if kept != nil && match == nil {
		return kept, nil
	}
	q, err := s.rank(ctx, match)
	if err != nil || match != nil {
		return q, err
	}
	s.from, s.ranked = from, q
	return q, nil
}

// Runs returns the newest runs, the newest first, at most most.
func (s *Survey) Runs(most int) ([]records.Run, error) { return s.History.List(most) }

// EventsOf returns the newest events of a kind, newest first.
func (s *Survey) EventsOf(kind string) []view.Event { return s.Events.Of(kind) }

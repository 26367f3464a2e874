package query

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Survey ranks the frontier for all viewers. It is safe for concurrent use.
type Survey struct {
	Config
	turn   *semaphore.Weighted // one ranking at a time; guards the fields below
	from   sources
	ranked *FrontierQueue // the queue of from without a filter; nil = none yet
}

// NewSurvey returns a Survey.
func NewSurvey(c Config) *Survey { return &Survey{Config: c, turn: semaphore.NewWeighted(1)} }

// sources identifies the input of a ranking. Equal sources give the same order, apart from retries that come due.
type sources struct {
	counts   store.Counts
	state    *decisions.State
	settings *config.Settings
}

func (s *Survey) sources() sources {
	return sources{s.Store.Counts(), s.Decisions.State(), s.Settings.Now()}
}

// fresh is the maximum age of a ranking with unchanged sources, because retries and delays come due.
const fresh = time.Minute

// Queue returns the waiting URLs in the order of a discovery. match selects by URL and anchor; nil selects all.
func (s *Survey) Queue(ctx context.Context, match func(text string) bool) (*FrontierQueue, error) {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.turn.Release(1)
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

// Runs returns the newest runs, newest first, at most limit.
func (s *Survey) Runs(limit int) ([]records.Run, error) { return s.History.List(limit) }

// EventsOf returns the newest events of a kind, newest first.
func (s *Survey) EventsOf(kind string) []view.Event { return s.Events.Of(kind) }

package decisions

import (
	"errors"
	"math"

	"angler/crawl/auth"
	"angler/message"
	"angler/store"
	"angler/topic"
)

// ErrNoModel means that there is no model to score with.
var ErrNoModel = errors.New("no samples yet; add some list pages: angler samples add DIR URL…")

// Topic works on one topic for one person; its actions are logged under that name. It is safe for
// concurrent use.
type Topic struct {
	auth.Actor
	d     *Decisions
	since uint64 // the newest event when the session began
}

// TopicOf returns a Topic for a person, whose session begins now.
func (d *Decisions) TopicOf(actor auth.Actor) *Topic {
	since, err := d.Store.Decisions.Last()
	if err != nil {
		since = math.MaxUint64 // no event is known to be of this session
	}
	return &Topic{actor, d, since}
}

// Config returns a copy of the topic's configuration.
func (t *Topic) Config() topic.Config { return t.d.State().Config.Clone() }

// ChangeConfig changes the topic's configuration in one step; change gets a
// copy of it and returns one line for the log.
func (t *Topic) ChangeConfig(change func(*topic.Config) (what message.Text)) error {
	if err := t.May(auth.Configure); err != nil {
		return err
	}
	return t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		c := s.Config.Clone()
		what := change(&c)
		return log.Do(t.Name, what, t.d.set(kindTopic, keyConfig, c))
	})
}

// Features returns the feature table, largest weight first; nil without
// samples.
func (t *Topic) Features() []topic.Feature {
	if m := t.d.State().Model; m != nil {
		return m.Features(0)
	}
	return nil
}

// Scores returns the scores of all pages under the current model.
func (t *Topic) Scores() *topic.Scores { return t.d.Index.Scores() }

// Aggregations returns the ids of the aggregation pages, the most relevant
// first.
func (t *Topic) Aggregations() []uint64 { return t.d.Aggregations() }

// Advice returns the fault of the samples, or "".
func (t *Topic) Advice() string { return t.d.State().Advice }

// Err says why no page can score under the topic; nil if pages can, or if there is no topic.
func (t *Topic) Err() error { return t.d.State().Err() }

package decisions

import (
	"time"

	"angler/message"
	"angler/store"
)

// This file is what people decide about hosts that are proposed as seeds. What follows
// from it, the seeds in the settings, is made by package suggest: accepting and its undo
// go the same way.

// SeedVerdict is what a person has said of a host that was proposed as a seed.
type SeedVerdict struct {
	Accepted bool      `json:"accepted"` // else rejected
	URL      string    `json:"url"`      // the seed
	Round    int       `json:"round"`    // the newest look for seeds when it was said
	By       string    `json:"by"`
	At       time.Time `json:"at"`
}

// SeedChoice is a host to be accepted or rejected, and the seed that it would be.
type SeedChoice struct{ Host, URL string }

// JudgeSeeds accepts or rejects hosts that are proposed as seeds, in one step that undo
// takes back. round is the newest look for seeds. It returns how many verdicts are new.
func (t *Topic) JudgeSeeds(list []SeedChoice, accept bool, round int) (n int, err error) {
	_, err = t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		var changes []store.Change
		for _, x := range list {
			if was, known := s.Proposed[x.Host]; known && was.Accepted == accept {
				continue // so that one who says it again does not take it over
			}
			c, err := t.d.set(kindSeed, x.Host, SeedVerdict{Accepted: accept, URL: x.URL, Round: round, By: t.Name, At: t.d.Now()})
			if err != nil {
				return nil, err
			}
			changes = append(changes, c)
		}
		if n = len(changes); n == 0 {
			return nil, nil
		}
		host := changes[0].Key
		what := message.Of("seed rejected: %s", host)
		switch {
		case accept && n == 1:
			what = message.Of("seed accepted: %s", host)
		case accept:
			what = message.Of("%d seeds accepted", n)
		case n > 1:
			what = message.Of("%d seeds rejected", n)
		}
		return log.Do(t.Name, what, changes...)
	})
	return n, err
}

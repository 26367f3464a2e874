package decisions

import (
	"time"

	"angler/message"
	"angler/store"
)

// This file holds verdicts on hosts proposed as seeds. Package seeds derives the seeds in the
// settings from them: accepting and its undo take the same way.

// seedVerdict is a person's verdict on a host proposed as a seed.
type seedVerdict struct {
	Accepted bool      `json:"accepted"` // otherwise rejected
	URL      string    `json:"url"`      // the seed
	Round    int       `json:"round"`    // number of the newest search for seeds at that time
	By       string    `json:"by"`
	At       time.Time `json:"at"`
}

// SeedRound returns the number of the newest search for seeds at the last verdict; 0 = none.
func (s *State) SeedRound() (round int) {
	for _, v := range s.Proposed {
		round = max(round, v.Round)
	}
	return round
}

// SeedChoice is a host to accept or reject, and its seed.
type SeedChoice struct{ Host, URL string }

// JudgeSeeds accepts or rejects hosts proposed as seeds, in one step that undo takes back. round is
// the number of the newest search for seeds. It returns the number of new verdicts.
func (t *Topic) JudgeSeeds(list []SeedChoice, accept bool, round int) (n int, err error) {
	err = t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		var changes []store.Change
		for _, x := range list {
			if was, known := s.Proposed[x.Host]; known && was.Accepted == accept {
				continue // a repeated verdict does not change its author
			}
			if p, waits := s.Waiting[kindSeed+"/"+x.Host]; waits {
				x.URL = p.URL // more exact than the host's first page
			}
			changes = append(changes, t.d.set(kindSeed, x.Host,
				seedVerdict{Accepted: accept, URL: x.URL, Round: round, By: t.Name, At: t.d.Now()}))
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
		return log.Do(t.Name, what, s.answered(changes)...)
	})
	return n, err
}

package decisions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

// This file proposes terms after each harvest.

// proposals are the terms found after the last harvest. They are immutable and stored as JSON.
type proposals struct {
	At         time.Time      `json:"at"`
	By         config.Terms   `json:"by"`
	Pages      int            `json:"pages"`
	Notices    int            `json:"notices"`    // stored notices at that time
	Above      int            `json:"above"`      // terms above the threshold
	Generation int            `json:"generation"` // number of this proposal, from 1
	First      map[string]int `json:"first"`      // the proposal that first contained a word
	Terms      []dict.Term    `json:"terms"`      // the strongest, and the strongest new ones
	More       int            `json:"more"`       // number of new ones beyond Terms
}

// Bounds of stored data.
const (
	mostKept  = 500    // of the strongest terms, and of the strongest new ones
	mostKnown = 20_000 // words of First
)

// isNew reports whether a word is first in the last proposal. Without an earlier proposal no word
// is new.
func (p *proposals) isNew(word string) bool {
	if p.Generation == 0 {
		return false
	}
	first, known := p.First[word]
	return !known || first == p.Generation
}

func (v *Vocabulary) state() string { return fmt.Sprintf("terms/%d", v.decisions.Topic) }

// load returns the last proposal; an empty one if it is missing or damaged.
func (v *Vocabulary) load() *proposals {
	p := &proposals{}
	if b := v.decisions.Store.State(v.state()); b == nil || json.Unmarshal(b, p) != nil {
		return &proposals{}
	}
	return p
}

// Harvested starts a background search for new terms after a run with new notices. It returns at
// once.
func (v *Vocabulary) Harvested() {
	if !v.decisions.Settings().Terms.Propose || v.decisions.Jobs.Context.Err() != nil ||
		!v.asked.CompareAndSwap(false, true) {
		return
	}
	v.decisions.Jobs.Go(func() {
		if err := v.Propose(v.decisions.Jobs.Context); err != nil && v.decisions.Jobs.Context.Err() == nil {
			v.decisions.Events.Note("error", "looking for new terms: %v", err)
		}
	})
}

// Propose finds terms and stores them as the new proposal. Terms in no earlier proposal are new
// until the next one.
func (v *Vocabulary) Propose(ctx context.Context) error {
	var set config.Terms
	var notices int
	var all []dict.Term
	var s swept
	err := errGiveWay
	for err == errGiveWay {
		if v.decisions.Jobs.Task() == view.Harvest {
			v.decisions.Jobs.WaitIdle(ctx)
		}
		set, notices = v.decisions.Settings().Terms, v.decisions.Store.Counts().Notices
		v.asked.Store(false) // later requests may concern notices that this search does not see
		all, s, err = v.look(ctx, set, nil)
	}
	if err != nil {
		return err
	}
	last := v.now.Load()
	next := &proposals{At: v.decisions.Now(), By: set, Pages: s.pages, Notices: notices, Above: len(all),
		Generation: last.Generation + 1, First: map[string]int{}}
	state := v.decisions.State()
	var fresh []string
	for i := range all {
		t := &all[i]
		first, known := last.First[t.Word]
		if !known {
			first = next.Generation
		}
		if next.First[t.Word] == 0 && len(next.First) < mostKnown {
			next.First[t.Word] = first
		}
		open := !known && !found(state.Accepted, t.Word) && !found(state.Rejected, t.Word)
		switch {
		case len(next.Terms) < mostKept || !known && len(fresh) < mostKept:
			next.Terms = append(next.Terms, *t)
			if open {
				fresh = append(fresh, t.Word)
			}
		case open:
			next.More++
		}
	}
	for word, first := range last.First { // a term that falls below the threshold and returns is not new
		if len(next.First) >= mostKnown {
			break
		}
		if next.First[word] == 0 {
			next.First[word] = first
		}
	}
	b, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := v.decisions.Store.PutState(v.state(), b); err != nil && !errors.Is(err, store.ErrReadOnly) {
		return err
	}
	if n := len(fresh) + next.More; n > 0 {
		v.decisions.Events.Note("info", "%d new terms: %s", n, strings.Join(fresh[:min(len(fresh), 5)], " "))
	}
	v.now.Store(next)
	v.decisions.Events.Show()
	return nil
}

// ProposedTerms returns the undecided terms of the last proposal; none before the first. It returns
// at once.
func (v *Vocabulary) ProposedTerms() *FoundTerms {
	p, state := v.now.Load(), v.decisions.State()
	f := &FoundTerms{At: p.At, Proposal: p.Generation, Above: p.Above, By: p.By, Pages: p.Pages,
		Overdue: p.Generation == 0 || p.Notices != v.decisions.Store.Counts().Notices}
	for i := range p.Terms {
		if w := p.Terms[i].Word; found(state.Accepted, w) || found(state.Rejected, w) {
			f.Above--
		} else {
			f.Terms = append(f.Terms, FoundTerm{p.Terms[i], p.isNew(w)})
		}
	}
	return f
}

// news is the number of new undecided terms of a proposal under a State.
type news struct {
	of    *proposals
	state uint64
	view.TermNews
}

// News returns the number of new undecided terms. It is cheap enough for every snapshot.
func (v *Vocabulary) News() view.TermNews {
	p, state := v.now.Load(), v.decisions.State()
	if was := v.counted.Load(); was != nil && was.of == p && was.state == state.Rev {
		return was.TermNews
	}
	n := &news{p, state.Rev, view.TermNews{Proposal: p.Generation, New: p.More}}
	for _, t := range v.ProposedTerms().Terms {
		if t.New {
			n.New++
		}
	}
	v.counted.Store(n)
	return n.TermNews
}

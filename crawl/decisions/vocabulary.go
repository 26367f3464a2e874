package decisions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/auth"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/dict"
	"angler/store/config"
)

// Vocabulary finds, measures and proposes terms. It is safe for concurrent use.
type Vocabulary struct {
	decisions *Decisions
	turn      *semaphore.Weighted // taken during a search; guards sweep
	sweep     *sweep
	people    atomic.Int32 // callers that search, or wait for their turn
	asked     atomic.Bool  // a proposal waits for its turn
	now       atomic.Pointer[proposals]
	counted   atomic.Pointer[news]
}

// VocabularyEditor works with the terms for one person, for whom its Topic acts. It is safe for
// concurrent use.
type VocabularyEditor struct {
	*Vocabulary
	*Topic
}

// OpenVocabulary returns a Vocabulary with the last proposal.
func OpenVocabulary(d *Decisions) *Vocabulary {
	v := &Vocabulary{decisions: d, turn: semaphore.NewWeighted(1)}
	v.now.Store(v.load())
	return v
}

// FoundTerms are terms and the data of their search.
type FoundTerms struct {
	At       time.Time   // time of the search
	Proposal int         // number of the last proposal, 0 before the first
	Terms    []FoundTerm // highest C-value first
	Above    int         // all terms above the threshold
	By       config.Terms
	Pages    int  // pages or notices read
	Rarest   int  // terms this rare may be missing, because there were too many candidates; usually 0
	Overdue  bool // there is no proposal yet, or there are newer notices
}

// FoundTerm is one found term.
type FoundTerm struct {
	dict.Term
	New bool `json:"new"` // first proposed in the last proposal
}

// sweep holds the counts of one corpus by one dictionary and one method.
type sweep struct {
	of    sweepVersion
	count *dict.Collector
	read  map[uint64]uint64 // revision of each page or notice, by id
}

// sweepVersion identifies the inputs of a sweep.
type sweepVersion struct {
	dict             uint64
	patterns, corpus string
}

// TermSettings returns the settings in force.
func (v *Vocabulary) TermSettings() config.Terms { return v.decisions.Settings().Terms }

// FindTerms searches the corpus of the settings for terms. A job shows its progress; CancelJob and
// ctx cancel it, and the pages read so far are kept. It returns at most most terms, all if most ≤
// 0, without rejected ones.
func (v *VocabularyEditor) FindTerms(ctx context.Context, most int) (*FoundTerms, error) {
	if err := v.May(auth.Terms); err != nil {
		return nil, err
	}
	v.people.Add(1)
	defer v.people.Add(-1)
	set := v.decisions.Settings().Terms
	all, s, err := v.look(ctx, set, func(total int) (context.Context, error) {
		return v.decisions.Jobs.Begin(ctx, "looking for terms", total)
	})
	if err != nil {
		return nil, err
	}
	last, state := v.now.Load(), v.decisions.State()
	f := &FoundTerms{At: v.decisions.Now(), Proposal: last.Generation, By: set, Pages: s.pages, Rarest: s.rarest}
	for i := range all {
		if found(state.Rejected, all[i].Word) || found(state.Accepted, all[i].Word) {
			continue
		}
		f.Above++
		if most <= 0 || len(f.Terms) < most {
			f.Terms = append(f.Terms, FoundTerm{all[i], last.isNew(all[i].Word)})
		}
	}
	return f, nil
}

func found(sorted []string, word string) bool {
	_, yes := slices.BinarySearch(sorted, word)
	return yes
}

// swept are figures of a search.
type swept struct{ pages, rarest int }

// errGiveWay ends a search that yields to another caller; the pages it has read are kept.
var errGiveWay = errors.New("another caller comes first")

// look updates the sweep and returns all terms above the threshold. It waits for the dictionary and
// for its turn. begin starts a job of so many pages and returns its context; a search without begin
// yields to harvests and to people.
func (v *Vocabulary) look(ctx context.Context, set config.Terms,
	begin func(total int) (context.Context, error)) (all []dict.Term, s swept, err error) {
	words := v.decisions.Reader.Dict()
	if err := words.Wait(ctx); err != nil {
		return nil, s, err
	}
	if err := v.turn.Acquire(ctx, 1); err != nil {
		return nil, s, err
	}
	defer v.turn.Release(1)
	w, err := v.sweepOf(words, set)
	if err != nil {
		return nil, s, err
	}
	sources, err := v.sources(set.Corpus)
	if err != nil {
		return nil, s, err
	}
	s.pages = len(sources)
	fresh := slices.DeleteFunc(sources, func(src source) bool {
		was, known := w.read[src.id]
		return known && was == src.revision
	})
	if begin != nil {
		if ctx, err = begin(len(fresh)); err != nil {
			return nil, s, err
		}
		defer v.decisions.Jobs.End()
	}
	for _, src := range fresh {
		switch {
		case ctx.Err() != nil:
			return nil, s, ctx.Err()
		case begin == nil && (v.decisions.Jobs.Task() == view.Harvest || v.people.Load() > 0):
			return nil, s, errGiveWay
		}
		begun := time.Now()
		if text := v.text(set.Corpus, src.id); text != "" {
			w.count.Add(text)
		}
		w.read[src.id] = src.revision
		if begin != nil {
			v.decisions.Jobs.Done.Add(1)
		} else if v.decisions.Jobs.Task() != "" {
			jobs.Sleep(ctx, 9*time.Since(begun))
		}
	}
	s.rarest = w.count.Forgotten()
	return w.count.Terms(0, set.Threshold), s, nil
}

// sweepOf returns the sweep of the same dictionary, method and corpus, or starts one. The caller
// holds the turn.
func (v *Vocabulary) sweepOf(words *dict.Dict, set config.Terms) (*sweep, error) {
	patterns, err := dict.Patterns(set.Method, set.Patterns)
	if err != nil {
		return nil, err
	}
	of := sweepVersion{words.Fingerprint(), strings.Join(patterns, " "), set.Corpus}
	if v.sweep != nil && v.sweep.of == of {
		return v.sweep, nil
	}
	v.sweep = nil // frees its memory before another one is made
	count, err := v.collector(words, patterns)
	if err != nil {
		return nil, err
	}
	v.sweep = &sweep{of, count, map[uint64]uint64{}}
	return v.sweep, nil
}

// collector counts runs that match patterns; accepted words may be parts of them.
func (v *Vocabulary) collector(words *dict.Dict, patterns []string) (*dict.Collector, error) {
	own := map[string]bool{}
	for _, w := range v.decisions.State().Accepted {
		own[dict.Fold(w)] = true
	}
	return dict.New(words, dict.TermOptions{Patterns: patterns, Own: func(w string) bool { return own[w] }})
}

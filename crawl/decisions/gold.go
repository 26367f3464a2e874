package decisions

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"angler/crawl/reader"
	"angler/dict"
)

// This file measures term methods with word lists.

// MeasuredTerms compares the methods on one corpus (P2 3.4, table 3).
type MeasuredTerms struct {
	Corpus    string         `json:"corpus"`
	Pages     int            `json:"pages"` // or notices
	Threshold float64        `json:"threshold"`
	Words     int            `json:"words"`   // distinct words of the list
	Whole     int            `json:"whole"`   // of them, words of the dictionary, which are no candidates
	Stand     int            `json:"stand"`   // of the others, words in the corpus
	Methods   []dict.Measure `json:"methods"` // loose, then ruled
}

// errNoGold means that a word list measures nothing.
var errNoGold = errors.New("none of the listed words stands in the corpus as something to be found: they are words of the dictionary already, or no page holds them; take another list or corpus (terms.corpus)")

// Measure finds the terms of the current corpus by each method and compares them with a reference
// list, folded by dict.ReadList. Accepted words of the list count as if they were not accepted. A
// job shows its progress.
func (v *Vocabulary) Measure(ctx context.Context, gold []string) (*MeasuredTerms, error) {
	set := v.decisions.Settings().Terms
	words, err := v.without(ctx, gold)
	if err != nil {
		return nil, err
	}
	methods := []string{dict.Loose, dict.Ruled}
	counts := make([]*dict.Collector, len(methods))
	patterns := make([]int, len(methods))
	for i, method := range methods {
		p, err := dict.Patterns(method, set.Patterns)
		if err != nil {
			return nil, err
		}
		patterns[i] = len(p)
		if counts[i], err = v.collector(words, p); err != nil {
			return nil, err
		}
	}
	sources, err := v.sources(set.Corpus)
	if err != nil {
		return nil, err
	}
	if ctx, err = v.decisions.Jobs.Begin(ctx, "measuring terms", len(sources)); err != nil {
		return nil, err
	}
	defer v.decisions.Jobs.End()
	right := dict.NewGold(words, gold)
	for _, src := range sources {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := v.text(set.Corpus, src.id)
		right.Add(text)
		for _, c := range counts {
			c.Add(text)
		}
		v.decisions.Jobs.Done.Add(1)
	}
	m := &MeasuredTerms{Corpus: set.Corpus, Pages: len(sources), Threshold: set.Threshold}
	if m.Words, m.Whole, m.Stand = right.Words(); m.Stand == 0 {
		return nil, errNoGold
	}
	for i, c := range counts {
		row := right.Measure(c.Terms(0, set.Threshold))
		row.Method, row.Patterns = methods[i], patterns[i]
		m.Methods = append(m.Methods, row)
	}
	return m, nil
}

// without returns the workspace's dictionary without acceptances of the listed words.
func (v *Vocabulary) without(ctx context.Context, list []string) (*dict.Dict, error) {
	gone := make(map[string]bool, len(list))
	for _, w := range list {
		gone[w] = true
	}
	state, words := v.decisions.State(), v.decisions.Reader.Dict()
	rest := slices.DeleteFunc(slices.Clone(state.Accepted), func(w string) bool { return gone[dict.Fold(w)] })
	if len(rest) < len(state.Accepted) {
		var err error
		d := v.decisions
		if words, err = reader.OpenDict(filepath.Join(d.Store.Dir(), "dict"), d.Settings().Words.Segmenter, rest,
			state.Stopped); err != nil {
			return nil, err
		}
	}
	return words, words.Wait(ctx)
}

package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	bleve "github.com/blevesearch/bleve_index_api"

	"angler/crawl/filter"
	"angler/dict"
)

// Constants of BM25, as in bleve and Lucene.
const (
	k1 = 1.2
	b  = .75
)

// Weights of a query's terms. A query that is one dictionary word asks for that word, not for its
// parts (P2). The parts only order the notices without it.
const (
	weightWord = 1
	weightOne  = 2   // for a query that is one word
	weightPart = .25 // for the words within it
)

// term is an index term with its weight in a query.
type term struct {
	text   string
	weight float64
}

// terms cuts words into index terms.
func terms(d *dict.Dict, words []filter.Word) []term {
	var out []term
	at := map[string]int{}
	for _, w := range words {
		var cut []string
		d.CutSearch(w.Text, func(t []byte) { cut = append(cut, string(t)) })
		// The long word follows its parts: if the last one is long, it is the whole query.
		one := len(cut) > 1 && len(cut[len(cut)-1]) >= len(strings.Join(strings.Fields(w.Text), ""))
		for i, t := range cut {
			weight := float64(weightWord)
			switch {
			case one && i == len(cut)-1, len(cut) == 1:
				weight = weightOne
			case one:
				weight = weightPart
			}
			if k, twice := at[t]; twice {
				out[k].weight = max(out[k].weight, weight)
				continue
			}
			at[t] = len(out)
			out = append(out, term{t, weight})
		}
	}
	return out
}

// Score is the relevance of a notice; higher is better.
type Score struct {
	ID    uint64
	Value float64
}

// Scores holds the relevance of notices by ascending id; notices without a word of the query have none.
type Scores []Score

// Of returns the relevance of a notice; 0 = none.
func (s Scores) Of(id uint64) float64 {
	if at, has := slices.BinarySearchFunc(s, id, func(x Score, id uint64) int { return cmp.Compare(x.ID, id) }); has {
		return s[at].Value
	}
	return 0
}

// IDs returns the notices that have a score.
func (s Scores) IDs() *roaring64.Bitmap {
	ids := roaring64.New()
	for _, x := range s {
		ids.Add(x.ID)
	}
	return ids
}

// Rank returns the BM25 relevance of notices to words, over title and text. Without an index, rare
// words are unknown and no notice has a score.
func (s *Search) Rank(words []filter.Word, among *roaring64.Bitmap) (Scores, error) {
	return s.rank(terms(s.Dict(), words), 0, among)
}

// rank is Rank for notices with at least least of the terms.
func (s *Search) rank(query []term, least float64, among *roaring64.Bitmap) (Scores, error) {
	m := s.state()
	defer m.close()
	if m.ix == nil {
		return nil, nil
	}
	var out Scores
	type match struct{ score, terms float64 }
	found := make([]match, len(m.ix.at))
	enough := func(id uint64, x match) {
		if x.score > 0 && x.terms >= least && (among == nil || among.Contains(id)) {
			out = append(out, Score{id, x.score})
		}
	}
	idf := make([]float64, len(query))
	for i, t := range query {
		n, err := m.ix.having(t.text)
		if err != nil {
			return nil, s.broken(err)
		}
		idf[i] = t.weight * math.Log(1+(float64(m.ix.docs)-float64(n)+.5)/(float64(n)+.5))
		err = m.ix.each(t.text, false, func(p *bleve.TermFieldDoc) error {
			n := p.ID.Value()
			x := &found[n]
			x.score += idf[i] * saturated(float64(p.Freq), float64(m.ix.at[n].words), m.ix.avgWords)
			x.terms++
			return nil
		})
		if err != nil {
			return nil, s.broken(err)
		}
	}
	for n, x := range found {
		id := m.ix.at[n].id
		if _, outdated := m.waiting[id]; !outdated {
			enough(id, x)
		}
	}
	for id, n := range m.waiting {
		if among != nil && !among.Contains(id) {
			continue
		}
		if n = s.read(id, n); n == nil {
			continue
		}
		documents, err := s.documentsOf(n)
		if err != nil {
			return nil, err
		}
		words := newDoc("", n, documents, s.valuesOf(id), s.Dict()).Fields[1]
		words.Analyze()
		var x match
		for i, t := range query {
			if f := words.AnalyzedTokenFrequencies()[t.text]; f != nil {
				x.score += idf[i] * saturated(float64(f.Frequency()), float64(words.AnalyzedLength()), m.ix.avgWords)
				x.terms++
			}
		}
		enough(id, x)
	}
	slices.SortFunc(out, func(a, b Score) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

func saturated(tf, words, average float64) float64 {
	return tf * (k1 + 1) / (tf + k1*(1-b+b*words/max(1, average)))
}

// Like returns the relevance of notices that hold some of the words cut from words. least is the
// minimum share of them: 1 = all, 0 = any. plain cuts without domain terms, and without a term for
// the whole query. parts are the words searched.
func (s *Search) Like(words []filter.Word, least float64, plain bool) (scores Scores, parts []string, err error) {
	d := s.Dict()
	query := terms(d, words)
	if plain {
		query = query[:0]
		for _, w := range words {
			for _, t := range d.Plain(w.Text) {
				if !slices.ContainsFunc(query, func(x term) bool { return x.text == t }) {
					query = append(query, term{t, weightWord})
				}
			}
		}
	}
	for _, t := range query {
		parts = append(parts, t.text)
	}
	scores, err = s.rank(query, least*float64(len(query)), nil)
	return scores, parts, err
}

package search

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	bleve "github.com/blevesearch/bleve_index_api"

	"angler/crawl/filter"
	"angler/dict"
	"angler/store"
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

// Scores holds the relevance of notices to a query. It is immutable; the zero value has none.
type Scores struct {
	found   []match // by document number
	at      []entry // by document number
	of      map[uint64]uint32
	waiting map[uint64]match // of notices whose documents are missing or outdated
	least   float64          // terms that a notice must have
}

// match is the relevance of a document to a query.
type match struct{ score, terms float64 }

// Of returns the relevance of a notice. Higher is better; 0 means no word of the query.
func (s *Scores) Of(id uint64) float64 {
	x, waits := s.waiting[id]
	if number, has := s.of[id]; has && !waits {
		x = s.found[number]
	}
	return s.enough(x)
}

// enough returns the score of a match that has enough terms.
func (s *Scores) enough(x match) float64 {
	if x.terms < s.least {
		return 0
	}
	return x.score
}

// At is Of for many notices: place keeps the number of the notice's document from one call to the next. Its value
// may be any.
func (s *Scores) At(id uint64, place *atomic.Uint32) float64 {
	if x, waits := s.waiting[id]; waits {
		return s.enough(x)
	}
	number := place.Load()
	if int64(number) >= int64(len(s.found)) || s.at[number].id != id {
		var has bool
		if number, has = s.of[id]; !has {
			return s.enough(match{})
		}
		place.Store(number)
	}
	return s.enough(s.found[number])
}

// IDs returns the notices that have a relevance.
func (s *Scores) IDs() *roaring64.Bitmap {
	ids := roaring64.New()
	for number := range s.found {
		if s.enough(s.found[number]) <= 0 {
			continue
		}
		if id := s.at[number].id; s.Of(id) > 0 {
			ids.Add(id)
		}
	}
	for id := range s.waiting {
		if s.Of(id) > 0 {
			ids.Add(id)
		}
	}
	return ids
}

// Rank returns the BM25 relevance of notices to words, over title and text. Of notices that wait for the index it ranks
// those among the given ones; nil means all. Without an index, rare words are unknown and no notice has a score.
func (s *Search) Rank(words []filter.Word, among *roaring64.Bitmap) (Scores, error) {
	return s.rank(terms(s.Dict(), words), 0, among)
}

// rank is Rank for notices with at least least of the terms.
func (s *Search) rank(query []term, least float64, among *roaring64.Bitmap) (Scores, error) {
	m := s.state()
	defer m.close()
	if m.ix == nil {
		return Scores{}, nil
	}
	idf := make([]float64, len(query))
	for i, t := range query {
		n, err := m.ix.having(t.text)
		if err != nil {
			return Scores{}, s.broken(err)
		}
		idf[i] = t.weight * math.Log(1+(float64(m.ix.docs)-float64(n)+.5)/(float64(n)+.5))
	}
	found, err := s.matches(m.ix, query, idf)
	if err != nil {
		return Scores{}, s.broken(err)
	}
	out := Scores{found, m.ix.at, m.ix.of, map[uint64]match{}, least}
	for id, n := range m.waiting {
		out.waiting[id] = match{}
		if among != nil && !among.Contains(id) {
			continue
		}
		if n = s.read(id, n); n == nil {
			continue
		}
		words, err := s.cutOf(n)
		if err != nil {
			return Scores{}, err
		}
		var x match
		for i, t := range query {
			if f := words.times[t.text]; f > 0 {
				x.score += idf[i] * saturated(float64(f), float64(words.length), m.ix.avgWords)
				x.terms++
			}
		}
		out.waiting[id] = x
	}
	return out, nil
}

// ranking holds what the documents of an index have of a query.
type ranking struct {
	ix    *snapshot
	query []term
	found []match
}

// maxRankings bounds the kept rankings: a page that follows, or another client, asks the same again.
const maxRankings = 8

// matches returns what each document has of a query. The result is read-only.
func (s *Search) matches(ix *snapshot, query []term, idf []float64) ([]match, error) {
	s.mu.Lock()
	for _, r := range s.rankings {
		if r.ix == ix && slices.Equal(r.query, query) {
			s.mu.Unlock()
			return r.found, nil
		}
	}
	s.mu.Unlock()
	found := make([]match, len(ix.at))
	for i, t := range query {
		err := ix.each(t.text, false, func(p *bleve.TermFieldDoc) error {
			n := p.ID.Value()
			x := &found[n]
			x.score += idf[i] * saturated(float64(p.Freq), float64(ix.at[n].words), ix.avgWords)
			x.terms++
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rankings = slices.DeleteFunc(s.rankings, func(r ranking) bool { return r.ix != ix })
	s.rankings = append(s.rankings[max(0, len(s.rankings)+1-maxRankings):], ranking{ix, query, found})
	return found, nil
}

// cut is a waiting notice cut into words. It is immutable.
type cut struct {
	of     *store.Notice
	by     *dict.Dict
	times  map[string]int // how often a word occurs
	length int            // words
}

// cutOf returns the words of a waiting notice. They are kept while it waits: each query needs them.
func (s *Search) cutOf(n *store.Notice) (*cut, error) {
	words := s.Dict()
	s.mu.Lock()
	have := s.cuts[n.ID]
	s.mu.Unlock()
	if have != nil && have.of == n && have.by == words {
		return have, nil
	}
	documents, err := s.documentsOf(n)
	if err != nil {
		return nil, err
	}
	field := newDoc("", n, documents, s.valuesOf(n.ID), words).Fields[1]
	field.Analyze()
	made := &cut{n, words, map[string]int{}, field.AnalyzedLength()}
	for word, f := range field.AnalyzedTokenFrequencies() {
		made.times[word] = f.Frequency()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[n.ID] == n {
		s.cuts[n.ID] = made
	}
	return made, nil
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

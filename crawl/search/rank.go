package search

import (
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/filter"
	"angler/dict"
)

// The constants of BM25, as bleve and Lucene have them.
const (
	k1 = 1.2
	b  = .75
)

// What the terms of a query weigh. A query that is one word of the dictionary asks for
// that word, not for its parts (P2): the parts only tell the order of what lacks it.
const (
	weightWord = 1
	weightOne  = 2   // of the query that is one word
	weightPart = .25 // of the words within it
)

// term is a word of the index with what it weighs in a query.
type term struct {
	text   string
	weight float64
}

// terms cuts words into terms of the index.
func terms(d *dict.Dict, words []filter.Word) []term {
	var out []term
	at := map[string]int{}
	for _, w := range words {
		var cut []string
		d.CutSearch(w.Text, func(t []byte) { cut = append(cut, string(t)) })
		// The long word comes behind its parts: as the last it is all of the query.
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

// Scores are the relevances of notices by id: higher is better, 0 of those that have no
// word of the query as the dictionary cuts it.
type Scores = map[uint64]float64

// Rank tells how relevant some notices are to words, by BM25 over title and text. Without
// an index there is no telling which words are rare, and no notice has a score.
func (s *Search) Rank(words []filter.Word, among *roaring64.Bitmap) (Scores, error) {
	m := s.now()
	defer m.close()
	return s.rank(m, terms(s.Dict(), words), among)
}

func (s *Search) rank(m *moment, query []term, among *roaring64.Bitmap) (Scores, error) {
	out := Scores{}
	if m.ix == nil {
		return out, nil
	}
	idf := make([]float64, len(query))
	for i, t := range query {
		n, err := m.ix.having(t.text)
		if err != nil {
			return nil, s.broken(err)
		}
		idf[i] = t.weight * math.Log(1+(float64(m.ix.docs)-float64(n)+.5)/(float64(n)+.5))
	}
	var sums []float64
	for _, d := range m.ix.segs {
		sums = slices.Grow(sums[:0], len(d.ids))[:len(d.ids)]
		clear(sums)
		without := d.without(among)
		for i, t := range query {
			it, err := postings(d.seg, wordField, t.text, without, true)
			if err != nil {
				return nil, s.broken(err)
			}
			for {
				p, err := it.Next()
				if err != nil {
					return nil, s.broken(err)
				}
				if p == nil {
					break
				}
				sums[p.Number()] += idf[i] * saturated(float64(p.Frequency()), float64(d.long[p.Number()]), m.ix.long)
			}
		}
		for i, sum := range sums {
			if sum > 0 {
				out[d.ids[i]] = sum
			}
		}
	}
	for id, n := range m.waiting { // they have no documents yet, or old ones
		delete(out, id)
		if among != nil && !among.Contains(id) {
			continue
		}
		if n = s.read(id, n); n != nil {
			documents, err := s.documentsOf(n)
			if err != nil {
				return nil, err
			}
			if sum := m.ix.scoreOf(newDoc("", n, documents, s.valuesOf(id), s.Dict()), query, idf); sum > 0 {
				out[id] = sum
			}
		}
	}
	return out, nil
}

func saturated(tf, words, average float64) float64 {
	return tf * (k1 + 1) / (tf + k1*(1-b+b*words/max(1, average)))
}

// scoreOf is the score of a document that is not in the index.
func (s *snapshot) scoreOf(d *doc, query []term, idf []float64) float64 {
	f := d.fields[1].(*wordsField)
	f.Analyze()
	sum := 0.
	for i, t := range query {
		if x := f.freqs[t.text]; x != nil {
			sum += idf[i] * saturated(float64(x.Frequency()), float64(f.length), s.long)
		}
	}
	return sum
}

// having counts the documents that have a word.
func (s *snapshot) having(word string) (n uint64, err error) {
	for _, d := range s.segs {
		terms, err := d.seg.Dictionary(wordField)
		if err != nil {
			return 0, err
		}
		list, err := terms.PostingsList([]byte(word), d.out, nil)
		if err != nil {
			return 0, err
		}
		n += list.Count()
	}
	return n, nil
}

// Like returns the notices that have some of the words that words are cut into, least of 1
// being all of them and of 0 any, with how relevant they are; plain cuts without the
// domain terms, and knows no word that stands for the whole query. parts are the words
// that were looked for.
func (s *Search) Like(words []filter.Word, least float64, plain bool) (scores Scores, parts []string, err error) {
	m := s.now()
	defer m.close()
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
	if m.ix == nil || len(query) == 0 {
		return Scores{}, parts, nil
	}
	count := map[uint64]int{}
	for _, t := range query {
		for _, d := range m.ix.segs {
			docs, err := bitmap(d.seg, wordField, t.text, d.out)
			if err != nil {
				return nil, nil, s.broken(err)
			}
			for it := docs.Iterator(); it.HasNext(); {
				count[d.ids[it.Next()]]++
			}
		}
	}
	among := roaring64.New()
	for id, n := range count {
		if float64(n) >= least*float64(len(query)) {
			among.Add(id)
		}
	}
	scores, err = s.rank(m, query, among)
	return scores, parts, err
}

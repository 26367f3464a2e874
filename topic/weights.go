package topic

import (
	"cmp"
	"math"
	"slices"
)

// row is one word with the data of all schemes. Rows are ordered by base weight, so that a word
// keeps its place when it is switched off.
type row struct {
	id         uint32 // noWord for an expert word on no page
	word       string
	count      uint64  // occurrences in all samples
	tf         float64 // count ÷ words of all samples
	df         int     // samples that hold it
	base       float64 // K_t by the scheme, before switches and multipliers
	taken      float64 // share of the scheme's weight that the negative samples took, 0 … 1
	negativeTF float64 // count in the negative samples ÷ their words
	negativeDF int     // negative samples that hold the word
	mult       float64
	on         bool
	expert     bool
	chosen     bool // among the m feature words

	meant bool    // pages are compared with each sample (compareEach),
	mean  float64 // and the word weighs this
}

// weight returns the word's weight in a score.
func (r *row) weight() float64 {
	switch {
	case !r.on || !r.chosen:
		return 0
	case r.meant:
		return r.mean
	}
	return r.base * r.mult
}

// idf is that of P0 2.1 over the samples: ln(1 + n/df), 0 < df ≤ n. It is at least ln 2, so
// dividing by it is safe.
func idf(n, df int) float64 { return math.Log(1 + float64(n)/float64(df)) }

// weigh computes the weight K_t of every word of the samples under cfg's scheme and chooses the m
// feature words.
//
//	tf/idf   P0 2.1 (TF÷IDF): k = (F/Z) ÷ ln(1 + n/df). TF·IDF would bring out
//	         what is peculiar to one sample (the university's name); dividing
//	         brings out what the samples share (招标, 采购).
//	tf-idf   P1 2.3, 2.5: the centroid of the samples' vectors
//	         W_i = (F_i/Z)·log(D/D_i), D the crawled pages; smoothed as g_t.
//	tf       P3 2.1: the frequency F/Z, left to the analyst's choice.
//	records  ours: k = (F/Z) ÷ ln(1 + n/df) · g_t over the titles.
//
// F counts occurrences in the samples, Z their words, n the samples, df the samples that hold the
// word. The negative samples reduce weights (see against) before the features are chosen: a word
// that loses makes room for another. A word below MinWeight is no feature. An expert word (P1 2.3,
// P3 2.1) without weight from the samples gets the mean weight of the feature words, so that it
// counts from the start.
//
// Under scheme records, samples of two dissimilar kinds (lists in two languages) are weighted
// separately, and a page is as near to the topic as to the nearer kind. unlike are their places,
// see kinds; apart reports that this was done.
func weigh(cfg Config, samples, negative []Doc, unlike [][]int, names wordNames, bg *Background) (rows []row, apart bool) {
	rows = baseRows(cfg.Scheme, samples, bg)
	apart = eachKind(rows, cfg.Scheme, samples, unlike, bg)
	if len(negative) > 0 {
		against(rows, baseRows(cfg.Scheme, negative, bg), cfg.Gamma)
	}
	for i := range rows {
		r := &rows[i]
		r.word = names.Word(r.id)
		r.on = !has(cfg.Off, r.word)
		r.mult = cfg.multiplier(r.word)
		r.expert = has(cfg.Expert, r.word)
	}
	sortRows(rows)
	mean, m := 0.0, min(cfg.M, len(rows))
	for m > 0 && rows[m-1].base < cfg.MinWeight*rows[0].base {
		m-- // the rows are sorted: the rest is lighter
	}
	for i := range rows[:m] {
		rows[i].chosen = rows[i].base > 0
		mean += rows[i].base / float64(m)
	}
	if mean == 0 {
		mean = 1
	}
	rows = addExperts(rows, cfg, names, mean)
	sortRows(rows)
	if cfg.ComparesEach() {
		compareEach(rows, samples, cfg.Scheme.field())
	}
	return rows, apart
}

// baseRows weights the words of the documents by a scheme, by ascending id.
func baseRows(s Scheme, docs []Doc, bg *Background) []row {
	f := s.field()
	rows := tally(docs, f)
	g := bg.gain(f)
	for i := range rows {
		r := &rows[i]
		switch s {
		case SchemeTFdivID:
			r.base = r.tf / idf(len(docs), r.df)
		case SchemeTF:
			r.base = r.tf
		case SchemeRecords:
			r.base = r.tf / idf(len(docs), r.df) * float64(g.at(r.id))
		}
	}
	if s == SchemeTFIDF {
		centroid(rows, docs, g)
	}
	return rows
}

// tally counts the words of the samples, by ascending id.
func tally(samples []Doc, f field) []row {
	var rows []row
	total := uint64(0)
	for i := range samples {
		for _, t := range samples[i].text(f) {
			rows = append(rows, row{id: t.ID, count: uint64(t.N), df: 1})
			total += uint64(t.N)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.id, b.id) })
	merged := rows[:0]
	for _, r := range rows {
		if n := len(merged); n > 0 && merged[n-1].id == r.id {
			merged[n-1].count += r.count
			merged[n-1].df++
			continue
		}
		merged = append(merged, r)
	}
	for i := range merged {
		merged[i].tf = float64(merged[i].count) / float64(total)
	}
	return merged
}

// centroid sets base to the mean over the samples of (F_i/Z_i)·g. rows are in
// order of id.
func centroid(rows []row, samples []Doc, g *gain) {
	for i := range samples {
		v := samples[i].text(fullText)
		z := float64(v.total()) * float64(len(samples))
		at := 0
		for _, t := range v {
			for rows[at].id < t.ID {
				at++
			}
			rows[at].base += float64(t.N) / z * float64(g.at(t.ID))
		}
	}
}

func addExperts(rows []row, cfg Config, names wordNames, mean float64) []row {
	found := make(map[string]bool, len(cfg.Expert))
	for i := range rows {
		if r := &rows[i]; r.expert {
			found[r.word] = true
			r.chosen = true
			if r.base == 0 {
				r.base, r.taken = mean, 0
			}
		}
	}
	for _, w := range cfg.Expert {
		if found[w] {
			continue
		}
		id, ok := names.Lookup(w)
		if !ok {
			id = noWord
		}
		rows = append(rows, row{
			id: id, word: w, base: mean, mult: cfg.multiplier(w),
			on: !has(cfg.Off, w), expert: true, chosen: true,
		})
	}
	return rows
}

// sortRows orders by base weight, then by word, so that equal weights always give the same
// features.
func sortRows(rows []row) {
	slices.SortFunc(rows, func(a, b row) int {
		if c := cmp.Compare(b.base, a.base); c != 0 {
			return c
		}
		return cmp.Compare(a.word, b.word)
	})
}

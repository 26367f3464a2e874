package search

import (
	"context"
	"slices"

	"angler/crawl/filter"
	"angler/dict"
)

// This file repeats the experiment of P2 (section 3.5, figures 6 and 7): a query is
// searched for as the base dictionary cuts it, when whatever has one of its parts is
// found, and as the workspace's dictionary cuts it, when a domain term is one word.

// judged results of a query tell its precision.
const judged = 10

// Comparison is the experiment on some queries.
type Comparison struct {
	Notices int        `json:"notices"`
	Rows    []Compare  `json:"queries"`
	Means   [2]Figures `json:"means"` // over the queries that some notice holds: without, with
}

// Compare is the experiment on one query. What is right is what holds the query as it
// stands.
type Compare struct {
	Query   string      `json:"query"`
	Term    bool        `json:"term"` // the domain dictionary holds it
	Right   int         `json:"right"`
	Cut     [2][]string `json:"cut"`
	Figures [2]Figures  `json:"figures"` // without the domain terms, with them
}

// Figures tell how well a query is answered.
type Figures struct {
	Found     int     `json:"found"`
	Precision float64 `json:"p"` // of all that was found
	Recall    float64 `json:"r"`
	Top       float64 `json:"p10"`   // precision of the first 10, or of as many as there could be
	Average   float64 `json:"map"`   // average precision
	First     int     `json:"first"` // place of the first right one; 0 = none
}

// Compare searches for queries in both ways. It needs the index, and waits until that is
// cut by the dictionary in force.
func (s *Search) Compare(ctx context.Context, queries []string) (*Comparison, error) {
	if err := s.wellCut(ctx); err != nil {
		return nil, err
	}
	m := s.now()
	defer m.close()
	if m.ix == nil {
		return nil, errNoIndex
	}
	out := &Comparison{Notices: m.ix.docs}
	d := s.Dict()
	counted := 0
	for _, q := range queries {
		w := filter.Word{Text: small(q)}
		held, err := s.Holding(ctx, []filter.Word{w})
		if err != nil {
			return nil, err
		}
		row := Compare{Query: q, Term: d.Wins(q), Right: int(held[0].GetCardinality())}
		row.Cut = [2][]string{d.Plain(q), wholeWords(d, q)}
		for i, cut := range row.Cut {
			order, err := s.any(m, cut)
			if err != nil {
				return nil, err
			}
			row.Figures[i] = figures(order, row.Right, held[0].Contains)
		}
		out.Rows = append(out.Rows, row)
		if row.Right > 0 {
			counted++
			for i, f := range row.Figures {
				t := &out.Means[i]
				t.Found += f.Found
				t.Precision += f.Precision
				t.Recall += f.Recall
				t.Top += f.Top
				t.Average += f.Average
			}
		}
	}
	for i := range out.Means {
		if t, n := &out.Means[i], float64(counted); counted > 0 {
			t.Found, t.Precision, t.Recall, t.Top, t.Average = t.Found/counted, t.Precision/n, t.Recall/n, t.Top/n, t.Average/n
		}
	}
	return out, nil
}

// wholeWords cuts a query with the domain terms, each as one word.
func wholeWords(d *dict.Dict, q string) (out []string) {
	for _, t := range d.Segment(q) {
		if kind(firstRune(t.Text)) != 0 && !t.Stop && !slices.Contains(out, t.Text) {
			out = append(out, t.Text)
		}
	}
	return out
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// any are the notices that have any of some words, the most relevant first.
func (s *Search) any(m *moment, cut []string) ([]uint64, error) {
	var query []term
	for _, t := range cut {
		query = append(query, term{t, weightWord})
	}
	scores, err := s.rank(m, query, nil)
	if err != nil {
		return nil, err
	}
	order := make([]uint64, 0, len(scores))
	for id := range scores {
		order = append(order, id)
	}
	slices.SortFunc(order, func(a, b uint64) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		case a < b:
			return -1
		}
		return 1
	})
	return order, nil
}

func figures(order []uint64, all int, right func(uint64) bool) (f Figures) {
	f.Found = len(order)
	hits, top := 0, 0
	for i, id := range order {
		if !right(id) {
			continue
		}
		hits++
		if i < judged {
			top++
		}
		if f.First == 0 {
			f.First = i + 1
		}
		f.Average += float64(hits) / float64(i+1)
	}
	if f.Found > 0 {
		f.Precision = float64(hits) / float64(f.Found)
	}
	if all > 0 {
		f.Recall = float64(hits) / float64(all)
		f.Average /= float64(all)
		f.Top = float64(top) / float64(min(judged, all))
	}
	return f
}

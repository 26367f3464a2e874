package query

import (
	"cmp"
	"context"
	"slices"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// maxCandidates bounds the list of pages that may become samples.
const maxCandidates = 5000

// Candidates lists stored pages that may become samples, the most list-like
// first: list pages by their dated records, then the others. Being a sample does
// not move a page, or it would jump from under the analyst's cursor.
func (q *Query) Candidates(ctx context.Context) ([]view.CandidateRow, error) {
	m := q.candidates()
	var rows []view.CandidateRow
	for p, err := range until(ctx, q.Store.Pages()) {
		if err != nil {
			return nil, err
		}
		if p.Status != 200 {
			continue
		}
		rows = append(rows, m.row(p))
		if len(rows) >= 2*maxCandidates {
			rows = bestCandidates(rows)
		}
	}
	rows = bestCandidates(rows)
	return rows, m.depths(ctx, q, rows)
}

func bestCandidates(rows []view.CandidateRow) []view.CandidateRow {
	rank := func(r *view.CandidateRow) float64 {
		v := float64(min(r.Dated, 60))
		if r.Type == page.List {
			v += 100
		}
		return v
	}
	slices.SortStableFunc(rows, func(a, b view.CandidateRow) int {
		switch x, y := rank(&a), rank(&b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return rows[:min(len(rows), maxCandidates)]
}

// Pages returns rows for the given ids, in their order; unknown ones are left
// out.
func (q *Query) Pages(ctx context.Context, ids []uint64) ([]view.CandidateRow, error) {
	m := q.candidates()
	var rows []view.CandidateRow
	err := eachBatch(ctx, ids, func(batch []uint64) error {
		return q.Store.EachPage(batch, func(p *store.Page) { rows = append(rows, m.row(p)) })
	})
	if err != nil {
		return nil, err
	}
	return rows, m.depths(ctx, q, rows)
}

// candidateMaker makes rows under the scores, labels and samples of one
// moment.
type candidateMaker struct {
	*rowMaker
	samples map[string]view.SampleRow
}

func (q *Query) candidates() *candidateMaker {
	m := &candidateMaker{rowMaker: q.rows(), samples: map[string]view.SampleRow{}}
	for _, s := range q.Decisions.State().Marks() {
		m.samples[s.URL] = s
	}
	return m
}

func (m *candidateMaker) row(p *store.Page) view.CandidateRow {
	score, _ := m.scores.Of(p.ID)
	mark, marked := m.samples[p.URL]
	return view.CandidateRow{ID: p.ID, URL: p.URL, Host: urls.HostOf(p.URL), Title: cmp.Or(p.Head, p.Title, p.URL),
		Type: page.Type(p.Type), Records: p.Records, Dated: p.Dated, Beta: p.Beta, Score: score,
		Sample: marked && !mark.Negative, Negative: mark.Negative, Label: m.labels[p.ID]}
}

// depths fills the depths, which belong to the URLs.
func (m *candidateMaker) depths(ctx context.Context, q *Query, rows []view.CandidateRow) error {
	ids := make([]uint64, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	i := 0
	return eachBatch(ctx, ids, func(batch []uint64) error {
		return q.Store.EachURL(batch, func(u *store.URL) {
			for rows[i].ID != u.ID {
				i++
			}
			rows[i].Depth = u.Depth
		})
	})
}

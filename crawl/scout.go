package crawl

import (
	"context"
	"errors"
	"fmt"
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
func (e *Engine) Candidates(ctx context.Context) ([]view.CandidateRow, error) {
	m := e.candidateMaker()
	var rows []view.CandidateRow
	n := 0
	for p, err := range e.ws.Pages() {
		if err != nil {
			return nil, err
		}
		if n++; n%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
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
	return rows, m.depths(e, rows)
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
func (e *Engine) Pages(_ context.Context, ids []uint64) ([]view.CandidateRow, error) {
	m := e.candidateMaker()
	var rows []view.CandidateRow
	if err := e.ws.EachPage(ids, func(p *store.Page) { rows = append(rows, m.row(p)) }); err != nil {
		return nil, err
	}
	return rows, m.depths(e, rows)
}

// candidateMaker makes rows under the scores, labels and samples of one
// moment.
type candidateMaker struct {
	*rowMaker
	samples map[string]view.SampleRow
}

func (e *Engine) candidateMaker() *candidateMaker {
	m := &candidateMaker{rowMaker: e.rows(), samples: map[string]view.SampleRow{}}
	for _, s := range e.Samples() {
		m.samples[s.URL] = s
	}
	return m
}

func (m *candidateMaker) row(p *store.Page) view.CandidateRow {
	score, _ := m.scores.Of(p.ID)
	mark, marked := m.samples[p.URL]
	return view.CandidateRow{ID: p.ID, URL: p.URL, Host: urls.HostOf(p.URL), Title: firstOf(p.Head, p.Title, p.URL),
		Type: page.Type(p.Type), Records: p.Records, Dated: p.Dated, Beta: p.Beta, Score: score,
		Sample: marked && !mark.Negative, Negative: mark.Negative, Label: m.labels[p.ID]}
}

// depths fills the depths, which belong to the URLs.
func (m *candidateMaker) depths(e *Engine, rows []view.CandidateRow) error {
	ids := make([]uint64, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	i := 0
	return e.ws.EachURL(ids, func(u *store.URL) {
		for rows[i].ID != u.ID {
			i++
		}
		rows[i].Depth = u.Depth
	})
}

// Preview parses one stored page again for the analyst's eye: its records, its
// main text, and why it scores what it scores.
func (e *Engine) Preview(_ context.Context, id uint64) (*view.Preview, error) {
	row, err := e.ws.Page(id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, fmt.Errorf("url %d has no stored page yet", id)
	}
	opt := page.Options{Main: e.Settings().Harvest.Method}
	src, err := e.source(id, &opt)
	if err != nil {
		return nil, err
	}
	if src == nil {
		return nil, errors.New("the page has no stored body")
	}
	p, why, err := page.Explain(*src, opt)
	if err != nil {
		return nil, err
	}
	v := &view.Preview{ID: id, URL: row.URL, Title: firstOf(p.Title, p.Head), Charset: row.Charset, Type: p.Type, Date: p.Date,
		Beta: p.Beta, Records: p.Records, Dated: p.Dated, Text: p.Text, Main: p.Main, Method: p.MainMethod, Blocks: why, Limits: p.Limits}
	if j := e.judge.Load(); j.model != nil {
		d, _, err := decodeDoc(e.ws.TermsOf(id), e.lex.Len())
		if err != nil {
			return nil, err
		}
		d.URL, d.Beta = row.URL, row.Beta
		v.Explain, v.HasModel = j.model.Explain(&d), true
		v.Learner = e.learnerVerdict(&d, v.Explain.Score)
	}
	return v, nil
}

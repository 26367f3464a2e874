package query

import (
	"cmp"
	"context"
	"math"
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/page"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
	"angler/store"
	"angler/topic"
)

// maxCandidates is the maximum number of candidates.
const maxCandidates = 5000

// Candidates returns stored pages that may become samples, without sitemaps, most list-like first. Lists with wanted
// titles come first, by dated records, then other lists, then other pages. The order ignores samples, so a page does
// not jump away under the analyst's cursor.
func (q *Query) Candidates(ctx context.Context) ([]CandidateRow, error) {
	m := q.candidates()
	best := candidates{minRank: math.MinInt}
	for p, err := range jobs.Until(ctx, q.Store.Pages()) {
		if err != nil {
			return nil, err
		}
		if p.Status == 200 {
			best.add(p, m.rank(p, best.minRank))
		}
	}
	best.cut()
	rows := make([]CandidateRow, len(best.all))
	for i, c := range best.all {
		rows[i] = m.row(c.page)
	}
	sitemaps, err := sitemapsAmong(ctx, q, rows)
	rows = slices.DeleteFunc(rows, func(r CandidateRow) bool { return sitemaps[r.ID] })
	return m.depths(q, rows), err
}

// candidate is a page that may become a sample.
type candidate struct {
	page *store.Page
	rank int
}

// rank returns a page's rank. If the rank cannot exceed low, it may be too low.
func (m *candidateMaker) rank(p *store.Page, low int) int {
	const list, wanted = 100, 100
	rank := min(p.Dated, 60)
	if page.Type(p.Type) == page.List {
		if rank += list; rank+wanted <= low {
			return rank
		}
		if m.patterns != nil && m.patterns.Match(titleOf(p)) {
			rank += wanted
		}
	}
	return rank
}

// candidates keeps the best pages of a sequence with rising ids; of equal ranks, the first.
type candidates struct {
	all     []candidate
	minRank int // pages of this rank or lower are dropped
}

func (b *candidates) add(p *store.Page, rank int) {
	if rank <= b.minRank {
		return
	}
	if b.all = append(b.all, candidate{p, rank}); len(b.all) >= 2*maxCandidates {
		b.cut()
	}
}

// cut keeps the best pages, best first.
func (b *candidates) cut() {
	slices.SortFunc(b.all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.page.ID, b.page.ID))
	})
	if len(b.all) >= maxCandidates {
		clear(b.all[maxCandidates:])
		b.all = b.all[:maxCandidates]
		b.minRank = b.all[maxCandidates-1].rank
	}
}

// Pages returns rows for ids in their order, without unknown ids.
func (q *Query) Pages(ctx context.Context, ids []uint64) ([]CandidateRow, error) {
	m := q.candidates()
	var rows []CandidateRow
	err := eachBatch(ctx, ids, func(batch []uint64) error {
		return q.Store.EachPage(batch, func(p *store.Page) { rows = append(rows, m.row(p)) })
	})
	if err != nil {
		return nil, err
	}
	return m.depths(q, rows), nil
}

// candidateMaker builds rows with the scores, labels and samples of one moment.
type candidateMaker struct {
	*rowMaker
	samples  map[string]decisions.SampleRow
	patterns *decisions.Patterns // of the wanted notices; nil = all notices
}

func (q *Query) candidates() *candidateMaker {
	state := q.Decisions.State()
	m := &candidateMaker{rowMaker: q.rows(), samples: map[string]decisions.SampleRow{}, patterns: state.Patterns}
	for _, s := range state.Marks() {
		m.samples[s.URL] = s
	}
	return m
}

func (m *candidateMaker) row(p *store.Page) CandidateRow {
	score, _ := m.scores.Of(p.ID)
	mark, marked := m.samples[p.URL]
	return CandidateRow{ID: p.ID, URL: p.URL, Host: urls.HostOf(p.URL), Title: titleOf(p),
		Type: page.Type(p.Type), Records: p.Records, Dated: p.Dated, Beta: p.Beta, Score: score,
		Sample: marked && !mark.Negative, Negative: mark.Negative, Label: m.labels[p.ID]}
}

// titleOf returns a page's title in lists.
func titleOf(p *store.Page) string { return cmp.Or(p.Head, p.Title, p.URL) }

// depths fills the depths, which are stored with the URLs.
func (m *candidateMaker) depths(q *Query, rows []CandidateRow) []CandidateRow {
	ids := make([]uint64, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	for i, d := range store.Depths(q.Store, ids) {
		rows[i].Depth = d
	}
	return rows
}

// sitemapsAmong returns the sitemaps among candidates, which have no title.
func sitemapsAmong(ctx context.Context, q *Query, rows []CandidateRow) (map[uint64]bool, error) {
	var untitled []uint64
	for i := range rows {
		if rows[i].Title == rows[i].URL {
			untitled = append(untitled, rows[i].ID)
		}
	}
	sitemaps := map[uint64]bool{}
	err := eachBatch(ctx, untitled, func(batch []uint64) error {
		return q.Store.EachURL(batch, func(u *store.URL) { sitemaps[u.ID] = u.Block == sitemap.Block })
	})
	return sitemaps, err
}

// CandidateRow is one stored page that may become a sample.
type CandidateRow struct {
	ID       uint64
	URL      string
	Host     string
	Title    string
	Type     page.Type
	Records  int
	Dated    int
	Beta     float64
	Score    float64 // by the current model; 0 without samples
	Depth    int
	Sample   bool
	Negative bool // negative sample; excludes Sample
	Label    topic.Label
}

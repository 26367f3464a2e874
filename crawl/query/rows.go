package query

import (
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// rowMaker builds export rows with the scores, labels and θ of one moment.
type rowMaker struct {
	scores *topic.Scores
	above  map[uint64]bool
	labels map[uint64]topic.Label // shared: do not change
}

func (q *Query) rows() *rowMaker {
	return &rowMaker{scores: q.Decisions.Scores(), above: q.Decisions.Lists(), labels: q.Decisions.State().Labels}
}

func (m *rowMaker) page(p *store.Page) view.PageRow {
	score, _ := m.scores.Of(p.ID)
	row := view.PageRowOf(p, score)
	row.Aggregation, row.Label = m.above[p.ID], m.labels[p.ID]
	return row
}

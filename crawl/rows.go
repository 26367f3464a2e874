package crawl

import (
	"maps"

	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// rowMaker makes export rows under the scores, labels and θ of one moment.
type rowMaker struct {
	scores *topic.Scores
	above  map[uint64]bool
	labels map[uint64]topic.Label
}

func (e *Engine) rows() *rowMaker {
	m := &rowMaker{scores: e.index.Scores(), above: map[uint64]bool{}, labels: e.labelsNow()}
	for _, id := range e.Aggregations() {
		m.above[id] = true
	}
	return m
}

// labelsNow returns a copy of the labels.
func (e *Engine) labelsNow() map[uint64]topic.Label {
	e.desk.Lock()
	defer e.desk.Unlock()
	return maps.Clone(e.labels)
}

func (m *rowMaker) page(p *store.Page) view.PageRow {
	score, _ := m.scores.Of(p.ID)
	row := view.PageRowOf(p, score)
	row.Aggregation, row.Label = m.above[p.ID], m.labels[p.ID]
	return row
}

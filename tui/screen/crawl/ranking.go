package crawl

import (
	"time"

	"angler/crawl/view"
	"angler/tui/widget"
)

// This file keeps the frontier of a run readable: every fetched page changes the values of all
// waiting URLs, and a list sorted again with every snapshot would move under the reader's eyes.

// A ranking is kept for this time, unless too many rows have entered it.
const (
	rankedFor = 30 * time.Second
	mostCome  = 25
	youngRank = 5 * time.Second // age up to which it is not shown
)

// rankedBy are the inputs of the order that people change: then the frontier is ranked again at
// once.
type rankedBy struct {
	task, strategy string
	decided        uint64
	state          view.RunState
}

// ranking is the head of the frontier as ranked at a moment. A row that still waits keeps its place
// and value. The best row not shown replaces one that left; from then on the column head shows no
// order.
type ranking struct {
	rows []view.FrontierRow
	at   time.Time
	by   rankedBy
	come int // rows that entered since
}

// follow returns the rows to show for a newer snapshot.
func (r *ranking) follow(snap *view.Snapshot) []view.FrontierRow {
	by := rankedBy{snap.Task, snap.Strategy, snap.Decided, snap.State}
	if age := snap.At.Sub(r.at); by != r.by || r.come > mostCome || age >= rankedFor || age < 0 {
		*r = ranking{snap.Frontier, snap.At, by, 0}
		return r.rows
	}
	was := make(map[uint64]*view.FrontierRow, len(r.rows))
	for i := range r.rows {
		was[r.rows[i].ID] = &r.rows[i]
	}
	var rows []view.FrontierRow
	for _, i := range widget.NewPlaces(ids(r.rows), ids(snap.Frontier)) {
		row := snap.Frontier[i]
		if old := was[row.ID]; old != nil {
			row.Priority, row.Why = old.Priority, old.Why
		} else {
			r.come++
		}
		rows = append(rows, row)
	}
	r.rows = rows
	return rows
}

func ids(rows []view.FrontierRow) []uint64 {
	return widget.Map(rows, func(r view.FrontierRow) uint64 { return r.ID })
}

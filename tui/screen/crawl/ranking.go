package crawl

import (
	"time"

	"angler/crawl/view"
	"angler/tui/widget"
)

// This file keeps the frontier of a run still enough to be read: a page that comes gives
// all that wait new values, and a list that is sorted anew with every snapshot moves
// under the reader's eyes.

// A ranking stands for so long, unless more rows have come into it before.
const (
	rankedFor = 30 * time.Second
	mostCome  = 25
	youngRank = 5 * time.Second // until then its age is not shown
)

// rankedBy is what people may change about the order: the frontier is ranked anew at
// once.
type rankedBy struct {
	task, strategy string
	decided        uint64
	state          view.RunState
}

// ranking is the head of the frontier as it was ranked at a moment. A row that still
// waits keeps its place and its value; where one has left stands the best that was not
// shown, and the head of the column claims no order any more.
type ranking struct {
	rows []view.FrontierRow
	at   time.Time
	by   rankedBy
	come int // rows that were not among the first then
}

// follow takes a newer snapshot and returns the rows to show.
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
	out := make([]uint64, len(rows))
	for i := range rows {
		out[i] = rows[i].ID
	}
	return out
}

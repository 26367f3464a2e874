package frontier

import (
	"slices"

	"angler/store"
)

// transfer is one step of the spiller. A refill takes the best rows of those on disk and those
// still pending.
type transfer struct {
	put    []store.BacklogRow
	read   []*queue
	take   []store.TakeBacklog // for each of read
	fresh  [][]row             // for each of read: best pending rows
	taken  []store.BacklogTaken
	scores [][]rescored // for each of read: results for taken, then fresh rows; nil without a score function
	err    error
}

// carryOut does the disk work of a transfer and scores the rows read. It runs without the lock.
// After an error, put holds the rows that were not written.
func (x *transfer) carryOut(b backlogFile, score scorer) {
	if len(x.put) > batchRows { // neighbours go into the same transaction
		slices.SortFunc(x.put, store.CompareBacklog)
	}
	for len(x.put) > batchRows && x.err == nil {
		if _, x.err = b.Exchange(x.put[:batchRows], nil); x.err == nil {
			x.put = x.put[batchRows:]
		}
	}
	if x.err == nil {
		x.taken, x.err = b.Exchange(x.put, x.take)
	}
	if x.err != nil || score == nil {
		return
	}
	x.scores = make([][]rescored, len(x.read))
	for i, q := range x.read {
		rows := x.rows(i)
		x.scores[i] = make([]rescored, len(rows))
		for k, r := range rows {
			x.scores[i][k] = score.ask(Entry{ID: r.id, Host: q.host.name, Queue: q.number, Class: r.class,
				Priority: r.prio, Depth: int(r.depth)})
		}
	}
}

// rows returns all rows for the i-th queue of read.
func (x *transfer) rows(i int) []row {
	rows := make([]row, 0, len(x.taken[i].Rows)+len(x.fresh[i]))
	for k := range x.taken[i].Rows {
		rows = append(rows, rowOf(&x.taken[i].Rows[k]))
	}
	return append(rows, x.fresh[i]...)
}

package frontier

import (
	"slices"

	"angler/store"
)

// transfer is one turn of the spiller. A queue that is refilled gets the best rows of
// those on disk and of those still pending.
type transfer struct {
	put    []store.BacklogRow
	read   []*queue
	take   []store.TakeBacklog // for each of read
	fresh  [][]row             // for each of read: the best of what was pending
	taken  []store.BacklogTaken
	scores [][]rescored // for each of read: of the rows taken, then of the fresh ones; nil without a score function
	err    error
}

// carryOut does a transfer's disk work and asks for the scores of what was read. It
// runs without the lock. What is left in put after an error was not written.
func (x *transfer) carryOut(b Backlog, score Scorer) {
	if len(x.put) > batchRows { // neighbours into the same transaction
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
			x.scores[i][k] = score.ask(Entry{ID: r.id, Host: q.host.name, Queue: q.number, Class: r.class, Priority: r.prio, Depth: int(r.depth)})
		}
	}
}

// rows are all that was brought for the i-th queue of read.
func (x *transfer) rows(i int) []row {
	rows := make([]row, 0, len(x.taken[i].Rows)+len(x.fresh[i]))
	for k := range x.taken[i].Rows {
		rows = append(rows, rowOf(&x.taken[i].Rows[k]))
	}
	return append(rows, x.fresh[i]...)
}

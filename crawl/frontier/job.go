package frontier

import (
	"slices"

	"angler/store"
)

// job is one turn of the spiller. A queue that is refilled gets the best rows of
// those on disk and of those still pending.
type job struct {
	put    []store.BacklogRow
	read   []*queue
	take   []store.BacklogTake // for each of read
	fresh  [][]row             // for each of read: the best of what was pending
	taken  []store.BacklogTaken
	scores [][]rescored // for each of read: of the rows taken, then of the fresh ones; nil without a score function
	err    error
}

// carryOut does a job's disk work and asks for the scores of what was read. It
// runs without the lock. What is left in put after an error was not written.
func (j *job) carryOut(b Backlog, score Scorer) {
	if len(j.put) > batchRows { // neighbours into the same transaction
		slices.SortFunc(j.put, store.CompareBacklogRows)
	}
	for len(j.put) > batchRows && j.err == nil {
		if _, j.err = b.Exchange(j.put[:batchRows], nil); j.err == nil {
			j.put = j.put[batchRows:]
		}
	}
	if j.err == nil {
		j.taken, j.err = b.Exchange(j.put, j.take)
	}
	if j.err != nil || score == nil {
		return
	}
	j.scores = make([][]rescored, len(j.read))
	for i, q := range j.read {
		rows := j.rows(i)
		j.scores[i] = make([]rescored, len(rows))
		for k, r := range rows {
			j.scores[i][k] = score.ask(Entry{ID: r.id, Host: q.host.name, Queue: q.number, Class: r.class, Priority: r.prio, Depth: int(r.depth)})
		}
	}
}

// rows are all that was brought for the i-th queue of read.
func (j *job) rows(i int) []row {
	rows := make([]row, 0, len(j.taken[i].Rows)+len(j.fresh[i]))
	for k := range j.taken[i].Rows {
		rows = append(rows, rowOf(&j.taken[i].Rows[k]))
	}
	return append(rows, j.fresh[i]...)
}

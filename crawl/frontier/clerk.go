package frontier

import (
	"errors"
	"fmt"
	"slices"

	"angler/store"
)

// The clerk is the one goroutine that talks to the backlog. It exists while there
// is something to write or to read and works without the lock, so a slow disk
// stops nobody but a Push that has run Config.Budget entries ahead of it, and a
// host none of whose entries is in memory.

// ErrBacklog is returned by Next when the backlog can neither be written nor read
// and nothing in memory may be handed out. Nothing is lost: Resume has it tried
// again, and every entry waits in the store as well.
var ErrBacklog = errors.New("frontier cannot use its file on disk")

// batchRows are written in one transaction; a refill waits no longer than for
// one such batch.
const batchRows = 4096

// maxWrite rows of one queue are written before anything else is read.
const maxWrite = 4 * batchRows

// job is one turn of the clerk. A queue that is refilled gets the best rows of
// those on disk and of those still pending.
type job struct {
	put    []store.BacklogRow
	read   []*queue
	take   []store.BacklogTake // for each of read
	fresh  [][]parked          // for each of read: the best of what was pending
	taken  []store.BacklogTaken
	scores [][]score // for each of read: of the rows taken, then of the fresh ones; nil without a score function
	err    error
}

type score struct {
	prio float64
	keep bool
}

// rouse starts the clerk if there is work and it is not at work.
func (f *Frontier) rouse() {
	if f.clerking || f.closed || f.broken != nil || len(f.wanting) == 0 && f.pending <= f.slack() {
		return
	}
	f.clerking = true
	f.clerk.Go(f.work)
}

// slack is how many entries may wait to be written: the more, the fewer leaves
// of the tree each of them costs.
func (f *Frontier) slack() int { return 2 * f.cfg.Budget }

func (f *Frontier) work() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.closed && f.broken == nil {
		j := f.nextJob()
		if j == nil {
			break
		}
		f.mu.Unlock()
		f.carryOut(j)
		f.mu.Lock()
		if j.err != nil {
			f.takeBack(j)
		} else {
			f.land(j)
		}
		f.shed()
		f.room.Broadcast()
		f.dispatch()
	}
	f.clerking = false
	f.room.Broadcast()
}

// nextJob collects what is to be read, and what is to be written when too much
// is pending. It returns nil when there is nothing to do.
func (f *Frontier) nextJob() *job {
	j := new(job)
	for len(f.wanting) > 0 && len(j.read) < 32 {
		q := f.wanting[0]
		f.wanting = f.wanting[1:]
		t := q.tail
		if t == nil || !t.wanted {
			continue
		}
		t.wanted = false
		take := store.BacklogTake{N: f.refill()}
		for i := range t.lanes {
			l := &t.lanes[i]
			if q.host.sweeping || l.n > 0 && !f.tooDeep(l.depth) {
				take.Lanes = append(take.Lanes, q.laneKey(l.depth))
			}
		}
		if q.host.sweeping {
			take.N = maxRefill
		}
		t.loading, t.swept = true, q.host.sweeping
		j.read = append(j.read, q)
		j.take = append(j.take, take)
		j.fresh = append(j.fresh, f.pick(t, take.N))
	}
	for len(f.spilling) > 0 && f.pending > f.slack() && len(j.put) < batchRows {
		q := f.spilling[0]
		f.spilling = f.spilling[1:]
		t := q.tail
		if t == nil || !t.spilling {
			continue
		}
		t.spilling = false
		j.write(f, q)
	}
	if len(j.put) == 0 && len(j.take) == 0 {
		return nil
	}
	return j
}

// write moves pending rows of a queue into the job, without those that became
// void before they were written; no more than a refill may have to wait for.
func (j *job) write(f *Frontier, q *queue) {
	t := q.tail
	rows := t.pending
	if len(rows) > maxWrite {
		rows = t.neighbours()
	}
	f.pending -= len(rows)
	t.pending = t.pending[:len(t.pending)-len(rows)] // rows are read before anything is appended
	if len(t.pending) > 0 {
		t.spilling = true
		f.spilling = append(f.spilling, q)
	}
	for _, r := range rows {
		if f.away.live(r.id, r.gen) {
			j.put = append(j.put, store.BacklogRow{ID: r.id, Lane: q.laneKey(r.depth), Priority: r.prio, Seq: r.seq, Gen: r.gen})
		}
	}
}

// pick takes the best n rows out of what is pending. When there are many it is
// the reason why a refill need not wait until they are written.
func (f *Frontier) pick(t *tail, n int) []parked {
	rows := t.pending
	if f.limit >= 0 { // what is too deep stays
		in := len(rows)
		for i := 0; i < in; {
			if f.tooDeep(rows[i].depth) {
				in--
				rows[i], rows[in] = rows[in], rows[i]
			} else {
				i++
			}
		}
		rows = rows[:in]
	}
	n = min(n, len(rows))
	selectBest(rows, n, betterRow)
	best := slices.Clone(rows[:n])
	t.pending = append(t.pending[:0], t.pending[n:]...)
	f.pending -= n
	return best
}

// carryOut does a job's disk work and asks for the scores of what was read. It
// runs without the lock. What is left in put after an error was not written.
func (f *Frontier) carryOut(j *job) {
	if len(j.put) > batchRows { // neighbours into the same transaction
		slices.SortFunc(j.put, store.CompareBacklogRows)
	}
	for len(j.put) > batchRows && j.err == nil {
		if _, j.err = f.cfg.Backlog.Exchange(j.put[:batchRows], nil); j.err == nil {
			j.put = j.put[batchRows:]
		}
	}
	if j.err == nil {
		j.taken, j.err = f.cfg.Backlog.Exchange(j.put, j.take)
	}
	if j.err != nil || f.cfg.Score == nil {
		return
	}
	j.scores = make([][]score, len(j.read))
	for i, q := range j.read {
		rows := j.rows(i)
		j.scores[i] = make([]score, len(rows))
		for k, r := range rows {
			p, keep := f.cfg.Score(r.id, Entry{ID: r.id, Host: q.host.name, Queue: q.number, Priority: r.prio, Depth: int(r.depth)})
			j.scores[i][k] = score{finite(p), keep}
		}
	}
}

// rows are all that was brought for a queue.
func (j *job) rows(i int) []parked {
	rows := make([]parked, 0, len(j.taken[i].Rows)+len(j.fresh[i]))
	for _, r := range j.taken[i].Rows {
		rows = append(rows, parkedRow(&r))
	}
	return append(rows, j.fresh[i]...)
}

// neighbours moves maxWrite pending rows to the end and returns them: like a lift
// it passes over all priorities again and again, so that what is written at once
// falls onto few leaves and every leaf is written as seldom as can be.
func (t *tail) neighbours() []parked {
	rows, below := t.pending, 0
	for i := range rows { // those that the lift has passed to the front
		if !t.lift.before(mark{rows[i].prio, rows[i].seq}) {
			rows[i], rows[below] = rows[below], rows[i]
			below++
		}
	}
	if len(rows)-below < maxWrite { // at the bottom: from the top again
		below = 0
	}
	rows = rows[below:]
	n := len(rows) - maxWrite
	selectBest(rows, n, func(a, b parked) bool { return betterRow(b, a) })
	rows = rows[n:]
	t.lift = mark{rows[0].prio, rows[0].seq}
	for _, r := range rows {
		if m := (mark{r.prio, r.seq}); t.lift.before(m) {
			t.lift = m
		}
	}
	return rows
}

func betterRow(a, b parked) bool { return mark{a.prio, a.seq}.before(mark{b.prio, b.seq}) }

func parkedRow(r *store.BacklogRow) parked {
	return parked{r.ID, r.Priority, r.Seq, int16(uint16(r.Lane)), r.Gen}
}

// land takes over what a job brought.
func (f *Frontier) land(j *job) {
	for i, q := range j.read {
		var scores []score
		if j.scores != nil {
			scores = j.scores[i]
		}
		more := len(j.taken[i].Rows) == j.take[i].N
		f.landQueue(q, j.rows(i), scores, more, j.take[i].Lanes, j.taken[i].Heads)
	}
}

// landQueue puts rows into their queue in memory; more says whether as many as
// were wanted were on disk, heads what is left there in lanes.
func (f *Frontier) landQueue(q *queue, rows []parked, scores []score, more bool, lanes []uint64, heads []store.BacklogHead) {
	t, h := q.tail, q.host
	f.unplace(h)
	landed := 0
	for i, r := range rows {
		if !f.away.live(r.id, r.gen) {
			continue // pushed anew or removed since it was written
		}
		depth, m := r.depth, mark{r.prio, r.seq}
		f.away.back(r.id)
		f.leaves(t, t.laneOf(depth))
		if scores != nil {
			m.prio = scores[i].prio
		}
		if h.sweeping || scores != nil && !scores[i].keep {
			continue
		}
		s := f.alloc(q, r.id, depth, m)
		if f.tooDeep(depth) { // the limit fell meanwhile
			f.parkItem(s)
			continue
		}
		f.items[s].where = inQueue
		f.waiting++
		f.queued++
		heapPush(&q.heap, s, byPriority{f})
		landed++
	}
	f.rank(t, lanes, heads)
	t.loading = false
	t.credit = 0
	if landed > 0 && scores != nil && f.behind(q) {
		t.credit = max(1, landed/4)
	}
	if h.sweeping {
		if !t.swept || more || len(t.pending) > 0 {
			t.wanted = true
			f.wanting = append(f.wanting, q)
		} else if h.sweeps--; h.sweeps == 0 {
			h.sweeping = false
			f.sweeping--
		}
	}
	if t.within == 0 && len(t.pending) == 0 && !t.wanted && t.empty() {
		q.tail = nil
		f.tails--
	}
	f.place(h)
}

func (t *tail) empty() bool {
	for i := range t.lanes {
		if t.lanes[i].n > 0 {
			return false
		}
	}
	return true
}

// rank takes over the best rows that the lanes still hold, and finds the better
// ones among what has become pending since they were looked up.
func (f *Frontier) rank(t *tail, lanes []uint64, heads []store.BacklogHead) {
	for i := range t.lanes {
		t.lanes[i].some = true // unless it was looked at
	}
	for i, key := range lanes {
		l := t.laneOf(int16(uint16(key)))
		l.best, l.some = mark{heads[i].Priority, heads[i].Seq}, heads[i].Any
	}
	for i := range t.pending {
		r := &t.pending[i]
		if m, l := (mark{r.prio, r.seq}), t.laneOf(r.depth); !l.some || m.before(l.best) {
			l.best, l.some = m, true
		}
	}
	for i := range t.lanes {
		if l := &t.lanes[i]; !l.some && l.n > 0 {
			f.broken = fmt.Errorf("%w: %d entries are missing there", ErrBacklog, l.n)
		}
	}
	f.measure(t)
}

// takeBack undoes a job that failed: nothing of it is lost, and Resume has it
// tried again.
func (f *Frontier) takeBack(j *job) {
	f.broken = fmt.Errorf("%w: %w", ErrBacklog, j.err)
	for i := range j.put {
		f.append(f.queues[j.put[i].Lane>>16], parkedRow(&j.put[i]))
	}
	for i, q := range j.read {
		for _, r := range j.fresh[i] {
			f.append(q, r)
		}
		q.tail.loading, q.tail.wanted = false, true
		f.wanting = append(f.wanting, q)
	}
}

// sweep takes everything of a host off the disk and returns when that is done,
// or the backlog is broken. The caller waits for no other sweep.
func (f *Frontier) sweep(h *host) {
	for _, q := range h.queues {
		if q == nil || q.tail == nil {
			continue
		}
		t := q.tail
		for _, r := range t.pending {
			if f.away.live(r.id, r.gen) {
				f.away.back(r.id)
				f.leaves(t, t.laneOf(r.depth))
			}
		}
		f.pending -= len(t.pending)
		t.pending = nil
		h.sweeps++
		if !t.wanted && !t.loading {
			t.wanted = true
			f.wanting = append(f.wanting, q)
		}
	}
	if h.sweeps == 0 {
		return
	}
	h.sweeping = true
	f.sweeping++
	f.rouse()
	for h.sweeping && f.broken == nil && !f.closed {
		f.room.Wait()
	}
}

package frontier

import (
	"errors"
	"fmt"
	"sync"

	"angler/store"
)

// ErrBacklog is returned by Next if the backlog can neither be written nor read and no entry in
// memory may be handed out. Nothing is lost: Resume retries, and the store holds every entry as
// well.
var ErrBacklog = errors.New("frontier cannot use its file on disk")

// backlogFile keeps entries beyond Config.Budget on disk; *backlog.Backlog implements it. It must be
// empty when passed to New and belongs to the frontier until Close. One goroutine at a time calls
// Exchange, never under the frontier's lock.
type backlogFile interface {
	Exchange(put []store.BacklogRow, take []store.TakeBacklog) ([]store.BacklogTaken, error)
}

// batchRows are written in one transaction. A refill waits for at most one such batch.
const batchRows = 4096

// maxWrite rows of one queue are written before anything else is read.
const maxWrite = 4 * batchRows

// spiller moves the tails of the queues to disk and back. Only its goroutine uses the backlog. The
// goroutine runs while there is something to write or read, and does so without the lock. A slow
// disk therefore blocks only a Push that is Config.Budget entries ahead, and hosts without entries
// in memory.
type spiller struct {
	backlog backlogFile
	score   scorer
	lock    sync.Locker // the frontier's lock
	arena   *arena
	disk    *disk
	pool    *pool
	changed func() // called under the lock after entries moved

	working bool // the goroutine runs
	closed  bool
	broken  error
	running sync.WaitGroup
	turned  sync.Cond // signals the end of a transfer
}

// busy reports whether entries may still come from disk.
func (sp *spiller) busy() bool { return len(sp.disk.wanting) > 0 || sp.working }

// stopped reports whether no further transfer will start.
func (sp *spiller) stopped() bool { return sp.closed || sp.broken != nil }

// start starts the goroutine if there is work and it does not run.
func (sp *spiller) start() {
	if len(sp.disk.wanting) == 0 && sp.disk.pending <= sp.disk.slack() || sp.working || sp.stopped() {
		return
	}
	sp.working = true
	sp.running.Go(sp.work)
}

// close lets the goroutine end after its transfer.
func (sp *spiller) close() {
	sp.closed = true
	sp.turned.Broadcast()
}

func (sp *spiller) work() {
	sp.lock.Lock()
	defer sp.lock.Unlock()
	for !sp.stopped() {
		x := sp.next()
		if x == nil {
			break
		}
		sp.lock.Unlock()
		x.carryOut(sp.backlog, sp.score)
		sp.lock.Lock()
		if x.err != nil {
			sp.takeBack(x)
		} else {
			sp.apply(x)
		}
		sp.pool.shed()
		sp.turned.Broadcast()
		sp.changed()
	}
	sp.working = false
	sp.turned.Broadcast()
}

// makeRoom waits until the disk is not too far behind. Without a backlog it does nothing.
func (sp *spiller) makeRoom() {
	if sp.disk.off {
		return
	}
	sp.pool.shed()
	for sp.disk.pending > 2*sp.disk.slack() && !sp.stopped() {
		sp.changed() // hands out the entries pushed so far
		sp.turned.Wait()
	}
}

// next collects refills, and rows to write if too many are pending. It returns nil if there is no
// work.
func (sp *spiller) next() *transfer {
	x, d := new(transfer), sp.disk
	for len(d.wanting) > 0 && len(x.read) < 32 {
		q := d.wanting[0]
		d.wanting = d.wanting[1:]
		t := q.tail
		if t == nil || !t.wanted {
			continue
		}
		t.wanted = false
		take := store.TakeBacklog{N: d.refill()}
		for i := range t.lanes {
			l := &t.lanes[i]
			if l.n > 0 && !sp.pool.tally.tooDeep(l.depth) {
				take.Lanes = append(take.Lanes, q.laneKey(l.depth))
			}
		}
		t.loading = true
		x.read = append(x.read, q)
		x.take = append(x.take, take)
		x.fresh = append(x.fresh, d.pick(t, take.N))
	}
	for len(d.writing) > 0 && d.pending > d.slack() && len(x.put) < batchRows {
		q := d.writing[0]
		d.writing = d.writing[1:]
		if q.tail == nil || !q.tail.writing {
			continue
		}
		rows := d.cut(q)
		for i := range rows {
			if r := &rows[i]; d.spilled.live(r.id, r.gen) { // others became void before they were written
				x.put = append(x.put, r.stored(q))
			}
		}
	}
	if len(x.put) == 0 && len(x.take) == 0 {
		return nil
	}
	return x
}

// apply takes over the results of a transfer.
func (sp *spiller) apply(x *transfer) {
	for i, q := range x.read {
		t, h := q.tail, q.host
		sp.pool.hosts.unplace(h)
		restored := sp.restore(x, i)
		if err := sp.disk.rank(t, x.take[i].Lanes, x.taken[i].Heads); err != nil {
			sp.broken = err
		}
		t.loading = false
		t.credit = 0
		if restored > 0 && x.scores != nil && sp.disk.behind(q) {
			t.credit = max(1, restored/4)
		}
		sp.disk.close(q)
		sp.pool.hosts.place(h)
	}
}

// restore puts the rows read for the i-th queue into memory and returns how many stayed there.
func (sp *spiller) restore(x *transfer, i int) (restored int) {
	q := x.read[i]
	for k, r := range x.rows(i) {
		if !sp.disk.back(q.tail, &r) {
			continue // pushed again or removed since it was written
		}
		m := r.mark()
		if x.scores != nil {
			s := x.scores[i][k]
			if m.class, m.prio = s.class, s.prio; !s.keep {
				continue
			}
		}
		if sp.pool.restore(sp.arena.add(q, r.id, r.depth, m), q) {
			restored++
		}
	}
	return restored
}

// takeBack undoes a failed transfer: nothing is lost, and Resume retries it.
func (sp *spiller) takeBack(x *transfer) {
	sp.broken = fmt.Errorf("%w: %w", ErrBacklog, x.err)
	for i := range x.put {
		sp.disk.append(sp.pool.hosts.queues[x.put[i].Lane>>16], rowOf(&x.put[i]))
	}
	for i, q := range x.read {
		for _, r := range x.fresh[i] {
			sp.disk.append(q, r)
		}
		q.tail.loading = false
		sp.disk.want(q)
	}
}

package frontier

import (
	"errors"
	"fmt"
	"sync"

	"angler/store"
)

// ErrBacklog is returned by Next when the backlog can neither be written nor read
// and nothing in memory may be handed out. Nothing is lost: Resume has it tried
// again, and every entry waits in the store as well.
var ErrBacklog = errors.New("frontier cannot use its file on disk")

// Backlog keeps on disk what does not fit into Config.Budget; *store.Backlog is
// one. It must be empty when it is given to New and belongs to the frontier
// until Close. Exchange is called by one goroutine at a time and never under the
// frontier's lock.
type Backlog interface {
	Exchange(put []store.BacklogRow, take []store.TakeBacklog) ([]store.BacklogTaken, error)
}

// batchRows are written in one transaction; a refill waits no longer than for
// one such batch.
const batchRows = 4096

// maxWrite rows of one queue are written before anything else is read.
const maxWrite = 4 * batchRows

// spiller moves the tails of the queues to disk and back. Its goroutine is the
// only one that talks to the backlog. It exists while there is something to write
// or to read and works without the lock, so a slow disk stops only a Push
// that has run Config.Budget entries ahead of it, and a host none of whose entries
// is in memory.
type spiller struct {
	backlog Backlog
	score   Scorer
	lock    sync.Locker // the frontier's
	arena   *arena
	disk    *disk
	pool    *pool
	changed func() // called with the lock when entries have moved

	working bool // the goroutine is at work
	closed  bool
	broken  error
	running sync.WaitGroup
	turned  sync.Cond // a transfer has ended
}

// busy reports whether entries may still come from disk.
func (sp *spiller) busy() bool { return len(sp.disk.wanting) > 0 || sp.working }

// stopped reports whether there will be no more transfers.
func (sp *spiller) stopped() bool { return sp.closed || sp.broken != nil }

// rouse starts the goroutine if there is work and it is not at work.
func (sp *spiller) rouse() {
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
			sp.land(x)
		}
		sp.pool.shed()
		sp.turned.Broadcast()
		sp.changed()
	}
	sp.working = false
	sp.turned.Broadcast()
}

// makeRoom waits until the disk is not too far behind. Without a backlog it costs
// nothing.
func (sp *spiller) makeRoom() {
	if sp.disk.off {
		return
	}
	sp.pool.shed()
	for sp.disk.pending > 2*sp.disk.slack() && !sp.stopped() {
		sp.changed() // what was pushed so far is handed out meanwhile
		sp.turned.Wait()
	}
}

// next collects what is to be read, and what is to be written when too much is
// pending. It returns nil when there is nothing to do.
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

// land takes over what a transfer brought.
func (sp *spiller) land(x *transfer) {
	for i, q := range x.read {
		t, h := q.tail, q.host
		sp.pool.hosts.unplace(h)
		landed := sp.bring(x, i)
		if err := sp.disk.rank(t, x.take[i].Lanes, x.taken[i].Heads); err != nil {
			sp.broken = err
		}
		t.loading = false
		t.credit = 0
		if landed > 0 && x.scores != nil && sp.disk.behind(q) {
			t.credit = max(1, landed/4)
		}
		sp.disk.close(q)
		sp.pool.hosts.place(h)
	}
}

// bring puts the rows that a transfer read for its i-th queue into that queue in
// memory and returns how many stayed there.
func (sp *spiller) bring(x *transfer, i int) (landed int) {
	q := x.read[i]
	for k, r := range x.rows(i) {
		if !sp.disk.back(q.tail, &r) {
			continue // pushed anew or removed since it was written
		}
		m := r.mark()
		if x.scores != nil {
			s := x.scores[i][k]
			if m.class, m.prio = s.class, s.prio; !s.keep {
				continue
			}
		}
		if sp.pool.land(sp.arena.add(q, r.id, r.depth, m), q) {
			landed++
		}
	}
	return landed
}

// takeBack undoes a transfer that failed: nothing of it is lost, and Resume has it
// tried again.
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

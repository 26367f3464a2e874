package facts

import (
	"context"
	"errors"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/store"
	stored "angler/store/facts"
)

// This file is the work in the background.

const (
	batch      = 64                     // notices are stored in one commit
	gathering  = 200 * time.Millisecond // beside a run: so long a batch is waited for
	shownAfter = time.Second            // work that takes longer is shown with its progress
)

// loop reads what waits until the keeper's context ends.
func (k *Keeper) loop() {
	for {
		err := k.work(k.Context)
		switch {
		case k.Context.Err() != nil:
			return
		case errors.Is(err, context.Canceled):
			k.Events.Note("info", "reading fields was cancelled; what is left is read when the workspace is opened again")
			k.drop()
		case err != nil:
			k.Events.Note("error", "reading fields: %v", err)
			k.drop()
		}
		k.mu.Lock()
		left := k.scan || len(k.queue) > 0
		if !left {
			k.busy = false
			k.idle.Release()
		}
		k.mu.Unlock()
		if left {
			continue
		}
		select {
		case <-k.wake:
		case <-k.Context.Done():
			return
		}
		if k.Task() != "" {
			jobs.Rest(k.Context, gathering)
		}
	}
}

// drop forgets what waits.
func (k *Keeper) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.queue, k.scan = nil, false
	clear(k.waiting)
}

// progress shows the work once it takes long.
type progress struct {
	jobs  *jobs.Jobs
	begun time.Time
	done  int
	shown *jobs.Beside
}

func (p *progress) step(ctx context.Context, n, left int) context.Context {
	p.done += n
	switch {
	case p.shown != nil:
		p.shown.Done.Store(int64(p.done))
		p.shown.Total(p.done + left)
	case left > 0 && time.Since(p.begun) > shownAfter:
		p.shown, ctx = p.jobs.Beside(ctx, "reading fields", p.done+left)
		p.shown.Done.Store(int64(p.done))
	}
	return ctx
}

func (p *progress) end() {
	if p.shown != nil {
		p.shown.End()
	}
}

// work reads everything that waits.
func (k *Keeper) work(ctx context.Context) error {
	p := progress{jobs: k.Jobs, begun: time.Now()}
	defer p.end()
	for ctx.Err() == nil {
		k.mu.Lock()
		k.busy = true
		scan := k.scan
		k.scan = false
		k.mu.Unlock()
		if scan {
			if err := k.look(ctx); err != nil {
				return err
			}
		}
		ids, left := k.next()
		if len(ids) == 0 {
			return nil
		}
		if err := k.readAll(ctx, ids); err != nil {
			return err
		}
		ctx = p.step(ctx, len(ids), left)
	}
	return ctx.Err()
}

// next takes a batch from the queue.
func (k *Keeper) next() (ids []uint64, left int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(batch, len(k.queue))
	ids, k.queue = k.queue[:n:n], k.queue[n:]
	if len(k.queue) == 0 {
		k.queue = nil
	}
	for _, id := range ids {
		delete(k.waiting, id)
	}
	return ids, len(k.queue)
}

// look goes through all notices: it learns from their rows what hosts' labels mean, has
// those read that have no row or an outdated one, and drops rows of notices that are
// gone.
func (k *Keeper) look(ctx context.Context) error {
	var gone, old []uint64
	type met struct {
		id   uint64
		host string
		of   stored.Stamp
		seal uint32
	}
	var all []met
	k.mu.Lock()
	k.hosts.init()
	k.deadlines = deadlines{}
	k.mu.Unlock()
	err := stored.Scan(ctx, k.Store, func(p stored.Place) error {
		switch {
		case p.Notice == 0:
			gone = append(gone, p.ID)
		case p.Row == nil:
			old = append(old, p.ID)
		default:
			k.mu.Lock()
			k.hosts.take(p.Row)
			k.mu.Unlock()
			said := k.said(p.Row)
			k.mu.Lock()
			k.deadlines.take(said, k.Now())
			k.mu.Unlock()
			all = append(all, met{p.ID, p.Row.Host, p.Row.Stamp, p.Notice})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		if err := stored.Drop(k.Store, gone); err != nil {
			return err
		}
	}
	k.learnCorrected()
	holders, err := k.holders()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.of != k.stamp(m.host, m.seal, m.of.Files) {
			old = append(old, m.id)
		} else if m.of.Files != 0 || holders[m.id] {
			files, err := k.files(m.id)
			if err != nil {
				return err
			}
			if files != m.of.Files {
				old = append(old, m.id)
			}
		}
	}
	k.enqueue(old...)
	return nil
}

// readAll reads notices and stores their rows.
func (k *Keeper) readAll(ctx context.Context, ids []uint64) error {
	rows := make([]*stored.Row, 0, len(ids))
	resting := k.Task() != ""
	for _, id := range ids {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		begun := time.Now()
		m, err := k.read(id)
		if err != nil {
			return err
		}
		if m != nil {
			rows = append(rows, m.row)
		}
		if resting {
			jobs.Rest(ctx, 49*time.Since(begun))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := stored.Put(k.Store, rows); err != nil {
		if errors.Is(err, store.ErrReadOnly) {
			return nil
		}
		return err
	}
	said := make([]*view.Said, len(rows))
	k.mu.Lock()
	changed := map[string]bool{}
	for _, r := range rows {
		if k.hosts.take(r) {
			changed[r.Host] = true
		}
	}
	k.mu.Unlock()
	for i, r := range rows {
		said[i] = k.said(r)
	}
	k.tell(said)
	if len(changed) > 0 {
		k.rescan()
	}
	return nil
}

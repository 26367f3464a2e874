package facts

import (
	"context"
	"errors"
	"time"

	"angler/crawl/jobs"
	"angler/store"
	"angler/store/records"
)

// This file is the background loop.

const (
	batch      = 64                     // notices per commit
	batchWait  = 200 * time.Millisecond // beside a run: wait for a batch to fill
	shownAfter = time.Second            // longer work is shown with its progress

	firstPause = time.Minute // after an error; doubled with each further one
	maxPause   = time.Hour
)

// loop runs passes until the Jobs' context ends. Notices that failed are retried on request, with
// the next notice, and after an error with a growing pause.
func (k *Extractor) loop() {
	pause := firstPause
	for {
		k.mu.Lock()
		k.busy = true
		k.begun++
		k.mu.Unlock()
		err := k.work(k.Jobs.Context)
		if k.Jobs.Context.Err() != nil {
			return
		}
		var again <-chan time.Time
		switch {
		case errors.Is(err, context.Canceled):
			k.Events.Note("info", "reading fields was cancelled; the rest is read with the next notice, or on a request for all")
		case err != nil:
			k.Events.Note("error", "reading fields: %v; it is tried again", err)
			again = time.After(pause)
			pause = min(2*pause, maxPause)
		default:
			pause = firstPause
		}
		k.mu.Lock()
		k.failed = err
		left := err == nil && (k.scan || len(k.queue) > 0)
		if !left {
			k.busy, k.ended = false, k.begun
			k.idle.Release()
		}
		k.mu.Unlock()
		if left {
			continue
		}
		select {
		case <-k.wake:
		case <-again:
		case <-k.Jobs.Context.Done():
			return
		}
		if k.Jobs.Task() != "" {
			jobs.Sleep(k.Jobs.Context, batchWait)
		}
	}
}

// progress shows the work once it takes long.
type progress struct {
	jobs  *jobs.Jobs
	begun time.Time
	done  int
	shown *jobs.BackgroundWork
}

func (p *progress) step(ctx context.Context, n, left int) context.Context {
	p.done += n
	switch {
	case p.shown != nil:
		p.shown.Done.Store(int64(p.done))
		p.shown.Total(p.done + left)
	case left > 0 && time.Since(p.begun) > shownAfter:
		p.shown, ctx = p.jobs.Background(ctx, "reading fields", p.done+left)
		p.shown.Done.Store(int64(p.done))
	}
	return ctx
}

func (p *progress) end() {
	if p.shown != nil {
		p.shown.End()
	}
}

// work reads all queued notices. Notices that failed are queued again when it returns the last
// error.
func (k *Extractor) work(ctx context.Context) (failed error) {
	p := progress{jobs: k.Jobs, begun: time.Now()}
	defer p.end()
	var unread []uint64
	defer func() { k.add(unread...) }()
	for ctx.Err() == nil {
		k.mu.Lock()
		scan := k.scan
		k.scan = false
		k.mu.Unlock()
		if scan {
			if err := k.search(ctx); err != nil {
				k.mu.Lock()
				k.scan = true
				k.mu.Unlock()
				return err
			}
		}
		ids, left := k.next()
		if len(ids) == 0 {
			return failed
		}
		bad, err := k.readAll(ctx, ids)
		if err != nil {
			unread, failed = append(unread, bad...), err
		}
		if len(bad) == len(ids) { // the cause is not a single notice
			return failed
		}
		ctx = p.step(ctx, len(ids), left)
	}
	return ctx.Err()
}

// next takes a batch from the queue.
func (k *Extractor) next() (ids []uint64, left int) {
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

// search scans all notices. It queues those with a missing or outdated row and deletes rows of
// notices that are gone.
func (k *Extractor) search(ctx context.Context) error {
	var gone, old []uint64
	holders, err := k.holders()
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.deadlines = deadlines{}
	k.mu.Unlock()
	err = records.ScanFacts(ctx, k.Store, func(p records.FactsPlace) error {
		switch {
		case p.Notice == 0:
			gone = append(gone, p.ID)
		case p.Row == nil:
			old = append(old, p.ID)
		default:
			said := k.factsOf(p.Row)
			k.mu.Lock()
			k.deadlines.take(said, k.Now())
			k.mu.Unlock()
			outdated, err := k.outdated(&p, holders[p.ID])
			if err != nil {
				return err
			}
			if outdated {
				old = append(old, p.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		if err := records.DropFacts(k.Store, gone); err != nil {
			return err
		}
	}
	k.add(old...)
	return nil
}

// outdated reports whether a stored row must be read again. holder means that its notice may have
// documents.
func (k *Extractor) outdated(p *records.FactsPlace, holder bool) (bool, error) {
	of := p.Row.Stamp
	if of != k.stamp(p.Notice, of.Files) {
		return true, nil
	}
	if of.Files == 0 && !holder {
		return false, nil
	}
	files, err := k.files(p.ID)
	return files != of.Files, err
}

// readAll reads notices and stores their rows. bad are the notices that failed, failed is the last
// error.
func (k *Extractor) readAll(ctx context.Context, ids []uint64) (bad []uint64, failed error) {
	rows := make([]*records.Facts, 0, len(ids))
	resting := k.Jobs.Task() != ""
	for _, id := range ids {
		if ctx.Err() != nil {
			return ids, ctx.Err()
		}
		begun := time.Now()
		row, err := k.read(id)
		switch {
		case err != nil:
			bad, failed = append(bad, id), err
		case row != nil:
			rows = append(rows, row)
		}
		if resting {
			jobs.Sleep(ctx, 49*time.Since(begun))
		}
	}
	if len(rows) == 0 {
		return bad, failed
	}
	if err := records.PutFacts(k.Store, rows); err != nil {
		if errors.Is(err, store.ErrReadOnly) {
			return nil, nil
		}
		return ids, err
	}
	said := make([]*NoticeFacts, len(rows))
	for i, r := range rows {
		said[i] = k.factsOf(r)
	}
	k.notify(said)
	return bad, failed
}

// Package writer commits the pages of many workers: one goroutine gathers captures and writes them
// in batches.
package writer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"syscall"
	"time"

	"angler/store"
)

// Batch bounds: a transaction is written at maxBatch captures or maxWait after the first one. So
// after a kill at most the pages of the last quarter second are fetched again.
const (
	maxBatch = 512
	maxWait  = 150 * time.Millisecond
)

// fullDiskWait is the pause before a commit to a full disk is repeated.
const fullDiskWait = 2 * time.Second

// Item is a capture to be written, and a tag that its owner gets back after the commit. The tag is
// not stored.
type Item[T any] struct {
	Capture *store.Capture
	Tag     T
}

// Writer is the goroutine that commits captures of workers. Its methods are safe for concurrent
// use.
type Writer[T any] struct {
	w        *store.Workspace
	ctx      context.Context // its end stops the wait for disk space
	in       chan op[T]
	done     chan struct{}
	hooks    Hooks[T]
	captures []*store.Capture // of the batch being committed; for the writer's goroutine
	err      error            // the first; for the writer's goroutine until done
}

// Hooks are callbacks of a Writer; they run on its goroutine.
type Hooks[T any] struct {
	// Committed runs after each commit with the written items, ordered by id, and the URLs that became
	// known.
	Committed func([]Item[T], []store.Admission)
	// Hungry is called when a capture arrives, and reports whether the batch should be committed at
	// once. It should if no caller can add another before, or if callers wait for its new URLs.
	Hungry func(batch int) bool
	// Failed is called once, after a commit failed. Later items are dropped; their URLs still wait on
	// disk.
	Failed func(error)
	// Stalled is called with the error when the disk is full, and with nil when there is space again.
	// Meanwhile nothing is dropped: the commit is repeated until it succeeds or the writer's context
	// ends.
	Stalled func(error)
}

// op is a lease, or an item if its capture is set.
type op[T any] struct {
	lease uint64
	item  Item[T]
}

// New starts the writer of a workspace; each workspace has one at a time. ctx only bounds the wait
// for disk space.
func New[T any](ctx context.Context, w *store.Workspace, hooks Hooks[T]) *Writer[T] {
	x := &Writer[T]{w: w, ctx: ctx, in: make(chan op[T], maxBatch), done: make(chan struct{}), hooks: hooks}
	go x.run()
	return x
}

// Lease records that a URL is being fetched; it is written with the next
// commit.
func (x *Writer[T]) Lease(id uint64) { x.in <- op[T]{lease: id} }

// Put passes a finished fetch to the writer; Committed returns it with its tag. Put blocks while
// the writer is maxBatch behind, which is the back-pressure of the crawl.
func (x *Writer[T]) Put(c *store.Capture, tag T) { x.in <- op[T]{item: Item[T]{c, tag}} }

// Close commits the remaining items, ends the goroutine and returns the first error. Do not call
// Lease or Put afterwards.
func (x *Writer[T]) Close() error {
	close(x.in)
	<-x.done
	return x.err
}

func (x *Writer[T]) run() {
	defer close(x.done)
	timer := time.NewTimer(maxWait)
	timer.Stop()
	var leases []uint64
	var batch []Item[T]
	for {
		var now bool
		select {
		case o, ok := <-x.in:
			if !ok {
				x.commit(leases, batch)
				return
			}
			if o.item.Capture == nil {
				// A lease alone is not worth a flush; it is written with the next capture.
				leases = append(leases, o.lease)
				continue
			}
			if len(batch) == 0 {
				timer.Reset(maxWait)
			}
			batch = append(batch, o.item)
			now = len(batch) >= maxBatch || len(x.in) == 0 && x.hooks.Hungry(len(batch))
		case <-timer.C:
			now = true
		}
		if now {
			timer.Stop()
			x.commit(leases, batch)
			leases, batch = leases[:0], nil
		}
	}
}

func (x *Writer[T]) commit(leases []uint64, batch []Item[T]) {
	if x.err != nil || len(leases) == 0 && len(batch) == 0 {
		return
	}
	slices.SortStableFunc(batch, func(a, b Item[T]) int { return cmp.Compare(a.Capture.ID, b.Capture.ID) })
	for _, it := range batch {
		x.captures = append(x.captures, it.Capture)
	}
	found, err := x.persist(leases)
	clear(x.captures)
	x.captures = x.captures[:0]
	if err != nil {
		x.err = err
		x.hooks.Failed(err)
		return
	}
	x.hooks.Committed(batch, found)
}

// persist commits x.captures and waits for space while the disk is full.
func (x *Writer[T]) persist(leases []uint64) ([]store.Admission, error) {
	found, err := x.w.Commit(leases, x.captures)
	if !errors.Is(err, syscall.ENOSPC) {
		return found, err
	}
	x.hooks.Stalled(err)
	defer x.hooks.Stalled(nil)
	for tick := time.NewTicker(fullDiskWait); ; {
		select {
		case <-x.ctx.Done():
			tick.Stop()
			return x.w.Commit(leases, x.captures)
		case <-tick.C:
			if found, err = x.w.Commit(leases, x.captures); !errors.Is(err, syscall.ENOSPC) {
				tick.Stop()
				return found, err
			}
		}
	}
}

// Package writer brings what many workers have fetched to the disk: one goroutine gathers
// captures and commits them in batches.
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

// Batch bounds: a transaction is written when it holds maxBatch captures or
// maxWait after its first, whichever comes first, so that a killed process
// refetches at most the pages of the last quarter second.
const (
	maxBatch = 512
	maxWait  = 150 * time.Millisecond
)

// fullDiskWait is how long the writer waits before it tries a full disk again.
const fullDiskWait = 2 * time.Second

// Item is a capture on its way to the disk, and what its owner wants back with it
// after the commit. The tag is not stored.
type Item[T any] struct {
	Capture *store.Capture
	Tag     T
}

// Writer is the one goroutine that commits what the workers bring. Its methods
// are safe for concurrent use.
type Writer[T any] struct {
	w        *store.Workspace
	ctx      context.Context // its end ends the waiting for room
	in       chan op[T]
	done     chan struct{}
	hooks    Hooks[T]
	captures []*store.Capture // of the batch that is being committed; for the writer's goroutine
	err      error            // the first; for the writer's goroutine until done
}

// Hooks are what a Writer tells its owner, on the writer's own goroutine.
type Hooks[T any] struct {
	// Committed follows each commit with what was written, in the order of ids, and
	// what became known.
	Committed func([]Item[T], []store.Admission)
	// Hungry reports, after a capture arrived, that the batch of so many is worth a
	// commit at once: because no caller can bring another before, or waits for what it
	// makes known.
	Hungry func(batch int) bool
	// Failed is called once, after a commit failed. Everything that follows is
	// dropped: it is still waiting on disk.
	Failed func(error)
	// Stalled is called with the error when the disk is full, and with nil once
	// there is room again. Meanwhile nothing is dropped: the commit is tried
	// until it succeeds or the writer's context ends.
	Stalled func(error)
}

// op is a lease, or an item when its capture is set.
type op[T any] struct {
	lease uint64
	item  Item[T]
}

// New starts the writer of a workspace, which has one at a time. ctx bounds only its waiting for a full disk.
func New[T any](ctx context.Context, w *store.Workspace, hooks Hooks[T]) *Writer[T] {
	x := &Writer[T]{w: w, ctx: ctx, in: make(chan op[T], maxBatch), done: make(chan struct{}), hooks: hooks}
	go x.run()
	return x
}

// Lease records that a URL is being fetched; it is written with the next
// commit.
func (x *Writer[T]) Lease(id uint64) { x.in <- op[T]{lease: id} }

// Put hands over a finished fetch; Committed gets it back with its tag. It blocks
// while the writer is maxBatch behind, which is the crawl's back-pressure.
func (x *Writer[T]) Put(c *store.Capture, tag T) { x.in <- op[T]{item: Item[T]{c, tag}} }

// Close commits what is left, ends the goroutine and returns the first error.
// Lease and Put must not be called any more.
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
				// A lease alone is not worth a flush of the disk; it
				// rides with the next capture.
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

// persist commits x.captures, waiting for room while the disk is full.
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

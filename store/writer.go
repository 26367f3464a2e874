package store

import (
	"sync"
	"time"
)

// Batch bounds: a transaction is written when it holds maxBatch captures or
// maxWait after its first, whichever comes first, so that a killed process
// refetches at most the pages of the last quarter second.
const (
	maxBatch = 512
	maxWait  = 50 * time.Millisecond
)

// Writer is the one goroutine that commits what the workers bring. Its methods
// are safe for concurrent use.
type Writer struct {
	w    *Workspace
	in   chan op
	done chan struct{}

	committed func([]*Capture, []Admission)
	failed    func(error)
	hungry    func() bool

	mu  sync.Mutex
	err error
}

type op struct {
	lease   uint64
	capture *Capture
}

// NewWriter starts the writer. After each commit it calls committed with what
// was written and what became known, on its own goroutine. When hungry reports
// true after a capture arrived, nobody can bring another before this one is
// committed, so it is committed at once. After a failed commit failed is called
// once and everything that follows is dropped: it is still waiting on disk.
func (w *Workspace) NewWriter(committed func([]*Capture, []Admission), hungry func() bool, failed func(error)) *Writer {
	x := &Writer{w: w, in: make(chan op, maxBatch), done: make(chan struct{}), committed: committed, hungry: hungry, failed: failed}
	go x.run()
	return x
}

// Lease records that a URL is being fetched; it is written with the next
// commit.
func (x *Writer) Lease(id uint64) { x.in <- op{lease: id} }

// Put hands over a finished fetch. It blocks while the writer is maxBatch
// behind, which is the crawl's back-pressure.
func (x *Writer) Put(c *Capture) { x.in <- op{capture: c} }

// Close commits what is left, ends the goroutine and returns the first error.
// Lease and Put must not be called any more.
func (x *Writer) Close() error {
	close(x.in)
	<-x.done
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.err
}

func (x *Writer) run() {
	defer close(x.done)
	timer := time.NewTimer(maxWait)
	timer.Stop()
	var leases []uint64
	var batch []*Capture
	for {
		var now bool
		select {
		case o, ok := <-x.in:
			if !ok {
				x.commit(leases, batch)
				return
			}
			if o.capture == nil {
				// A lease alone is not worth a flush of the disk; it
				// rides with the next capture.
				leases = append(leases, o.lease)
				continue
			}
			if len(batch) == 0 {
				timer.Reset(maxWait)
			}
			batch = append(batch, o.capture)
			now = len(batch) >= maxBatch || len(x.in) == 0 && x.hungry()
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

func (x *Writer) commit(leases []uint64, batch []*Capture) {
	if len(leases) == 0 && len(batch) == 0 {
		return
	}
	x.mu.Lock()
	broken := x.err != nil
	x.mu.Unlock()
	if broken {
		return
	}
	found, err := x.w.Commit(leases, batch)
	if err != nil {
		x.mu.Lock()
		x.err = err
		x.mu.Unlock()
		x.failed(err)
		return
	}
	x.committed(batch, found)
}

// Package jobs runs the background work of a workspace that a viewer can watch
// and cancel, one job at a time: two that each use all processors would only
// delay each other. Work that a person asks for is refused while another is
// under way; work that keeps the stored pages consistent waits for its turn.
package jobs

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// Jobs is the place for the one background job that may be under way. The zero
// value is free. It is safe for concurrent use.
type Jobs struct {
	Done    atomic.Int64    // of the job under way; its owner adds to it
	Changed view.Signal     // rung at the beginning of every job and of what goes on beside; set before the first use
	Context context.Context // ends what Go runs; set before the first Go

	background sync.WaitGroup
	run        atomic.Pointer[crawling] // nil means that no discovery and no harvest is under way

	mu     sync.Mutex // guards what follows
	name   string
	total  int
	since  time.Time
	cancel context.CancelFunc
	free   chan struct{}     // closed when the job under way ends; nil when there is none
	beside []*BackgroundWork // work that blocks no job, oldest first
}

// Now is the job under way, else what goes on beside; no name when there is nothing.
func (j *Jobs) Now() view.Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free == nil && len(j.beside) > 0 {
		return j.beside[0].job()
	}
	if j.free == nil {
		return view.Job{} // Done tells of the last one
	}
	return view.Job{Name: j.name, Done: int(j.Done.Load()), Total: j.total, Since: j.since}
}

// Begin starts a job and returns the context that cancelling it ends; it fails
// while another is under way. The caller that began a job calls End.
func (j *Jobs) Begin(ctx context.Context, name string, total int) (context.Context, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free != nil {
		return nil, fmt.Errorf("%s is under way; wait for it or cancel it", j.name)
	}
	return j.begin(ctx, name, total), nil
}

// Await is Begin that waits for its turn instead of failing; only the end of ctx
// is an error.
func (j *Jobs) Await(ctx context.Context, name string, total int) (context.Context, error) {
	for {
		j.mu.Lock()
		free := j.free
		if free == nil {
			defer j.mu.Unlock()
			return j.begin(ctx, name, total), nil
		}
		j.mu.Unlock()
		select {
		case <-free:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (j *Jobs) begin(ctx context.Context, name string, total int) context.Context {
	ctx, j.cancel = context.WithCancel(ctx)
	j.name, j.total, j.since, j.free = name, total, time.Now(), make(chan struct{})
	j.Done.Store(0)
	j.Changed.Ring() // a reader then waits for mu
	return ctx
}

// Stage tells how far the job has come, under another name.
func (j *Jobs) Stage(name string, done, total int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if name != j.name {
		j.since = time.Now()
	}
	j.name, j.total = name, total
	j.Done.Store(int64(done))
}

// End says that the job is over.
func (j *Jobs) End() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cancel()
	close(j.free)
	j.name, j.total, j.free = "", 0, nil
}

// Cancel ends the job under way, if there is any. What it has done is kept.
func (j *Jobs) Cancel() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free != nil {
		j.cancel()
	} else if len(j.beside) > 0 {
		j.beside[0].cancel()
	}
}

// Package jobs runs the background work of a workspace that a viewer can watch
// and cancel, one job at a time: two that each use all processors would only
// delay each other. Work that a person asks for is refused while another is
// under way; work that keeps the stored pages consistent waits for its turn.
package jobs

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// Jobs runs at most one background job at a time. The zero value is idle. It is safe for concurrent use.
type Jobs struct {
	Done    atomic.Int64    // units finished by the running job; added by its owner
	Changed view.Signal     // rung when a job or background work starts; set before first use
	Context context.Context // ends the functions started by Go; set before the first Go

	background sync.WaitGroup
	run        atomic.Pointer[crawling] // nil means that no discovery or harvest is active

	mu     sync.Mutex // guards the fields below
	name   string
	total  int
	since  time.Time
	cancel context.CancelFunc
	free   chan struct{}     // closed when the running job ends; nil means no job
	others []*BackgroundWork // work that blocks no job, oldest first
}

// Now returns the running job, else the oldest background work. The name is empty if there is neither.
func (j *Jobs) Now() view.Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free == nil && len(j.others) > 0 {
		return j.others[0].job()
	}
	if j.free == nil {
		return view.Job{} // Done still holds the count of the last job
	}
	return view.Job{Name: j.name, Done: int(j.Done.Load()), Total: j.total, Since: j.since}
}

// Begin starts a job and returns a context that Cancel ends. It fails if a job is running. The caller must call End.
func (j *Jobs) Begin(ctx context.Context, name string, total int) (context.Context, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free != nil {
		return nil, fmt.Errorf("%s is under way; wait for it or cancel it", j.name)
	}
	return j.begin(ctx, name, total), nil
}

// Await is Begin, but waits for the running job instead of failing. It fails only when ctx ends.
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
	j.Changed.Ring() // a reader that wakes now waits for mu
	return ctx
}

// Stage sets the name, progress and total of the running job. A new name restarts its clock.
func (j *Jobs) Stage(name string, done, total int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if name != j.name {
		j.since = time.Now()
	}
	j.name, j.total = name, total
	j.Done.Store(int64(done))
}

// End marks the job as finished and releases its context.
func (j *Jobs) End() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cancel()
	close(j.free)
	j.name, j.total, j.free = "", 0, nil
}

// Cancel ends the context of the running job, else of the oldest background work. Finished units are kept.
func (j *Jobs) Cancel() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.free != nil {
		j.cancel()
	} else if len(j.others) > 0 {
		j.others[0].cancel()
	}
}

// Until yields rows until ctx ends, then the error of ctx. It checks ctx before the first row and every 500 rows.
func Until[T any](ctx context.Context, rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for row, err := range rows {
			if n++; err == nil && n%500 == 1 {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

package jobs

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// BackgroundWork is work that goes on beside everything else and blocks no job: what
// is derived of notices is brought up to date. Viewers see it while no job is under
// way, and may cancel it then.
type BackgroundWork struct {
	Done atomic.Int64 // its owner adds to it

	of     *Jobs
	name   string
	total  atomic.Int64
	since  time.Time
	cancel context.CancelFunc
}

// Background shows work that is under way until End, and returns the context that
// cancelling it ends.
func (j *Jobs) Background(ctx context.Context, name string, total int) (*BackgroundWork, context.Context) {
	b := &BackgroundWork{of: j, name: name, since: time.Now()}
	b.total.Store(int64(total))
	ctx, b.cancel = context.WithCancel(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.beside = append(j.beside, b)
	j.Changed.Ring()
	return b, ctx
}

// Total says how much there is to do altogether, as far as it is known now.
func (b *BackgroundWork) Total(n int) { b.total.Store(int64(n)) }

// End says that the work is over.
func (b *BackgroundWork) End() {
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	b.cancel()
	b.of.beside = slices.DeleteFunc(b.of.beside, func(o *BackgroundWork) bool { return o == b })
}

func (b *BackgroundWork) job() view.Job {
	return view.Job{Name: b.name, Done: int(b.Done.Load()), Total: int(b.total.Load()), Since: b.since}
}

// Go runs f in the background. f ends soon after Context does.
func (j *Jobs) Go(f func()) { j.background.Go(f) }

// Wait waits until all that Go runs has ended.
func (j *Jobs) Wait() { j.background.Wait() }

// crawling is the discovery or harvest under way.
type crawling struct {
	task string
	done <-chan struct{}
}

// SetRun notes the task of the run that begins and what is closed at its end; "" notes
// that no run is under way.
func (j *Jobs) SetRun(task string, done <-chan struct{}) { j.run.Store(&crawling{task, done}) }

// Task returns the task of the run under way, "" if none is.
func (j *Jobs) Task() string {
	if r := j.run.Load(); r != nil {
		return r.task
	}
	return ""
}

// WaitIdle waits for the end of the run under way, or of ctx.
func (j *Jobs) WaitIdle(ctx context.Context) {
	if r := j.run.Load(); r != nil && r.task != "" {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
	}
}

// Sleep waits for d or the end of ctx.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

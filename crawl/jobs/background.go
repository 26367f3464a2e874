package jobs

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// BackgroundWork is work that blocks no job, such as reading notice fields again. While no job runs, viewers see its
// progress and may cancel it.
type BackgroundWork struct {
	Done atomic.Int64 // units finished; added by the owner

	of     *Jobs
	name   string
	total  atomic.Int64
	since  time.Time
	cancel context.CancelFunc
}

// Background registers work as running until End. It returns a context that Cancel ends.
func (j *Jobs) Background(ctx context.Context, name string, total int) (*BackgroundWork, context.Context) {
	b := &BackgroundWork{of: j, name: name, since: time.Now()}
	b.total.Store(int64(total))
	ctx, b.cancel = context.WithCancel(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.others = append(j.others, b)
	j.Changed.Ring()
	return b, ctx
}

// Total sets the number of units to do, as far as it is known.
func (b *BackgroundWork) Total(n int) { b.total.Store(int64(n)) }

// End marks the work as finished and releases its context.
func (b *BackgroundWork) End() {
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	b.cancel()
	b.of.others = slices.DeleteFunc(b.of.others, func(o *BackgroundWork) bool { return o == b })
}

func (b *BackgroundWork) job() view.Job {
	return view.Job{Name: b.name, Done: int(b.Done.Load()), Total: int(b.total.Load()), Since: b.since}
}

// Go runs f in a goroutine. f must return soon after Context ends.
func (j *Jobs) Go(f func()) { j.background.Go(f) }

// Wait waits until every function started by Go has returned.
func (j *Jobs) Wait() { j.background.Wait() }

// crawling is the running discovery or harvest.
type crawling struct {
	task string
	done <-chan struct{}
}

// SetRun stores the task of the run that starts and the channel closed at its end. "" means that no run is active.
func (j *Jobs) SetRun(task string, done <-chan struct{}) { j.run.Store(&crawling{task, done}) }

// Task returns the task of the active run, "" if there is none.
func (j *Jobs) Task() string {
	if r := j.run.Load(); r != nil {
		return r.task
	}
	return ""
}

// WaitIdle waits until the active run or ctx ends.
func (j *Jobs) WaitIdle(ctx context.Context) {
	if r := j.run.Load(); r != nil && r.task != "" {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
	}
}

// Sleep waits for d or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// SleepUntil waits until a time or until wake rings; a zero time means until it rings. It returns false if ctx ended.
func SleepUntil(ctx context.Context, wake view.Signal, until time.Time, now func() time.Time,
	afterFunc func(d time.Duration, fn func()) (stop func() bool)) bool {
	due := make(chan struct{})
	if !until.IsZero() {
		stop := afterFunc(max(0, until.Sub(now())), func() { close(due) })
		defer stop()
	}
	select {
	case <-ctx.Done():
	case <-due:
	case <-wake:
	}
	return ctx.Err() == nil
}

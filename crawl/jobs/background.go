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
	if j.Changed != nil {
		j.Changed()
	}
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

// Sleep waits for d or the end of ctx.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

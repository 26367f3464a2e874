package crawl

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/message"
	"angler/store/secrets"
)

// Errors of actions on runs.
var (
	ErrClosed = errors.New("the workspace is closing")
	ErrNoRun  = errors.New("nothing is running; start a discovery first")
)

// runner holds the one active run, and the result of the last one.
type runner struct {
	*parts
	listener  run.Listener // of every run
	machines  *machines
	replies   []run.Translator          // of every run
	read      func(address string) bool // see run.Config.Read
	harvested func(run.Summary)         // called after a run that stored notices
	begun     func()                    // called after a run has started
	ended     func()                    // called after every run
	starting  sync.Mutex                // one run starts at a time
	recording *run.RunRecording         // of the active run
	now       atomic.Pointer[run.Run]   // nil = none
	last      atomic.Pointer[outcome]   // result of the last run; nil = none since opening, or a run is active
}

// outcome is the result of a run.
type outcome struct {
	end string // in a few words
	err string // "" = none
	run view.Tally
}

// current returns the active run, nil if there is none. It does not block.
func (r *runner) current() *run.Run { return r.now.Load() }

// begin creates the run of a task. It fails while another is active.
func (r *runner) begin(ctx context.Context, by, task string, opt run.Options) (*run.Run, error) {
	r.starting.Lock()
	defer r.starting.Unlock()
	if r.ctx.Err() != nil {
		return nil, ErrClosed
	}
	if r.now.Load() != nil {
		return nil, run.ErrBusy
	}
	order, err := linkorder.NewPriorities(r.orderConfig())
	if err != nil {
		return nil, err
	}
	r.recipes.Reload()
	c := r.config()
	c.Order = order
	now, err := run.New(ctx, c, task, opt)
	if err != nil {
		return nil, err
	}
	r.last.Store(nil)
	r.recording = r.history.Begin(task, by, opt.Under, now.Tally)
	r.now.Store(now)
	r.jobs.SetRun(task, now.Done())
	r.events.Did(by, message.Of("%s started", task))
	r.begun()
	return now, nil
}

// config returns the dependencies of every run, except its link order.
func (r *runner) config() run.Config {
	return run.Config{Store: r.ws, PageWorkers: r.pageWorkers(), HostAuth: r.hostAuth, Reader: r.reader,
		Topic: r.decisions, Links: r.links,
		Filter: r.settings.Filter(), Scope: r.settings.Scope, Settings: r.settings.Now, Events: &r.events,
		Metrics: &r.metrics, Watch: &r.watch, Parts: &r.visitParts, AfterFunc: r.opt.AfterFunc,
		Listener: r.listener, Replies: r.replies, Read: r.read, Private: r.fetcher.Private,
		Limiter: r.limiter, Now: r.opt.Now}
}

// do performs a run created by begin.
func (r *runner) do(now *run.Run) (run.Summary, error) {
	defer allowGarbage()()
	return now.Do(func(s run.Summary, err error) {
		r.recording.End(s, err)
		last := &outcome{end: now.Task() + " ended: " + s.End, run: s.Tally}
		switch {
		case err != nil:
			last.err = secrets.Redact(err.Error())
		case !s.Stopped && r.ctx.Err() == nil:
			r.successes.reached(now.Task(), r.opt.Now())
		}
		r.last.Store(last)
		r.now.Store(nil)
		r.jobs.SetRun("", nil)
		if s.Notices > 0 {
			r.harvested(s)
		}
		r.ended()
	})
}

// discover performs a discovery until it ends.
func (r *runner) discover(ctx context.Context, by string, opt run.Options) (run.Summary, error) {
	now, err := r.begin(ctx, by, view.Discovery, opt)
	if err != nil {
		return run.Summary{}, err
	}
	return r.do(now)
}

// harvest performs a harvest until it ends. If no aggregation page is known, a discovery runs first (P0 2, step 1).
// Both share the limits, and stopping the discovery stops the harvest. A harvest of stored pages needs no discovery.
func (r *runner) harvest(ctx context.Context, by string, opt run.Options) (run.Summary, error) {
	if r.decisions.State().Empty() {
		return run.Summary{}, run.ErrNoTopic
	}
	if err := r.decisions.Words(ctx); err != nil {
		return run.Summary{}, err
	}
	if len(r.decisions.Aggregations()) == 0 && !opt.Stored {
		begun := r.opt.Now()
		s, err := r.discover(ctx, by, opt)
		if err != nil || s.Stopped {
			return s, err
		}
		if opt.MaxPages > 0 {
			if opt.MaxPages -= s.Fetched; opt.MaxPages <= 0 {
				return s, nil
			}
		}
		if opt.For > 0 {
			if opt.For -= r.opt.Now().Sub(begun); opt.For <= 0 {
				return s, nil
			}
		}
	}
	now, err := r.begin(ctx, by, view.Harvest, opt)
	if err != nil {
		return run.Summary{}, err
	}
	return r.do(now)
}

// scheduled is the name of the schedule in the log.
const scheduled = "schedule"

// Discover implements schedule.Runner.
func (r *runner) Discover(ctx context.Context, opt run.Options) (run.Summary, error) {
	return r.discover(ctx, scheduled, opt)
}

// Harvest implements schedule.Runner.
func (r *runner) Harvest(ctx context.Context, opt run.Options) (run.Summary, error) {
	return r.harvest(ctx, scheduled, opt)
}

// start starts a run that ends with the engine instead of its caller. Snapshots report its error.
func (r *runner) start(by, task string, opt run.Options) error {
	now, err := r.begin(r.ctx, by, task, opt)
	if err != nil {
		return err
	}
	r.listener.Changed() // the next snapshot shows the run
	r.jobs.Go(func() { _, _ = r.do(now) })
	return nil
}

// enter adds seeds to a running discovery.
func (r *runner) enter(canonical []string) error {
	if now := r.current(); now != nil {
		return now.Enter(canonical)
	}
	return nil
}

// close stops the active run and waits until it is stored.
func (r *runner) close() {
	if now := r.current(); now != nil {
		now.Stop()
		<-now.Done()
	}
}

// linkOrder returns the running discovery's link order, or one with its stored knowledge.
func (r *runner) linkOrder() (*linkorder.Priorities, error) {
	if now := r.current(); now != nil && now.Ranks() {
		return now.Order, nil
	}
	o, err := linkorder.NewPriorities(r.orderConfig())
	if err == nil {
		err = o.Recall()
	}
	return o, err
}

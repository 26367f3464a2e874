package crawl

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// Errors of starting a run.
var (
	ErrBusy    = errors.New("a run is under way; stop it first")
	ErrNoSeeds = errors.New("no seeds; add some to angler.toml, or with + on the Crawl screen")
	ErrClosed  = errors.New("the workspace is closing")
)

// RunOptions bound one run; zero values mean no bound.
type RunOptions struct {
	MaxPages int           // stop after so many fetches
	For      time.Duration // stop after so long
	Due      bool          // harvest: visit only the aggregation pages that are due
}

// Summary says what one run did.
type Summary struct {
	Task         string        `json:"task"`
	Fetched      int           `json:"fetched"`
	Failed       int           `json:"failed"`
	Pages        int           `json:"pages"`
	Aggregations int           `json:"aggregations"`
	Notices      int           `json:"notices"` // new in this run
	Later        int           `json:"later"`   // URLs that will be tried again in a later run
	Skipped      int           `json:"skipped"` // harvest: records that are documents or out of scope
	End          string        `json:"end"`     // why it ended, in a few words
	Stopped      bool          `json:"-"`       // before its end, by a person or a bound of time
	Took         time.Duration `json:"-"`
	Seconds      float64       `json:"seconds"`
}

// run is one discovery or harvest from start to end.
type run struct {
	e       *Engine
	task    string
	due     bool
	ctx     context.Context // ends everything, fetches under way included
	cancel  context.CancelFunc
	taking  context.Context // ends the handing out only: a bound was reached
	enough  context.CancelFunc
	front   *frontier.Frontier
	backlog *store.Backlog // what the frontier cannot keep in memory
	writer  *store.Writer[*tag]
	order   *ordering
	started time.Time
	done    chan struct{}

	handle    func(frontier.Entry, *store.URL) visit // what the task does with one URL
	committed func(*tag)                             // what follows its commit; may be nil

	workers   atomic.Int64 // wanted
	budget    atomic.Int64 // fetches after which the run ends; 0 = none
	alive     atomic.Int64 // running
	taken     atomic.Int64 // handed out
	fetched   atomic.Int64 // fetches that ended
	failed    atomic.Int64
	pages     atomic.Int64 // committed with a page
	notices   atomic.Int64
	later     atomic.Int64
	skipped   atomic.Int64
	underway  atomic.Int64 // handed out and not yet given to the writer
	paused    atomic.Bool
	met       sync.Map // hosts that were asked for sitemaps
	flying    flights
	full      atomic.Bool // the disk is full: nothing is handed out
	noFile    atomic.Bool // the frontier cannot use its file
	mu        sync.Mutex
	err       error
	curve     []view.CurvePoint
	before    int          // aggregation pages when the run began
	began     atomic.Int64 // when the fetching began, Unix ns; 0 = not yet
	crawling  atomic.Bool  // the writer stands, workers may start
	read      atomic.Int64 // URLs that were read to fill the frontier
	workersWG sync.WaitGroup
}

// begin makes the run and everything it shares; exactly one run at a time.
func (e *Engine) begin(ctx context.Context, task string, opt RunOptions) (*run, error) {
	set, before := e.Settings(), len(e.Aggregations())
	e.runMu.Lock()
	defer e.runMu.Unlock()
	if e.ctx.Err() != nil {
		return nil, ErrClosed
	}
	if e.run != nil {
		return nil, ErrBusy
	}
	r := &run{e: e, task: task, due: opt.Due, before: before, started: e.now(), done: make(chan struct{})}
	var err error
	if r.order, err = newOrdering(e, &set); err != nil {
		return nil, err
	}
	if r.backlog, err = e.ws.NewBacklog(); err != nil {
		return nil, err
	}
	r.front = frontier.New(frontier.Config{Delay: time.Duration(set.Crawl.Delay), Patience: patience,
		Backlog: r.backlog, Budget: set.Crawl.FrontierMemory, Score: r.order.rescored, Now: e.opt.Now})
	r.front.SetDepth(set.Crawl.Depth)
	r.order.front = r.front
	r.workers.Store(int64(set.Crawl.Workers))
	r.budget.Store(int64(opt.MaxPages))
	if opt.For > 0 {
		r.ctx, r.cancel = context.WithTimeout(ctx, opt.For)
	} else {
		r.ctx, r.cancel = context.WithCancel(ctx)
	}
	r.taking, r.enough = context.WithCancel(r.ctx)
	e.run, e.lastEr, e.lastEnd = r, "", ""
	e.did(task + " started")
	return r, nil
}

// patience is how long a run waits when all that is left is on hosts that fail
// or ask for mercy; their URLs go on waiting for a later run.
const patience = 30 * time.Second

// end closes the run's books. It returns the run's first error, nil when it
// came to its end, its bound, or was stopped.
func (r *run) end(err error) (Summary, error) {
	e := r.e
	r.mu.Lock()
	if r.err != nil {
		err = r.err
	}
	r.mu.Unlock()
	ended, cut := r.ended(err), r.ctx.Err() != nil
	r.cancel()
	if e.ctx.Err() == nil {
		err = firstErr(err, e.hosts.save(e.ws), r.order.save(), e.settle())
	}
	s := Summary{Task: r.task, Fetched: int(r.fetched.Load()), Failed: int(r.failed.Load()), Pages: int(r.pages.Load()),
		Aggregations: len(e.Aggregations()), Notices: int(r.notices.Load()), Later: int(r.later.Load()),
		Skipped: int(r.skipped.Load()), Stopped: cut, Took: e.now().Sub(r.started)}
	if began := r.began.Load(); began != 0 {
		s.Took = e.now().Sub(time.Unix(0, began)) // without the wait for the dictionary
	}
	s.Seconds, s.End = s.Took.Seconds(), ended
	if err != nil {
		e.note("error", "%s stopped: %v", r.task, err)
	} else {
		e.note("info", "%s ended, %s: %d fetched, %d failed, %d aggregation pages, %d new notices", r.task, ended, s.Fetched, s.Failed, s.Aggregations, s.Notices)
	}
	r.front.Close()
	_ = r.backlog.Close() // scratch
	e.runMu.Lock()
	e.run, e.lastEnd = nil, r.task+" ended: "+ended
	if err != nil {
		e.lastEr = err.Error()
	}
	e.runMu.Unlock()
	close(r.done)
	e.publish()
	return s, err
}

// ended says why the run is over. Call it before the context is ended by its
// end.
func (r *run) ended(err error) string {
	switch {
	case err != nil:
		return "failed"
	case errors.Is(r.ctx.Err(), context.DeadlineExceeded):
		return "its time was up"
	case r.ctx.Err() != nil:
		return "stopped"
	case r.taking.Err() != nil:
		return fmt.Sprintf("budget of %d pages spent", r.budget.Load())
	}
	return r.front.View(0, 0).Idle
}

// crawl runs workers until the frontier is drained, a bound is reached or the
// run is stopped, and stores everything they brought.
func (r *run) crawl() error {
	r.writer = store.NewWriter(r.ctx, r.e.ws, store.Hooks[*tag]{Committed: r.afterCommit, Failed: r.fail, Stalled: r.stalled,
		Hungry: func() bool { return r.underway.Load() == 0 }})
	r.began.Store(r.e.now().UnixNano())
	r.crawling.Store(true)
	r.staff()
	r.workersWG.Wait()
	return r.writer.Close()
}

// staff starts workers until as many run as are wanted.
func (r *run) staff() {
	for {
		n := r.alive.Load()
		if n >= r.workers.Load() {
			return
		}
		if r.alive.CompareAndSwap(n, n+1) {
			r.workersWG.Go(r.work)
		}
	}
}

// surplus lets one worker go when fewer are wanted than run.
func (r *run) surplus() bool {
	n := r.alive.Load()
	return n > r.workers.Load() && r.alive.CompareAndSwap(n, n-1)
}

func (r *run) work() {
	for !r.surplus() {
		entry, err := r.front.Next(r.taking)
		switch {
		case errors.Is(err, frontier.ErrBacklog) && r.awaitRoom(err):
			continue
		case err != nil:
			r.alive.Add(-1)
			return
		}
		u, err := r.e.ws.URL(entry.ID)
		if u != nil && r.unwanted(u) {
			r.front.Done(entry, frontier.Outcome{})
			continue
		}
		if u != nil && r.order.recheck(entry, u) {
			continue // a better one goes first
		}
		if n, most := r.taken.Add(1), r.budget.Load(); most > 0 && n > most {
			r.front.Done(entry, frontier.Outcome{})
			r.enough()
			continue
		}
		r.underway.Add(1)
		r.writer.Lease(entry.ID)
		var c visit
		if err != nil || u == nil {
			c = r.lost(entry, err)
		} else {
			c = r.handle(entry, u)
		}
		// Before Put: the writer asks whether anything else can still come.
		r.underway.Add(-1)
		r.writer.Put(c.Capture, c.tag)
	}
}

// unwanted reports whether a URL has left the scope, or was dropped by a rule,
// since it entered the frontier: what is in flight when that happens comes back
// if its fetch fails, and reconsider does not see it.
func (r *run) unwanted(u *store.URL) bool {
	if r.task != view.Discovery || u.State == store.Complete { // a known page is visited again whatever the scope
		return false
	}
	_, keep := r.e.steered(u.URL, 0)
	return !keep
}

// fail ends the run with an error; the first one counts.
func (r *run) fail(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.cancel()
}

// stalled pauses the handing out while the disk is full; what was fetched is
// kept and written as soon as there is room.
func (r *run) stalled(err error) {
	if err != nil {
		r.full.Store(true)
		r.front.Pause()
		r.e.note("error", "disk full: the crawl waits; %v", err)
	} else {
		r.full.Store(false)
		if !r.paused.Load() {
			r.front.Resume()
		}
		r.e.note("info", "there is room on the disk again: the crawl goes on")
	}
	r.e.publish()
}

// awaitRoom waits a little when the frontier cannot use its file and tries it
// again; false when the run is to end.
func (r *run) awaitRoom(err error) bool {
	if r.noFile.CompareAndSwap(false, true) {
		r.e.note("error", "%v; the crawl waits", err)
		defer r.noFile.Store(false)
	}
	select {
	case <-r.taking.Done():
		return false
	case <-time.After(2 * time.Second):
		if !r.paused.Load() {
			r.front.Resume()
		}
		return true
	}
}

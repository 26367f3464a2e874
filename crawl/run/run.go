package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/hostauth"
	"angler/crawl/linkorder"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/writer"
)

// Errors that keep a run from starting.
var (
	ErrBusy = errors.New("a run is under way; stop it first")
	// ErrNoTopic means that there is no sample to score pages by.
	ErrNoTopic = errors.New("no samples yet; add some list pages: angler samples add DIR URL…, or s on the Samples screen")
	ErrNoSeeds = errors.New("no seeds; add some to angler.toml, or with + on the Crawl screen")
	// ErrNoAggregations means that nothing was found that a harvest could visit.
	ErrNoAggregations = errors.New("no aggregation pages above the threshold; add samples or lower θ, then crawl again")
	// ErrAway ends a run that waited long enough for the network.
	ErrAway = errors.New("the network is away")
)

// Listener is told what a run brings home. Its methods are called on the writer's
// goroutine, hold up commits and must not block for long; Changed is called on
// any.
type Listener interface {
	Page(id uint64, row view.PageRow)     // a page is stored with its links
	Visited()                             // what is known of a page's visits has changed
	Notice(n *store.Notice, renewed bool) // renewed: it was known, and was read again
	TakenBack()                           // notices are none any more
	Changed()                             // viewers should see at once what the run does
}

// Config is what a run works with.
type Config struct {
	Store       *store.Workspace
	PageWorkers PageWorkers
	Reader      *reader.Reader
	Topic       *decisions.Decisions  // what pages are scored by
	Order       *linkorder.Priorities // of this run alone
	Links       *linkorder.Links
	Filter      *urls.Filter
	Scope       func() *urls.Scope      // in force
	Settings    func() *config.Settings // in force; not to be written to
	Events      *view.EventLog
	Metrics     *Metrics
	Watch       *Watch // over hosts and network, of all runs
	HostAuth    *hostauth.HostAuth
	Listener    Listener
	Replies     []Translator                                    // of what is no page as it comes; the first that takes an address has it
	Read        func(address string) bool                       // a recipe reads the list of a page
	Private     func(ctx context.Context, address string) error // why an address is none of the public Internet; nil = it may be one
	Limiter     *fetch.HostLimiter                              // the pauses of hosts, of all that asks them
	Now         func() time.Time

	// AfterFunc calls fn once after d, in its own goroutine, unless stop is called first.
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Options bound one run; zero values mean no bound.
type Options struct {
	MaxPages int           // stop after so many fetches
	For      time.Duration // stop after so long
	Due      bool          // harvest: visit only the aggregation pages that are due
	Stored   bool          // harvest: ask for nothing, read the unread aggregation pages as they are stored
	Lists    []uint64      // harvest: these aggregation pages besides, for notices that were left to it
	Under    string        // discovery: only what waits below this host or section, see urls.Below, and no known page again; "" = everything
	AwayFor  time.Duration // end with an error when the network is away for so long; 0 = wait as long as it takes
}

// Summary says what one run did.
type Summary struct {
	Task         string        `json:"task"`
	Fetched      int           `json:"fetched"`
	Failed       int           `json:"failed"` // URLs that were given up, see view.Tally
	Pages        int           `json:"pages"`
	Aggregations int           `json:"aggregations"`
	Notices      int           `json:"notices"`             // new in this run
	Changed      int           `json:"changed"`             // notices that say something else than before
	Withdrawn    int           `json:"withdrawn,omitempty"` // notices whose list no longer qualifies
	Later        int           `json:"later"`               // URLs that wait for a later run: for their retry, or for a host that rests
	Next         time.Time     `json:"-"`                   // when the first of Later may be asked
	Lists        []uint64      `json:"-"`                   // harvest: aggregation pages some of whose notices wait for a later run
	Lacking      int           `json:"lacking,omitempty"`   // lists that show more than could be followed
	Skipped      int           `json:"skipped"`             // harvest: records that are documents or out of scope
	Absent       int           `json:"absent,omitempty"`    // harvest of what is stored: announced, and no page of them is stored
	Stored       bool          `json:"-"`                   // nothing was asked for, see Options
	End          string        `json:"end"`                 // why it ended, in a few words
	Stopped      bool          `json:"-"`                   // before its end, by a person or a bound of time
	Took         time.Duration `json:"-"`
	Seconds      float64       `json:"seconds"`
	Tally        view.Tally    `json:"-"`
}

// Run is one discovery or harvest. Its exported methods are safe for concurrent
// use.
type Run struct {
	Config
	maker   NoticeMaker
	task    string
	opt     Options
	ordered bool            // it ranks links by a topic
	ctx     context.Context // ends everything, fetches under way included
	cancel  context.CancelFunc
	taking  context.Context // ends the handing out only: a bound was reached
	enough  context.CancelFunc
	front   *frontier.Frontier
	backlog *store.Backlog // what the frontier cannot keep in memory
	writer  *writer.Writer[*tag]
	started time.Time
	done    chan struct{}

	plan        plan
	harvest     *harvester
	counts      counts
	underway    atomic.Int64 // handed out and not yet given to the writer
	paused      atomic.Bool
	inFlight    inFlight
	looped      looped
	full        atomic.Bool  // the disk is full: nothing is handed out
	noFile      atomic.Bool  // the frontier cannot use its file
	words       atomic.Bool  // the pages are counted by one dictionary
	read        atomic.Int64 // URLs that were read to fill the frontier
	began       atomic.Int64 // when the fetching began, ns since started: the writer stands, workers may start; 0 = not yet
	workersWG   sync.WaitGroup
	curve       harvestCurve
	pagesBefore int         // stored when the run began
	scripts     scriptFiles // files that rows and pagers are read with
	network     network

	mu     sync.Mutex // guards what follows
	err    error
	wanted int // workers
	alive  int // workers running
	budget int // fetches after which the run ends; 0 = none
	taken  int // handed out
	look   look
}

// New makes a run of a task, view.Discovery, view.Look or view.Harvest; Do performs it.
// ctx bounds it whole.
func New(ctx context.Context, c Config, task string, opt Options) (*Run, error) {
	r := &Run{Config: c, task: task, opt: opt, started: c.Now(), done: make(chan struct{}), budget: opt.MaxPages}
	r.counts.later, r.counts.short = map[uint64]int64{}, map[uint64]bool{}
	r.maker = NoticeMaker{Store: c.Store, Reader: c.Reader, PageWorkers: c.PageWorkers, Filter: c.Filter,
		Settings: c.Settings, Now: c.Now}
	r.harvest = newHarvester(r)
	r.plan = r.planOf(task)
	r.network.r = r
	r.curve.Before, r.pagesBefore = len(c.Topic.Aggregations()), c.Store.Counts().Pages
	var err error
	if r.backlog, err = c.Store.NewBacklog(); err != nil {
		return nil, err
	}
	set := c.Settings()
	r.ordered = task != view.Harvest && !c.Topic.State().Empty()
	r.front = frontier.New(frontier.Config{Limiter: c.Limiter, Patience: patience, Share: set.Harvest.Share, Poor: poor,
		Backlog: r.backlog, Budget: set.Crawl.FrontierMemory, Score: c.Order.Rescored})
	c.Limiter.Forgive(func(string) bool { return true }) // every run tries what failed an earlier one
	if r.ordered {
		r.front.SetAhead(ahead)
	}
	r.front.SetDepth(set.Crawl.Depth)
	c.Order.Attach(r.front)
	r.wanted = set.Crawl.Workers + c.PageWorkers.Slots()
	if opt.For > 0 {
		r.ctx, r.cancel = context.WithTimeout(ctx, opt.For)
	} else {
		r.ctx, r.cancel = context.WithCancel(ctx)
	}
	r.taking, r.enough = context.WithCancel(r.ctx)
	return r, nil
}

// ahead bounds what is fetched before the links of earlier pages are known: at most
// this part of what was fetched before, of a host as of the run.
const ahead = 8

// poor is the value below which a link promises less than a notice; it is what a
// notice counts for the link order (learned.notice).
const poor = .3

// patience is how long a run waits when all that is left is on hosts that fail
// or are throttled; their URLs go on waiting for a later run.
const patience = 30 * time.Second

// Task is view.Discovery, view.Look or view.Harvest.
func (r *Run) Task() string { return r.task }

// Done is closed when the run has ended and everything it brought is stored.
func (r *Run) Done() <-chan struct{} { return r.done }

// Do performs the run. It returns the run's first error, nil when it came to its
// end, its bound, or was stopped. over is called when everything is stored, before
// Done is closed.
func (r *Run) Do(over func(Summary, error)) (Summary, error) {
	r.Watch.Begin()
	r.PageWorkers.Reconsider()
	if !r.opt.Stored {
		r.network.rested()
	}
	err := r.plan.begin()
	if r.task == view.Discovery && r.Topic.State().Empty() {
		r.Events.Note("warn", "no sample and no label: pages are fetched, and none is judged")
	}
	if err == nil {
		err = r.crawl()
	}
	if err == nil {
		err = cmp.Or(r.network.cutOff(), r.plan.end())
	}
	return r.close(stopped(r.ctx, err), over)
}

// close stores what was learned, sums the run up and tells over and the Listener.
func (r *Run) close(err error, over func(Summary, error)) (Summary, error) {
	r.mu.Lock()
	if r.err != nil {
		err = r.err
	}
	r.mu.Unlock()
	how, ended := r.ended(err)
	cut := r.ctx.Err() != nil
	waiting, next := r.left()
	r.cancel()
	err = cmp.Or(err, r.Topic.Conclude(), r.Order.Save())
	n := r.counts.now()
	s := Summary{Task: r.task, Fetched: n.fetched, Pages: n.pages, Aggregations: len(r.Topic.Aggregations()),
		Notices: n.came - n.strayed, Changed: n.changed, Withdrawn: n.back, Later: waiting, Next: next, Lacking: n.lacking,
		Lists: r.harvest.left(), Skipped: n.skipped, Absent: n.absent, Stored: r.opt.Stored, Stopped: cut, Took: r.took(r.Now())}
	s.Seconds, s.End = s.Took.Seconds(), ended
	s.Tally = r.tally(r.Now(), s.Aggregations, 0)
	s.Tally.End, s.Tally.Took, s.Failed = how, s.Took, s.Tally.Failed()
	if err != nil {
		r.Events.Note("error", "%s stopped: %v", r.task, err)
	} else {
		r.Events.Note("info", "%s ended, %s: %d fetched, %d failed, %d aggregation pages, %d addresses of new notices%s",
			r.task, ended, s.Fetched, s.Failed, s.Aggregations, s.Notices, view.ChangedAndWithdrawn(s.Changed, s.Withdrawn))
	}
	r.front.Close()
	_ = r.backlog.Close() // scratch
	over(s, err)
	close(r.done)
	r.Listener.Changed()
	return s, err
}

// left counts the URLs that wait for a later run, and says when the first of them
// may be asked. Call it before the context is ended by its end.
func (r *Run) left() (n int, first time.Time) {
	n, first = r.counts.postponed()
	if r.ctx.Err() != nil || r.taking.Err() != nil {
		return n, first // stopped: what waits does not wait for its time
	}
	if rest := r.front.View(0, 0); rest.Waiting > 0 {
		n += rest.Waiting
		if at := rest.Reason.Until; first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return n, first
}

// ended says how and why the run came to its end. Call it before the context is ended
// by its end.
func (r *Run) ended(err error) (view.RunEnd, string) {
	r.mu.Lock()
	found, budget := r.look.found, r.budget
	r.mu.Unlock()
	switch {
	case err != nil:
		return view.Failed, "failed"
	case errors.Is(r.ctx.Err(), context.DeadlineExceeded):
		return view.Timed, "its time was up"
	case r.ctx.Err() != nil:
		return view.Stopped, "stopped"
	case found:
		return view.Through, "lists were found"
	case r.taking.Err() != nil:
		return view.Spent, fmt.Sprintf("budget of %d pages spent", budget)
	}
	return view.Through, r.front.View(0, 0).Idle
}

// stopped turns the error of an ended context into none: being stopped is no
// failure.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// fail ends the run with an error; the first one counts.
func (r *Run) fail(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.cancel()
}

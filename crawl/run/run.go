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
	"angler/store/records"
	"angler/store/writer"
)

// Errors that prevent or end a run.
var (
	ErrBusy = errors.New("a run is under way; stop it first")
	// ErrNoTopic means that there is no sample to score pages by.
	ErrNoTopic = errors.New("no samples yet; add some list pages: angler samples add DIR URL…, or s on the Samples screen")
	ErrNoSeeds = errors.New("no seeds; add some to angler.toml, or with + on the Crawl screen")
	// ErrNoAggregations means that no page qualifies for a harvest.
	ErrNoAggregations = errors.New("no aggregation pages above the threshold; add samples or lower θ, then crawl again")
	// ErrAway ends a run whose network outage lasted too long.
	ErrAway = errors.New("the network is away")
)

// Listener receives the results of a run. Its methods run on the writer's goroutine, delay commits
// and must not block for long. Changed may be called on any goroutine.
type Listener interface {
	Page(id uint64, row view.PageRow)     // a page was stored with its links
	Visited()                             // a page's visit data changed
	Notice(n *store.Notice, renewed bool) // renewed: a known notice was read again
	TakenBack()                           // notices were withdrawn
	Changed()                             // viewers should refresh at once
}

// Config holds the parts of a run.
type Config struct {
	Store       *store.Workspace
	PageWorkers PageWorkers
	Reader      *reader.Reader
	Topic       *decisions.Decisions  // scores pages
	Order       *linkorder.Priorities // used by this run only
	Links       *linkorder.Links
	Filter      *urls.Filter
	Scope       func() *urls.Scope      // in force
	Settings    func() *config.Settings // in force; read-only
	Events      *view.EventLog
	Metrics     *Metrics
	Watch       *Watch      // monitors hosts and network over all runs
	Parts       *VisitParts // evidence of all runs
	HostAuth    *hostauth.HostAuth
	Listener    Listener
	Replies     []Translator              // the first one that accepts an address translates its replies
	Read        func(address string) bool // reports whether a recipe reads a page's list
	// Private returns an error if an address is not public; nil = it may be public.
	Private func(ctx context.Context, address string) error
	Limiter *fetch.HostLimiter // shared by all parts that send requests
	Now     func() time.Time

	// AfterFunc calls fn once after d, in its own goroutine, unless stop is called first.
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Options bounds one run; zero values mean no bound.
type Options struct {
	MaxPages int           // stop after this many fetches
	For      time.Duration // stop after this time
	Until    float64       // discovery: stop when this share of the lists is found, 0 … 1; see records.RunRecall
	Due      bool          // harvest: visit only due aggregation pages
	Stored   bool          // harvest: send no request, read unread aggregation pages from the store
	Lists    []uint64      // harvest: also these aggregation pages, whose notices were left over
	// Under limits a discovery to URLs below a host or section, see urls.Below, without known
	// pages; "" = no limit.
	Under   string
	AwayFor time.Duration // end with an error after an outage of this length; 0 = wait without limit
}

// Summary is the result of one run.
type Summary struct {
	Task         string `json:"task"`
	Fetched      int    `json:"fetched"`
	Failed       int    `json:"failed"` // URLs given up, see view.Tally
	Pages        int    `json:"pages"`
	Aggregations int    `json:"aggregations"`
	Notices      int    `json:"notices"`             // new in this run
	Changed      int    `json:"changed"`             // notices whose text changed
	Withdrawn    int    `json:"withdrawn,omitempty"` // notices whose list no longer qualifies
	// URLs left to a later run: they wait for a retry or a paused host
	Later int       `json:"later"`
	Next  time.Time `json:"-"` // earliest time for a URL of Later
	// harvest: aggregation pages with notices left to a later run
	Lists   []uint64 `json:"-"`
	Lacking int      `json:"lacking,omitempty"` // lists with missing entries
	Skipped int      `json:"skipped"`           // harvest: records that are documents or out of scope
	// harvest of stored pages: announced notices without a stored page
	Absent  int           `json:"absent,omitempty"`
	Stored  bool          `json:"-"`   // no request was sent, see Options
	End     string        `json:"end"` // reason of the end, in a few words
	Stopped bool          `json:"-"`   // ended early by an analyst or a time limit
	Took    time.Duration `json:"-"`
	Seconds float64       `json:"seconds"`
	Tally   view.Tally    `json:"-"`
}

// Run is one discovery or harvest. Its exported methods are safe for concurrent use.
type Run struct {
	Config
	maker   NoticeMaker
	task    string
	opt     Options
	ordered bool            // ranks links by a topic
	ctx     context.Context // cancels the run, including fetches in flight
	cancel  context.CancelFunc
	taking  context.Context // stops handing out URLs only: a bound was reached
	enough  context.CancelFunc
	front   *frontier.Frontier
	backlog *store.Backlog // frontier entries that do not fit in memory
	writer  *writer.Writer[*tag]
	started time.Time
	done    chan struct{}

	plan     plan
	harvest  *harvester
	counts   counts
	underway atomic.Int64 // handed out and not yet with the writer
	paused   atomic.Bool
	inFlight inFlight
	looped   looped
	full     atomic.Bool  // disk full: no URL is handed out
	noFile   atomic.Bool  // the frontier cannot use its file
	words    atomic.Bool  // all pages are counted with one dictionary
	read     atomic.Int64 // URLs read to fill the frontier
	// began is the start of fetching in ns since started, when the writer is ready; 0 = not yet.
	began       atomic.Int64
	workersWG   sync.WaitGroup
	curve       harvestCurve
	pagesBefore int                               // stored pages at the start of the run
	scripts     scriptFiles                       // script files of rows and pagers
	recall      atomic.Pointer[records.RunRecall] // newest estimate of a discovery; nil = none
	reached     atomic.Bool                       // Options.Until was reached
	network     network

	mu     sync.Mutex // guards the fields below
	err    error
	wanted int // number of workers
	alive  int // running workers
	budget int // fetches after which the run ends; 0 = none
	taken  int // URLs handed out
	look   look
}

// New prepares a run of the task view.Discovery, view.Look or view.Harvest; Do performs it. ctx
// bounds the whole run.
func New(ctx context.Context, c Config, task string, opt Options) (*Run, error) {
	r := &Run{Config: c, task: task, opt: opt, started: c.Now(), done: make(chan struct{}), budget: opt.MaxPages}
	r.counts.later, r.counts.short = map[uint64]int64{}, map[uint64]bool{}
	r.maker = NoticeMaker{Store: c.Store, Reader: c.Reader, Filter: c.Filter, Settings: c.Settings, Now: c.Now}
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
	c.Limiter.Forgive(func(string) bool { return true }) // every run retries hosts that failed in an earlier one
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

// ahead bounds fetches whose earlier pages' links are not known yet: at most 1/ahead of the fetches
// so far, per host and per run.
const ahead = 8

// poor is the value below which a link promises less than a notice. The link order counts a notice
// with this value (learned.notice).
const poor = .3

// patience is how long a run waits if all URLs left are on failing or throttled hosts. These URLs
// are left to a later run.
const patience = 30 * time.Second

// Task returns view.Discovery, view.Look or view.Harvest.
func (r *Run) Task() string { return r.task }

// Done is closed when the run has ended and all its results are stored.
func (r *Run) Done() <-chan struct{} { return r.done }

// Do performs the run. It returns the first error; nil if the run came to its end or a bound, or
// was stopped. over is called when everything is stored, before Done is closed.
func (r *Run) Do(over func(Summary, error)) (Summary, error) {
	r.Watch.Begin()
	r.PageWorkers.Reconsider()
	if !r.opt.Stored {
		r.network.restoreBans()
	}
	err := r.plan.begin()
	if r.task == view.Discovery && r.Topic.State().Empty() {
		r.Events.Note("warn", "no sample and no label: pages are fetched, but not judged")
	}
	if err == nil {
		err = r.crawl()
	}
	if err == nil {
		err = cmp.Or(r.network.cutOff(), r.plan.end())
	}
	return r.close(stopped(r.ctx, err), over)
}

// close saves the topic and the link order, and passes the summary to over and the Listener.
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
		Notices: n.newNotices - n.orphans, Changed: n.changed, Withdrawn: n.withdrawn, Later: waiting, Next: next,
		Lacking: n.lacking,
		Lists:   r.harvest.unfinishedLists(), Skipped: n.skipped, Absent: n.absent, Stored: r.opt.Stored, Stopped: cut,
		Took: r.took(r.Now())}
	s.Seconds, s.End = s.Took.Seconds(), ended
	s.Tally = r.tally(r.Now(), s.Aggregations, 0)
	s.Tally.End, s.Tally.Took, s.Failed = how, s.Took, s.Tally.Failed()
	if err != nil {
		r.Events.Note("error", "%s stopped: %v", r.task, err)
	} else {
		r.Events.Note("info", "%s ended, %s: %d fetched, %d failed, %d aggregation pages, %d addresses of new notices%s",
			r.task, ended, s.Fetched, s.Failed, s.Aggregations, s.Notices,
			view.ChangedAndWithdrawn(s.Changed, s.Withdrawn))
	}
	r.front.Close()
	_ = r.backlog.Close() // scratch
	over(s, err)
	close(r.done)
	r.Listener.Changed()
	return s, err
}

// left counts the URLs that wait for a later run and returns the earliest retry time. Call it
// before close cancels the context.
func (r *Run) left() (n int, first time.Time) {
	n, first = r.counts.postponed()
	if r.ctx.Err() != nil || r.taking.Err() != nil {
		return n, first // stopped: URLs in the frontier wait for no time
	}
	if rest := r.front.View(0, 0); rest.Waiting > 0 {
		n += rest.Waiting
		if at := rest.Until; first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return n, first
}

// ended returns how and why the run ended. Call it before close cancels the context.
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
	case r.reached.Load():
		return view.Spent, fmt.Sprintf("about %.0f %% of the lists are found", 100*r.opt.Until)
	case r.taking.Err() != nil:
		return view.Spent, fmt.Sprintf("budget of %d pages spent", budget)
	}
	return view.Through, r.front.View(0, 0).Idle
}

// stopped drops the error of a canceled context: a stop is no failure.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// fail ends the run with an error. The first error counts.
func (r *Run) fail(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.cancel()
}

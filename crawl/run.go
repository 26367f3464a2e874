package crawl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/order"
	"angler/crawl/urls"
	"angler/store"
	"angler/topic"
)

// Names of the two tasks.
const (
	Discovery = "discovery"
	Harvest   = "harvest"
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
	Stopped      bool          `json:"-"`       // before its end, by a person or a bound of time
	Took         time.Duration `json:"-"`
	Seconds      float64       `json:"seconds"`
}

// run is one discovery or harvest from start to end.
type run struct {
	e        *Engine
	task     string
	opt      RunOptions
	ctx      context.Context // ends everything, fetches under way included
	cancel   context.CancelFunc
	taking   context.Context // ends the handing out only: a bound was reached
	enough   context.CancelFunc
	front    *frontier.Frontier
	writer   *store.Writer
	strategy atomic.Pointer[order.Strategy]
	started  time.Time
	done     chan struct{}

	handle    func(frontier.Entry) *store.Capture // what the task does with one URL
	committed func(*store.Capture)                // what follows its commit; may be nil

	workers   atomic.Int64 // wanted
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
	met       sync.Map    // hosts that were asked for sitemaps
	ranking   atomic.Bool // the frontier is being ranked anew
	mu        sync.Mutex
	err       error
	curve     []CurvePoint
	began     atomic.Int64 // when the fetching began, Unix ns; 0 = not yet
	crawling  atomic.Bool  // the writer stands, workers may start
	workersWG sync.WaitGroup
}

// begin makes the run and everything it shares; exactly one run at a time.
func (e *Engine) begin(ctx context.Context, task string, opt RunOptions) (*run, error) {
	strategy, err := order.New(e.Settings().Crawl.Strategy)
	if err != nil {
		return nil, err
	}
	set := e.Settings()
	r := &run{e: e, task: task, opt: opt, started: e.now(), done: make(chan struct{})}
	r.strategy.Store(&strategy)
	r.workers.Store(int64(set.Crawl.Workers))
	e.runMu.Lock()
	defer e.runMu.Unlock()
	if e.ctx.Err() != nil {
		return nil, ErrClosed
	}
	if e.run != nil {
		return nil, ErrBusy
	}
	if opt.For > 0 {
		r.ctx, r.cancel = context.WithTimeout(ctx, opt.For)
	} else {
		r.ctx, r.cancel = context.WithCancel(ctx)
	}
	r.taking, r.enough = context.WithCancel(r.ctx)
	r.front = frontier.New(frontier.Config{Delay: time.Duration(set.Crawl.Delay), Now: e.opt.Now})
	r.front.SetDepth(set.Crawl.Depth)
	e.run, e.lastEr = r, ""
	e.did(task + " started")
	return r, nil
}

// end closes the run's books. It returns the run's first error, nil when it
// came to its end, its bound, or was stopped.
func (r *run) end(err error) (Summary, error) {
	e := r.e
	r.mu.Lock()
	if r.err != nil {
		err = r.err
	}
	r.mu.Unlock()
	cut := r.ctx.Err() != nil
	r.cancel()
	if e.ctx.Err() == nil {
		err = firstErr(err, e.hosts.save(e.ws), e.settle())
	}
	s := Summary{Task: r.task, Fetched: int(r.fetched.Load()), Failed: int(r.failed.Load()), Pages: int(r.pages.Load()),
		Aggregations: len(e.Aggregations()), Notices: int(r.notices.Load()), Later: int(r.later.Load()),
		Skipped: int(r.skipped.Load()), Stopped: cut, Took: e.now().Sub(r.started)}
	if began := r.began.Load(); began != 0 {
		s.Took = e.now().Sub(time.Unix(0, began)) // without the wait for the dictionary
	}
	s.Seconds = s.Took.Seconds()
	if err != nil {
		e.note("error", "%s stopped: %v", r.task, err)
	} else {
		e.note("info", "%s ended: %d fetched, %d failed, %d aggregation pages, %d new notices", r.task, s.Fetched, s.Failed, s.Aggregations, s.Notices)
	}
	e.runMu.Lock()
	e.run = nil
	if err != nil {
		e.lastEr = err.Error()
	}
	e.runMu.Unlock()
	close(r.done)
	e.publish()
	return s, err
}

// crawl runs workers until the frontier is drained, a bound is reached or the
// run is stopped, and stores everything they brought.
func (r *run) crawl() error {
	r.writer = r.e.ws.NewWriter(r.afterCommit, func() bool { return r.underway.Load() == 0 }, r.fail)
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
		if err != nil {
			r.alive.Add(-1)
			return
		}
		if n := r.taken.Add(1); r.opt.MaxPages > 0 && n > int64(r.opt.MaxPages) {
			r.front.Done(entry, frontier.Outcome{})
			r.enough()
			continue
		}
		r.underway.Add(1)
		r.writer.Lease(entry.ID)
		c := r.handle(entry)
		// Before Put: the writer asks whether anything else can still come.
		r.underway.Add(-1)
		r.writer.Put(c)
	}
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

// tag travels with a capture to its commit.
type tag struct {
	entry frontier.Entry
	doc   topic.Doc
	print uint64 // of the dictionary that counted doc
	judge *judge
	list  *listVisit // harvest: the aggregation page that was visited
}

// afterCommit runs on the writer's goroutine: what is on disk now becomes
// visible, its links enter the frontier, its lease ends.
func (r *run) afterCommit(batch []*store.Capture, found []store.Admission) {
	r.admit(found)
	for _, c := range batch {
		t := c.Tag.(*tag)
		if c.Page != nil {
			r.pages.Add(1)
			if len(t.doc.Full) > 0 || len(t.doc.List) > 0 {
				r.e.index.Add(c.ID, t.doc)
				r.e.prints.set(c.ID, t.print)
			}
			r.e.captured.add(c.ID)
			row := pageRow(c.Page, c.Page.Score)
			row.Depth = t.entry.Depth
			row.Aggregation = t.judge.relevant(&t.doc, c.Page.Score)
			r.e.opt.Report.Page(row)
		}
		if c.Notice != nil {
			r.notices.Add(1)
			r.e.noticeAdded(c.Notice)
			r.e.opt.Report.Notice(noticeJSON(c.Notice))
		}
		if c.State == store.Waiting && r.ctx.Err() == nil {
			r.again(t.entry, c)
		}
		if r.committed != nil {
			r.committed(c)
		}
		if t.entry.ID == c.ID {
			r.front.Done(t.entry, frontier.Outcome{})
		}
	}
}

// soon is how long a run waits for a URL that failed; what is due later is
// left to a later run.
const soon = 10 * time.Second

func (r *run) again(entry frontier.Entry, c *store.Capture) {
	if c.Retry.Sub(r.e.now()) > soon {
		r.later.Add(1)
		return
	}
	r.front.Retry(entry, c.Retry)
}

// admit ranks URLs and hands them to the frontier. A harvest takes only what
// its lists announce, so it admits nothing here.
func (r *run) admit(found []store.Admission) {
	if r.task != Discovery {
		return
	}
	entries := make([]frontier.Entry, 0, len(found))
	for _, a := range found {
		if a.State == store.Waiting {
			entries = append(entries, r.entry(&store.URL{ID: a.ID, URL: a.URL, Depth: a.Depth, Source: a.Source, Hints: a.Hints}))
		}
	}
	r.front.Push(entries...)
}

func (r *run) entry(u *store.URL) frontier.Entry {
	s := (*r.strategy.Load()).Score(orderLink(u))
	return frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: s.Value, Depth: u.Depth}
}

// orderLink is a known URL as the link order sees it.
func orderLink(u *store.URL) order.Link {
	l := order.Link{URL: u.URL, Anchor: u.Anchor, Block: u.Block, Depth: u.Depth, Seq: u.ID, Pager: u.Pager,
		AnchorScore: u.AnchorScore, URLScore: u.URLScore, BlockScore: u.BlockScore,
		SourceScore: u.SourceScore, SourceRelevant: u.Relevant, Inherited: u.Inherited}
	if u.Source != 0 {
		// The id stands for the source's URL: strategies only compare it.
		l.Source = strconv.FormatUint(u.Source, 10)
	}
	return l
}

// get fetches one URL politely and files what can be said without reading the
// page: failures, redirects, statuses. The response is nil when the capture is
// already complete.
func (r *run) get(entry frontier.Entry, u *store.URL, req fetch.Request) (*fetch.Response, *store.Capture) {
	resp, err := r.e.fetcher.Fetch(r.ctx, req)
	r.e.meters.exchange(resp, err)
	c := &store.Capture{ID: u.ID, State: store.Complete, Tag: &tag{entry: entry}}
	var o frontier.Outcome
	o.Wait = r.e.fetcher.CrawlDelay(entry.Host)
	var fe *fetch.Error
	switch {
	case err != nil && (r.ctx.Err() != nil || errors.As(err, &fe) && fe.Kind == fetch.Canceled):
		// Stopped: as if it had never been taken.
		c.State, c.Fails, c.Retry, c.Reason = store.Waiting, u.Fails, u.Retry, u.Reason
		r.front.Release(entry, o)
		return nil, c
	case err != nil:
		o.Failed = errors.As(err, &fe) && fe.Temporary()
		r.trouble(c, u, o.Failed, 0, errText(err))
	case resp.Status == 429 || resp.Status >= 500:
		o.Failed = resp.Status != 429 && resp.Status != 503
		o.Slow = !o.Failed
		o.Wait = max(o.Wait, resp.RetryAfter)
		r.trouble(c, u, true, resp.RetryAfter, fmt.Sprintf("HTTP status %d", resp.Status))
	case resp.Status >= 400:
		r.trouble(c, u, false, 0, fmt.Sprintf("HTTP status %d", resp.Status))
	}
	r.fetched.Add(1)
	r.front.Release(entry, o)
	if c.State != store.Complete {
		r.failed.Add(1)
		return nil, c
	}
	return resp, c
}

// trouble files a failed fetch: tried again with growing distance, or given up.
func (r *run) trouble(c *store.Capture, u *store.URL, temporary bool, wait time.Duration, reason string) {
	c.Reason, c.Fails = reason, u.Fails+1
	if !temporary || c.Fails > r.e.Settings().Crawl.Retries {
		c.State = store.Exception
		r.e.note("warn", "%s · %s", reason, u.URL)
		return
	}
	// 1 s, 4 s, 16 s … and up to half as much again, so that the URLs of a
	// host that was down do not all come back in the same moment.
	back := time.Second << min(2*u.Fails, 20)
	back += time.Duration(rand.Int64N(int64(back/2) + 1))
	c.State, c.Retry = store.Waiting, r.e.now().Add(max(back, wait))
	r.e.note("warn", "%s · %s · asked again in %s", reason, u.URL, max(back, wait).Round(time.Second))
}

// errText is the cause of a fetch error without the URL, which stands beside
// it wherever it is shown.
func errText(err error) string {
	var fe *fetch.Error
	if errors.As(err, &fe) && fe.Err != nil {
		return fmt.Sprintf("%s: %v", fe.Kind, fe.Err)
	}
	if fe != nil {
		return string(fe.Kind)
	}
	return err.Error()
}

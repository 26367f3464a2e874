package linkorder

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/jobs"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// PrioritiesConfig holds the dependencies of Priorities.
type PrioritiesConfig struct {
	Store     *store.Workspace
	Decisions *decisions.Decisions
	Captured  *CaptureOrder
	Sources   *LinkSources
	Settings  func() *config.Settings // present settings; do not change
	Scope     func() *urls.Scope      // present scope
	Events    *view.EventLog
	Jobs      *jobs.Jobs
	Now       func() time.Time
}

// Priorities is the link order of one run. It holds the active strategy, trains it with every page, and ranks
// waiting URLs after it has learned enough. Knowledge is stored, so a resumed crawl continues to learn. If it is
// missing or belongs to another topic, it is learned again from the stored pages. It is safe for concurrent use,
// except Observe and Refresh, which belong to the writer's goroutine.
type Priorities struct {
	PrioritiesConfig
	front    *frontier.Frontier // of the run; nil outside a run
	queue    func(url string) uint16
	strategy atomic.Pointer[Strategy]

	recalled atomic.Bool // the strategy has the knowledge of earlier runs

	topics     atomic.Int64 // topic changes since the strategy last learned anew
	ranking    atomic.Bool  // a ranking is in progress
	stale      bool         // a ranking is due; writer's goroutine only
	out        []Out        // scratch of Observe
	pauseUntil atomic.Int64 // ns after made: no ranking before, to take at most a tenth of the time
	spent      atomic.Int64 // ns spent on rankings
	made       time.Time
	saved      time.Time // last storing of the knowledge; writer's goroutine only
}

// NewPriorities returns a link order with the settings' strategy, without knowledge.
func NewPriorities(c PrioritiesConfig) (*Priorities, error) {
	set := c.Settings()
	s, err := StrategyOf(set, set.Crawl.Strategy)
	if err != nil {
		return nil, err
	}
	queue, err := frontier.Assignment(set.Crawl.Queues, set.Crawl.QueueCount)
	if err != nil {
		return nil, err
	}
	o := &Priorities{PrioritiesConfig: c, queue: queue, made: c.Now()}
	o.saved = o.made
	o.strategy.Store(&s)
	return o, nil
}

// Attach sets the frontier to rank. Call it before any other use.
func (o *Priorities) Attach(f *frontier.Frontier) { o.front = f }

// StrategyOf returns a strategy with the settings' constants, without knowledge.
func StrategyOf(set *config.Settings, name string) (Strategy, error) {
	p, err := OrderConstants(set)
	if err != nil {
		return nil, err
	}
	return New(name, p)
}

// Name returns the name of the active strategy.
func (o *Priorities) Name() string { return o.now().Name() }

func (o *Priorities) now() Strategy { return *o.strategy.Load() }

// targets pools memory: a crawl asks for about ten values per page.
var targets = sync.Pool{New: func() any { return new(Target) }}

// value returns the priority of a URL within its class.
func (o *Priorities) value(u *store.URL) float64 {
	t := targets.Get().(*Target)
	o.fill(t, u)
	v := o.now().Value(t)
	targets.Put(t)
	if o.isSample(u.URL) {
		v += sampleBonus
	}
	return v
}

// Score returns the priority of a URL with its reasons.
func (o *Priorities) Score(u *store.URL) Score {
	s := o.now().Score(o.target(u))
	if o.isSample(u.URL) {
		s.Value += sampleBonus
		s.Terms = append([]term{{Name: "sample", Value: sampleBonus}}, s.Terms...)
	}
	return s
}

// sampleBonus is added for an analyst's sample, the most certain kind of list.
const sampleBonus = 1

func (o *Priorities) isSample(url string) bool {
	samples := o.Decisions.State().Samples
	for i := range samples {
		if samples[i].URL == url {
			return true
		}
	}
	return false
}

// Entry returns the frontier entry of a waiting URL; false if a rule drops it, or it is out of scope or Below.
func (o *Priorities) Entry(u *store.URL) (frontier.Entry, bool) {
	class, keep := o.Class(u.URL)
	e := frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Class: class, Priority: o.value(u),
		Depth: u.Depth, Queue: o.queue(u.URL)}
	return e, keep && !o.Below(e)
}

// Queue returns the queue of its host for a URL.
func (o *Priorities) Queue(url string) uint16 { return o.queue(url) }

// Row returns a URL that is not complete, with the reasons for its rank.
func (o *Priorities) Row(u *store.URL) URLRow {
	s := o.Score(u)
	row := URLRow{URL: u.URL, Host: urls.HostOf(u.URL), Depth: u.Depth, State: u.State.String(),
		Priority: view.Round(s.Value), Why: cmp.Or(u.Failure.Error(), s.String())}
	class, keep := o.Class(u.URL)
	how := ClassName(class)
	if !keep {
		how = "dropped"
	}
	if how != "" {
		row.Why = how + ", " + row.Why
	}
	return row
}

// Recheck values a URL again before its fetch if the strategy learns. It reports whether the URL went back to the
// frontier.
func (o *Priorities) Recheck(entry frontier.Entry, u *store.URL) bool {
	if !Rechecks(o.now()) {
		return false
	}
	e, keep := o.Entry(u)
	sunk := e.Class < entry.Class || e.Class == entry.Class && e.Priority < entry.Priority-recheckSlack
	return keep && sunk && o.front.Defer(entry, e.Class, e.Priority)
}

// recheckSlack is the loss of value above which a URL goes back for a better one.
const recheckSlack = .02

// StoredPage is one stored page for the link order.
type StoredPage struct {
	*store.Capture
	Before *store.URL // the URL's row at the time of the fetch
	State  *decisions.State
	Doc    *topic.Doc
	Notice bool // a list announced the page
}

// Observe trains the strategy with pages just stored. It runs on the writer's goroutine.
func (o *Priorities) Observe(pages []StoredPage) {
	s := o.now()
	for i := range pages {
		c := &pages[i]
		o.Sources.put(c.ID, c.Page.URL)
		o.out = o.out[:0]
		for i := range c.Links {
			l := &c.Links[i]
			o.out = append(o.out, Out{ID: c.Out[i].ID, URL: l.URL, New: c.Out[i].New, Inlink: inlinkOn(c.Page.URL,
				store.Inlink{Source: c.ID, Hints: l.Hints})})
		}
		o.stale = s.Observe(&Fetch{Target: *o.target(c.Before), Verdict: Verdict{Score: c.Page.Score,
			Relevant: c.State.Relevant(c.Doc, c.Page.Score), Notice: c.Notice},
			Out: o.out}) || o.stale
		clear(o.out) // frees the pages of the last batch
	}
}

// target converts a known URL.
func (o *Priorities) target(u *store.URL) *Target {
	t := new(Target)
	o.fill(t, u)
	return t
}

func (o *Priorities) fill(t *Target, u *store.URL) {
	t.ID, t.URL, t.Depth, t.Inlinks = u.ID, u.URL, u.Depth, t.Inlinks[:0]
	for l := range u.Inlinks {
		t.Inlinks = append(t.Inlinks, o.inlink(l))
	}
}

func (o *Priorities) inlink(l store.Inlink) Inlink {
	return inlinkOn(o.Sources.url(o.Store, l.Source), l)
}

// inlinkOn converts a link on the page of this address.
func inlinkOn(source string, l store.Inlink) Inlink {
	return Inlink{Source: l.Source, SourceURL: source, Anchor: l.Anchor, Block: l.Block,
		Features: BlockFeatures(l.Features), Pager: l.Pager, Tags: l.Tags,
		AnchorScore: l.AnchorScore, URLScore: l.URLScore, BlockScore: l.BlockScore, SourceScore: l.SourceScore,
		Inherited: l.Inherited}
}

// URLRow is one URL of the frontier in exports.
type URLRow struct {
	URL      string  `json:"url"`
	Priority float64 `json:"priority"`
	Host     string  `json:"host"`
	Depth    int     `json:"depth"`
	State    string  `json:"state"`
	Why      string  `json:"why"` // the error, or the link order's terms
}

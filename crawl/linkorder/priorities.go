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

// PrioritiesConfig is what Priorities works with.
type PrioritiesConfig struct {
	Store     *store.Workspace
	Decisions *decisions.Decisions
	Captured  *CaptureOrder
	Sources   *LinkSources
	Settings  func() *config.Settings // in force; not to be written to
	Scope     func() *urls.Scope      // in force
	Events    *view.EventLog
	Jobs      *jobs.Jobs
	Now       func() time.Time
}

// Priorities is the link order of one run: the strategy in force, what it is told of
// every page, and the ranking of what waits whenever it has learned enough. The
// strategy's knowledge is stored, so a resumed crawl goes on learning; when it
// is missing, or was learned under another topic, it is learned again from the
// stored pages. It is safe for concurrent use but for Observe and Refresh,
// which belong to the writer's goroutine.
type Priorities struct {
	PrioritiesConfig
	front    *frontier.Frontier // of the run; nil outside one
	queue    func(url string) uint16
	strategy atomic.Pointer[Strategy]

	recalled atomic.Bool // the strategy knows what earlier runs have learned

	topics  atomic.Int64 // changes of the topic since the strategy last learned anew
	ranking atomic.Bool  // the frontier is being ranked
	stale   bool         // it deserves to be; writer's goroutine only
	out     []Out        // scratch of Observe
	rest    atomic.Int64 // ns since made; no ranking before: a tenth of the time at most
	spent   atomic.Int64 // ns on rankings
	made    time.Time
	saved   time.Time // when the knowledge was stored last; writer's goroutine only
}

// NewPriorities returns a link order with the strategy of the settings, knowing nothing.
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

// Attach gives the order the frontier that it ranks, before the first other use.
func (o *Priorities) Attach(f *frontier.Frontier) { o.front = f }

// StrategyOf makes a strategy with the constants of settings, knowing nothing.
func StrategyOf(set *config.Settings, name string) (Strategy, error) {
	p, err := OrderConstants(set)
	if err != nil {
		return nil, err
	}
	return New(name, p)
}

// Name is the name of the strategy in force.
func (o *Priorities) Name() string { return o.now().Name() }

func (o *Priorities) now() Strategy { return *o.strategy.Load() }

// targets are reused: a crawl asks for a value some ten times a page.
var targets = sync.Pool{New: func() any { return new(Target) }}

// value is the priority of a URL among those of its class.
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

// Score is the priority of a URL with its reasons.
func (o *Priorities) Score(u *store.URL) Score {
	s := o.now().Score(o.target(u))
	if o.isSample(u.URL) {
		s.Value += sampleBonus
		s.Terms = append([]Term{{Name: "sample", Value: sampleBonus}}, s.Terms...)
	}
	return s
}

// sampleBonus is what a link to a page gains that an analyst has named as a sample:
// nothing is known better to be a list.
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

// Entry is a waiting URL as the frontier keeps it; false when it is to stay out:
// dropped by a rule, out of scope, or below the relevance that the strategy asks for
// (Below).
func (o *Priorities) Entry(u *store.URL) (frontier.Entry, bool) {
	class, keep := o.Class(u.URL)
	e := frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Class: class, Priority: o.value(u), Depth: u.Depth, Queue: o.queue(u.URL)}
	return e, keep && !o.Below(e)
}

// Queue is the queue of its host that a URL is assigned to.
func (o *Priorities) Queue(url string) uint16 { return o.queue(url) }

// Row is a URL that is not complete, with the reasons for its rank.
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

// Recheck looks at a URL once more before it is fetched, when the strategy has
// learned since it was ranked, and reports whether it stood back.
func (o *Priorities) Recheck(entry frontier.Entry, u *store.URL) bool {
	if _, learns := o.now().(Persistent); !learns {
		return false
	}
	e, keep := o.Entry(u)
	sunk := e.Class < entry.Class || e.Class == entry.Class && e.Priority < entry.Priority-recheckSlack
	return keep && sunk && o.front.Defer(entry, e.Class, e.Priority)
}

// recheckSlack is how far a value may have sunk before the URL that is about to
// be fetched stands back for a better one.
const recheckSlack = .02

// StoredPage is one stored page as the link order is told of it.
type StoredPage struct {
	*store.Capture
	Before *store.URL // the URL as it stood when it was fetched
	State  *decisions.State
	Doc    *topic.Doc
	Notice bool // a list has announced the page as a notice
}

// Observe tells the strategy of pages just stored with their links. It runs on
// the writer's goroutine.
func (o *Priorities) Observe(pages []StoredPage) {
	s := o.now()
	for i := range pages {
		c := &pages[i]
		o.Sources.put(c.ID, c.Page.URL)
		o.out = o.out[:0]
		for i := range c.Links {
			l := &c.Links[i]
			o.out = append(o.out, Out{ID: c.Out[i].ID, URL: l.URL, New: c.Out[i].New, Inlink: inlinkOn(c.Page.URL, store.Inlink{Source: c.ID, Hints: l.Hints})})
		}
		o.stale = s.Observe(&Fetch{Target: *o.target(c.Before), Verdict: Verdict{Score: c.Page.Score, Relevant: c.State.Relevant(c.Doc, c.Page.Score), Notice: c.Notice},
			Out: o.out}) || o.stale
		clear(o.out) // or the pages of the last batch would stay in memory
	}
}

// target is a known URL as the link order sees it.
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

// inlinkOn is a link that stands on the page of an address.
func inlinkOn(source string, l store.Inlink) Inlink {
	return Inlink{Source: l.Source, SourceURL: source, Anchor: l.Anchor, Block: l.Block, Features: BlockFeatures(l.Features), Pager: l.Pager,
		AnchorScore: l.AnchorScore, URLScore: l.URLScore, BlockScore: l.BlockScore, SourceScore: l.SourceScore,
		SourceRelevant: l.Relevant, Inherited: l.Inherited}
}

// URLRow is one URL of the frontier in exports.
type URLRow struct {
	URL      string  `json:"url"`
	Priority float64 `json:"priority"`
	Host     string  `json:"host"`
	Depth    int     `json:"depth"`
	State    string  `json:"state"`
	Why      string  `json:"why"` // what went wrong, or the link order's terms
}

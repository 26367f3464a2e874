package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Options say how to open an engine. The zero value opens a workspace with its
// own settings.
type Options struct {
	By string // who acts, for the log; "" = the user running the program

	// Override changes the settings for this process only, after they were
	// read and before they are checked (command-line flags).
	Override func(*store.Settings)

	// Dial replaces the guarded dialer: the demo reaches its .test hosts on
	// loopback with it. nil = dial the address, private addresses refused.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Report   view.Reporter // told of every committed page and notice; nil = nobody
	Progress func(string)  // told in a few words what opening is busy with; nil = nobody
	Now      func() time.Time
}

// Engine is an open workspace at work, in the hands of one person (see As). Its
// methods are safe for concurrent use; those that change what the analyst
// decided are serialised.
type Engine struct {
	*engine
	by  string // who acts, for the log
	far bool   // from another machine
}

// As returns the same engine in the hands of another person: what is done
// through it is logged under that name. Closing either closes both.
func (e *Engine) As(name string) *Engine { return &Engine{e.engine, name, e.far} }

// AsFar is As for a person at another machine, whom the network of this one must
// not be opened to: see AddSeeds.
func (e *Engine) AsFar(name string) *Engine { return &Engine{e.engine, name, true} }

// engine is what everyone who works on a workspace shares.
type engine struct {
	ws       *store.Workspace
	opt      Options
	now      func() time.Time
	dict     atomic.Pointer[dict.Dict] // replaced when the analyst adds words
	lex      *dict.Lexicon
	index    *topic.Index
	fetcher  *fetch.Fetcher
	resolver *urls.Resolver
	hosts    hostTable
	anchors  anchorScores
	sources  sources
	hub      view.Hub
	log      view.EventLog
	present  view.Presence
	meters   meters

	judge  atomic.Pointer[judge]       // the topic as it stands
	filter atomic.Pointer[urls.Filter] // scope and filters; replaced when they change
	scope  atomic.Pointer[urls.Scope]  // of filter
	steer  atomic.Pointer[[]SteerRule] // the rules over the frontier

	settings atomic.Pointer[store.Settings] // a copy of set, for those who do not hold desk

	topicPrint atomic.Uint64 // names what the topic is made of, over processes

	desk       sync.Mutex // one analyst's action at a time; guards what follows
	set        store.Settings
	cfg        topic.Config
	samples    []sample
	anti       []sample
	labels     map[uint64]topic.Label
	learned    *topic.Judge // learned from labels; nil without a yes
	useLearner bool
	accepted   []string // words accepted as terms, sorted
	stopped    []string // words that say nothing, sorted
	deskRev    uint64   // changes with every action

	runMu   sync.Mutex // guards run, lastEr and lastEnd
	run     *run
	lastEr  string // error of the last run
	lastEnd string // why it ended

	retry      atomic.Pointer[Retry] // what the schedule could not do; nil = nothing
	captured   fetchOrder
	prints     prints
	job        job
	ranking    ranking
	linked     atomic.Int64 // pages stored with their links
	visits     atomic.Int64 // known pages visited again; moves what is shown of them
	recounting sync.Mutex   // one recount at a time
	shown      shown        // what the publisher computed last

	ctx  context.Context
	stop context.CancelFunc
	bg   sync.WaitGroup
}

// judge is everything a worker needs to judge a page and its links: immutable,
// swapped as a whole.
type judge struct {
	model    *topic.Model // nil without samples
	learner  *topic.Judge // decides instead of θ; nil = the rule decides
	urls     urlJudge
	patterns *regexp.Regexp // notice patterns; nil = every record is a notice
}

// rememberedLinks bounds the memory of completed links, some 200 bytes each: a
// site's navigation is the same on every page.
const rememberedLinks = 1 << 15

// Open opens the workspace in dir. It returns before the dictionary is loaded;
// actions that need words wait for it. The caller must Close the engine.
func Open(ctx context.Context, dir string, opt Options) (*Engine, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.By == "" {
		opt.By = firstOf(os.Getenv("USER"), os.Getenv("LOGNAME"), "analyst")
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	if opt.Report == nil {
		opt.Report = view.Silent{}
	}
	opt.Progress("opening " + dir)
	ws, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	e := &Engine{engine: &engine{ws: ws, opt: opt, now: opt.Now, log: view.EventLog{Now: opt.Now}, resolver: urls.NewResolver(nil, rememberedLinks), index: topic.NewIndex(), ranking: ranking{turn: make(chan struct{}, 1)}}, by: opt.By}
	e.ctx, e.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := e.open(ctx); err != nil {
		e.stop()
		return nil, errors.Join(err, ws.Close())
	}
	e.bg.Go(e.publishLoop)
	return e, nil
}

func (e *Engine) open(ctx context.Context) error {
	e.set = e.ws.Settings()
	if e.opt.Override != nil {
		e.opt.Override(&e.set)
	}
	if err := e.checkSettings(&e.set); err != nil {
		return err
	}
	if err := e.rescope(); err != nil {
		return err
	}
	var err error
	e.fetcher, err = fetch.New(fetch.Config{
		UserAgent: e.set.Crawl.UserAgent, Proxy: e.set.Crawl.Proxy, Timeout: time.Duration(e.set.Crawl.Timeout),
		MaxBody: e.set.Crawl.MaxBodyMB << 20, Dial: e.opt.Dial, AllowPrivate: e.set.Crawl.AllowPrivate, SeedHosts: seedHosts(&e.set),
		IgnoreRobots: e.set.Crawl.IgnoreRobots, Now: e.now,
	})
	if err != nil {
		return err
	}
	words, err := e.ws.Words()
	if err != nil {
		return err
	}
	e.lex = dict.NewLexicon(words)
	e.ws.UseLexicon(e.lex)
	if err := e.loadIndex(ctx, len(words)); err != nil {
		return err
	}
	return e.loadDesk()
}

// loadIndex reads the term vectors of every stored page.
func (e *Engine) loadIndex(ctx context.Context, words int) error {
	n := 0
	type fetched struct {
		id uint64
		at int64
	}
	var order []fetched
	for row, err := range e.ws.Counted() {
		if err != nil {
			return err
		}
		if n++; n%10_000 == 0 {
			e.opt.Progress(fmt.Sprintf("reading %d pages", n))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if len(row.Terms) == 0 {
			continue // a redirect
		}
		doc, print, err := decodeDoc(row.Terms, words)
		if err != nil {
			return fmt.Errorf("page %d: %w", row.ID, err)
		}
		doc.URL, doc.Beta = row.URL, row.Beta
		e.prints.set(row.ID, print)
		e.index.Add(row.ID, doc)
		order = append(order, fetched{row.ID, row.Fetched.UnixMilli()})
	}
	slices.SortStableFunc(order, func(a, b fetched) int { return cmp.Compare(a.at, b.at) })
	for _, f := range order {
		e.captured.add(f.id)
	}
	return nil
}

// rescope takes up changed settings: what workers read, the scope and the
// filters.
func (e *Engine) rescope() error {
	scope, err := scopeOf(&e.set)
	if err != nil {
		return err
	}
	set := e.set.Clone()
	e.settings.Store(&set)
	e.scope.Store(scope)
	if e.fetcher != nil {
		e.fetcher.SetSeedHosts(seedHosts(&e.set))
	}
	e.filter.Store(urls.NewFilter(scope, urls.Limits{Now: e.now}))
	return nil
}

func scopeOf(set *store.Settings) (*urls.Scope, error) {
	scope, err := urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude)
	if err != nil {
		return nil, fmt.Errorf("angler.toml: scope: %w", err)
	}
	return scope, nil
}

// Close stops a run, waits for its pages to be stored, and closes the
// workspace.
func (e *Engine) Close() error {
	e.stop() // first: nobody stops the run now but the end of everything
	e.Stop()
	e.runMu.Lock()
	r := e.run
	e.runMu.Unlock()
	if r != nil {
		<-r.done
	}
	e.bg.Wait()
	// What hosts repeat can be learned again; a full disk must not turn a
	// command that only read into a failure.
	_ = e.hosts.save(e.ws)
	return e.ws.Close()
}

// Workspace gives read access to what is stored.
func (e *Engine) Workspace() *store.Workspace { return e.ws }

// Settings returns the settings in force, overrides included. Its lists are
// shared: do not write to them.
func (e *Engine) Settings() store.Settings {
	return *e.settings.Load()
}

// Words waits until the dictionary is loaded and counts the stored pages anew
// if they were counted by another one.
func (e *Engine) Words(ctx context.Context) error {
	if err := e.dict.Load().Wait(ctx); err != nil {
		return err
	}
	if err := e.Recount(ctx); err != nil {
		return err
	}
	return e.settle()
}

// Subscribe returns a channel of snapshots, newest wins, and a function that
// ends the subscription.
func (e *Engine) Subscribe() (<-chan *view.Snapshot, func()) { return e.hub.Subscribe() }

// Snapshot returns the newest snapshot; never nil.
func (e *Engine) Snapshot() *view.Snapshot {
	if s := e.hub.Newest(); s != nil {
		return s
	}
	return e.snap()
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

package crawl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/urls"
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

	Report   Reporter     // told of every committed page and notice; nil = nobody
	Progress func(string) // told in a few words what opening is busy with; nil = nobody
	Now      func() time.Time
}

// Engine is an open workspace at work. Its methods are safe for concurrent
// use; those that change what the analyst decided are serialised.
type Engine struct {
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
	hub      hub
	log      eventLog

	judge  atomic.Pointer[judge]       // the topic as it stands
	filter atomic.Pointer[urls.Filter] // scope and filters; replaced when seeds are added

	desk       sync.Mutex // one analyst's action at a time; guards what follows
	set        store.Settings
	cfg        topic.Config
	samples    []sample
	labels     map[uint64]topic.Label
	learned    *topic.Judge // learned from labels; nil without a yes
	useLearner bool
	accepted   []string // words accepted as terms, sorted
	stopped    []string // words that say nothing, sorted
	deskRev    uint64   // changes with every action

	runMu  sync.Mutex // guards run and lastEr
	run    *run
	lastEr string

	captured   fetchOrder
	prints     prints
	job        job
	recounting sync.Mutex // one recount at a time
	shown      shown      // what the publisher computed last

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
		opt.Report = silent{}
	}
	opt.Progress("opening " + dir)
	ws, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	e := &Engine{ws: ws, opt: opt, now: opt.Now, resolver: urls.NewResolver(nil, 0), index: topic.NewIndex()}
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
	if err := e.set.Validate(); err != nil {
		return err
	}
	if err := e.rescope(); err != nil {
		return err
	}
	var err error
	e.fetcher, err = fetch.New(fetch.Config{
		UserAgent: e.set.Crawl.UserAgent, Proxy: e.set.Crawl.Proxy, Timeout: time.Duration(e.set.Crawl.Timeout),
		MaxBody: e.set.Crawl.MaxBodyMB << 20, Dial: e.opt.Dial, AllowPrivate: e.set.Crawl.AllowPrivate,
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
		e.captured.add(row.ID)
	}
	return nil
}

// rescope builds the scope and the filters from the settings.
func (e *Engine) rescope() error {
	scope, err := urls.NewScope(e.set.Scope.Kind, e.set.Seeds, e.set.Scope.Include, e.set.Scope.Exclude)
	if err != nil {
		return fmt.Errorf("angler.toml: scope: %w", err)
	}
	e.filter.Store(urls.NewFilter(scope, urls.Limits{Now: e.now}))
	return nil
}

// Close stops a run, waits for its pages to be stored, and closes the
// workspace.
func (e *Engine) Close() error {
	e.Stop()
	e.stop()
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

// Settings returns the settings in force, overrides included.
func (e *Engine) Settings() store.Settings {
	e.desk.Lock()
	defer e.desk.Unlock()
	return e.set
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
func (e *Engine) Subscribe() (<-chan *Snapshot, func()) { return e.hub.subscribe() }

// Snapshot returns the newest snapshot; never nil.
func (e *Engine) Snapshot() *Snapshot {
	if s := e.hub.snapshot(); s != nil {
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

// CheckSeeds makes the seeds of new settings canonical and reports the first
// thing that would keep a discovery from starting.
func CheckSeeds(set *store.Settings) error {
	if len(set.Seeds) == 0 {
		return errors.New("no seeds; give at least one with --seed URL or --seeds FILE")
	}
	for i, s := range set.Seeds {
		if !strings.Contains(s, "://") {
			s = "http://" + s
		}
		c, err := urls.Canonical(s)
		if err != nil {
			return fmt.Errorf("seed %q is no http address (%v); write http://HOST/", set.Seeds[i], err)
		}
		set.Seeds[i] = c
	}
	if _, err := urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude); err != nil {
		return err
	}
	return nil
}

package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/jobs"
	"angler/crawl/lab"
	"angler/crawl/priority"
	"angler/crawl/query"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/schedule"
	"angler/crawl/settings"
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

	Report   view.Reporter // told of every stored page and notice; nil = nobody
	Progress func(string)  // told in a few words what opening is busy with; nil = nobody
	Now      func() time.Time
}

// Engine is an open workspace that acts for one person (see As). Each part is
// for one kind of action; all are safe for concurrent use.
type Engine struct {
	Runs     *Runs              // start, pause and stop what fetches
	Settings *settings.Hand     // what angler.toml says
	Topic    *decisions.Topic   // samples, words, weights, threshold, rules
	Labels   *Labels            // labels and the judge
	Pages    *query.Query       // stored pages, notices, exports
	Lab      *lab.Lab           // link orders compared on the stored crawl
	Schedule *schedule.Schedule // rounds

	*core
	by     string // who acts, for the log
	remote bool   // at another machine
}

// core is what all Engines of one open workspace share.
type core struct {
	ws        *store.Workspace
	opt       Options
	settings  *settings.Live
	reader    *reader.Reader
	decisions *decisions.Decisions
	fetcher   *fetch.Fetcher
	links     *priority.Links
	query     *query.Query
	lab       *lab.Lab
	schedule  *schedule.Schedule
	runner    *runner
	publisher *publisher
	events    view.EventLog
	jobs      jobs.Jobs
	present   view.Presence
	metrics   run.Metrics
	captured  priority.Captured
	sources   priority.Sources

	ctx  context.Context
	stop context.CancelFunc
	bg   sync.WaitGroup
}

// As returns the same engine acting for another person: what is done through it
// is logged under that name. Closing either closes both.
func (e *Engine) As(name string) *Engine { return e.core.as(name, e.remote) }

// AsRemote is As for a person at another machine. What they name as seeds must
// not open the network of this machine to them, see settings.Hand.AddSeeds.
func (e *Engine) AsRemote(name string) *Engine { return e.core.as(name, true) }

func (c *core) as(name string, remote bool) *Engine {
	t := c.decisions.TopicOf(name)
	return &Engine{core: c, by: name, remote: remote,
		Runs: &Runs{c, t, name}, Settings: c.settings.HandOf(name, remote), Topic: t,
		Labels: &Labels{c.decisions.LabelsOf(name), c.query}, Pages: c.query, Lab: c.lab, Schedule: c.schedule}
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
	opt.By = cmp.Or(opt.By, os.Getenv("USER"), os.Getenv("LOGNAME"), "analyst")
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
	c := &core{ws: ws, opt: opt, events: view.EventLog{Now: opt.Now}}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := c.open(ctx); err != nil {
		c.stop()
		c.bg.Wait()
		return nil, errors.Join(err, ws.Close())
	}
	c.bg.Go(c.publisher.loop)
	c.bg.Go(c.keepModel)
	return c.as(opt.By, false), nil
}

// open makes the parts of the engine, each after those that it uses.
func (c *core) open(ctx context.Context) error {
	resolver := urls.NewResolver(nil, rememberedLinks)
	var err error
	c.settings, err = settings.Open(settings.Config{Store: c.ws, Resolver: resolver, Events: &c.events, Override: c.opt.Override, Now: c.opt.Now})
	if err != nil {
		return err
	}
	if err := c.openFetcher(); err != nil {
		return err
	}
	words, err := c.ws.Words()
	if err != nil {
		return err
	}
	lexicon := dict.NewLexicon(words)
	c.ws.UseLexicon(lexicon)
	c.reader = reader.New(reader.Config{Store: c.ws, Lexicon: lexicon, Resolver: resolver, Now: c.opt.Now, MaxBody: c.settings.MaxBody})
	c.decisions = decisions.New(decisions.Config{Store: c.ws, Topic: store.FirstTopic, Reader: c.reader, Index: topic.NewIndex(), Fetch: c.fetcher,
		Jobs: &c.jobs, Events: &c.events, Settings: c.settings.Now, Now: c.opt.Now, Context: c.ctx, Go: c.bg.Go, Changed: c.decided})
	if err := c.loadPages(ctx, len(words)); err != nil {
		return err
	}
	if err := c.decisions.Load(); err != nil {
		return err
	}
	c.links = priority.NewLinks(c.reader)
	c.runner = &runner{core: c}
	c.query = query.New(query.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Robots: c.fetcher, Filter: c.settings.Filter(),
		Jobs: &c.jobs, Settings: c.settings.Now, Order: c.linkOrder, Now: c.opt.Now})
	c.lab = lab.New(lab.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Links: c.links, Jobs: &c.jobs,
		Settings: c.settings.Now, Scope: c.settings.Scope, Now: c.opt.Now})
	c.publisher = &publisher{core: c}
	c.schedule = schedule.New(schedule.Config{Runner: c.runner, Store: c.ws, Aggregations: c.decisions.Aggregations, Settings: c.settings.Now,
		Events: &c.events, Changed: c.publisher.publish, Now: c.opt.Now})
	c.settings.Hooks = settings.Hooks{Changed: c.resettled, Seeded: c.runner.enter}
	return nil
}

func (c *core) openFetcher() (err error) {
	set := c.settings.Now()
	c.fetcher, err = fetch.New(fetch.Config{
		UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy, Timeout: time.Duration(set.Crawl.Timeout),
		MaxBody: set.Crawl.MaxBodyMB << 20, Dial: c.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate, SeedHosts: settings.SeedHosts(set),
		IgnoreRobots: set.Crawl.IgnoreRobots, Now: c.opt.Now,
	})
	return err
}

// loadPages reads the words of every stored page.
func (c *core) loadPages(ctx context.Context, words int) error {
	n := 0
	type fetched struct {
		id uint64
		at int64
	}
	var order []fetched
	for row, err := range c.ws.Counted() {
		if err != nil {
			return err
		}
		if n++; n%10_000 == 0 {
			c.opt.Progress(fmt.Sprintf("reading %d pages", n))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if len(row.Terms) == 0 {
			continue // a redirect
		}
		doc, fingerprint, err := reader.DecodeDoc(row.Terms, words)
		if err != nil {
			return fmt.Errorf("page %d: %w", row.ID, err)
		}
		doc.URL, doc.Beta = row.URL, row.Beta
		c.decisions.Counted(row.ID, doc, fingerprint)
		order = append(order, fetched{row.ID, row.Fetched.UnixMilli()})
	}
	slices.SortStableFunc(order, func(a, b fetched) int { return cmp.Compare(a.at, b.at) })
	for _, f := range order {
		c.captured.Add(f.id)
	}
	return nil
}

// Close stops a run, waits for its pages to be stored, ends what goes on in the
// background, and closes connections and workspace.
func (c *core) Close() error {
	c.stop() // first: nobody stops the run now but the end of everything
	c.runner.close()
	c.bg.Wait()
	// What hosts repeat can be learned again; a full disk must not turn a
	// command that only read into a failure.
	_ = c.reader.Save()
	c.fetcher.Close()
	return c.ws.Close()
}

// Workspace gives read access to what is stored.
func (c *core) Workspace() *store.Workspace { return c.ws }

// Set returns the settings in force, overrides included. They are shared: do not
// write to them.
func (c *core) Set() *store.Settings { return c.settings.Now() }

// Words waits until the dictionary is loaded, counts the stored pages again if
// they were counted by another one, and rebuilds the model over them.
func (c *core) Words(ctx context.Context) error { return c.decisions.Words(ctx) }

// Subscribe returns a channel of snapshots, newest wins, and a function that
// ends the subscription.
func (c *core) Subscribe() (<-chan *view.Snapshot, func()) { return c.publisher.hub.Subscribe() }

// Snapshot returns the newest snapshot; never nil.
func (c *core) Snapshot() *view.Snapshot {
	if s := c.publisher.hub.Newest(); s != nil {
		return s
	}
	return c.publisher.snapshot()
}

// Attend enters the person for whom the engine acts into the list of viewers
// that every snapshot carries, until leave is called.
func (e *Engine) Attend(role string) (leave func()) {
	end := e.present.Enter(view.Viewer{Name: e.by, Role: role, Since: e.opt.Now()})
	e.publisher.publish()
	return sync.OnceFunc(func() {
		end()
		e.publisher.publish()
	})
}

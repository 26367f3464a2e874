package crawl

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/schedule"
	"angler/crawl/settings"
	"angler/crawl/setup"
	"angler/crawl/view"
	"angler/crawl/vocabulary"
	"angler/store"
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

	// Reading says that the caller only reads: a workspace that cannot be written
	// is opened all the same, see store.OpenToRead.
	Reading bool

	Report   view.Reporter // told of every stored page and notice; nil = nobody
	Progress func(string)  // told in a few words what opening is busy with; nil = nobody
	Now      func() time.Time

	// AfterFunc is the timer that belongs to Now, for runs that are simulated; see
	// run.Config. nil = time.AfterFunc.
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Engine is an open workspace that acts for one person (see As). Each part is
// for one kind of action; all are safe for concurrent use.
type Engine struct {
	Runs     *Runs              // start, pause and stop what fetches
	Settings *settings.Hand     // what angler.toml says
	Topic    *decisions.Topic   // samples, words, weights, threshold, rules
	Terms    *vocabulary.Hand   // domain terms: found, proposed, accepted
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
	*rooms
	runner    *runner
	publisher *publisher
	query     *query.Query
	terms     *vocabulary.Vocabulary
	lab       *lab.Lab
	schedule  *schedule.Schedule
	backups   backups
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
		Runs: &Runs{c, t, name}, Settings: c.settings.HandOf(name, remote), Topic: t, Terms: c.terms.HandOf(t),
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
	if opt.AfterFunc == nil {
		opt.AfterFunc = func(d time.Duration, fn func()) func() bool { return time.AfterFunc(d, fn).Stop }
	}
	opt.By = cmp.Or(opt.By, os.Getenv("USER"), os.Getenv("LOGNAME"), "analyst")
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	if opt.Report == nil {
		opt.Report = view.Silent{}
	}
	opt.Progress("opening " + dir)
	open := store.Open
	if opt.Reading {
		open = store.OpenToRead
	}
	ws, err := open(dir)
	if err != nil {
		return nil, err
	}
	c := &core{rooms: &rooms{ws: ws, opt: opt, events: view.EventLog{Now: opt.Now}}}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := c.open(ctx); err != nil {
		c.stop()
		c.bg.Wait()
		return nil, errors.Join(err, ws.Close())
	}
	c.publisher.beat.hit()
	c.bg.Go(c.publisher.loop)
	c.bg.Go(c.keepModel)
	return c.as(opt.By, false), nil
}

// open makes the parts of the engine, each after those that it uses.
func (c *core) open(ctx context.Context) error {
	if err := c.rooms.open(ctx, c.decided); err != nil {
		return err
	}
	c.runner = &runner{rooms: c.rooms}
	c.query = query.New(query.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Robots: c.fetcher, Filter: c.settings.Filter(),
		Jobs: &c.jobs, Settings: c.settings.Now, Order: c.runner.linkOrder, Now: c.opt.Now})
	c.terms = vocabulary.Open(vocabulary.Config{Store: c.ws, Topic: store.FirstTopic, Reader: c.reader, Decisions: c.decisions, Jobs: &c.jobs,
		Events: &c.events, Settings: c.settings.Now, Now: c.opt.Now, Context: c.ctx, Go: c.bg.Go,
		Task: c.runner.task, WaitIdle: c.runner.WaitIdle, Changed: func() { c.publisher.publish() }})
	c.runner.harvested = c.terms.Harvested
	c.lab = lab.New(lab.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Links: c.links, Jobs: &c.jobs,
		Settings: c.settings.Now, Scope: c.settings.Scope, Now: c.opt.Now})
	c.publisher = &publisher{rooms: c.rooms, run: c.runner.current, last: c.runner.last.Load, terms: c.terms.News}
	c.schedule = schedule.New(schedule.Config{Runner: c.runner, Store: c.ws, Aggregations: c.decisions.Aggregations, Settings: c.settings.Now,
		Events: &c.events, Changed: c.publisher.publish, Now: c.opt.Now})
	c.publisher.retry, c.publisher.open = c.schedule.Retry, c.schedule.Unfinished
	c.publisher.next = c.schedule.Next
	c.runner.listener = hearing{c.publisher, c.query, c.opt.Report}
	c.settings.Hooks = settings.Hooks{Changed: c.resettled, Seeded: c.runner.enter}
	return nil
}

// Close stops a run, waits for its pages to be stored, ends what goes on in the
// background, and closes connections and workspace.
func (c *core) Close() error {
	c.stop() // first: nobody stops the run now but the end of everything
	c.runner.close()
	c.bg.Wait()
	c.fetcher.Close()
	held := c.ws.Counts()
	err := c.ws.Close()
	if !store.ReadOnly(c.ws) {
		setup.Leave(c.ws.Dir(), held.Pages, held.Notices)
	}
	return err
}

// Workspace gives read access to what is stored.
func (c *core) Workspace() *store.Workspace { return c.ws }

// Reload takes up what somebody has changed in angler.toml, see
// settings.Live.Reload.
func (c *core) Reload() ([]string, error) { return c.settings.Reload() }

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

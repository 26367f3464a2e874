package crawl

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"angler/crawl/alerts"
	"angler/crawl/archive"
	"angler/crawl/assistant"
	"angler/crawl/attachments"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/inbox"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/recipe"
	"angler/crawl/run"
	"angler/crawl/schedule"
	"angler/crawl/search"
	"angler/crawl/seeds"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/modes"
	"angler/store/records"
)

// Options configures an engine. The zero value opens a workspace with its own settings.
type Options struct {
	By string // person for the log; "" = the OS user

	// Override changes the settings for this process only, after reading and before the check (command-line flags).
	Override func(*config.Settings)

	// Dial replaces the guarded dialer; the demo reaches its .test hosts on loopback with it. nil means dial the
	// address, but refuse private ones.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Reading opens the workspace for reading only. It works for a workspace that is not writable, or that another
	// process has open, see store.OpenBeside.
	Reading bool

	// Copy makes a Reading engine read a copy, so that other processes can open the workspace meanwhile, see
	// store.OpenCopy.
	Copy bool

	// Tell sends the alerts of [[notify]] until the engine is closed.
	Tell bool

	// Search gives a Reading engine the search index, which others have anyway. It is complete when SearchReady
	// returns.
	Search bool

	// Lists reads many notices for the inbox in the background after opening. Otherwise the first question reads them.
	Lists bool

	Report   query.Reporter // receives every stored page and notice; nil = none
	Progress func(string)   // receives the steps of opening; nil = none
	Now      func() time.Time

	// AfterFunc is the timer for Now, for simulated runs; see run.Config. nil means time.AfterFunc.
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Engine is an open workspace for one person (see As). Each part serves one kind of action. All parts are safe for
// concurrent use.
type Engine struct {
	Runs     *Runs                       // start, pause and stop runs
	Settings *settings.Editor            // settings of angler.toml
	Topic    *decisions.Topic            // samples, words, weights, threshold, labels, rules
	Terms    *decisions.VocabularyEditor // domain terms: found, proposed, accepted
	Labels   *Labels                     // labels and the judge
	Pages    *Pages                      // stored pages, notices, exports
	Inbox    *inbox.Session              // notices as read by a person, with related ones
	Lab      *Lab                        // comparison of link orders on the stored crawl
	Archive  *Archive                    // import and export of web archives
	Schedule *schedule.Schedule          // scheduled runs
	Survey   *query.Survey               // frontier, branches and failures
	Notify   *alerts.Notifier            // alerts
	Lists    *Lists                      // faulty aggregation pages
	Facts    *facts.Editor               // field values of notices
	Files    *Documents                  // attachments of notices
	Machines *Machines                   // workers on other machines
	Recipes  *recipe.RecipeEditor        // recipes of lists
	Seeds    *seeds.SeedEditor           // proposed seeds

	auth.Actor // the person
	*core
}

// core is the part that all Engines of one workspace share.
type core struct {
	*parts
	runner     *runner
	publisher  *publisher
	query      *query.Query
	inbox      *inbox.Inbox
	survey     *query.Survey
	facts      *facts.Extractor
	files      *attachments.Documents
	search     *search.Search
	terms      *decisions.Vocabulary
	suggest    *seeds.Suggest
	notify     *alerts.Notifier
	assistant  *assistant.Assistant
	health     *query.ListHealth
	lists      listWatch
	lab        *lab.Lab
	archive    *archive.Archive
	schedule   *schedule.Schedule
	backups    backups
	machines   *machines
	delayCheck view.Signal // rules changed, or a delay may have ended
	regroup    view.Signal // groups of notices may have changed
	hurry      view.Signal // a caller waits for verified
	verified   chan struct{}

	preparing sync.Once
	prepared  chan struct{} // closed after prepareNotices
	closeOnce func() error
}

// As returns the same engine for another person. It logs actions under the actor's name and refuses forbidden ones.
// Closing either closes both.
func (e *Engine) As(actor auth.Actor) *Engine { return e.as(actor) }

func (c *core) as(actor auth.Actor) *Engine {
	t := c.decisions.TopicOf(actor)
	return &Engine{core: c, Actor: actor,
		Runs: &Runs{t, c}, Settings: c.settings.EditorOf(actor), Topic: t,
		Terms: &decisions.VocabularyEditor{Vocabulary: c.terms, Topic: t}, Labels: &Labels{t, c.query},
		Pages: &Pages{actor, c.query}, Inbox: c.inbox.SessionOf(actor), Lab: &Lab{actor, c.lab},
		Archive: &Archive{actor, c.archive}, Schedule: c.schedule, Survey: c.survey,
		Facts: c.facts.EditorOf(actor), Files: &Documents{actor, c.files}, Recipes: c.recipes.EditorOf(actor),
		Seeds: c.suggest.EditorOf(t), Machines: &Machines{c.machines, t}, Notify: c.notify,
		Lists: &Lists{c.decisions.EditorOf(actor), c.health, c.notify}}
}

// rememberedLinks is the number of cached links, about 200 bytes each: a site's navigation repeats on every page.
const rememberedLinks = 1 << 15

// Open opens the workspace in dir. It returns before the dictionary is loaded; actions that need words wait for it.
// The caller must Close the engine.
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
		opt.Report = query.Silent{}
	}
	opt.Progress("opening " + dir)
	open := store.Open
	switch {
	case opt.Reading && opt.Copy:
		open = func(dir string) (*store.Workspace, error) { return store.OpenCopy(ctx, dir) }
	case opt.Reading:
		open = func(dir string) (*store.Workspace, error) { return store.OpenBeside(ctx, dir) }
	}
	ws, err := open(dir)
	if err != nil {
		return nil, err
	}
	c := &core{parts: &parts{ws: ws, opt: opt, events: view.EventLog{Now: opt.Now}, changed: view.NewSignal()},
		backups: backups{begun: view.NewSignal()},
		lists:   listWatch{asked: view.NewSignal()}, delayCheck: view.NewSignal(), regroup: view.NewSignal(),
		hurry: view.NewSignal(), verified: make(chan struct{}), prepared: make(chan struct{})}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	c.closeOnce = sync.OnceValue(c.close)
	if err := c.open(ctx); err != nil {
		c.stop()
		c.jobs.Wait()
		return nil, errors.Join(err, ws.Close())
	}
	c.publisher.beat.hit()
	c.jobs.Go(c.publisher.loop)
	c.jobs.Go(c.keepModel)
	if !opt.Reading && !store.ReadOnly(ws) {
		c.jobs.Go(c.keepBackups)
		c.jobs.Go(c.takeProposals)
	}
	c.jobs.Go(c.watchDelays)
	c.facts.Start(c.publisher.loaded) // after loaded, because it reads all notices and screens wait for lists
	switch {
	case c.readAll:
		close(c.verified)
		checkpointSoon(c)
	case opt.Reading: // opening has verified them
		close(c.verified)
	default:
		c.jobs.Go(func() { verify(c) })
	}
	c.jobs.Go(c.suggest.Load)
	if opt.Lists {
		c.jobs.Go(c.readNotices)
	}
	c.jobs.Go(func() { c.hostAuth.Look(ws, c.settings.Now().Seeds) })
	if opt.Tell && !store.ReadOnly(ws) {
		c.jobs.Go(func() { c.notify.Loop(c.ctx) })
		c.jobs.Go(c.watchLists)
		c.jobs.Go(c.watchDue)
		c.jobs.Go(func() {
			<-c.publisher.loaded // it reads all notices, and screens wait for lists
			c.assistant.Loop(c.ctx)
		})
	}
	if !opt.Reading || opt.Search {
		c.jobs.Go(func() { c.search.Keep(c.ctx) })
	}
	return c.as(auth.Actor{Name: opt.By, Role: auth.Owner}), nil
}

// open creates the parts of the engine, each after its dependencies.
func (c *core) open(ctx context.Context) error {
	err := c.parts.open(ctx, c.decided)
	if err != nil {
		return err
	}
	c.machines = &machines{c: c}
	c.publisher = &publisher{core: c, loaded: make(chan struct{}), grown: view.NewSignal()}
	c.runner = &runner{parts: c.parts, machines: c.machines, listener: runListener{c.publisher}}
	c.recipes = recipe.NewRecipes(recipe.RecipesConfig{Store: c.ws, Fetch: c.fetcher, Limiter: c.limiter,
		Settings: c.settings.Now, Events: &c.events,
		Decisions: c.decisions, Now: c.opt.Now})
	c.runner.replies, c.runner.read = append(c.runner.replies, c.recipes), c.recipes.Reads
	c.files = attachments.New(attachments.Config{Store: c.ws, Settings: c.settings.Now, Jobs: &c.jobs,
		Events:  &c.events,
		Fetcher: c.fetcherFor, Limiter: c.limiter, HostAuth: c.hostAuth,
		Select: func(ctx context.Context, filter string, f func(*store.Notice) error) error {
			return c.inbox.SessionOf(auth.Actor{Name: c.opt.By}).Select(ctx, nil, filter, f)
		}, Cache: cacheFolder("pdfium"), Now: c.opt.Now})
	c.facts = facts.New(facts.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions,
		Jobs: &c.jobs, Events: &c.events,
		Settings: c.settings, Documents: c.files, Now: c.opt.Now})
	c.files.Listen(c.facts.Again)
	if err := c.openRendering(); err != nil {
		return err
	}
	c.search = search.New(search.Config{Store: c.ws, Dict: c.reader.Dict, Jobs: &c.jobs,
		Note: c.events.Note, Soon: c.opt.Search,
		Grown: c.reloadLists, Documents: c.files.Texts, Values: c.facts.Each,
		Free: func(dir string) (int64, bool) { free, _, ok := modes.Disk(dir); return free, ok }})
	c.inbox = inbox.New(inbox.Config{Store: c.ws, Decisions: c.decisions, Settings: c.settings,
		Facts: c.facts, Find: c.search, Answer: func(h *inbox.NoticeHead) (*records.Answer, bool) { return c.assistant.Of(h) },
		Renewed: func() { c.regroup.Ring(); c.reloadLists() }, Now: c.opt.Now})
	questions := query.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Settings: c.settings,
		Fetcher: c.fetcher, Jobs: &c.jobs, Events: &c.events, History: c.history,
		Facts: c.facts, Documents: c.files, Inbox: c.inbox, Recipes: c.recipes, Order: c.runner.linkOrder,
		Now: c.opt.Now}
	c.query = &query.Query{Config: questions}
	c.survey, c.health = query.NewSurvey(questions), query.NewListHealth(questions)
	c.files.Listen(c.attachmentsChanged)
	c.facts.Listen(c.factsRead)
	c.terms = decisions.OpenVocabulary(c.decisions)
	c.runner.harvested = func(s run.Summary) {
		c.terms.Harvested()
		if !s.Stored {
			c.files.Harvested()
		}
	}
	c.suggest = seeds.NewSuggest(seeds.SuggestConfig{Store: c.ws, Reader: c.reader, Decisions: c.decisions,
		Jobs: &c.jobs, Events: &c.events, Settings: c.settings.Now,
		Scope: c.settings.Scope, Fetcher: c.fetcher, Limiter: c.limiter, Fetching: c.seedFetcher,
		Plant: c.settings.Plant, Now: c.opt.Now})
	c.openAlerts()
	c.assistant, err = assistant.New(assistant.Config{Store: c.ws, Settings: c.settings.Now, Inbox: c.inbox, Facts: c.facts,
		Jobs: &c.jobs, Events: &c.events, Changed: func() { c.notify.Noticed(); c.reloadLists() }, Getenv: os.Getenv,
		Now: c.opt.Now, AfterFunc: c.opt.AfterFunc})
	if err != nil {
		return err
	}
	c.lab = lab.New(lab.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Links: c.links, Jobs: &c.jobs,
		Settings: c.settings, Now: c.opt.Now})
	c.archive = archive.New(archive.Config{Store: c.ws, Reader: c.reader, Decisions: c.decisions, Links: c.links,
		Files: c.files, Jobs: &c.jobs, Events: &c.events,
		Settings: c.settings, Now: c.opt.Now, Captured: &c.captured, Inbox: c.inbox, Listener: c.runner.listener,
		Harvest: func(ctx context.Context) (run.Summary, error) {
			return c.runner.harvest(ctx, archive.By, run.Options{Stored: true})
		}})
	c.runner.begun = c.backups.begun.Ring
	c.runner.ended = func() {
		c.hostAuth.Look(c.ws, c.settings.Now().Seeds)
		c.retain()
		c.lists.asked.Ring()
		checkpointSoon(c)
	}
	c.schedule = schedule.New(schedule.Config{Runner: c.runner, Jobs: &c.jobs, Store: c.ws,
		Aggregations: c.decisions.Aggregations, Settings: c.settings.Now,
		Events: &c.events, Now: c.opt.Now})
	c.events.Publish = c.publisher.publish
	c.settings.Hooks = settings.Hooks{Changed: c.settingsChanged, Seeded: c.runner.enter,
		Filter: c.inbox.SessionOf(auth.Actor{}).CheckFilter}
	return nil
}

// manyNotices is the number of notices from which reading them for the inbox takes a noticeable time.
const manyNotices = 5000

// readNotices reads the heads and relations of many notices, so that the first question finds them.
func (c *core) readNotices() {
	<-c.publisher.loaded // it reads all notices, and screens wait for lists
	if c.ws.Counts().Notices < manyNotices {
		return
	}
	if c.facts.Idle(c.ctx) != nil { // relations are made of fields
		return
	}
	_ = c.NoticesReady(c.ctx) // a job shows its progress and its errors
}

// prepareNotices reads heads and relations once, in the background.
func (c *core) prepareNotices() {
	c.preparing.Do(func() {
		c.jobs.Go(func() {
			defer close(c.prepared)
			work, ctx := c.jobs.Background(c.ctx, "reading notices", 0)
			defer work.End()
			if err := c.inbox.Prepare(ctx); err != nil && ctx.Err() == nil {
				c.events.Note("error", "reading the notices for the inbox: %v; the first list reads them again", err)
			}
		})
	})
}

// NoticesReady waits until the notices are read after opening, and begins that if necessary. When ctx ends earlier
// the error is an *inbox.ReadingError.
func (c *core) NoticesReady(ctx context.Context) error {
	c.prepareNotices()
	select {
	case <-c.prepared:
		return nil
	default:
	}
	select {
	case <-c.prepared:
		return nil
	case <-ctx.Done():
		return c.inbox.Reading()
	}
}

// retain deletes expired rows after a run, in the background.
func (c *core) retain() {
	if set := c.settings.Now().Retention; !archive.RetentionEnabled(&set) || c.ctx.Err() != nil {
		return
	}
	c.jobs.Go(func() {
		if _, err := c.archive.Retain(c.ctx, false); err != nil && c.ctx.Err() == nil &&
			!errors.Is(err, context.Canceled) {
			c.events.Note("error", "deleting rows past their retention: %v", err)
		}
	})
}

// Close stops a run and waits until its pages are stored. It ends background work and closes connections and
// workspace. Further calls return the same error.
func (c *core) Close() error { return c.closeOnce() }

func (c *core) close() error {
	c.stop() // first: the run must see that everything ends
	c.runner.close()
	c.machines.closeOwner()
	c.jobs.Wait()
	c.closeRendering()
	c.fetcher.Close()
	err := errors.Join(c.files.Close(), c.jar.Close())
	c.checkpoint()
	held := c.ws.Counts()
	err = errors.Join(err, c.ws.Close())
	if !store.ReadOnly(c.ws) {
		seeds.RecordClosing(c.ws.Dir(), held.Pages, held.Notices)
	}
	return err
}

// Workspace returns the store for reading.
func (c *core) Workspace() *store.Workspace { return c.ws }

// Reload applies edits of angler.toml, see settings.Live.Reload.
func (c *core) Reload() ([]string, error) { return c.settings.Reload() }

// Set returns the present settings with overrides. They are shared: do not change them.
func (c *core) Set() *config.Settings { return c.settings.Now() }

// Words waits for the dictionary. It counts stored pages again if another dictionary counted them, and rebuilds the
// model.
func (c *core) Words(ctx context.Context) error { return c.decisions.Words(ctx) }

// SearchReady waits until the fields of all notices are read, so that kind:招标 is complete, and until the search
// index is ready. It returns the progress, at once if there is no index.
func (c *core) SearchReady(ctx context.Context) search.Progress {
	_ = c.facts.Idle(ctx) // it fails only with a context, like Ready
	return c.search.Ready(ctx)
}

// Subscribe returns a channel with the newest snapshots, and a function that ends the subscription.
func (c *core) Subscribe() (<-chan *view.Snapshot, func()) { return c.publisher.hub.Subscribe() }

// Snapshot returns the newest snapshot; never nil.
func (c *core) Snapshot() *view.Snapshot {
	if s := c.publisher.hub.Newest(); s != nil {
		return s
	}
	return c.publisher.snapshot()
}

// Crawling reports whether a run fetches pages: from its beginning on, when snapshots do not say so yet, and not while it
// is paused.
func (c *core) Crawling() bool { return c.jobs.Task() != "" && c.Snapshot().State != view.Paused }

// Attend adds the engine's person to the viewers in every snapshot, until leave is called.
func (e *Engine) Attend() (leave func()) {
	end := e.present.Enter(view.Viewer{Name: e.Name, Role: string(e.Role), Since: e.opt.Now()})
	e.publisher.publish()
	return sync.OnceFunc(func() {
		end()
		e.publisher.publish()
	})
}

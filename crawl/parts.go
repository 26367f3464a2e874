package crawl

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"angler/crawl/browser"
	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/hostauth"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/recipe"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/seeds"
	"angler/crawl/settings"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/store/records"
	"angler/store/secrets"
	"angler/topic"
)

// parts holds the parts of an open workspace that runs, publisher and queries use. They do not know each other.
type parts struct {
	ws         *store.Workspace
	opt        Options
	settings   *settings.Live
	fetcher    *fetch.Fetcher
	limiter    *fetch.HostLimiter
	jar        *secrets.CookieJar
	hostAuth   *hostauth.HostAuth
	others     *fetch.Fetcher // fetches requests of rendered pages to other hosts
	rendering  *browser.Rendering
	reader     *reader.Reader
	decisions  *decisions.Decisions
	links      *linkorder.Links
	lists      atomic.Int64 // aggregation pages in the newest snapshot
	events     view.EventLog
	jobs       jobs.Jobs
	present    view.Presence
	metrics    run.Metrics
	successes  lastSuccess
	watch      run.Watch
	visitParts run.VisitParts
	history    *run.History
	factsRev   atomic.Uint64 // changes when field values of notices were read or corrected
	captured   linkorder.CaptureOrder
	readAll    bool // opening has read every page
	sources    linkorder.LinkSources
	recipes    *recipe.Recipes

	changed view.Signal // rung after changes that a snapshot may show
	damage  string      // the damage reported last

	ctx  context.Context // ends with the engine
	stop context.CancelFunc
}

// open creates the parts, dependencies first. decided runs after every action.
func (r *parts) open(ctx context.Context, decided func(*decisions.Effects) error) error {
	r.watch.Now = r.opt.Now
	r.events.Changed, r.jobs.Changed, r.jobs.Context, r.ws.Committed = r.changed, r.changed, r.ctx, r.changed.Ring
	resolver := urls.NewResolver(rememberedLinks)
	r.metrics.Now = r.opt.Now
	var err error
	r.settings, err = settings.Open(settings.Config{Store: r.ws, Resolver: resolver, Events: &r.events,
		Override: r.opt.Override, Now: r.opt.Now})
	if err != nil {
		return err
	}
	if err := r.openHostAuth(); err != nil {
		return err
	}
	if err := r.openFetcher(); err != nil {
		return err
	}
	words, err := r.ws.Words()
	if err != nil {
		return err
	}
	lexicon := dict.NewLexicon(words)
	r.ws.UseLexicon(lexicon)
	r.reader = reader.New(reader.Config{Store: r.ws, Lexicon: lexicon, Resolver: resolver,
		Now: revisit.NotBehind(r.opt.Now), MaxBody: r.settings.MaxBody,
		Trace:  func(id uint64) []byte { return records.TraceOf(r.ws, records.HostTraces, id) },
		Tables: func(id uint64) []byte { return records.TraceOf(r.ws, records.TableTraces, id) }})
	r.decisions = decisions.New(decisions.Config{Store: r.ws, Topic: store.FirstTopic, Reader: r.reader,
		Index: topic.NewIndex(), Fetch: sampleFetcher{r},
		Jobs: &r.jobs, Events: &r.events, Settings: r.settings.Now, Now: r.opt.Now,
		Site: func(address string) (host, canonical string, err error) {
			return seeds.Site(address, r.settings.Scope(), r.settings.Now().Crawl.AllowPrivate)
		}, Changed: decided})
	if err := r.loadPages(ctx, words); err != nil {
		return err
	}
	r.links = linkorder.NewLinks(r.reader)
	if err := r.decisions.Load(); err != nil {
		return err
	}
	r.history, err = run.OpenHistory(run.HistoryConfig{Store: r.ws, Events: &r.events, Totals: r.metrics.Totals,
		Usage: usage,
		Lists: func() int { return int(r.lists.Load()) }, Now: r.opt.Now})
	if err != nil {
		return err
	}
	r.reportDamage()
	return nil
}

// reportDamage reports damaged rows, unless already reported. One goroutine at a time may call it.
func (r *parts) reportDamage() {
	if damage := r.ws.Damage.String(); damage != r.damage {
		r.damage = damage
		r.events.Note("error", "%s; run: angler workspace check %s --repair", damage, r.ws.Dir())
	}
}

func (r *parts) openFetcher() (err error) {
	set := r.settings.Now()
	r.limiter = fetch.NewHostLimiter(func(host string) fetch.Pace { return fetch.PaceOf(r.settings.Now(), host) },
		r.opt.Now, r.opt.AfterFunc)
	if r.fetcher, err = r.fetcherOf(time.Duration(set.Crawl.Timeout), set.Crawl.MaxBodyMB<<20); err != nil {
		return err
	}
	return r.hostAuth.Adopt(set.Host)
}

// openHostAuth loads the cookies and prepares the logins of hosts.
func (r *parts) openHostAuth() error {
	var err error
	if r.jar, err = secrets.OpenCookieJar(r.ws, !store.ReadOnly(r.ws), r.opt.Now); err != nil {
		r.events.Note("error", "%v", err)
	}
	r.jar.Failed = func(err error) { r.events.Note("error", "%v", err) }
	r.hostAuth = hostauth.New(hostauth.Config{Dir: r.ws.Dir(), Jar: r.jar, Events: &r.events,
		Now: r.opt.Now, Getenv: os.Getenv})
	return nil
}

// fetcherFor returns a separate fetcher for documents of at most max bytes, with five times the timeout of pages.
func (r *parts) fetcherFor(max int) (*fetch.Fetcher, error) {
	return r.fetcherOf(5*time.Duration(r.settings.Now().Crawl.Timeout), max)
}

func (r *parts) fetcherOf(timeout time.Duration, maxBody int) (*fetch.Fetcher, error) {
	f, err := fetch.New(r.fetching(timeout, maxBody))
	if err != nil {
		return nil, err
	}
	return f, r.hostAuth.Attach(f)
}

// fetching returns the configuration of a fetcher.
func (r *parts) fetching(timeout time.Duration, maxBody int) fetch.Config {
	set := r.settings.Now()
	return fetch.Config{
		UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy, Timeout: timeout,
		MaxBody: maxBody, Dial: r.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate, SeedHosts: settings.SeedHosts(set),
		IgnoreRobots: set.Crawl.IgnoreRobots, Now: r.opt.Now, Jar: r.jar, Challenge: page.IsChallenge,
	}
}

// orderConfig returns the dependencies of a link order.
func (r *parts) orderConfig() linkorder.PrioritiesConfig {
	return linkorder.PrioritiesConfig{Store: r.ws, Decisions: r.decisions, Captured: &r.captured, Sources: &r.sources,
		Settings: r.settings.Now, Scope: r.settings.Scope, Events: &r.events, Jobs: &r.jobs, Now: r.opt.Now}
}

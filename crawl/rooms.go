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
	"angler/crawl/settings"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/store/records"
	"angler/store/secrets"
	"angler/topic"
)

// rooms are the parts of an open workspace that runs, publisher and questions
// work with. None of them knows those.
type rooms struct {
	ws        *store.Workspace
	opt       Options
	settings  *settings.Live
	fetcher   *fetch.Fetcher
	limiter   *fetch.HostLimiter
	jar       *secrets.CookieJar
	hostAuth  *hostauth.HostAuth
	others    *fetch.Fetcher // of what rendered pages ask for at other hosts
	rendering *browser.Rendering
	reader    *reader.Reader
	decisions *decisions.Decisions
	links     *linkorder.Links
	lists     atomic.Int64 // aggregation pages, as the newest snapshot says
	events    view.EventLog
	jobs      jobs.Jobs
	present   view.Presence
	metrics   run.Metrics
	landmarks lastSuccess
	watch     run.Watch
	history   *run.History
	facted    atomic.Uint64 // moves when values of notices were read or corrected
	captured  linkorder.CaptureOrder
	every     bool // opening has read every page
	sources   linkorder.LinkSources
	recipes   *recipe.Recipes

	happened view.Signal // rung when something may have changed what a snapshot shows
	damage   string      // that was told of last

	ctx  context.Context // ends with the engine
	stop context.CancelFunc
}

// open builds the rooms from the ground up; decided follows every action.
func (r *rooms) open(ctx context.Context, decided func(*decisions.Effects) error) error {
	r.watch.Now = r.opt.Now
	r.events.Changed, r.jobs.Changed, r.jobs.Context, r.ws.Committed = r.happened, r.happened, r.ctx, r.happened.Ring
	resolver := urls.NewResolver(nil, rememberedLinks)
	r.metrics.Now = r.opt.Now
	var err error
	r.settings, err = settings.Open(settings.Config{Store: r.ws, Resolver: resolver, Events: &r.events, Override: r.opt.Override, Now: r.opt.Now})
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
	r.reader = reader.New(reader.Config{Store: r.ws, Lexicon: lexicon, Resolver: resolver, Now: revisit.NotBehind(r.opt.Now), MaxBody: r.settings.MaxBody,
		Trace:  func(id uint64) []byte { return records.TraceOf(r.ws, records.HostTraces, id) },
		Tables: func(id uint64) []byte { return records.TraceOf(r.ws, records.TableTraces, id) }})
	r.decisions = decisions.New(decisions.Config{Store: r.ws, Topic: store.FirstTopic, Reader: r.reader, Index: topic.NewIndex(), Fetch: sampling{r},
		Jobs: &r.jobs, Events: &r.events, Settings: r.settings.Now, Now: r.opt.Now, Changed: decided})
	if err := r.loadPages(ctx, words); err != nil {
		return err
	}
	r.links = linkorder.NewLinks(r.reader)
	if err := r.decisions.Load(); err != nil {
		return err
	}
	r.history, err = run.OpenHistory(run.HistoryConfig{Store: r.ws, Events: &r.events, Totals: r.metrics.Totals, Usage: usage,
		Lists: func() int { return int(r.lists.Load()) }, Now: r.opt.Now})
	if err != nil {
		return err
	}
	r.tellDamage()
	return nil
}

// tellDamage says which rows are damaged, unless it has said so. It has one caller at a time.
func (r *rooms) tellDamage() {
	if damage := r.ws.Damage.String(); damage != r.damage {
		r.damage = damage
		r.events.Note("error", "%s; run: angler workspace check %s --repair", damage, r.ws.Dir())
	}
}

func (r *rooms) openFetcher() (err error) {
	set := r.settings.Now()
	r.limiter = fetch.NewHostLimiter(func(host string) fetch.Pace { return fetch.PaceOf(r.settings.Now(), host) }, r.opt.Now, r.opt.AfterFunc)
	if r.fetcher, err = r.fetcherOf(time.Duration(set.Crawl.Timeout), set.Crawl.MaxBodyMB<<20); err != nil {
		return err
	}
	return r.hostAuth.Adopt(set.Host)
}

// openHostAuth reads the cookies and makes the logins of single hosts.
func (r *rooms) openHostAuth() error {
	var err error
	if r.jar, err = secrets.OpenCookieJar(r.ws, !store.ReadOnly(r.ws), r.opt.Now); err != nil {
		r.events.Note("error", "%v", err)
	}
	r.jar.Failed = func(err error) { r.events.Note("error", "%v", err) }
	r.hostAuth = hostauth.New(hostauth.Config{Dir: r.ws.Dir(), Jar: r.jar, Events: &r.events, Now: r.opt.Now, Getenv: os.Getenv})
	return nil
}

// fetcherFor makes another fetcher, for documents of at most max bytes. A long document
// takes longer than a page.
func (r *rooms) fetcherFor(max int) (*fetch.Fetcher, error) {
	return r.fetcherOf(5*time.Duration(r.settings.Now().Crawl.Timeout), max)
}

func (r *rooms) fetcherOf(timeout time.Duration, maxBody int) (*fetch.Fetcher, error) {
	f, err := fetch.New(r.fetching(timeout, maxBody))
	if err != nil {
		return nil, err
	}
	return f, r.hostAuth.Attach(f)
}

// fetching is how pages are fetched.
func (r *rooms) fetching(timeout time.Duration, maxBody int) fetch.Config {
	set := r.settings.Now()
	return fetch.Config{
		UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy, Timeout: timeout,
		MaxBody: maxBody, Dial: r.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate, SeedHosts: settings.SeedHosts(set),
		IgnoreRobots: set.Crawl.IgnoreRobots, Now: r.opt.Now, Jar: r.jar, Challenge: page.IsChallenge,
	}
}

// orderConfig is what every link order works with.
func (r *rooms) orderConfig() linkorder.PrioritiesConfig {
	return linkorder.PrioritiesConfig{Store: r.ws, Decisions: r.decisions, Captured: &r.captured, Sources: &r.sources,
		Settings: r.settings.Now, Scope: r.settings.Scope, Events: &r.events, Jobs: &r.jobs, Now: r.opt.Now}
}

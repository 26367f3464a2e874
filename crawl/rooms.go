package crawl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/jobs"
	"angler/crawl/priority"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/settings"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// rooms are the parts of an open workspace that runs, publisher and questions
// work with. None of them knows those.
type rooms struct {
	ws        *store.Workspace
	opt       Options
	settings  *settings.Live
	fetcher   *fetch.Fetcher
	reader    *reader.Reader
	decisions *decisions.Decisions
	links     *priority.Links
	events    view.EventLog
	jobs      jobs.Jobs
	present   view.Presence
	metrics   run.Metrics
	watch     run.Watch
	captured  priority.Captured
	sources   priority.Sources

	ctx  context.Context // ends with the engine
	stop context.CancelFunc
	bg   sync.WaitGroup // what goes on in the background; Close waits for it
}

// open builds the rooms from the ground up; decided follows every action.
func (r *rooms) open(ctx context.Context, decided func(*store.Event) error) error {
	r.watch.Now = r.opt.Now
	resolver := urls.NewResolver(nil, rememberedLinks)
	var err error
	r.settings, err = settings.Open(settings.Config{Store: r.ws, Resolver: resolver, Events: &r.events, Override: r.opt.Override, Now: r.opt.Now})
	if err != nil {
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
	r.reader = reader.New(reader.Config{Store: r.ws, Lexicon: lexicon, Resolver: resolver, Now: r.opt.Now, MaxBody: r.settings.MaxBody})
	r.decisions = decisions.New(decisions.Config{Store: r.ws, Topic: store.FirstTopic, Reader: r.reader, Index: topic.NewIndex(), Fetch: r.fetcher,
		Jobs: &r.jobs, Events: &r.events, Settings: r.settings.Now, Now: r.opt.Now, Context: r.ctx, Go: r.bg.Go, Changed: decided})
	if err := r.loadPages(ctx, len(words)); err != nil {
		return err
	}
	r.links = priority.NewLinks(r.reader)
	return r.decisions.Load()
}

func (r *rooms) openFetcher() (err error) {
	set := r.settings.Now()
	r.fetcher, err = fetch.New(fetch.Config{
		UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy, Timeout: time.Duration(set.Crawl.Timeout),
		MaxBody: set.Crawl.MaxBodyMB << 20, Dial: r.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate, SeedHosts: settings.SeedHosts(set),
		IgnoreRobots: set.Crawl.IgnoreRobots, Now: r.opt.Now,
	})
	return err
}

// loadPages reads the words of every stored page.
func (r *rooms) loadPages(ctx context.Context, words int) error {
	n := 0
	type fetched struct {
		id uint64
		at int64
	}
	var order []fetched
	for row, err := range r.ws.Counted() {
		if err != nil {
			return err
		}
		if n++; n%10_000 == 0 {
			r.opt.Progress(fmt.Sprintf("reading %d pages", n))
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
		r.decisions.Counted(row.ID, doc, fingerprint)
		order = append(order, fetched{row.ID, row.Fetched.UnixMilli()})
	}
	slices.SortStableFunc(order, func(a, b fetched) int { return cmp.Compare(a.at, b.at) })
	for _, f := range order {
		r.captured.Add(f.id)
	}
	return nil
}

// orderConfig is what every link order works with.
func (r *rooms) orderConfig() priority.Config {
	return priority.Config{Store: r.ws, Decisions: r.decisions, Captured: &r.captured, Sources: &r.sources,
		Settings: r.settings.Now, Scope: r.settings.Scope, Events: &r.events, Go: r.bg.Go, Now: r.opt.Now}
}

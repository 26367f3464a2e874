package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/topic"
)

// The verdicts that a replay may teach its strategies.
const (
	VerdictJudge  = "judge"  // verdict of the live crawl's judge
	VerdictTarget = "target" // whether the page is a target
)

// ReplayOptions describes the targets and training of a replay.
type ReplayOptions struct {
	Targets *TargetRule
	// Verdict is what strategies learn from after each fetch. "" means judge for aggregations and labels, which a
	// live crawl would learn from, including its errors. For other rules "" means target: the judge would train
	// strategies to find aggregation pages while the replay measures, say, notices.
	Verdict string
	// Samples above 0 replaces the present model: every draw takes this many random targets as samples of its own
	// topic.
	Samples int
	// Leaves keeps links to unfetched URLs as pages without links that are not targets. An early-stopped crawl then
	// stays as hard to order as it was.
	Leaves bool
	// Progress receives the number of pages read; nil = none.
	Progress func(done, total int)
}

// Replay is a stored crawl ready for replay. It takes about 40 bytes per link and 300 per page.
type Replay struct {
	Pages     int // pages reachable from the seeds
	Targets   int // reachable targets
	Unreached int // targets without a link path from the seeds
	Unknown   int // targets of the rule that are not stored

	*Lab
	opt     ReplayOptions
	anchors interner
	paths   interner // of blocks
	pages   []Page   // without scores
	targets []int32
	seeds   []int32
	graph   *Graph // under the present model; nil until requested
}

// Replay reads the stored crawl again. It parses every body, resolves links, and keeps those to stored pages. It
// needs the dictionary (Words) and costs about 300 µs of one core per page. It parses two pages at a time and holds
// at most a few hundred in memory. It changes nothing.
//
// Links are those that the pages show now, filtered by what was fetched: links refused by the live crawl are absent.
// Sitemaps are left out, because they reveal a whole site at once and would hide the order of links.
func (l *Lab) Replay(ctx context.Context, opt ReplayOptions) (*Replay, error) {
	r := &Replay{Lab: l, opt: opt}
	known, err := r.stored(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.pages) == 0 {
		return nil, errors.New("no pages are stored yet; crawl first: angler crawl DIR")
	}
	for _, s := range l.Settings.Now().Seeds {
		if c, err := l.Reader.Resolver.Canonical(s); err == nil {
			if i, ok := known[c]; ok && !slices.Contains(r.seeds, i) {
				r.seeds = append(r.seeds, i)
			}
		}
	}
	if len(r.seeds) == 0 {
		return nil, errNoSeeds
	}
	if err := r.choose(opt.Targets); err != nil {
		return nil, err
	}
	if err := r.connect(ctx, known); err != nil {
		return nil, err
	}
	r.Pages, r.Targets = r.shape().Reach()
	r.Unreached = len(r.targets) - r.Targets
	return r, nil
}

// stored lists the stored pages and maps their URLs to indices.
func (r *Replay) stored(ctx context.Context) (map[string]int32, error) {
	known := map[string]int32{}
	for p, err := range jobs.Until(ctx, r.Store.Pages()) {
		if err != nil {
			return nil, err
		}
		known[p.URL] = int32(len(r.pages))
		r.pages = append(r.pages, Page{id: p.ID, URL: p.URL})
	}
	return known, nil
}

// replayBatch is the number of pages parsed before their links are connected.
const replayBatch = 256

// connect reads every page's links.
func (r *Replay) connect(ctx context.Context, known map[string]int32) error {
	// Use a separate filter: the live one counts refused links for viewers.
	filter := urls.NewFilter(r.Settings.Scope(), r.Now)
	stored := len(r.pages)
	parsed := make([]readPage, replayBatch)
	for from := 0; from < stored; from += replayBatch {
		batch := r.pages[from:min(from+replayBatch, stored)]
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(min(2, runtime.GOMAXPROCS(0)))
		for i := range batch {
			g.Go(func() (err error) {
				if gctx.Err() != nil {
					return gctx.Err()
				}
				parsed[i], err = r.read(batch[i].id)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i := range batch {
			if parsed[i].page != nil {
				r.link(int32(from+i), parsed[i], known, filter)
			}
			parsed[i] = readPage{}
		}
		if r.opt.Progress != nil {
			r.opt.Progress(from+len(batch), stored)
		}
	}
	return nil
}

// readPage is a stored page; page is nil without links. A redirect is a page with one link.
type readPage struct {
	page     *page.Page
	redirect bool
}

func (r *Replay) read(id uint64) (readPage, error) {
	row, err := r.Store.Page(id)
	if err != nil || row == nil {
		return readPage{}, err
	}
	if row.Location != "" {
		to, err := r.Reader.Resolver.Canonical(row.Location)
		if err != nil {
			return readPage{}, nil // an invalid target
		}
		links := []htmldoc.Link{{URL: to, Block: -1, Class: urls.ClassOf(to)}}
		return readPage{&page.Page{URL: row.URL, Links: links}, true}, nil
	}
	p, err := r.Reader.Stored(id, page.Options{})
	if errors.Is(err, page.ErrNotHTML) {
		return readPage{}, nil // a sitemap
	}
	return readPage{page: p}, err
}

// link connects one page like the live crawl (linkorder.Links): the first link to a target counts.
func (r *Replay) link(from int32, read readPage, known map[string]int32, filter *urls.Filter) {
	p := read.page
	out := make([]Link, 0, len(p.Links))
	shown := make([]shownAnchor, 0, len(p.Links))
	seen := make(map[int32]bool, len(p.Links))
	for i := range p.Links {
		l := &p.Links[i]
		anchor := r.anchors.id(l.Anchor)
		shown = append(shown, shownAnchor{l.Block, anchor})
		if l.URL == "" || l.URL == p.URL {
			continue
		}
		to, ok := known[l.URL]
		if !ok && r.opt.Leaves && filter.Check(l.URL, l.Class) == urls.Accepted {
			to, ok = int32(len(r.pages)), true
			known[l.URL] = to
			r.pages = append(r.pages, Page{URL: l.URL, Failed: true})
		}
		if !ok || seen[to] {
			continue
		}
		seen[to] = true
		path := ""
		if l.Block >= 0 && int(l.Block) < len(p.Blocks) {
			path = p.Blocks[l.Block].Path
		}
		out = append(out, Link{To: to, Anchor: anchor, Block: r.paths.id(path), block: l.Block, Pager: l.Pager,
			Features: linkorder.BlockFeaturesOf(p, l), Tags: l.Tags,
			Flat: read.redirect || l.Pager && len(p.Records) > 0})
	}
	r.pages[from].Links, r.pages[from].shown, r.pages[from].blocks = out, shown, len(p.Blocks)
}

// Graph returns the crawl for a draw: scored by the present model, or by one learned from the draw's own samples.
// The same draw gives the same graph. It is for one goroutine at a time.
func (r *Replay) Graph(ctx context.Context, draw int) (*Graph, error) {
	if r.opt.Samples <= 0 {
		if r.graph == nil {
			relevant := r.Decisions.Lists()
			r.graph = r.scored(r.Decisions.State(), r.Decisions.Scores(),
				func(id uint64, _ float64) bool { return relevant[id] })
		}
		return r.graph, nil
	}
	j, scores, err := r.topic(ctx, draw)
	if err != nil {
		return nil, err
	}
	return r.scored(j, scores, func(_ uint64, score float64) bool { return score >= scores.Theta }), nil
}

// topic learns a temporary topic from samples drawn among the targets.
func (r *Replay) topic(ctx context.Context, draw int) (*decisions.State, *topic.Scores, error) {
	picks := append([]int32(nil), r.targets...)
	rnd := rand.New(rand.NewPCG(uint64(draw), 0x73616d706c65))
	rnd.Shuffle(len(picks), func(i, j int) { picks[i], picks[j] = picks[j], picks[i] })
	picks = picks[:min(len(picks), r.opt.Samples)]
	var docs []topic.Doc
	var addresses []string
	lists := 0
	words := r.Reader.Dict()
	for _, i := range picks {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		p, err := r.Reader.Stored(r.pages[i].id, page.Options{})
		if err != nil || p == nil {
			continue // a redirect can be a target, but not a sample
		}
		d := r.Reader.Count(words, p)
		if d.Dated >= 3 && 2*d.Dated >= d.Records {
			lists++
		}
		docs, addresses = append(docs, d), append(addresses, p.URL)
	}
	cfg := r.Decisions.State().Config.Clone()
	if 2*lists < len(docs) && cfg.Scheme == topic.SchemeRecords {
		// The scheme works only for lists of dated records. Use all words for other pages (P1).
		cfg.Scheme, cfg.Norm = topic.SchemeTFIDF, topic.NormFull
	}
	m := topic.Build(cfg, docs, r.Reader.Lexicon, r.Decisions.Index.Background())
	return &decisions.State{Model: m, Shares: urls.SharesOf(addresses)}, r.Decisions.Index.Try(m), nil
}

package crawl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Discover runs a discovery (P0 2, step 2): from the seeds to depth n, every
// page judged against the topic, until nothing waits, a bound is reached or ctx
// ends. What an earlier run left waiting is taken up again.
func (e *Engine) Discover(ctx context.Context, opt RunOptions) (Summary, error) {
	r, err := e.begin(ctx, view.Discovery, opt)
	if err != nil {
		return Summary{}, err
	}
	return r.discovery()
}

// StartDiscovery begins a discovery in the background.
func (e *Engine) StartDiscovery() error {
	return e.start(view.Discovery, RunOptions{}, func(r *run) (Summary, error) { return r.discovery() })
}

// start begins a run that ends with the engine rather than with its caller.
func (e *Engine) start(task string, opt RunOptions, f func(*run) (Summary, error)) error {
	r, err := e.begin(e.ctx, task, opt)
	if err != nil {
		return err
	}
	e.publish() // whoever asks next sees the run
	// The run reports its error in the snapshots.
	e.bg.Go(func() { _, _ = f(r) })
	return nil
}

func (r *run) discovery() (Summary, error) {
	r.handle = r.discover
	err := r.prepare()
	if err == nil {
		err = r.crawl()
	}
	if err == nil {
		err = r.unreachable()
	}
	return r.end(err)
}

// prepare waits for the dictionary, makes the seeds known and fills the
// frontier with everything that waits.
func (r *run) prepare() error {
	e := r.e
	seeds := e.Settings().Seeds
	if len(seeds) == 0 {
		return ErrNoSeeds
	}
	if err := e.Words(r.ctx); err != nil {
		return stopped(r.ctx, err)
	}
	canonical := make([]string, 0, len(seeds))
	for _, s := range seeds {
		c, err := e.resolver.Canonical(s)
		if err != nil {
			return fmt.Errorf("seed %q is no http address (%v); correct it in angler.toml", s, err)
		}
		canonical = append(canonical, c)
	}
	if _, err := e.ws.Seed(canonical); err != nil {
		return err
	}
	if err := e.nameSitemaps(); err != nil {
		return err
	}
	if err := r.order.recall(r.order.now()); err != nil {
		return err
	}
	if err := r.refill(); err != nil {
		return err
	}
	return r.revisits()
}

// refill hands everything that waits to the frontier; what it has already stays
// where it is.
func (r *run) refill() error {
	filter := r.e.filter.Load()
	var batch []frontier.Entry
	later := int64(0)
	for u, err := range r.e.ws.URLs() {
		if err != nil {
			return err
		}
		if r.read.Add(1)%refillBatch == 0 && r.ctx.Err() != nil {
			return nil // stopped
		}
		filter.Prime(u.URL)
		if u.State != store.Waiting {
			continue
		}
		if u.Retry.Sub(r.e.now()) > soon {
			later++
			continue
		}
		entry, keep := r.order.entry(u)
		if !keep {
			continue
		}
		if u.Retry.After(r.e.now()) {
			r.front.Retry(entry, u.Retry)
			continue
		}
		if batch = append(batch, entry); len(batch) == refillBatch {
			r.front.Push(batch...)
			batch = batch[:0]
		}
	}
	r.front.Push(batch...)
	r.later.Store(later)
	return nil
}

// refillBatch URLs enter the frontier at once.
const refillBatch = 1024

// stopped turns the error of an ended context into none: being stopped is no
// failure.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// unreachable is the error of a run that brought home nothing because no seed
// answered, or each has asked for a later time.
func (r *run) unreachable() error {
	if r.ctx.Err() != nil || r.pages.Load() > 0 || r.fetched.Load()+r.later.Load() == 0 || r.failed.Load() < r.fetched.Load() || r.e.ws.Counts().Pages > 0 {
		return nil
	}
	for u, err := range r.e.ws.URLs() {
		if err != nil {
			return err
		}
		if u.Reason != "" {
			return fmt.Errorf("no seed could be fetched: %s: %s; check the address, the network or --proxy", u.URL, u.Reason)
		}
	}
	return nil
}

// discover is the way of one page, up to the commit.
func (r *run) discover(entry frontier.Entry, u *store.URL) visit {
	old, req, err := r.request(u)
	if err != nil {
		return r.lost(entry, err)
	}
	resp, c := r.get(entry, u, req)
	if resp == nil {
		return c
	}
	if same(resp, old) {
		r.kept(c.Capture, old, resp)
		return c
	}
	if u.Block == sitemapBlock {
		r.readSitemap(c.Capture, u, resp)
		return c
	}
	r.understand(c, u, old, resp, page.Options{})
	c.Links = append(c.Links, r.announced(entry.Host)...)
	return c
}

// request asks for a URL, conditionally if its page is stored.
func (r *run) request(u *store.URL) (old *store.Page, req fetch.Request, err error) {
	req.URL = u.URL
	if u.State != store.Complete {
		return nil, req, nil
	}
	if old, err = r.e.ws.Page(u.ID); old != nil {
		req.ETag, req.LastModified = old.ETag, old.LastModified
	}
	return old, req, err
}

// lost is the capture of a URL whose row cannot be read; the run ends.
func (r *run) lost(entry frontier.Entry, err error) visit {
	if err == nil {
		err = fmt.Errorf("url %d is missing in the database; run: angler check", entry.ID)
	}
	r.fail(err)
	r.front.Release(entry, frontier.Outcome{})
	return visit{&store.Capture{ID: entry.ID, State: store.Waiting}, &tag{entry: entry}}
}

// understand parses, segments and scores a response and fills the capture.
// old is what is stored of it, nil on the first visit. It returns the page, or
// nil when the response is a redirect or no page.
func (r *run) understand(c visit, u *store.URL, old *store.Page, resp *fetch.Response, opt page.Options) *page.Page {
	e, now := r.e, r.e.now()
	t := c.tag
	t.judge = e.judge.Load()
	c.Page = &store.Page{URL: u.URL, Status: resp.Status, Fetched: now, Changed: now, ETag: resp.ETag, LastModified: resp.LastModified,
		Hash: store.KeyOf(resp.Body)}
	r.visited(c.Page, old, 0)
	c.Body = store.Compress(resp.Body)
	if resp.Status >= 300 && resp.Status < 400 {
		c.Page.Location = resp.Location
		r.redirect(c.Capture, u, resp.Location)
		return nil
	}
	host := urls.HostOf(u.URL)
	opt.Now, opt.Resolver, opt.Host = now, e.resolver, e.hosts.of(e.ws, host)
	p, err := page.Parse(page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, opt)
	if err != nil {
		*c.Capture = store.Capture{ID: c.ID, State: store.Exception, Fails: u.Fails + 1, Reason: fmt.Sprintf("no page: %v", err)}
		r.failed.Add(1)
		return nil
	}
	if why := p.Soft404(); why != "" {
		*c.Capture = store.Capture{ID: c.ID, State: store.Exception, Fails: u.Fails + 1, Reason: "soft 404: " + why}
		r.failed.Add(1)
		return nil
	}
	if old == nil {
		opt.Host.Learn(p) // a revisit says nothing new about repetition
	}
	// Which three addresses come first is chance, so this is told and no verdict:
	// a resumed crawl must end with the same pages.
	if why := e.hosts.errorPage(e.ws, host, p); why != "" {
		p.Limits = append(p.Limits, why)
	}
	if resp.Truncated {
		p.Limits = append(p.Limits, fmt.Sprintf("body %d MB", e.Settings().Crawl.MaxBodyMB))
	}
	words := e.dict.Load()
	t.doc = e.doc(words, p)
	fillPage(c.Page, p)
	if t.judge.model != nil {
		c.Page.Score = t.judge.model.Score(&t.doc)
		c.Page.ModelRev = t.judge.model.Rev
	}
	t.print = words.Fingerprint()
	c.Terms = encodeDoc(&t.doc, t.print)
	c.Links = r.links(p, c.Page.Score, t.judge.relevant(&t.doc, c.Page.Score), u, t.judge)
	return p
}

// fillPage copies what the store keeps of a parsed page.
func fillPage(row *store.Page, p *page.Page) {
	row.Type, row.Charset, row.Head, row.Title = uint8(p.Type), p.Charset, p.Head, p.Title
	row.Date, row.Precision, row.Beta = p.Date.Time, uint8(p.Date.Precision), p.Beta
	row.Records, row.Dated = len(p.Records), p.Dated
	row.Limits = strings.Join(p.Limits, "; ")
}

// redirectBlock marks a URL that a redirect led to.
const redirectBlock = "redirect"

// redirect makes the target of a redirect the page's only link; it inherits what
// is known of the address that was asked for, and goes through scope, robots and
// politeness like any other. The first redirect adds no depth, further ones in a
// row do: so a chain of ever new addresses ends at the depth limit.
func (r *run) redirect(c *store.Capture, u *store.URL, location string) {
	if location == "" {
		return
	}
	target, err := r.e.resolver.Canonical(location)
	if err != nil || r.e.filter.Load().Check(target, urls.ClassOf(target)) != urls.Accepted {
		return
	}
	l := store.Link{URL: target, Flat: u.Block != redirectBlock, Hints: u.Hints}
	l.Block = redirectBlock
	c.Links = []store.Link{l}
}

// doc counts the words of a page, once: all visible text, and T(p), the title
// (weighed against the records by topic.TitleWeight) with the titles of the
// page's records.
func (e *Engine) doc(words *dict.Dict, p *page.Page) topic.Doc {
	k := counters.Get().(*counter)
	defer counters.Put(k)
	d := topic.Doc{URL: p.URL, Beta: p.Beta, Records: len(p.Records), Dated: p.Dated}
	k.Reset()
	words.Count(e.lex, p.Text, &k.Counter)
	d.Full = k.vector()
	k.Reset()
	// The page's own title, without the site's name: that would swamp the topic.
	for range topic.TitleWeight(len(p.Records)) {
		words.Count(e.lex, p.Title, &k.Counter)
	}
	for i := range p.Records {
		words.Count(e.lex, p.Records[i].Title, &k.Counter)
	}
	d.List = k.vector()
	return d
}

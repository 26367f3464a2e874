package run

import (
	"fmt"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/priority"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// discovery (P0 2, step 2) goes from the seeds to depth n, every page judged
// against the topic, until nothing waits or a bound is reached. What an earlier
// run left waiting is taken up again.
func (r *Run) discovery() error {
	r.handle = r.discover
	if err := r.prepare(); err != nil {
		return err
	}
	if err := r.crawl(); err != nil {
		return err
	}
	return r.unreachable()
}

// prepare waits for the dictionary, makes the seeds known and fills the
// frontier with everything that waits.
func (r *Run) prepare() error {
	seeds := r.Settings().Seeds
	if len(seeds) == 0 {
		return ErrNoSeeds
	}
	if err := r.Topic.Words(r.ctx); err != nil {
		return stopped(r.ctx, err)
	}
	r.words.Store(true)
	canonical := make([]string, 0, len(seeds))
	for _, s := range seeds {
		c, err := r.Reader.Resolver.Canonical(s)
		if err != nil {
			return fmt.Errorf("seed %q is no http address (%v); correct it in angler.toml", s, err)
		}
		canonical = append(canonical, c)
	}
	if _, err := r.Store.Seed(canonical); err != nil {
		return err
	}
	if err := r.nameSitemaps(); err != nil {
		return err
	}
	if err := r.Order.Recall(); err != nil {
		return err
	}
	if err := r.refill(); err != nil {
		return err
	}
	return r.revisits()
}

// refill hands everything that waits to the frontier; what it has already stays
// where it is.
func (r *Run) refill() error {
	var batch []frontier.Entry
	later := int64(0)
	for u, err := range r.Store.URLs() {
		if err != nil {
			return err
		}
		if r.read.Add(1)%refillBatch == 0 && r.ctx.Err() != nil {
			return nil // stopped
		}
		r.Filter.Prime(u.URL)
		if u.State != store.Waiting {
			continue
		}
		if u.Retry.Sub(r.Now()) > soon {
			later++
			continue
		}
		entry, keep := r.Order.Entry(u)
		if !keep {
			continue
		}
		if u.Retry.After(r.Now()) {
			r.front.Retry(entry, u.Retry)
			continue
		}
		if batch = append(batch, entry); len(batch) == refillBatch {
			r.front.Push(batch...)
			batch = batch[:0]
		}
	}
	r.front.Push(batch...)
	r.counts.later.Store(later)
	return nil
}

// refillBatch URLs enter the frontier at once.
const refillBatch = 1024

// unreachable is the error of a run that brought home nothing because no seed
// answered, or each has asked for a later time.
func (r *Run) unreachable() error {
	n := &r.counts
	if r.ctx.Err() != nil || n.pages.Load() > 0 || n.fetched.Load()+n.later.Load() == 0 || n.failed.Load() < n.fetched.Load() || r.Store.Counts().Pages > 0 {
		return nil
	}
	for u, err := range r.Store.URLs() {
		if err != nil {
			return err
		}
		if u.Reason != "" {
			return fmt.Errorf("no seed could be fetched: %s: %s; check the address, the network or --proxy", u.URL, u.Reason)
		}
	}
	return nil
}

// Enter makes seeds known that were named while the run goes on.
func (r *Run) Enter(canonical []string) error {
	if r.task != view.Discovery {
		return nil
	}
	found, err := r.Store.Seed(canonical)
	if err == nil {
		r.admit(found)
	}
	return err
}

// discover fetches and understands one page; the result is ready for the
// commit.
func (r *Run) discover(entry frontier.Entry, u *store.URL) visit {
	old, req, err := r.request(u)
	if err != nil {
		return r.lost(entry, err)
	}
	resp, c := r.get(entry, u, req)
	if resp == nil {
		return c
	}
	if same(resp, old) {
		r.unchanged(c.Capture, old, resp)
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
func (r *Run) request(u *store.URL) (old *store.Page, req fetch.Request, err error) {
	req.URL = u.URL
	if u.State != store.Complete {
		return nil, req, nil
	}
	if old, err = r.Store.Page(u.ID); old != nil {
		req.ETag, req.LastModified = old.ETag, old.LastModified
	}
	return old, req, err
}

// lost is the capture of a URL whose row cannot be read; the run ends.
func (r *Run) lost(entry frontier.Entry, err error) visit {
	if err == nil {
		err = fmt.Errorf("url %d is missing in the database; run: angler check", entry.ID)
	}
	r.fail(err)
	r.front.Release(entry, frontier.Outcome{})
	return visit{&store.Capture{ID: entry.ID, State: store.Waiting}, &tag{entry: entry}}
}

// understand reads a response, scores it and fills the capture. old is what is
// stored of it, nil on the first visit. It returns the page, or nil when the
// response is a redirect, a second address of a known page, or no page.
func (r *Run) understand(c visit, u *store.URL, old *store.Page, resp *fetch.Response, opt page.Options) *page.Page {
	now := r.Now()
	c.state = r.Topic.State()
	c.Page = &store.Page{URL: u.URL, Status: resp.Status, Fetched: now, Changed: now, ETag: resp.ETag, LastModified: resp.LastModified,
		Hash: store.KeyOf(resp.Body)}
	revisit.Note(c.Page, old, 0, r.task == view.Harvest)
	c.Body = store.Compress(resp.Body)
	if resp.Status >= 300 && resp.Status < 400 {
		c.Page.Location = resp.Location
		r.redirect(c.Capture, u, resp.Location)
		return nil
	}
	if first := r.twin(u.URL, old, c.Page.Hash); r.task == view.Discovery && first != "" {
		c.Page.Status, c.Page.Location, c.Body = twinStatus, first, nil
		r.redirect(c.Capture, u, first)
		return nil
	}
	read, err := r.Reader.Read(page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, opt, old == nil)
	if err != nil {
		*c.Capture = store.Capture{ID: c.ID, State: store.Exception, Fails: u.Fails + 1, Reason: err.Error()}
		r.counts.failed.Add(1)
		return nil
	}
	p := read.Page
	if resp.Truncated {
		p.Limits = append(p.Limits, fmt.Sprintf("body %d MB", r.Settings().Crawl.MaxBodyMB))
	}
	c.read = read
	fillPage(c.Page, p)
	if m := c.state.Model; m != nil {
		c.Page.Score, c.Page.ModelRev = m.Score(&read.Doc), m.Rev
	}
	c.Terms = read.Terms()
	c.Links = r.Links.Hints(priority.Found{Page: p, Score: c.Page.Score, Relevant: c.state.Relevant(&read.Doc, c.Page.Score),
		Inherited: r.Order.Score(u).Inherited}, c.state, r.Filter)
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
func (r *Run) redirect(c *store.Capture, u *store.URL, location string) {
	if location == "" {
		return
	}
	target, err := r.Reader.Resolver.Canonical(location)
	if err != nil || r.Filter.Check(target, urls.ClassOf(target)) != urls.Accepted {
		return
	}
	l := store.Link{URL: target, Flat: u.Block != redirectBlock, Hints: u.Hints}
	l.Block = redirectBlock
	c.Links = []store.Link{l}
}

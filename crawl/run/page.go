package run

import (
	"errors"
	"net/http"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/hostauth"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/revisit"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file handles a page: fetch → adapt → parse → judge → store. failures.go handles failed
// visits, commit.go the commit.

// visit is one URL on its way to the commit: its capture, and the tag that the run needs
// afterwards.
type visit struct {
	*store.Capture
	*tag
}

// newVisit begins the visit to a URL. Without a failure it brings a page.
func newVisit(entry frontier.Entry, u *store.URL) visit {
	return visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry, before: u}}
}

// undo makes the capture leave the URL unchanged.
func (c visit) undo(u *store.URL) {
	c.State, c.Fails, c.Retry, c.Failure = u.State, u.Fails, u.Retry, u.Failure
}

// lacks sets the missing entries of a list.
func (c visit) lacks(v coverageVerdict) {
	c.Unfollowed, c.lacking, c.unreported = v.Row, v.Lacking, v.Unreported
}

// load fetches a URL and adapts the reply. A nil response means that the capture is complete
// without a page. old is the stored page; nil = none. A known page is requested conditionally
// unless anew is set.
func (r *Run) load(entry frontier.Entry, u *store.URL, anew bool) (old *store.Page, resp *fetch.Response, c visit) {
	req, err := r.address(u)
	if err == nil && !anew && (u.State != store.Waiting || u.Fails > 0 || r.known(u.ID)) {
		if old, err = r.Store.Page(u.ID); old != nil && !revisit.Lied(old.Fetched, r.Now()) {
			req.ETag, req.LastModified = old.ETag, old.LastModified
		}
	}
	if err != nil {
		return nil, nil, r.unasked(entry, u, err)
	}
	if resp, c, ok := r.fromList(entry, u); ok {
		return old, resp, c
	}
	if resp, c, ok := r.renamed(entry, u); ok {
		return old, resp, c
	}
	r.refer(u, &req)
	if resp, c = r.fetch(entry, u, old, req); resp != nil {
		resp = r.adapt(c, u, resp)
	}
	return old, resp, c
}

// refer names the page with the first link to a URL as its Referer, as browsers do on one host: some
// sites refuse a notice without it.
func (r *Run) refer(u *store.URL, req *fetch.Request) {
	if u.Source == 0 || !urls.IsPlain(u.URL) {
		return
	}
	from, err := r.Store.URL(u.Source)
	if err != nil || from == nil || urls.HostOf(from.URL) != urls.HostOf(u.URL) {
		return
	}
	req.Header = map[string]string{"Referer": urls.Bare(from.URL)}
}

// loadChanged is load that also returns a nil response for a page equal to the stored one.
func (r *Run) loadChanged(entry frontier.Entry, u *store.URL) (old *store.Page, resp *fetch.Response, c visit) {
	if old, resp, c = r.load(entry, u, false); resp != nil && r.same(resp, old) {
		r.unchanged(c.Capture, old, resp)
		resp = nil
	}
	return old, resp, c
}

// fetch sends the request for a URL politely and handles failures, redirects and statuses, which
// need no reading of the page. A nil response means that the capture is complete. old is the stored
// page; nil = none.
func (r *Run) fetch(entry frontier.Entry, u *store.URL, old *store.Page, req fetch.Request) (*fetch.Response, visit) {
	job := PageJob{Request: req, ID: u.ID, Address: u.URL, Host: entry.Host,
		Page: u.Block != sitemap.Block && u.Block != scriptBlock, Notice: r.harvest.announcedAs(u)}
	if old != nil {
		job.Known = old.Hash
	}
	// A broken transfer is retried; if it fails again, the part is kept. A reply to a recipe is
	// not: half of it is no list.
	_, name := urls.Split(u.URL)
	job.Parts = !strings.HasPrefix(name, "recipe:") && (old != nil || u.Fails > 0 || r.Settings().Crawl.Retries == 0)
	began := r.Now()
	end := r.inFlight.begin(view.Request{ID: u.ID, URL: u.URL, Host: entry.Host, Since: began})
	b, err := r.ask(job)
	resp := b.Response
	end()
	r.Metrics.Fetched(resp, err)
	c := newVisit(entry, u)
	c.draft, c.stored = b.Draft, b.Stored
	o := frontier.Outcome{CrawlDelay: r.PageWorkers.CrawlDelay(entry.Host), Address: r.PageWorkers.Address(entry.Host)}
	var fe *fetch.Error
	if err != nil && (r.ctx.Err() != nil || errors.As(err, &fe) && fe.Kind == fetch.Canceled) {
		c.undo(u) // canceled: as if it was never taken
		r.front.Release(entry, o)
		return nil, c
	}
	r.counts.add(&r.counts.fetched, 1)
	if err == nil && resp.Status == http.StatusNotFound && r.harvest.isAnnounced(u, resp) {
		resp.Status = http.StatusOK
	}
	f := r.failureOf(resp, err)
	// A page that turned into a login is no capture: the stored page stays.
	if f.none() && (old != nil || r.HostAuth.Known(entry.Host)) {
		if v, why, turned := r.HostAuth.Turned(r.ctx, r.Store, u, entry.Host, resp, began); turned {
			f.Failure, f.renewed = why, v == hostauth.Renewed
			f.result = loginResults[v]
		}
	}
	c.asked, c.failure = !f.unasked, f
	if f.none() {
		r.HostAuth.Worked(entry.Host)
		r.network.report(c, u) // before Release, so that reports of a host keep the order of its replies
		r.front.Release(entry, o)
		return resp, c
	}
	excused := r.trouble(c, u)
	r.network.report(c, u)
	switch f := &c.failure; {
	case f.own || f.renewed || f.result == revisit.Login || f.result == revisit.Answered:
	case excused && f.result == revisit.Unreachable:
	case f.Kind == store.FailureKind(fetch.Body): // one broken page tells nothing about its host
	case resp != nil && (resp.Status == 429 || resp.Status == 503):
		o.Slow, o.Wait = true, f.wait
	default:
		o.Failed = true
		if f.result != revisit.Unreachable {
			o.Wait = f.wait
		}
	}
	r.front.Release(entry, o)
	return nil, c
}

// loginResults maps the verdict on a page that turned into a login to the result for its host.
var loginResults = [...]revisit.FetchResult{hostauth.Renewed: revisit.Failed, hostauth.NotOurs: revisit.Answered,
	hostauth.Closed: revisit.Login, hostauth.Rejected: revisit.Login}

// adapt passes a reply to the translator of its address. A nil response means that the translator
// rejected the reply and the capture is complete.
func (r *Run) adapt(c visit, u *store.URL, resp *fetch.Response) *fetch.Response {
	t := translatorFor(r.Replies, u.URL)
	if t == nil || resp.Status < 200 || resp.Status >= 300 {
		return resp
	}
	c.draft = nil // the draft is of the original reply
	row, err := r.sent(u)
	if err == nil {
		resp, err = t.Translate(r.ctx, Reply{Address: u.URL, Sent: row, Response: resp})
	}
	switch {
	case err == nil:
		return resp
	case r.ctx.Err() != nil:
		c.undo(u)
	default:
		r.noPage(c.Capture, u, revisit.Passing, asFailure(store.FailedRendering, err))
	}
	return nil
}

// understand parses and judges a response. old is the stored page, nil on the first visit. It
// returns nil if the response is a redirect or no page.
func (r *Run) understand(c visit, u *store.URL, old *store.Page, resp *fetch.Response, opt page.Options) *page.Page {
	c.state = r.Topic.State()
	c.Page = r.pageOf(u, resp)
	revisit.Note(c.Page, old, revisit.NoList, r.task == view.Harvest)
	c.Body = packed(c, resp)
	if resp.Status >= 300 && resp.Status < 400 {
		r.storeRedirect(c, u, old, resp.Location)
		return nil
	}
	read, err := r.parse(c, u, resp, opt)
	if moved, ok := errors.AsType[*reader.Moved](err); ok {
		r.storeRedirect(c, u, old, moved.URL)
		return nil
	}
	if err != nil {
		r.noPage(c.Capture, u, revisit.Gone, asFailure(store.FailedUnknown, err))
		return nil
	}
	r.judge(c, u, old, read)
	r.learnParts(u, read.Page)
	return read.Page
}

// pageOf returns the row of a fetched page.
func (r *Run) pageOf(u *store.URL, resp *fetch.Response) *store.Page {
	now := r.Now()
	return &store.Page{URL: u.URL, Status: resp.Status, Fetched: now, Changed: now,
		ETag: resp.ETag, LastModified: resp.LastModified, Hash: store.KeyOf(resp.Body)}
}

// packed returns the compressed body. A remote worker's draft holds it already.
func packed(c visit, resp *fetch.Response) []byte {
	if d := c.draft; d != nil && d.Body != nil && resp.Status == http.StatusOK {
		return d.Body
	}
	return store.Compress(resp.Body)
}

// parse reads a page. It uses a remote worker's draft if there is one that fits.
func (r *Run) parse(c visit, u *store.URL, resp *fetch.Response, opt page.Options) (read *reader.Reading, err error) {
	visit := reader.Postponed
	switch {
	case u.Depth > r.Settings().Crawl.Depth:
		visit = reader.Beyond
	case r.Ranks():
		visit = reader.Discovered
	}
	d := c.draft
	c.draft = nil // not kept until the commit
	if d != nil && opt.Main == "" && !r.Parts.compares(u.URL) && r.Reader.Fits(d) {
		read, err = r.Reader.Take(u.ID, d, resp.ContentType, visit)
	} else {
		read, err = r.Reader.Read(u.ID, page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, opt,
			visit)
	}
	if err == nil && resp.Truncated {
		read.Cut(r.Settings().Crawl.MaxBodyMB)
	}
	if err == nil && resp.Partial != "" {
		read.Page.Limits = append(read.Page.Limits, store.InPart+resp.Partial)
		r.Events.Note("warn", "%s came in part: %s", u.URL, resp.Partial)
	}
	return read, err
}

// judge scores a page by the State in force, chooses its links, and finds the missing entries of a
// list.
func (r *Run) judge(c visit, u *store.URL, old *store.Page, read *reader.Reading) {
	p := read.Page
	c.doc, c.fingerprint = read.Doc, read.Fingerprint // the page itself is not kept until the commit
	read.Fill(c.Page)
	if m := c.state.Model; m != nil {
		c.Page.Score, c.Page.ModelRev = m.Score(&read.Doc), m.Rev
	}
	c.Terms = read.Terms()
	relevant := c.state.Relevant(&read.Doc, c.Page.Score)
	found := linkorder.FoundOnPage{Page: p, Score: c.Page.Score, Relevant: relevant,
		Inherited: r.Order.Score(u).Inherited}
	c.Links = r.Links.Hints(found, c.state, r.Filter)
	c.lacks(judgeCoverage(&coverageVisit{Store: r.Store, State: c.state, URL: u, Page: p, Doc: &read.Doc,
		Relevant: relevant, Known: old != nil, Followed: c.Links,
		Expects: scriptsExpected(r.Store, r.Filter, p.Scripts), Now: c.Page.Fetched}))
}

// storeRedirect completes the visit to an address that leads to another one.
func (r *Run) storeRedirect(c visit, u *store.URL, old *store.Page, location string) {
	c.Page.Location = location
	r.redirect(c.Capture, u, location)
	v := &coverageVisit{Store: r.Store, State: c.state, URL: u, Known: old != nil, Now: c.Page.Fetched}
	c.lacks(judgeRedirect(v, location, func() error { return r.Private(r.ctx, location) }))
}

// redirect makes the target of a redirect the page's only link. It goes through scope, robots.txt
// and politeness like any other.
func (r *Run) redirect(c *store.Capture, u *store.URL, location string) {
	target, err := r.Reader.Resolver.Canonical(location)
	if err != nil || r.Filter.Check(target, urls.ClassOf(target)) != urls.Accepted {
		return
	}
	c.Links = []store.Link{linkorder.RedirectLink(u, target)}
}

// store passes a visit to the writer. afterCommit is called after its commit.
func (r *Run) store(c visit) {
	if c.failure.none() {
		r.writer.Put(c.Capture, c.tag)
		return
	}
	r.network.put(c)
}

// known reports whether a page is stored, even if its last visit failed.
func (r *Run) known(id uint64) bool { return r.Topic.Index.Has(id) }

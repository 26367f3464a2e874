package run

import (
	"fmt"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
	"angler/store"
)

// discoverer is the plan of a discovery (P0 1, step 2). It crawls from the seeds to depth n and
// judges every page, until nothing waits or a bound is reached. It continues with the URLs that an
// earlier run left waiting.
type discoverer struct {
	*Run
	sitemaps sitemaps               // per host
	aliases  indexAliases           // index files that repeat their folder
	observed []linkorder.StoredPage // buffer of the writer's goroutine
	pagers   pagers
	found    enough // evidence for Options.Until
}

// begin waits for the dictionary, stores the seeds and fills the frontier with all waiting URLs.
func (r *discoverer) begin() error {
	seeds := r.Settings().Seeds
	if len(seeds) == 0 {
		return ErrNoSeeds
	}
	if err := r.Topic.Words(r.ctx); err != nil {
		return stopped(r.ctx, err)
	}
	r.words.Store(true)
	if err := r.Reader.Begin(r.task); err != nil {
		return err
	}
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
	if _, err := r.askedFor(); err != nil {
		return err
	}
	if err := r.nameSitemaps(); err != nil {
		return err
	}
	if err := r.Order.Recall(); err != nil {
		return err
	}
	if err := r.refill(true); err != nil {
		return err
	}
	if r.opt.Under != "" {
		return nil
	}
	return r.revisits()
}

// refill pushes all waiting URLs and due exceptions into the frontier; URLs that it holds already
// keep their place. The first call of a run also counts the waiting URLs.
func (r *discoverer) refill(first bool) error {
	var batch []frontier.Entry
	lies, below, under := 0, 0, r.rules()
	var byHost map[string]int
	if first { // later calls: the counts exist and change meanwhile
		byHost = map[string]int{}
	}
	for u, err := range r.Store.URLs() {
		if err != nil {
			return err
		}
		if r.read.Add(1)%refillBatch == 0 && r.ctx.Err() != nil {
			return nil // stopped
		}
		r.Filter.Prime(u.URL)
		if first {
			r.Parts.prime(u)
		}
		if byHost != nil {
			r.sitemaps.meet(u)
			r.found.met(u.URL, !waits(u))
		}
		if u.State != store.Waiting && u.State != store.Exception || !urls.Below(u.URL, r.opt.Under) {
			continue
		}
		if byHost != nil && u.State == store.Waiting {
			byHost[urls.HostOf(u.URL)]++
		}
		if r.stale(u) {
			continue
		}
		wait, lie := revisit.Until(u.Retry, r.Now())
		if lie {
			lies++
		}
		if wait > soon {
			if _, keep := r.Order.Class(u.URL); keep && u.State == store.Waiting {
				r.counts.postpone(u.ID, u.Retry)
			}
			continue
		}
		entry, keep := r.Order.Entry(u)
		if !keep {
			if r.Order.Below(entry) {
				below++
			}
			continue
		}
		if wait > 0 {
			r.front.Retry(entry, u.Retry)
			continue
		}
		if batch = append(batch, entry); len(batch) == refillBatch {
			r.push(under, batch)
			batch, under = batch[:0], r.rules()
		}
	}
	r.push(under, batch)
	if byHost != nil {
		r.setWaiting(byHost)
	}
	if below > 0 {
		r.Events.Note("info", "%d waiting URLs are below relevance (linear.min, tag-path-bandit.stop) and are not fetched", below)
	}
	if lies > 0 {
		r.Events.Note("warn", "the clock was ahead: %d retries lie too far in the future and are due now", lies)
	}
	return nil
}

// refillBatch is the number of URLs pushed into the frontier at once.
const refillBatch = 1024

// end returns an error if a run stored nothing because no seed answered or every seed asked for a
// later time.
func (r *discoverer) end() error {
	if err := r.harvest.withdraw(); err != nil {
		return err
	}
	r.estimateEnd()
	n := r.counts.now()
	waiting, _ := r.counts.postponed()
	if r.ctx.Err() != nil || n.pages > 0 || n.fetched+waiting == 0 || n.missed < n.fetched ||
		r.Store.Counts().Pages > 0 {
		return nil
	}
	for u, err := range r.Store.URLs() {
		if err != nil {
			return err
		}
		if u.Failure != (store.Failure{}) {
			return fmt.Errorf("no seed could be fetched: %s: %s; check the address, the network or --proxy", u.URL,
				u.Failure)
		}
	}
	return nil
}

// visit fetches and reads one page and returns its capture.
func (r *discoverer) visit(entry frontier.Entry, u *store.URL) visit {
	if c, done := r.readAgain(entry, u); done {
		return c
	}
	if c, done := r.harvest.visitTask(entry, u); done {
		return c
	}
	old, resp, c := r.loadChanged(entry, u)
	if resp == nil {
		return c
	}
	switch u.Block {
	case sitemap.Block:
		r.readSitemap(c.Capture, u, resp)
		return c
	case scriptBlock:
		r.readScript(c.Capture, u, resp)
		return c
	}
	if resp.Status == 200 {
		if first := r.aliases.of(r.Store, u.URL, old, resp.Body); first != "" {
			resp = &fetch.Response{Status: aliasStatus, Location: first, ETag: resp.ETag,
				LastModified: resp.LastModified}
		}
	}
	if p := r.understand(c, u, old, resp, page.Options{Notice: r.harvest.announcedAs(u)}); p != nil {
		r.harvest.follow(c, u, p, resp)
		r.renewed(c, u, old, resp)
		c.Links = append(c.Links, r.scripts.links(u.ID, p.Scripts, r.Filter)...)
		r.pagers.bound(u, p, c.Links)
	}
	c.Links = append(c.Links, r.robotsSitemaps(entry.Host)...)
	return c
}

// unwanted reports whether scope or rules exclude a URL since it entered the frontier. A URL in
// flight at that time returns to the frontier if its fetch fails, and Reconsider does not see it.
func (r *discoverer) unwanted(u *store.URL) bool {
	if u.State == store.Complete || r.known(u.ID) { // the scope does not apply to known pages
		return false
	}
	_, keep := r.Order.Class(u.URL)
	return !keep && r.harvest.tasks.of(u.ID).moved == nil
}

// why explains the rank of a URL in the terms of the link order.
func (r *discoverer) why(u *store.URL, class int8) string {
	if what := r.harvest.describe(u.ID); what != "" {
		return what
	}
	switch how := linkorder.ClassName(class); {
	case class == frontier.Revisit:
		return "known, due for another visit"
	case how != "":
		return how + ", " + r.Order.Score(u).String()
	}
	return r.Order.Score(u).String()
}

// entry ranks a URL that a discovery tries again.
func (r *discoverer) entry(u *store.URL) (frontier.Entry, bool) { return r.Order.Entry(u) }

// committed passes stored pages to the link order and pushes their links into the frontier.
func (r *discoverer) committed(batch []item, found []store.Admission) {
	r.observed = r.observed[:0]
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page == nil || c.Unchanged || t.state == nil || t.before == nil {
			continue
		}
		r.observed = append(r.observed, linkorder.StoredPage{Capture: c, Before: t.before, State: t.state, Doc: &t.doc,
			Notice: t.notice != nil})
	}
	r.Order.Observe(r.observed)
	clear(r.observed) // release the last batch's memory
	r.Order.Refresh()
	r.admit(found)
	r.harvest.rejudge()
	r.estimate(batch, found)
}

// pageCommitted implements plan.
func (r *discoverer) pageCommitted(it item) {
	if u := it.Tag.before; u != nil && u.Block == scriptBlock &&
		(it.Capture.Page != nil || it.Capture.State == store.Exception) {
		r.scripted(u)
		return
	}
	r.harvest.pageCommitted(it)
}

func (r *discoverer) more() (bool, error) { return r.harvest.finalize() }

func (r *discoverer) free(id uint64, u *store.URL) bool {
	return r.scripts.due(id) || r.harvest.free(id, u)
}

// rules decides whether a link is fetched. Equal rules decide alike.
type rules struct {
	scope *urls.Scope
	state *decisions.State
}

func (r *discoverer) rules() rules { return rules{r.Scope(), r.Topic.State()} }

// push adds links judged under the given rules to the frontier. If the rules changed meanwhile,
// Reconsider may have missed these links, so all are ranked again.
func (r *discoverer) push(under rules, entries []frontier.Entry) {
	r.front.Push(entries...)
	if r.rules() != under {
		r.Order.Rank()
	}
}

// admit ranks new URLs and pushes them into the frontier.
func (r *discoverer) admit(found []store.Admission) {
	entries := make([]frontier.Entry, 0, len(found))
	for {
		under := r.rules()
		entries = entries[:0]
		below := 0
		for i := range found {
			u := &found[i].Row
			if wait, _ := revisit.Until(u.Retry, r.Now()); u.State != store.Waiting || wait > soon {
				continue
			}
			e, keep := r.Order.Entry(u)
			switch {
			case keep:
				entries = append(entries, e)
			case r.Order.Below(e):
				below++
			}
		}
		if r.rules() != under {
			continue // the rules changed meanwhile
		}
		r.push(under, entries)
		r.Filter.Refuse(urls.BelowRelevance, below)
		return
	}
}

// revisits pushes due known pages into the frontier, behind all unseen URLs, the most overdue
// first.
func (r *discoverer) revisits() error {
	set := r.Settings()
	if set.Revisit.Off {
		return nil
	}
	plan, err := revisit.Plan(&set.Revisit)
	if err != nil {
		return err
	}
	due := &revisits{plan: plan, lists: r.Topic.Lists()}
	r.harvest.revisits = due
	under := r.rules()
	var batch []frontier.Entry
	for p, err := range r.Store.Pages() {
		if err != nil {
			return err
		}
		e, ok := due.entry(r.Run, p)
		if !ok {
			continue
		}
		if batch = append(batch, e); len(batch) == refillBatch {
			r.push(under, batch)
			batch, under = batch[:0], r.rules()
		}
	}
	r.push(under, batch)
	return nil
}

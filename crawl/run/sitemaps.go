package run

import (
	"fmt"

	"angler/crawl/fetch"
	"angler/crawl/revisit"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
	"angler/store"
)

// sitemapBlock marks a URL as that of a sitemap. A sitemap waits in the
// frontier like a page, so scope, robots.txt, politeness and leases hold for it.
// It stands at depth 0, whichever page of its host was fetched first; what it
// lists are its links, one deeper, so an index that names itself ends at the
// depth limit.
const sitemapBlock = "sitemap"

// announced adds the sitemaps that robots.txt names to the links of the first
// page fetched from a host.
func (r *discoverer) announced(host string) []store.Link {
	if !r.Settings().Crawl.Sitemaps {
		return nil
	}
	if _, met := r.met.LoadOrStore(host, true); met {
		return nil
	}
	var links []store.Link
	for _, raw := range r.Fetch.Sitemaps(host) {
		if l, ok := r.sitemapLink(raw); ok {
			links = append(links, l)
		}
	}
	return links
}

// sitemapLink is the link of a named sitemap; false when it is out of scope.
func (r *discoverer) sitemapLink(raw string) (store.Link, bool) {
	canonical, err := r.Reader.Resolver.Canonical(raw)
	if err != nil {
		return store.Link{}, false
	}
	// An archive (.xml.gz) is all right here, so it is checked as a page.
	ok := r.Filter.Check(canonical, urls.Page) == urls.Accepted
	return store.Link{URL: canonical, Seed: true, Hints: store.Hints{Block: sitemapBlock}}, ok
}

// readSitemap fills the capture of a fetched sitemap.
func (r *discoverer) readSitemap(c *store.Capture, u *store.URL, resp *fetch.Response) {
	now := r.Now()
	c.Page = &store.Page{URL: u.URL, Status: resp.Status, Fetched: now, Changed: now, ETag: resp.ETag, LastModified: resp.LastModified,
		Location: resp.Location, Hash: store.KeyOf(resp.Body)}
	if resp.Status >= 300 {
		r.redirect(c, u, resp.Location)
		for i := range c.Links {
			c.Links[i].Block = sitemapBlock
		}
		return
	}
	m, err := sitemap.Parse(resp.Body, resp.ContentType, u.URL, sitemap.Limits{})
	if err != nil {
		r.noPage(c, u, revisit.Forbidden, err)
		return
	}
	state := r.Topic.State()
	for _, s := range m.Index {
		if l, ok := r.sitemapLink(s); ok {
			l.Seed = false
			c.Links = append(c.Links, l)
		}
	}
	filter := r.Filter
	for _, s := range m.URLs {
		if filter.Check(s.URL, urls.ClassOf(s.URL)) == urls.Accepted {
			c.Links = append(c.Links, store.Link{URL: s.URL, Hints: store.Hints{URLScore: state.Shares.Score(s.URL)}})
		}
	}
	r.Events.Note("info", "sitemap %s: %d addresses, %d sitemaps", u.URL, len(m.URLs), len(m.Index))
}

// nameSitemaps makes the sitemaps of the settings known.
func (r *discoverer) nameSitemaps() error {
	var links []store.Link
	for _, raw := range r.Settings().Sitemaps {
		l, ok := r.sitemapLink(raw)
		if !ok {
			return fmt.Errorf("angler.toml: sitemaps: %q is no http address within the scope", raw)
		}
		links = append(links, l)
	}
	_, err := r.Store.Admit(links, 0)
	return err
}

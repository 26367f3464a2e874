package run

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"angler/crawl/fetch"
	"angler/crawl/revisit"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
	"angler/store"
)

// Bounds of sitemaps per host. The sitemap package bounds entries and unpacked size of one file.
const (
	nestedSitemaps = 3   // depth of indexes that name each other
	maxSitemaps    = 500 // files per host, over all runs
)

// sitemaps holds the known sitemaps by host. The zero value is empty; it is safe for concurrent
// use.
type sitemaps struct {
	mu    sync.Mutex
	hosts map[string]*hostSitemaps
}

type hostSitemaps struct {
	known int
	full  bool // the bound was reported
	asked bool // its robots.txt was searched
}

// edit changes the record of a host under the lock.
func (s *sitemaps) edit(host string, change func(*hostSitemaps)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosts == nil {
		s.hosts = map[string]*hostSitemaps{}
	}
	if s.hosts[host] == nil {
		s.hosts[host] = &hostSitemaps{}
	}
	change(s.hosts[host])
}

// meet counts a known URL if it is a sitemap.
func (s *sitemaps) meet(u *store.URL) {
	if u.Block == sitemap.Block {
		s.take(urls.HostOf(u.URL), math.MaxInt)
	}
}

// take counts one more sitemap of a host unless it has most already. first means that this is the
// first one refused.
func (s *sitemaps) take(host string, most int) (ok, first bool) {
	s.edit(host, func(h *hostSitemaps) {
		if ok = h.known < most; ok {
			h.known++
		} else {
			first, h.full = !h.full, true
		}
	})
	return ok, first
}

// admitsSitemap reports whether a sitemap is known or may be added.
func (r *discoverer) admitsSitemap(canonical string) bool {
	if _, known := r.Store.Lookup(canonical); known {
		return true
	}
	host := urls.HostOf(canonical)
	ok, first := r.sitemaps.take(host, maxSitemaps)
	if !ok {
		r.Filter.Refuse(urls.SitemapBound, 1)
	}
	if first {
		r.Events.Note("warn", "host %s has more than %d sitemaps: the others are left out", host, maxSitemaps)
	}
	return ok
}

// robotsSitemaps returns the sitemaps that robots.txt names, as links of the first page fetched
// from a host.
func (r *discoverer) robotsSitemaps(host string) []store.Link {
	if !r.Settings().Crawl.Sitemaps {
		return nil
	}
	asked := false
	r.sitemaps.edit(host, func(h *hostSitemaps) { asked, h.asked = h.asked, true })
	if asked {
		return nil
	}
	var links []store.Link
	for _, raw := range r.PageWorkers.Sitemaps(host) {
		if l, ok := r.sitemapLink(raw); ok && r.admitsSitemap(l.URL) {
			links = append(links, l)
		}
	}
	return links
}

// sitemapLink returns the link of a named sitemap; false if it is out of scope.
func (r *discoverer) sitemapLink(raw string) (store.Link, bool) {
	canonical, err := r.Reader.Resolver.Canonical(raw)
	if err != nil {
		return store.Link{}, false
	}
	// Checked as a page, because the filter refuses archives (.xml.gz).
	ok := r.Filter.Check(canonical, urls.Page) == urls.Accepted
	return store.Link{URL: canonical, Seed: true, Hints: store.Hints{Block: sitemap.Block}}, ok
}

// readSitemap fills the capture of a fetched sitemap.
func (r *discoverer) readSitemap(c *store.Capture, u *store.URL, resp *fetch.Response) {
	c.Page = r.pageOf(u, resp)
	c.Page.Location = resp.Location
	if resp.Status >= 300 {
		r.redirect(c, u, resp.Location)
		for i := range c.Links {
			c.Links[i].Block = sitemap.Block
		}
		return
	}
	m, err := sitemap.Parse(resp.Body, resp.ContentType, u.URL, sitemap.Limits{})
	if err != nil {
		r.noPage(c, u, revisit.Forbidden, asFailure(store.FailedSitemap, err))
		return
	}
	state := r.Topic.State()
	if u.Depth >= nestedSitemaps && len(m.Index) > 0 {
		r.Filter.Refuse(urls.SitemapBound, len(m.Index))
		r.Events.Note("warn", "sitemap %s is the %dth index in a row: the %d sitemaps it names are left out", u.URL,
			nestedSitemaps+1, len(m.Index))
		m.Index = nil
	}
	for _, s := range m.Index {
		if l, ok := r.sitemapLink(s); ok && r.admitsSitemap(l.URL) {
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
	if len(m.Limits) > 0 {
		r.Events.Note("warn", "sitemap %s was cut short: bounds reached: %s", u.URL, strings.Join(m.Limits, ", "))
	}
}

// nameSitemaps stores the sitemaps of the settings.
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

package run

import (
	"cmp"
	"net/http"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// This file ends a look at all seeds.

// Minimum results of a look at all seeds.
const (
	lookPages = 30
	lookLists = 3 // whose titles match the patterns
	lookSites = 2 // with such lists, if the seeds have so many
)

// look counts the results of a look.
type look struct {
	missed       int  // fetches without a page
	found        bool // enough results
	pages, lists int
	sites        map[string]bool // sites of the lists
}

// looked counts a fetch of a look, and ends the look once it found enough pages to choose samples
// from. p is nil if the fetch brought no page.
func (r *Run) looked(p *store.Page) {
	if r.task != view.Look || r.opt.Under != "" {
		return
	}
	wanted := r.Topic.State().Patterns
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.look
	if p == nil || p.Status != http.StatusOK {
		x.missed++
		return
	}
	if x.pages++; page.Type(p.Type) == page.List && (wanted == nil || wanted.Match(cmp.Or(p.Head, p.Title))) {
		x.lists++
		if x.sites == nil {
			x.sites = map[string]bool{}
		}
		x.sites[topic.Registrable(urls.HostOf(p.URL))] = true
	}
	if x.pages >= lookPages && x.lists >= lookLists && len(x.sites) >= min(lookSites, r.seedSites()) {
		x.found = true
		r.enough()
	}
}

// seedSites counts the sites of the seeds.
func (r *Run) seedSites() int {
	sites := map[string]bool{}
	for _, s := range r.Settings().Seeds {
		sites[topic.Registrable(urls.HostOf(s))] = true
	}
	return len(sites)
}

// bound returns the number of fetches after which the run ends; 0 means never. A look counts pages:
// each fetch without one, a dead link or a redirect, raises the bound by one, up to three times the
// budget. The caller holds the lock.
func (r *Run) bound() int {
	return r.budget + min(r.look.missed, 2*r.budget)
}

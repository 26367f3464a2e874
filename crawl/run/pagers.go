package run

import (
	"slices"
	"sync"

	"angler/crawl/page"
	"angler/store"
)

// pagers records what list pages show, to detect pagination by plain links that repeats or never
// ends. Pagers by other requests are dropped when they repeat, see repeats. The zero value is
// empty. It keeps a few hundred bytes per list with a pager.
type pagers struct{ shown sync.Map }

// bound makes the pager links of a page count as deeper if the page shows the same as the one
// before it. Pages of a list otherwise have the list's depth, so an endless pager would be followed
// forever. It applies to pages that are no aggregation pages, too.
func (s *pagers) bound(u *store.URL, p *page.Page, links []store.Link) {
	if !slices.ContainsFunc(links, func(l store.Link) bool { return l.Pager }) {
		return // no link to follow
	}
	now := p.EntriesHash()
	if now == 0 {
		return
	}
	s.shown.Store(u.ID, now)
	for l := range u.Inlinks {
		if was, ok := s.shown.Load(l.Source); !ok || !l.Pager || was != now {
			continue
		}
		for i := range links {
			if links[i].Pager {
				links[i].Flat = false
			}
		}
	}
}

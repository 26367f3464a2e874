package run

import (
	"slices"
	"sync"

	"angler/crawl/page"
	"angler/store"
)

// pagers knows what the pages of a run show, to see that a pager goes round in a circle or
// never ends. It is for plain links: pagers that only a request turns are left when they
// repeat themselves. The zero value knows nothing; it keeps some hundred bytes a list that
// has a pager.
type pagers struct{ shown sync.Map }

// bound has the pager of a page lead deeper when the page shows what the one before it has
// shown. The pages of a list are all as deep as the list, so a pager that never ends would
// otherwise be followed for ever. It holds for what is no aggregation page, too.
func (s *pagers) bound(u *store.URL, p *page.Page, links []store.Link) {
	if !slices.ContainsFunc(links, func(l store.Link) bool { return l.Pager }) {
		return // nothing can follow it
	}
	now := p.Shown()
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

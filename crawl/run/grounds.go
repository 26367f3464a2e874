package run

import (
	"sync"

	"angler/crawl/page"
	"angler/store"
)

// grounds remembers on what the readings of notices rest, some hundred bytes a notice. A
// discovery reads its notices as they come, and once more at its end, when its hosts are
// known: most of them would be read as they were. The zero value remembers nothing. Safe
// for concurrent use.
type grounds struct {
	mu sync.Mutex
	m  map[uint64]ground // by id
}

type ground struct {
	as      page.Announced
	heard   page.HostDependencies
	scripts []string // without which it was read
	hash    store.Key
}

// note remembers how a page was read, whose body has a hash.
func (g *grounds) note(id uint64, hash store.Key, p *page.Page) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.m == nil {
		g.m = map[uint64]ground{}
	}
	g.m[id] = ground{p.Notice.As, p.Notice.Heard, p.Scripts, hash}
}

// take forgets what is remembered of a page, and returns it.
func (g *grounds) take(id uint64) (ground, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x, ok := g.m[id]
	delete(g.m, id)
	return x, ok
}

// same is the notice that is stored of a page, if this run has read it from the very page
// that is stored now, and would read it so again; nil = it is to be read.
func (m *NoticeMaker) same(u *store.URL, a AnnouncedNotice) *store.Notice {
	x, ok := m.grounds.take(u.ID)
	if !ok || x.as != m.As(a) || !m.Reader.Holds(u.URL, x.scripts, &x.heard) {
		return nil
	}
	row, err := m.Store.Page(u.ID)
	if err != nil || row == nil || row.Hash != x.hash || row.Location != "" {
		return nil
	}
	n, err := m.Store.Notice(u.ID)
	if err != nil || n == nil {
		return nil
	}
	on(n, a)
	return n
}

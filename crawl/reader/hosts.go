package reader

import (
	"sync"

	"angler/crawl/page"
)

// hosts keeps what the pages of each host repeat. It is read from the store when
// a host is first met and written back by save.
type hosts struct {
	store Store
	mu    sync.Mutex // guards m and the saved of its entries
	m     map[string]*host
}

type host struct {
	boiler page.Boilerplate
	errors page.ErrorPages
	saved  int // pages learned when it was last written
}

func (t *hosts) of(name string) *host {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.m[name]
	if h == nil {
		h = new(host)
		if t.m == nil {
			t.m = map[string]*host{}
		}
		t.m[name] = h
		// What does not decode is learned anew.
		if v := t.store.Host(name); v != nil && h.boiler.UnmarshalBinary(v) == nil {
			h.saved = h.boiler.Pages()
		}
	}
	return h
}

// save writes what was learned since the last save.
func (t *hosts) save() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string][]byte{}
	for name, h := range t.m {
		n := h.boiler.Pages()
		if n == h.saved {
			continue
		}
		v, err := h.boiler.MarshalBinary()
		if err != nil {
			return err
		}
		out[name], h.saved = v, n
	}
	return t.store.PutHosts(out)
}

package crawl

import (
	"sync"

	"angler/crawl/page"
	"angler/store"
)

// hostTable keeps what the pages of each host repeat. It is read from the
// store when a host is first met and written back at the end of a run.
type hostTable struct {
	mu sync.Mutex
	m  map[string]*hostEntry
}

type hostEntry struct {
	boiler page.Boilerplate
	errors page.ErrorPages
	saved  int // pages learned when it was last written
}

// errorPage tells whether a page repeats its host's error page, "" if not.
func (t *hostTable) errorPage(ws *store.Workspace, host string, p *page.Page) string {
	return t.entry(ws, host).errors.Learn(p)
}

func (t *hostTable) of(ws *store.Workspace, host string) *page.Boilerplate {
	return &t.entry(ws, host).boiler
}

func (t *hostTable) entry(ws *store.Workspace, host string) *hostEntry {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.m[host]
	if h == nil {
		h = new(hostEntry)
		if t.m == nil {
			t.m = map[string]*hostEntry{}
		}
		t.m[host] = h
		// What does not decode is learned anew.
		if v := ws.Host(host); v != nil && h.boiler.UnmarshalBinary(v) == nil {
			h.saved = h.boiler.Pages()
		}
	}
	return h
}

// save writes what was learned since the last save.
func (t *hostTable) save(ws *store.Workspace) error {
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
	return ws.PutHosts(out)
}

package linkorder

import (
	"sync"

	"angler/store"
)

// LinkSources caches the URLs of source pages. An inlink names its source by id, the link order needs the address,
// and links of one page are ranked together.
type LinkSources struct {
	mu   sync.Mutex
	urls [2]map[uint64]string // young and old generation
}

// sourcesSize is the maximum size of one generation, about 10 MB.
const sourcesSize = 1 << 16

func (s *LinkSources) put(id uint64, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(id, url)
}

func (s *LinkSources) add(id uint64, url string) {
	if s.urls[0] == nil || len(s.urls[0]) >= sourcesSize {
		s.urls[0], s.urls[1] = make(map[uint64]string), s.urls[0]
	}
	s.urls[0][id] = url
}

// url returns the address of a known page, "" if unknown.
func (s *LinkSources) url(ws *store.Workspace, id uint64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u, ok := s.urls[0][id]; ok {
		return u
	}
	u, ok := s.urls[1][id]
	if !ok {
		row, err := ws.URL(id)
		if err != nil || row == nil {
			return ""
		}
		u = row.URL
	}
	s.add(id, u)
	return u
}

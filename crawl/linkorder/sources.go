package linkorder

import (
	"sync"

	"angler/store"
)

// LinkSources caches the URLs of source pages. An inlink names its source by id, the link order needs the address,
// and links of one page are ranked together. The zero value is ready.
type LinkSources struct {
	mu   sync.Mutex
	urls recent[string]
}

// sourcesSize is the maximum number of cached URLs, about 20 MB.
const sourcesSize = 1 << 17

func (s *LinkSources) put(id uint64, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(id, url)
}

func (s *LinkSources) add(id uint64, url string) {
	if s.urls.young == nil {
		s.urls = newRecent[string](sourcesSize)
	}
	s.urls.put(id, url)
}

// url returns the address of a known page, "" if unknown.
func (s *LinkSources) url(ws *store.Workspace, id uint64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ok := s.urls.get(id)
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

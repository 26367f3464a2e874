package run

import (
	"slices"
	"sync"

	"angler/crawl/urls"
	"angler/store"
)

// maxScriptsPerHost is how many files of one host are asked for in one run.
const maxScriptsPerHost = 20

// scriptFiles are those of one run. The zero value is empty.
type scriptFiles struct {
	mu      sync.Mutex
	hosts   map[string]int
	waiting map[string][]uint64 // URL of a file → pages that need it
	again   map[uint64]bool     // pages that are on their way to be read again
}

// want notes that a page needs files, and returns those that may be fetched: as many of a
// host as maxScriptsPerHost, and only accepted ones.
func (s *scriptFiles) want(page uint64, files []string, accepted func(url string) bool) (wanted []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosts == nil {
		s.hosts, s.waiting = map[string]int{}, map[string][]uint64{}
	}
	for _, url := range files {
		host := urls.HostOf(url)
		if _, known := s.waiting[url]; !known {
			if s.hosts[host] >= maxScriptsPerHost || !accepted(url) {
				continue
			}
			s.hosts[host]++
		}
		s.waiting[url] = append(s.waiting[url], page)
		wanted = append(wanted, url)
	}
	return wanted
}

// came returns the pages that need a file that has come; from now on they are due. Those
// of a run that was killed are among them, by the links of the file.
func (s *scriptFiles) came(file *store.URL) (pages []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.again == nil {
		s.again = map[uint64]bool{}
	}
	due := func(id uint64) {
		if !s.again[id] {
			s.again[id] = true
			pages = append(pages, id)
		}
	}
	for _, id := range s.waiting[file.URL] {
		due(id)
	}
	for l := range file.Inlinks {
		due(l.Source)
	}
	return pages
}

// due reports whether a page is to be read again.
func (s *scriptFiles) due(page uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.again[page]
}

// take is Due, and the page is due no longer.
func (s *scriptFiles) take(page uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := s.again[page]
	delete(s.again, page)
	return due
}

// scriptBlock marks a URL as that of a script file.
const scriptBlock = "script"

// links are Want as links of the page. The ending of a file says that it is no page, so it
// is checked as if it were one.
func (s *scriptFiles) links(page uint64, files []string, f *urls.Filter) (links []store.Link) {
	for _, url := range s.want(page, files, func(url string) bool { return f.Check(url, urls.Page) == urls.Accepted }) {
		links = append(links, store.Link{URL: url, Flat: true, Hints: store.Hints{Block: scriptBlock, AnchorScore: 1, Relevant: true}})
	}
	return links
}

// scriptsExpected reports whether one of the files that a page needs is still to come: it is
// accepted and nobody has fetched it, or has tried to.
func scriptsExpected(w *store.Workspace, f *urls.Filter, files []string) bool {
	return slices.ContainsFunc(files, func(url string) bool {
		id, known := w.Lookup(url)
		if !known {
			return f.Check(url, urls.Page) == urls.Accepted
		}
		u, err := w.URL(id)
		return err == nil && u != nil && u.State == store.Waiting
	})
}

package run

import (
	"slices"
	"sync"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// This file handles script files.
//
// Rows that open by a function, and pagers that call one, can only be read if the function is
// known. It often stands in a script file. The few files that a page needs (page.Page.Scripts, same
// host) are links of the page. They wait in the frontier like a page, so scope, robots.txt,
// politeness and leases apply. When a file is stored, the pages that need it are read again from
// the store.

// maxScriptsPerHost bounds the script files requested from one host in one run.
const maxScriptsPerHost = 20

// scriptFiles holds the script files of one run. The zero value is empty.
type scriptFiles struct {
	mu      sync.Mutex
	hosts   map[string]int
	waiting map[string][]uint64 // URL of a file → pages that need it
	again   map[uint64]bool     // pages waiting to be read again
}

// want records that a page needs files. It returns the files that may be fetched: at most
// maxScriptsPerHost per host, and accepted ones only.
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

// fetched returns the pages that need a file and marks them due. The file's inlinks add pages of a
// killed run.
func (s *scriptFiles) fetched(file *store.URL) (pages []uint64) {
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

// take is due that also clears the mark.
func (s *scriptFiles) take(page uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := s.again[page]
	delete(s.again, page)
	return due
}

// scriptBlock marks the URL of a script file.
const scriptBlock = "script"

// links returns wanted files as links of the page. It checks them as pages, because the filter
// refuses a script's file ending.
func (s *scriptFiles) links(page uint64, files []string, f *urls.Filter) (links []store.Link) {
	for _, url := range s.want(page, files, func(url string) bool { return f.Check(url, urls.Page) == urls.Accepted }) {
		links = append(links, store.Link{URL: url, Flat: true,
			Hints: store.Hints{Block: scriptBlock, AnchorScore: 1, Relevant: true}})
	}
	return links
}

// scriptsExpected reports whether a file that a page needs is still to come: the filter accepts it,
// and it was neither fetched nor tried.
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

// scriptBytes bounds a script file; a longer one is not stored.
const scriptBytes = 256 << 10

// readScript fills the capture of a fetched script file. It counts no words.
func (r *Run) readScript(c *store.Capture, u *store.URL, resp *fetch.Response) {
	c.Page = r.pageOf(u, resp)
	c.Page.Location = resp.Location
	if resp.Status == 200 && len(resp.Body) <= scriptBytes {
		c.Body = store.Compress(resp.Body)
	}
}

// scripted handles the commit or the failure of a script file: the pages that need it are visited
// again.
func (r *discoverer) scripted(u *store.URL) {
	r.Reader.Rescript(u.URL)
	for _, id := range r.scripts.fetched(u) {
		p, err := r.Store.URL(id)
		if err != nil || p == nil || p.State != store.Complete {
			r.scripts.take(id)
			continue
		}
		r.promote(frontier.Entry{ID: id, Host: urls.HostOf(p.URL), Priority: 2}, p.URL)
	}
}

// readStored reads a stored page again after one of its script files came. p is nil without a body.
// resp is the stored response.
func (r *Run) readStored(
	entry frontier.Entry, u *store.URL,
) (c visit, old *store.Page, p *page.Page, resp *fetch.Response) {
	old, err := r.Store.Page(u.ID)
	if err != nil || old == nil {
		return c, nil, nil, nil
	}
	var opt page.Options
	src, err := r.Reader.Source(u.ID, &opt)
	if err != nil || src == nil {
		return c, nil, nil, nil
	}
	r.front.Spare(entry)
	resp = &fetch.Response{URL: u.URL, Status: old.Status, ContentType: src.ContentType, ETag: old.ETag,
		LastModified: old.LastModified, Body: src.Body}
	c = newVisit(entry, u)
	if p = r.understand(c, u, old, resp, page.Options{}); p != nil {
		c.Page.Fetched, c.Page.Changed, c.Page.History = old.Fetched, old.Changed, old.History // this was no visit
	}
	return c, old, p, resp
}

// readAgain is readStored for a page that waits for a script file.
func (r *discoverer) readAgain(entry frontier.Entry, u *store.URL) (visit, bool) {
	if !r.scripts.take(u.ID) {
		return visit{}, false
	}
	c, _, p, resp := r.readStored(entry, u)
	if p != nil {
		r.harvest.follow(c, u, p, resp)
	}
	return c, resp != nil
}

// fillFromStore completes a response "unchanged" with the stored body.
func (h *harvester) fillFromStore(u *store.URL, old *store.Page, resp *fetch.Response) bool {
	var opt page.Options
	src, err := h.Reader.Source(u.ID, &opt)
	if err != nil || src == nil {
		return false
	}
	resp.Status, resp.ContentType, resp.Body = old.Status, src.ContentType, src.Body
	return true
}

// visitScript fetches a script file for a list. A harvest requests script files of its lists only.
// A file is a task of the first list that needs it, and this list's chain waits until the file came
// or failed for good.
func (h *harvester) visitScript(entry frontier.Entry, u *store.URL) visit {
	_, resp, c := h.load(entry, u, true)
	if resp != nil {
		h.readScript(c.Capture, u, resp)
	}
	return c
}

// visitAgain reads a stored list again after one of its script files came.
func (h *harvester) visitAgain(entry frontier.Entry, u *store.URL, v *listVisit) (visit, bool) {
	if !h.scripts.take(u.ID) {
		return visit{}, false
	}
	c, old, p, resp := h.readStored(entry, u)
	if p == nil {
		return c, resp != nil
	}
	h.read(c, u, v, old, p)
	return c, true
}

// wantScripts schedules the script files of a committed list.
func (h *harvester) wantScripts(v *listVisit) {
	for _, url := range v.scripts {
		id, ok := h.Store.Lookup(url)
		if !ok {
			continue
		}
		if u, err := h.Store.URL(id); err != nil || u == nil || h.waits(u) {
			continue
		}
		if h.tasks.add(id, task{script: v}) {
			v.chain.of().pending++
			h.push(id, url, 2+v.score)
		}
	}
	v.scripts = nil
}

// scripted handles the commit or the failure of a script file.
func (h *harvester) scripted(it item, v *listVisit) {
	c, u := it.Capture, it.Tag.before
	if c.Page == nil || u == nil {
		if c.State == store.Exception && isPermanent(c.Failure) {
			v.chain.of().pending--
		}
		return
	}
	v.chain.of().pending--
	h.Reader.Rescript(u.URL)
	for _, id := range h.scripts.fetched(u) {
		list := h.tasks.of(id).list
		if list == nil {
			h.scripts.take(id)
			continue
		}
		list.chain.of().pending++
		h.push(id, list.url, 2+list.score)
	}
}

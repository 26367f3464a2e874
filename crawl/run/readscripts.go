package run

import (
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// Rows that open by a function, and pagers that call one, can only be read when the
// function can. It often stands in a script file. Those files that a page needs for that
// (page.Page.Scripts: few, of its own host) are links of the page; they wait in the
// frontier like a page, so that scope, robots.txt, politeness and leases hold for them.
// When one has come the pages that need it are read again from the store.

// scriptBytes bounds a script file; a longer one is not kept.
const scriptBytes = 256 << 10

// readScript fills the capture of a fetched script file. It has no words.
func (r *Run) readScript(c *store.Capture, u *store.URL, resp *fetch.Response) {
	c.Page = r.pageOf(u, resp)
	c.Page.Location = resp.Location
	if resp.Status == 200 && len(resp.Body) <= scriptBytes {
		c.Body = store.Compress(resp.Body)
	}
}

// scripted follows the commit of a script file, or of the news that there is none: the
// pages that need it come once more.
func (r *discoverer) scripted(u *store.URL) {
	r.Reader.Rescript(u.URL)
	for _, id := range r.scripts.came(u) {
		p, err := r.Store.URL(id)
		if err != nil || p == nil || p.State != store.Complete {
			r.scripts.take(id)
			continue
		}
		r.promote(frontier.Entry{ID: id, Host: urls.HostOf(p.URL), Priority: 2}, p.URL)
	}
}

// readStored is the visit of a page that is read again from the store, now that a script
// file is there; nil without a body. The response is what is stored.
func (r *Run) readStored(entry frontier.Entry, u *store.URL) (c visit, old *store.Page, p *page.Page, resp *fetch.Response) {
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
	resp = &fetch.Response{URL: u.URL, Status: old.Status, ContentType: src.ContentType, ETag: old.ETag, LastModified: old.LastModified, Body: src.Body}
	c = newVisit(entry, u)
	if p = r.understand(c, u, old, resp, page.Options{}); p != nil {
		c.Page.Fetched, c.Page.Changed, c.Page.History = old.Fetched, old.Changed, old.History // it was no visit
	}
	return c, old, p, resp
}

// readAgain is readStored for a page that waits for it.
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

// A harvest asks for the files of its lists alone. They are errands of the list that
// needed one first, whose chain is not done before they have come or never will.

// whole makes of an answer that a page is unchanged the page, by what is stored.
func (h *harvester) whole(u *store.URL, old *store.Page, resp *fetch.Response) bool {
	var opt page.Options
	src, err := h.Reader.Source(u.ID, &opt)
	if err != nil || src == nil {
		return false
	}
	resp.Status, resp.ContentType, resp.Body = old.Status, src.ContentType, src.Body
	return true
}

// visitScript fetches a script file for a list.
func (h *harvester) visitScript(entry frontier.Entry, u *store.URL) visit {
	_, resp, c := h.load(entry, u, true)
	if resp != nil {
		h.readScript(c.Capture, u, resp)
	}
	return c
}

// visitAgain reads a list again from the store, now that a script file is there.
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

// wantScripts schedules the script files of a list that was committed.
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

// scripted follows the commit of a script file, or of a visit that brought none.
func (h *harvester) scripted(it item, v *listVisit) {
	c, u := it.Capture, it.Tag.before
	if c.Page == nil || u == nil {
		if c.State == store.Exception && lasts(c.Failure) {
			v.chain.of().pending--
		}
		return
	}
	v.chain.of().pending--
	h.Reader.Rescript(u.URL)
	for _, id := range h.scripts.came(u) {
		list := h.tasks.of(id).list
		if list == nil {
			h.scripts.take(id)
			continue
		}
		list.chain.of().pending++
		h.push(id, list.url, 2+list.score)
	}
}

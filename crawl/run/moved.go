package run

import (
	"errors"
	"sync"

	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// This file makes notices from redirected addresses.
//
// The notice keeps the address from its list. The redirect is stored with that address. Its target
// is a link, which goes through scope, robots.txt and politeness like any other. When the target is
// stored, the notice is read from its page. Fields and later visits use the same page
// (reader.Behind).

// storedNotice makes a notice from a stored page.
func (h *harvester) storedNotice(c visit, u *store.URL, a *announced) {
	row, next, err := h.Reader.Behind(u.ID)
	if f, ok := errors.AsType[store.Failure](err); ok {
		h.failRedirect(c, u, f)
		return
	}
	if next != "" {
		if h.admitTarget(c, u, next) {
			return
		}
		to, f := h.target(next)
		if c.behind = to; to != 0 {
			return
		}
		if f != (store.Failure{}) {
			h.failRedirect(c, u, store.Failure{Kind: store.FailedRedirect, Detail: "it leads to " + next + ": " +
				f.Error()})
			return
		}
	}
	if err != nil || row == nil {
		return
	}
	if n := h.maker.noticeAt(u.ID); n != nil && n.ID != u.ID && !h.replaced(n) {
		return // both addresses lead to the page of one notice
	}
	if c.Notice = h.maker.load(row, u, a.announcement()); c.Notice == nil {
		return
	}
	if old, err := h.Store.Notice(u.ID); err == nil && old != nil {
		c.Notice.FirstSeen, c.Notice.Changed, c.renewed = old.FirstSeen, old.Changed, true
	}
}

// admitTarget stores the target of a notice's redirect as a link if it is out of scope but may be
// followed, such as the host of another office. It returns true if the notice is to be visited
// again. A discovery does this in its final part, when the link order can no longer exclude it.
func (h *harvester) admitTarget(c visit, u *store.URL, next string) bool {
	if _, known := h.Store.Lookup(next); known || h.Scope().Contains(next) || urls.ClassOf(next) != urls.Page ||
		!h.Scope().Follows(u.URL, next) || h.opt.Stored {
		return false
	}
	if row, err := h.Store.Page(u.ID); err == nil && row != nil && h.final.Load() {
		own := *row
		c.Page, c.Unchanged = &own, true
		c.Links, c.behind = []store.Link{linkorder.RedirectLink(u, next)}, u.ID
	}
	return true
}

// failRedirect completes the visit to a notice whose redirect leads to no page.
func (h *harvester) failRedirect(c visit, u *store.URL, f store.Failure) {
	h.noPage(c.Capture, u, revisit.Gone, f)
	if !h.Topic.State().Muted(u.URL) {
		h.Events.Note("warn", "%s · %s · asked again in %s", f, u.URL, inWords(c.Retry.Sub(h.Now())))
	}
}

// target returns the URL of a redirect's target that is still to be fetched; 0 = it will not be
// fetched. The failure says why; it is empty if the scope excludes the target.
func (h *harvester) target(address string) (id uint64, f store.Failure) {
	id, known := h.Store.Lookup(address)
	if !known {
		return 0, f
	}
	switch u, err := h.Store.URL(id); {
	case err != nil || u == nil || u.State == store.Complete && !h.known(id):
		return 0, f
	case u.State == store.Exception && isPermanent(u.Failure) && !revisit.Ready(u.Retry, h.Now()):
		return 0, u.Failure
	}
	return id, f
}

// leadsOn reports whether a redirect is stored for a URL.
func (h *harvester) leadsOn(id uint64) bool {
	row, err := h.Store.Page(id)
	return err == nil && row != nil && row.Location != ""
}

// resolveMoved follows the commit of a URL. It schedules the notices that wait for this URL, or
// waits for the URL's own target.
func (h *harvester) resolveMoved(it item) {
	c, t := it.Capture, it.Tag
	if todo := h.tasks.of(c.ID); todo.moved != nil && !h.comesAgain(it) {
		h.tasks.edit(c.ID, func(x *task) { x.moved = nil })
		for _, id := range *todo.moved {
			if u, err := h.Store.URL(id); err == nil && u != nil {
				h.push(id, u.URL, 1) // its page is stored: no request
			}
		}
	}
	switch {
	case t.behind != 0:
		h.awaitTarget(it, t.behind)
	case h.final.Load() && c.Notice == nil && c.Page != nil && c.Page.Location != "" && h.tasks.of(c.ID).notice != nil:
		h.front.Retry(t.entry, h.Now()) // its target is stored as a link now
	}
}

// awaitTarget schedules the page that a notice's address leads to.
func (h *harvester) awaitTarget(it item, behind uint64) {
	u, err := h.Store.URL(behind)
	switch {
	case err != nil || u == nil || h.opt.Stored && !h.known(behind):
	case h.isStored(u):
		h.front.Retry(it.Tag.entry, h.Now())
	case h.waits(u): // left to a later run
	default:
		h.tasks.edit(behind, func(x *task) {
			var all []uint64
			if x.moved != nil {
				all = *x.moved
			}
			all = append(all[:len(all):len(all)], it.Capture.ID)
			x.moved = &all
		})
		if h.Scope().Contains(u.URL) {
			h.push(behind, u.URL, 1)
			return
		}
		e := frontier.Entry{ID: behind, Host: urls.HostOf(u.URL), Priority: 1}
		if h.Ranks() {
			e.Queue = frontier.Errands
		}
		h.front.Push(e)
	}
}

// maxBefore bounds a chain of redirects that noticeBefore follows backwards.
const maxBefore = 5

// noticeAt returns the notice of an address: its own, the one of its target, or the one of an
// address that redirects to it. It returns nil if there is none.
func (m *NoticeMaker) noticeAt(id uint64) *store.Notice {
	if n, err := m.Store.Notice(id); err != nil || n != nil {
		return n
	}
	row, _, err := m.Reader.Behind(id)
	if err != nil || row == nil {
		return nil
	}
	if row.ID != id {
		n, _ := m.Store.Notice(row.ID) // an unreadable row counts as missing
		return n
	}
	return m.noticeBefore(id, id, maxBefore)
}

// noticeBefore returns the notice of an address that redirects to a page, directly or over at most
// most redirects; nil if there is none.
func (m *NoticeMaker) noticeBefore(page, id uint64, most int) *store.Notice {
	u, err := m.Store.URL(id)
	if err != nil || u == nil || most == 0 {
		return nil
	}
	for l := range u.Inlinks {
		if l.Block != linkorder.RedirectBlock || l.Source == id {
			continue
		}
		if row, _, err := m.Reader.Behind(l.Source); err != nil || row == nil || row.ID != page {
			continue
		}
		if n, err := m.Store.Notice(l.Source); err == nil && n != nil {
			return n
		}
		if n := m.noticeBefore(page, l.Source, most-1); n != nil {
			return n
		}
	}
	return nil
}

// looped holds redirects that lead back to an earlier address, because a page between sets a
// cookie. Each address is requested once more. The zero value is empty.
type looped struct {
	mu  sync.Mutex
	due map[uint64]bool // false = requested again already
}

// add reports whether an address is new in this run.
func (l *looped) add(id uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.due == nil {
		l.due = map[uint64]bool{}
	}
	_, met := l.due[id]
	l.due[id] = !met || l.due[id]
	return !met
}

// take reports whether an address is due for its second request, and clears it.
func (l *looped) take(id uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := l.due[id]
	if due {
		l.due[id] = false
	}
	return due
}

// retryLoop schedules the second request of an address when a redirect leads back to it.
func (r *Run) retryLoop(it item) {
	c := it.Capture
	if c.Page == nil || c.Page.Location == "" || c.Unchanged {
		return
	}
	to, err := r.Reader.Resolver.Canonical(c.Page.Location)
	if err != nil {
		return
	}
	id, known := r.Store.Lookup(to)
	if !known || id == c.ID {
		return
	}
	if _, next, err := r.Reader.Behind(id); err == nil || next != to || !r.looped.add(id) {
		return
	}
	e := frontier.Entry{ID: id, Host: urls.HostOf(to), Class: frontier.Revisit}
	if r.Ranks() {
		e.Queue = r.Order.Queue(to)
	}
	r.front.Retry(e, r.Now())
}

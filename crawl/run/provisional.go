package run

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
	"angler/topic"
)

// This file is the provisional part of a discovery's harvester.
//
// When a page is judged an aggregation page, its notices and further pages become errands, which
// take turns with the links. A judgement during a crawl is provisional: its notices are stored and
// shown, and the list is marked (revisit.SetSending). When the judgement changes, new lists send
// their notices. Unvisited notices of lists that no longer qualify wait as links again.
//
// Pages with equal text are one list, as in decisions.Aggregations: the first one read sends for
// the notices.
//
// Notices beyond the depth limit come with the final part. They would stay if a list later failed
// to qualify, and their depth is not final before all links are visited.

// enabled reports whether discoveries harvest.
func (h *harvester) enabled() bool { return h.Settings().Harvest.Share > 0 }

// describe returns the task of a URL for the screen; "" for none.
func (h *harvester) describe(id uint64) string {
	switch todo := h.tasks.of(id); {
	case !todo.open():
		return ""
	case h.final.Load():
		return "harvest"
	case todo.notice != nil && todo.notice.state == noticeSent:
		return "notice of " + todo.notice.list.url
	}
	return "list"
}

// isStored reports whether a URL can be read from the store without a request.
func (h *harvester) isStored(u *store.URL) bool {
	return u.State == store.Complete && (h.known(u.ID) || h.leadsOn(u.ID))
}

// visitProvisional carries out a task that needs no request; false = fetch the URL like any other.
func (h *harvester) visitProvisional(entry frontier.Entry, u *store.URL, todo task) (visit, bool) {
	v, a := todo.list, todo.notice
	if entry.Class == frontier.Revisit && (a == nil || !a.again) || !h.isStored(u) || !todo.open() ||
		h.looped.take(u.ID) {
		return visit{}, false
	}
	h.front.Spare(entry)
	c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry, state: h.Topic.State()}}
	if a != nil && a.state != noticeVisited {
		c.notice = a
		h.storedNotice(c, u, a)
	}
	if v == nil || v.read {
		return c, true
	}
	return h.storedList(c, u, v), true
}

// isAnnounced reports whether a reply is the page of the notice that a list announces at a URL. Some
// servers send such pages with status 404, because their handler of errors makes them.
func (h *harvester) isAnnounced(u *store.URL, resp *fetch.Response) bool {
	a := h.tasks.of(u.ID).notice
	return a != nil && page.IsAnnounced(page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body},
		h.maker.options(a.announcement()))
}

// announcedAs returns how to read the page of an announced notice; nil = the URL is none.
func (h *harvester) announcedAs(u *store.URL) *page.Announced {
	if a := h.tasks.of(u.ID).notice; a != nil && a.state == noticeSent && !h.final.Load() {
		as := h.maker.options(a.announcement())
		return &as
	}
	return nil
}

// follow handles a page that was fetched as a link and may be an announced notice, a list or both.
func (h *harvester) follow(c visit, u *store.URL, p *page.Page, resp *fetch.Response) {
	if h.final.Load() {
		return
	}
	todo := h.tasks.of(u.ID)
	v, a := todo.list, todo.notice
	if a != nil && a.state == noticeSent {
		c.notice = a
		c.Notice = h.maker.fromResponse(u, page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body},
			c.Page.Hash, p, a.announcement())
	}
	if v == nil && h.enabled() && h.withinDepth(u) && c.state.Labels[u.ID] != topic.No &&
		(c.state.Confirmed(u.ID, u.URL) || c.state.Relevant(&c.doc, c.Page.Score) &&
			isReliable(c.state, c.Page.Score)) &&
		h.sender(u.ID, c.doc.Same()) == u.ID {
		v = page1(u, c.Page.Score)
	}
	if v != nil {
		h.read(c, u, v, nil, p)
	}
}

// sender returns the list that sends for the notices of all lists with the same text: the first one
// passed to it.
func (h *harvester) sender(id, text uint64) uint64 {
	if text == 0 {
		return id
	}
	h.tasks.mu.Lock()
	defer h.tasks.mu.Unlock()
	if h.senders[text] == 0 {
		h.senders[text] = id
	}
	return h.senders[text]
}

// markVisited records the visit to a URL. It schedules a second visit if the URL was in flight as a
// link when a list announced it, or if a visit is due anyway.
func (h *harvester) markVisited(it item) {
	c, t := it.Capture, it.Tag
	if t.behind != 0 {
		return // visited again when its target is stored
	}
	again := false
	h.tasks.mu.Lock()
	if x := h.tasks.m[c.ID]; c.State == store.Complete && x != nil && x.notice != nil &&
		x.notice.state != noticeVisited {
		a, asNotice := x.notice, t.notice != nil
		again = !asNotice && a.state == noticeSent && !a.again
		if asNotice || a.again {
			a.state = noticeVisited
		}
		a.isNew = c.Notice != nil && !t.renewed
		a.again = a.again || again
	}
	h.tasks.mu.Unlock()
	// read from the store; a visit may be due as well
	if !again && t.before == nil && (t.list != nil || t.notice != nil) {
		_, again = h.dueAgain(c.ID)
	}
	if again {
		h.front.Retry(t.entry, h.Now())
	}
}

// found returns the row of a stored URL that may be requested now; else nil.
func (h *harvester) found(url string) *store.URL {
	id, ok := h.Store.Lookup(url)
	if !ok {
		return nil
	}
	u, err := h.Store.URL(id)
	if err != nil || u == nil || u.State != store.Complete && !revisit.Ready(u.Retry, h.Now()) {
		return nil
	}
	return u
}

// scheduleAnnounced schedules the further pages and notices of a list.
func (h *harvester) scheduleAnnounced(v *listVisit) {
	for _, next := range v.next {
		if u := h.found(next); u != nil && h.addPage(v.behind(u.ID, u.URL)) {
			h.push(u.ID, u.URL, 1+v.score)
		}
	}
	for _, rec := range v.want {
		if u := h.found(rec.URL); u != nil {
			h.announceProvisional(v, rec, u)
		}
	}
	h.tasks.edit(v.id, func(*task) { v.want, v.next = nil, nil })
}

// addPage registers the visit to a list page and reports whether it was new.
func (h *harvester) addPage(v *listVisit) (added bool) {
	h.tasks.edit(v.id, func(x *task) {
		if added = x.list == nil; added {
			x.list = v
		}
	})
	return added
}

// announceProvisional schedules a notice of the provisional part.
func (h *harvester) announceProvisional(v *listVisit, rec listpage.Record, u *store.URL) {
	send, score := false, 0.
	h.tasks.edit(u.ID, func(x *task) {
		if a := x.notice; a == nil {
			x.notice = &announced{list: v, record: rec, fingerprint: h.Topic.State().Fingerprint}
		} else {
			a.others = append(a.others, v)
		}
		if send = x.notice.state == noticeLeft && h.withinDepth(u); send {
			x.notice.state = noticeSent
		}
		score = x.notice.list.score
	})
	if send {
		h.push(u.ID, u.URL, score)
	}
}

// withinDepth reports whether the depth limit allows a URL.
func (h *harvester) withinDepth(u *store.URL) bool { return u.Depth <= h.Settings().Crawl.Depth }

// Bounds of a reliable judgement.
const (
	minReliablePages = 50  // pages that the model has seen
	minReliableScore = 1.5 // times θ, with fewer pages
)

// isReliable reports whether a judgement rests on enough pages or a clear score.
func isReliable(s *decisions.State, score float64) bool {
	return s.Model == nil || s.Learner != nil || s.Model.Background().N >= minReliablePages ||
		score >= minReliableScore*s.Model.Theta()
}

// smallCrawl is the number of pages up to which the model follows every commit. A rebuild takes
// milliseconds then, and a small site may end within the second between the engine's checks.
const smallCrawl = 1000

// rejudge applies a changed State. It runs on the writer's goroutine.
func (h *harvester) rejudge() {
	if m := h.Topic.State().Model; m != nil && m.Background().N < smallCrawl && h.Topic.Outgrown() &&
		h.settling.CompareAndSwap(false, true) {
		h.Order.Jobs.Go(func() { // an analyst's action may delay it
			defer h.settling.Store(false)
			if err := h.Topic.Settle(); err != nil {
				h.Events.Note("warn", "harvest: %v", err)
			}
		})
	}
	state := h.Topic.State()
	if h.final.Load() || state == h.state || !h.enabled() || state.Model == nil && h.state == nil {
		return
	}
	h.state = state
	senders, judged := h.judged()
	fresh := slices.DeleteFunc(senders, func(id uint64) bool {
		v := h.tasks.of(id).list
		return v != nil && v.chain.root == id
	})
	if err := h.scheduleStored(fresh); err != nil {
		h.Events.Note("warn", "harvest: %v", err)
	}
	h.reassign(judged)
	strayed := h.countOrphans(judged)
	h.counts.setOrphans(strayed, 0, strayed)
}

// judged returns the qualifying lists that send for notices, most relevant first, and the same ids
// as a set.
func (h *harvester) judged() (senders []uint64, judged map[uint64]bool) {
	scores := h.Topic.Scores()
	judged = map[uint64]bool{}
	for _, id := range h.Topic.Aggregations() {
		if sender := h.sender(id, scores.Same(id)); !judged[sender] {
			judged[sender] = true
			senders = append(senders, sender)
		}
	}
	return senders, judged
}

// countOrphans counts the new notices that no qualifying list announces now. Notices from before an
// analyst's change of the topic stay, see withdraw.
func (h *harvester) countOrphans(judged map[uint64]bool) (n int) {
	under := h.Topic.State().Fingerprint
	h.tasks.mu.Lock()
	defer h.tasks.mu.Unlock()
	for _, x := range h.tasks.m {
		if a := x.notice; a != nil && a.isNew && a.fingerprint == under && a.of(judged) == nil {
			n++
		}
	}
	return n
}

// scheduleStored schedules stored lists that no harvest and not this discovery has read.
func (h *harvester) scheduleStored(ids []uint64) error {
	fresh, err := h.unread(ids)
	if err != nil {
		return err
	}
	scores := h.Topic.Scores()
	return h.Store.EachURL(fresh, func(u *store.URL) {
		if !h.withinDepth(u) || !h.isStored(u) {
			return
		}
		score, _ := scores.Of(u.ID)
		if !h.state.Confirmed(u.ID, u.URL) && !isReliable(h.state, score) {
			return
		}
		h.tasks.edit(u.ID, func(x *task) { x.list = page1(u, score) })
		h.push(u.ID, u.URL, 1+score)
	})
}

// dueAgain returns the frontier entry of a known page that is due, whose place a task had taken.
func (h *harvester) dueAgain(id uint64) (frontier.Entry, bool) {
	p, _ := h.Store.Page(id) // an unreadable page is left to the next run
	return h.revisits.entry(h.Run, p)
}

// reassign schedules the notices of lists that qualify now, and returns those of other lists to the
// link order.
func (h *harvester) reassign(judged map[uint64]bool) {
	type move struct {
		id uint64
		a  *announced // schedule this notice; nil = return the URL to the links
	}
	var moves []move
	h.tasks.mu.Lock()
	for id, x := range h.tasks.m {
		if v := x.list; v != nil && !v.read && !judged[v.chain.root] {
			x.list = nil
			moves = append(moves, move{id, nil})
		}
		a := x.notice
		if a == nil || a.state == noticeVisited {
			continue
		}
		switch list := a.of(judged); {
		case list != nil && a.state == noticeLeft:
			a.list = list
			moves = append(moves, move{id, a})
		case list == nil && a.state == noticeSent:
			a.state = noticeLeft
			moves = append(moves, move{id, nil})
		}
	}
	h.tasks.mu.Unlock()
	for _, m := range moves {
		u, err := h.Store.URL(m.id)
		if err != nil || u == nil {
			continue
		}
		if m.a == nil {
			h.returnToLinks(u)
		} else if h.withinDepth(u) {
			h.tasks.edit(u.ID, func(*task) { m.a.state = noticeSent })
			h.push(u.ID, u.URL, m.a.list.score)
		}
	}
}

// returnToLinks makes an errand wait as a link again.
func (h *harvester) returnToLinks(u *store.URL) {
	h.front.Remove(frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Queue: frontier.Errands})
	e, keep := h.Order.Entry(u)
	if u.State != store.Waiting {
		e, keep = h.dueAgain(u.ID)
	}
	if keep {
		h.front.Push(e)
	}
}

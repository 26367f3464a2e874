package run

import (
	"slices"
	"sync"
	"sync/atomic"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
	"angler/topic"
)

// live brings home the notices of a discovery while it goes on. It has two parts.
//
// As soon as a page is judged an aggregation page its notices and the pages behind
// it become errands of the frontier, which take turns with the links. A judgement in
// the middle of a crawl is one of the moment: what it sends for is stored and shown,
// and the list is marked (revisit.SetSending). When the judgement changes, by the
// crawl or by an analyst, lists that are new send theirs and notices of lists that
// are none any more wait as the links that they are.
//
// When nothing waits any more, hosts and model have seen every page. Then the lists
// that are judged so, and no others, are read again from the store as a harvest
// reads them; what is missing is fetched, and what the moment had sent for is read
// again. What no list announces is taken back, unless an analyst has changed the
// topic since it came. So what a discovery leaves is a function of the pages and the
// decisions, whatever the order in which the pages came.
//
// Pages that show the same are one list, as in decisions.Aggregations: the one that is
// read first sends for its notices, the others do not.
//
// Notices beyond the depth of discoveries come with the second part: they would stay
// where a list turns out to be none, and nobody knows their depth before the links
// are through.
type live struct {
	*Run
	state *decisions.State          // under which lists were last judged; writer's goroutine only
	last  atomic.Pointer[harvester] // the second part; nil before it
	again *again                    // known pages that this discovery visits again

	settling atomic.Bool // the model is being built anew

	mu      sync.Mutex // guards what follows
	lists   map[uint64]*listVisit
	texts   map[uint64]uint64 // by topic.Doc.Same: the list that sends for the notices of all that show it
	notices map[uint64]*announced
}

// on reports whether discoveries harvest.
func (l *live) on() bool { return l.Settings().Harvest.Share > 0 }

// of is what is known of a URL's errands, as it stood when it was asked; nil for none.
func (l *live) of(id uint64) (v *listVisit, a *announced) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.lists[id]; known != nil {
		now := *known
		v = &now
	}
	if known := l.notices[id]; known != nil {
		now := *known
		a = &now
	}
	return v, a
}

// asked reports whether a URL is to be visited for a list's sake.
func (l *live) asked(id uint64) bool {
	if h := l.last.Load(); h != nil {
		x := h.errands.of(id)
		return x.list != nil || x.notice != nil
	}
	v, a := l.of(id)
	return v != nil && !v.read || a != nil && a.sent && !a.home
}

// what an errand is, for people; "" for none.
func (l *live) what(id uint64) string {
	if l.last.Load() != nil {
		if l.asked(id) {
			return "harvest"
		}
		return ""
	}
	switch v, a := l.of(id); {
	case a != nil && a.sent && !a.home:
		return "notice of " + a.list.url
	case v != nil && !v.read:
		return "list"
	}
	return ""
}

func (l *live) free(id uint64, u *store.URL) bool {
	if h := l.last.Load(); h != nil {
		return h.free(id, u)
	}
	return l.asked(id) && l.stored(u)
}

// stored reports whether an errand can be done without a request.
func (l *live) stored(u *store.URL) bool { return u.State == store.Complete && l.known(u.ID) }

// visit does an errand that needs no request; false = the URL is to be fetched like
// any other.
func (l *live) visit(entry frontier.Entry, u *store.URL) (visit, bool) {
	if h := l.last.Load(); h != nil {
		if l.asked(u.ID) {
			return h.visit(entry, u), true
		}
		return visit{}, false
	}
	v, a := l.of(u.ID)
	if entry.Class == frontier.Revisit && (a == nil || !a.again) || !l.stored(u) || (v == nil || v.read) && (a == nil || a.home || !a.sent) {
		return visit{}, false
	}
	l.front.Spare(entry)
	c := visit{&store.Capture{ID: u.ID, State: u.State}, &tag{entry: entry, state: l.Topic.State()}}
	if a != nil && !a.home {
		c.notice = a
		c.Notice, c.stored = l.maker.elsewhere(l.ctx, u, a.says())
	}
	if v == nil || v.read {
		return c, true
	}
	old, err := l.Store.Page(u.ID)
	if err != nil {
		return l.lost(entry, err), true
	}
	p, err := l.Reader.Stored(u.ID, page.Options{})
	if err == nil && p != nil && old != nil {
		row := *old
		c.Page, c.Unchanged = &row, true
		l.list(c, u, v, p)
	}
	return c, true
}

// awaits says how the page of a notice is read; nil = it is none.
func (l *live) awaits(u *store.URL) *page.Announced {
	if _, a := l.of(u.ID); a != nil && a.sent && !a.home && l.last.Load() == nil {
		as := l.maker.As(a.says())
		return &as
	}
	return nil
}

// read follows a page that was just fetched: it may be a notice that a list has
// announced, and a list.
func (l *live) read(c visit, u *store.URL, p *page.Page, resp *fetch.Response) {
	if l.last.Load() != nil {
		return
	}
	v, a := l.of(u.ID)
	if a != nil && a.sent && !a.home {
		c.notice = a
		c.Notice = l.maker.look(u, page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, c.Page.Hash, p, a.says())
	}
	if v == nil && l.on() && l.within(u) && c.state.Labels[u.ID] != topic.No &&
		(c.state.Confirmed(u.ID, u.URL) || c.state.Relevant(&c.doc, c.Page.Score) && plain(c.state, c.Page.Score)) &&
		l.sender(u.ID, c.doc.Same()) == u.ID {
		v = &listVisit{id: u.ID, url: u.URL, score: c.Page.Score, page: 1, root: u.ID}
	}
	if v != nil {
		l.list(c, u, v, p)
	}
}

// sender returns the list that sends for the notices of all lists with the same text: the
// first one that was passed to it.
func (l *live) sender(id, text uint64) uint64 {
	if text == 0 {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts[text] == 0 {
		l.texts[text] = id
	}
	return l.texts[text]
}

// list notes what a page of a list announces.
func (l *live) list(c visit, u *store.URL, v *listVisit, p *page.Page) {
	w := *v
	w.read = true
	framed(l.Run, u, &w, c.state)
	w.want, w.next = unknown(l.Run, p, &w, c.state, func(*store.Notice) bool { return false }), behind(l.Run, c, p, u, &w)
	c.list = &w
	revisit.SetSending(c.Page, true)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lists[u.ID] = &w
}

// landed follows the commit of a page: what its list announces is known now.
func (l *live) landed(it item) {
	if h := l.last.Load(); h != nil {
		h.landed(it)
		return
	}
	c, t := it.Capture, it.Tag
	again := c.State == store.Complete && l.came(c.ID, t.notice != nil, c.Notice != nil && !t.renewed)
	if !again && t.before == nil && (t.list != nil || t.notice != nil) { // read from the store; a visit may be due besides
		_, again = l.dueAgain(c.ID)
	}
	if again {
		l.front.Retry(t.entry, l.Now())
	}
	v := t.list
	if v == nil {
		return
	}
	for _, next := range v.next {
		if u := l.found(next); u != nil {
			l.behindList(v, u)
		}
	}
	for _, rec := range v.want {
		if u := l.found(rec.URL); u != nil {
			l.announce(v, rec, u)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v.want, v.next = nil, nil
}

// came notes that a URL was visited, as a notice or not, and reports whether it is to
// come once more: it was on its way as a link when it was sent for.
func (l *live) came(id uint64, asNotice, fresh bool) (again bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.notices[id]
	if a == nil || a.home {
		return false
	}
	again = !asNotice && a.sent && !a.again
	a.home = asNotice || a.again
	a.fresh = fresh
	a.again = a.again || again
	return again
}

// found is a URL that became known, if it may be asked for now.
func (l *live) found(url string) *store.URL {
	id, ok := l.Store.Lookup(url)
	if !ok {
		return nil
	}
	u, err := l.Store.URL(id)
	if err != nil || u == nil || u.State != store.Complete && !revisit.Ready(u.Retry, l.Now()) {
		return nil
	}
	return u
}

// behindList schedules the visit to a page behind a list.
func (l *live) behindList(v *listVisit, u *store.URL) {
	l.mu.Lock()
	known := l.lists[u.ID] != nil
	if !known {
		l.lists[u.ID] = &listVisit{id: u.ID, url: u.URL, score: v.score, page: v.page + 1, root: v.root, before: v.sofar(), in: v.in}
	}
	l.mu.Unlock()
	if !known {
		promote(l.Run, frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: 1 + v.score}, u.URL)
	}
}

// announce schedules a notice.
func (l *live) announce(v *listVisit, rec page.Record, u *store.URL) {
	l.mu.Lock()
	a := l.notices[u.ID]
	if a == nil {
		a = &announced{list: v, record: rec, under: l.Topic.State().Fingerprint}
		l.notices[u.ID] = a
	} else {
		a.others = append(a.others, v)
	}
	send := !a.sent && l.within(u)
	a.sent = a.sent || send
	l.mu.Unlock()
	if send {
		l.send(a, u)
	}
}

// within reports whether a URL would be fetched by the discovery in any case.
func (l *live) within(u *store.URL) bool { return u.Depth <= l.Settings().Crawl.Depth }

func (l *live) send(a *announced, u *store.URL) {
	promote(l.Run, frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: a.list.score}, u.URL)
}

// Bounds of what is plain.
const (
	plainPages = 50  // that the model has seen
	plainScore = 1.5 // of θ, before
)

// plain reports whether a judgement says more than that little is known yet.
func plain(s *decisions.State, score float64) bool {
	return s.Model == nil || s.Learner != nil || s.Model.Background().N >= plainPages || score >= plainScore*s.Model.Theta()
}

// young is the number of pages up to which the model follows every commit: building
// it anew takes milliseconds then, and a small site is through before the second is
// over at which the engine looks.
const young = 1000

// judge takes up a changed judgement. It runs on the writer's goroutine.
func (l *live) judge() {
	if m := l.Topic.State().Model; m != nil && m.Background().N < young && l.Topic.Outgrown() && l.settling.CompareAndSwap(false, true) {
		l.Order.Go(func() { // an action of an analyst may hold it up
			defer l.settling.Store(false)
			if err := l.Topic.Settle(); err != nil {
				l.Events.Note("warn", "harvest: %v", err)
			}
		})
	}
	state := l.Topic.State()
	if l.last.Load() != nil || state == l.state || !l.on() || state.Model == nil && l.state == nil {
		return
	}
	l.state = state
	senders, judged := l.judged()
	fresh := slices.DeleteFunc(senders, func(id uint64) bool {
		v, _ := l.of(id)
		return v != nil && v.root == id
	})
	if err := l.enter(fresh); err != nil {
		l.Events.Note("warn", "harvest: %v", err)
	}
	l.weigh(judged)
	strayed := l.strayed(judged)
	l.counts.notices.weigh(strayed, 0, strayed)
}

// judged returns the lists that send for their notices, the most relevant first, and
// whether a page is one.
func (l *live) judged() (senders []uint64, judged map[uint64]bool) {
	scores := l.Topic.Scores()
	judged = map[uint64]bool{}
	for _, id := range l.Topic.Aggregations() {
		if sender := l.sender(id, scores.Same(id)); !judged[sender] {
			judged[sender] = true
			senders = append(senders, sender)
		}
	}
	return senders, judged
}

// strayed counts the notices that came as new and that no list announces now. Those that
// came before an analyst changed the topic stay, see end.
func (l *live) strayed(judged map[uint64]bool) (n int) {
	under := l.Topic.State().Fingerprint
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.notices {
		if a.fresh && a.under == under && a.of(judged) == nil {
			n++
		}
	}
	return n
}

// enter schedules lists that are stored and that neither a harvest nor this
// discovery has read.
func (l *live) enter(ids []uint64) error {
	fresh, err := unread(l.Run, ids)
	if err != nil {
		return err
	}
	scores := l.Topic.Scores()
	return l.Store.EachURL(fresh, func(u *store.URL) {
		if !l.within(u) || !l.stored(u) {
			return
		}
		score, _ := scores.Of(u.ID)
		if !l.state.Confirmed(u.ID, u.URL) && !plain(l.state, score) {
			return
		}
		l.mu.Lock()
		l.lists[u.ID] = &listVisit{id: u.ID, url: u.URL, score: score, page: 1, root: u.ID}
		l.mu.Unlock()
		promote(l.Run, frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: 1 + score}, u.URL)
	})
}

// dueAgain is the entry of a known page whose visit an errand stands in the place of.
func (l *live) dueAgain(id uint64) (frontier.Entry, bool) {
	p, _ := l.Store.Page(id) // what cannot be read is left to the next run
	return l.again.entry(l.Run, p)
}

// weigh sends for the notices of what is a list now, and leaves those of what is none
// to the link order.
func (l *live) weigh(judged map[uint64]bool) {
	type move struct {
		id   uint64
		a    *announced
		send bool
	}
	var moves []move
	l.mu.Lock()
	for id, a := range l.notices {
		if a.home {
			continue
		}
		list := a.of(judged)
		if (list != nil) != a.sent {
			if list != nil {
				a.list = list
			}
			moves = append(moves, move{id, a, list != nil})
		}
	}
	for id, v := range l.lists {
		if !v.read && !judged[v.root] {
			delete(l.lists, id)
			moves = append(moves, move{id: id})
		}
	}
	l.mu.Unlock()
	for _, m := range moves {
		u, err := l.Store.URL(m.id)
		if err != nil || u == nil {
			continue
		}
		if m.send {
			if l.within(u) {
				l.mu.Lock()
				m.a.sent = true
				l.mu.Unlock()
				l.send(m.a, u)
			}
			continue
		}
		if m.a != nil {
			l.mu.Lock()
			m.a.sent = false
			l.mu.Unlock()
		}
		l.front.Remove(frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Queue: frontier.Errands})
		e, keep := l.Order.Entry(u)
		if u.State != store.Waiting {
			e, keep = l.dueAgain(u.ID)
		}
		if keep {
			l.front.Push(e)
		}
	}
}

package run

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// harvester fetches notices that lists announce and that are not known yet (P0 2.4). Workers and
// the writer's goroutine share it.
//
// A harvest runs only a harvester, which visits the aggregation pages, best first. An unchanged
// list costs one conditional request, a known notice none (P2).
//
// A discovery runs a harvester beside its links. The provisional part works while pages come, see
// provisional.go. When nothing waits any more, host profiles and model have seen every page. The
// final part then reads the qualifying lists again from the store, as a harvest does. It fetches
// missing notices and reads provisional ones again. withdraw deletes notices that no list
// announces, unless an analyst changed the topic since they came. So the result of a discovery
// depends on pages and decisions only, not on the order of the pages.
type harvester struct {
	*Run
	tasks  tasks
	chains []*chain    // lists of the final visits
	relist bool        // notices were lost: visit every list with all its pages
	final  atomic.Bool // true in a harvest and in the final part of a discovery

	// Only a discovery uses these.
	revisits *revisits        // known pages due for a visit
	state    *decisions.State // State that last judged the lists; writer's goroutine only
	settling atomic.Bool      // a goroutine rebuilds the model
	// topic.Doc.Same → list that sends for the notices of all equal lists; guarded by tasks.mu
	senders          map[uint64]uint64
	provisional      map[uint64]*announced // final part: notices of the provisional part
	provisionalLists map[uint64]bool       // final part: lists with provisional notices
}

func newHarvester(r *Run) *harvester {
	return &harvester{Run: r, tasks: tasks{m: map[uint64]*task{}}, senders: map[uint64]uint64{}}
}

// begin schedules the aggregation pages, the most relevant first.
func (h *harvester) begin() error {
	h.front.SetDepth(1 << 15) // a list may stand at the depth limit; its notices count all the same
	if err := h.Topic.Words(h.ctx); err != nil {
		return err
	}
	h.words.Store(true)
	if err := h.Reader.Begin(h.task); err != nil {
		return err
	}
	if h.opt.Stored {
		return h.beginUnread(func(*store.URL) bool { return true })
	}
	ids := h.Topic.Aggregations()
	asked, err := h.askedFor()
	if err != nil {
		return err
	}
	ids = append(ids, slices.DeleteFunc(slices.Clone(asked),
		func(id uint64) bool { return slices.Contains(ids, id) })...)
	if len(ids) == 0 {
		return cmp.Or(h.Topic.State().Err(), ErrNoAggregations)
	}
	var rest *revisit.NotDue
	h.relist = h.Store.State(store.RelistState) != nil
	if h.opt.Due && !h.relist {
		set := h.Settings()
		plan, err := revisit.Plan(&set.Revisit)
		if err != nil {
			return err
		}
		if ids, rest, err = revisit.Due(h.Store, ids, plan, h.Now()); err != nil {
			return err
		}
		for _, id := range append(h.unvisited(asked), h.opt.Lists...) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	scores := h.Topic.Scores()
	err = h.Store.EachURL(ids, func(u *store.URL) {
		if h.waits(u) || h.stale(u) {
			return
		}
		s, _ := scores.Of(u.ID)
		h.scheduleChain(u, s)
	})
	if err != nil {
		return err
	}
	h.counts.setNotDue(rest)
	return h.watch()
}

// scheduleChain schedules the visit to a list and its further pages.
func (h *harvester) scheduleChain(u *store.URL, score float64) {
	v := page1(u, score)
	h.chains = append(h.chains, v.chain)
	h.counts.add(&h.counts.lists, 1)
	h.list(v)
}

// push adds a URL to the frontier; in a discovery as an errand.
func (h *harvester) push(id uint64, url string, priority float64) {
	e := frontier.Entry{ID: id, Host: urls.HostOf(url), Priority: priority}
	if h.Ranks() {
		h.promote(e, url)
		return
	}
	h.front.Push(e)
}

// list schedules a final visit. Lists go before notices because they show the news.
func (h *harvester) list(v *listVisit) {
	if h.tasks.add(v.id, task{list: v}) {
		v.chain.of().pending++
		h.push(v.id, v.url, 1+v.score)
	} else if other := h.tasks.of(v.id).list; other != nil {
		v.chain.join(other.chain)
	}
}

// visit implements plan.
func (h *harvester) visit(entry frontier.Entry, u *store.URL) visit {
	if c, done := h.visitTask(entry, u); done {
		return c
	}
	switch todo := h.tasks.of(u.ID); {
	case todo.look, todo.moved != nil, h.looped.take(u.ID):
		return h.lookAgain(entry, u)
	case todo.script != nil:
		return h.visitScript(entry, u)
	}
	return h.unreadable(entry, fmt.Errorf("url %d was scheduled without a task", entry.ID))
}

// visitTask carries out the task of a URL. It returns false if there is none, or if the URL is
// fetched as a link.
func (h *harvester) visitTask(entry frontier.Entry, u *store.URL) (visit, bool) {
	switch todo := h.tasks.of(u.ID); {
	case !h.final.Load():
		return h.visitProvisional(entry, u, todo)
	case todo.list != nil:
		return h.visitList(entry, u, todo.list), true
	case todo.notice != nil:
		return h.visitNotice(entry, u, todo.notice), true
	}
	return visit{}, false
}

// storedList reads a stored list page again.
func (h *harvester) storedList(c visit, u *store.URL, v *listVisit) visit {
	old, err := h.Store.Page(u.ID)
	if err != nil {
		return h.unreadable(c.entry, err)
	}
	p, err := h.Reader.Stored(u.ID, page.Options{})
	if err != nil {
		return h.unreadable(c.entry, err)
	}
	c.list = v
	if old == nil || p == nil {
		return c
	}
	row := *old
	c.Page, c.Unchanged = &row, true
	if h.final.Load() {
		revisit.MarkRead(&row)
		c.lacks(judgeCoverageAgain(h.Store, c.state, u))
	}
	h.read(c, u, v, old, p)
	return c
}

func (h *harvester) visitList(entry frontier.Entry, u *store.URL, v *listVisit) visit {
	if h.opt.Stored || h.Ranks() && h.known(u.ID) {
		h.front.Spare(entry)
		c := visit{&store.Capture{ID: u.ID}, &tag{entry: entry, state: h.Topic.State()}}
		c.undo(u)
		return h.storedList(c, u, v)
	}
	if c, done := h.visitAgain(entry, u, v); done {
		return c
	}
	old, resp, c := h.load(entry, u, false)
	if resp == nil {
		return c
	}
	var p *page.Page
	same := h.same(resp, old)
	if same {
		var err error
		if p, err = h.Reader.Stored(u.ID, page.Options{}); err != nil {
			return h.unreadable(entry, err)
		}
		// else the links to the script files are to be stored
		same = p == nil || len(p.Scripts) == 0 || !h.fillFromStore(u, old, resp)
	}
	if same {
		h.unchanged(c.Capture, old, resp)
		c.state = h.Topic.State()
		c.lacks(judgeCoverageAgain(h.Store, c.state, u))
	} else {
		p = h.understand(c, u, old, resp, page.Options{})
	}
	if p == nil {
		return c
	}
	for _, l := range h.scripts.links(u.ID, p.Scripts, h.Filter) {
		v.scripts, c.Links = append(v.scripts, l.URL), append(c.Links, l)
	}
	h.read(c, u, v, old, p)
	if !c.Unchanged {
		revisit.Note(c.Page, old, len(v.want), true)
		h.mark(c.Page, v)
	}
	return c
}

// read sets the notices and pages that follow a list visit.
func (h *harvester) read(c visit, u *store.URL, v *listVisit, old *store.Page, p *page.Page) {
	c.list = v
	framed(h.Store, u, v, c.state)
	v.want = h.wanted(p, v, c.state)
	h.linkRenamed(c, v.want)
	if !h.final.Load() {
		v.next, v.read = h.behind(c, p, u, v), true
		revisit.SetSending(c.Page, true)
		h.tasks.edit(u.ID, func(x *task) { x.list = v })
		return
	}
	// the earlier count of further pages holds until they are visited again
	if v.page == 1 && v.unmatched > 0 && old != nil {
		v.known = revisit.Unmatched(old)
	}
	// Lists show the newest records first. If every record is known, further pages show nothing
	// new, unless they were never read.
	read := false
	if old != nil {
		_, read = revisit.Of(old)
	}
	if h.relist || len(v.want) > 0 || !read || revisit.Unfinished(old) || old.Partial() {
		v.next = h.behind(c, p, u, v)
	}
	h.mark(c.Page, v)
}

// mark stores whether a list has notices or pages left that the next run would not request by
// itself.
func (h *harvester) mark(row *store.Page, v *listVisit) {
	revisit.SetUnfinished(row, len(v.next) > 0 || (h.opt.Stored || h.Ranks()) && len(v.want) > 0)
}

// wanted returns the records of a list without a notice, or with a provisional notice of the final
// part.
func (h *harvester) wanted(p *page.Page, v *listVisit, s *decisions.State) []listpage.Record {
	want, out := h.maker.unknown(p, v.noticeList, v.chain.root, s, h.isProvisional)
	h.counts.add(&h.counts.skipped, out.Skipped)
	v.unmatched = out.Unmatched
	return want
}

// isProvisional reports, in the final part, whether a notice is of the provisional one.
func (h *harvester) isProvisional(n *store.Notice) bool {
	on, _ := n.On()
	return h.provisionalLists[on]
}

// waits reports whether a failed URL's retry time has not come yet.
func (h *harvester) waits(u *store.URL) bool {
	if u.State == store.Complete || revisit.Ready(u.Retry, h.Now()) {
		return false
	}
	if u.State == store.Waiting {
		h.counts.postpone(u.ID, u.Retry)
	}
	return true
}

// pageCommitted schedules the URLs that a list announces, which are known after its commit.
func (h *harvester) pageCommitted(it item) {
	v := it.Tag.list
	h.resolveMoved(it)
	if !h.final.Load() {
		h.markVisited(it)
		if v != nil {
			h.scheduleAnnounced(v)
		}
		return
	}
	if v == nil {
		h.otherCommitted(it)
		return
	}
	h.countUnmatched(v, it.Capture.Page)
	c := v.chain.of()
	c.pending--
	h.wantScripts(v)
	if p := it.Capture.Page; p != nil && revisit.Unfinished(p) {
		c.open = append(c.open, p)
	}
	for _, rec := range v.want {
		h.announce(v, rec)
	}
	for _, next := range v.next {
		if id, ok := h.Store.Lookup(next); ok && !h.absent(id) {
			h.list(v.behind(id, next))
		}
	}
}

// otherCommitted handles the commit of a notice, of a script file or of a failed list visit.
func (h *harvester) otherCommitted(it item) {
	todo := h.tasks.of(it.Tag.entry.ID)
	if todo.script != nil {
		h.scripted(it, todo.script)
		return
	}
	if todo.list != nil && todo.list.page == 1 && !h.comesAgain(it) {
		h.counts.add(&h.counts.gaveUp, 1)
	}
	switch c := it.Capture; {
	case todo.list != nil && c.State == store.Exception && isPermanent(c.Failure):
		todo.list.chain.of().pending--
	case it.Tag.behind != 0 || todo.notice != nil && c.Page != nil && c.Page.Location != "": // see moved.go
	case todo.notice != nil && (c.State == store.Complete || c.State == store.Exception && isPermanent(c.Failure)):
		todo.notice.list.chain.of().pending--
	}
}

// announce schedules a notice to be fetched, or read from its stored page.
func (h *harvester) announce(v *listVisit, rec listpage.Record) {
	c := v.chain.of()
	id, ok := h.Store.Lookup(rec.URL)
	if !ok {
		h.counts.add(&h.counts.skipped, 1) // e.g. a target that only a script reaches
		return
	}
	if h.absent(id) {
		c.pending++
		h.counts.add(&h.counts.absent, 1)
		return
	}
	if u, err := h.Store.URL(id); err == nil && u != nil && h.waits(u) {
		if u.State == store.Waiting || !isPermanent(u.Failure) {
			c.pending++ // never decremented: the further pages of the list are visited again because of it
		}
		return
	}
	if h.tasks.add(id, task{notice: &announced{list: v, record: rec, state: noticeSent}}) {
		c.pending++
		h.push(id, rec.URL, v.score)
	}
}

// absent reports whether a harvest of stored pages lacks a URL. The URL stays as it is, and its
// list is marked as unfinished.
func (h *harvester) absent(id uint64) bool { return h.opt.Stored && !h.known(id) && !h.leadsOn(id) }

// countUnmatched counts the records of one list page that the title patterns exclude.
func (h *harvester) countUnmatched(v *listVisit, row *store.Page) {
	c := v.chain
	if v.page == 1 {
		c.row = row
	}
	c.pages++
	c.unmatched += v.unmatched
	now := c.unmatched
	if c.pages == 1 {
		now = max(now, v.known)
	}
	h.counts.add(&h.counts.unmatched, now-c.counted)
	c.counted = now
}

func (h *harvester) visitNotice(entry frontier.Entry, u *store.URL, a *announced) visit {
	if (u.State == store.Complete || h.known(u.ID) && u.Failure.Kind != store.FailedRedirect) && !h.looped.take(u.ID) {
		h.front.Spare(entry) // fetched by the discovery: no second request
		c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry}}
		h.storedNotice(c, u, a)
		return c
	}
	_, resp, c := h.load(entry, u, true)
	if resp == nil {
		return c
	}
	if p := h.understand(c, u, nil, resp, h.maker.options(a.announcement()).Options()); p != nil {
		c.Notice = h.maker.build(u, p.AsNotice(), a.announcement())
	}
	return c
}

// A harvest fetches only the URLs that its lists announce: nothing is unwanted, and no other link
// enters the frontier.

func (h *harvester) unwanted(*store.URL) bool    { return false }
func (h *harvester) why(*store.URL, int8) string { return "harvest" }

func (h *harvester) committed([]item, []store.Admission) {}

func (h *harvester) more() (bool, error) { return false, nil }

func (h *harvester) free(id uint64, u *store.URL) bool {
	todo := h.tasks.of(id)
	if !h.final.Load() {
		return todo.open() && h.isStored(u)
	}
	return h.opt.Stored || h.scripts.due(id) || todo.notice != nil && (u.State == store.Complete || h.known(id)) ||
		todo.list != nil && h.Ranks() && h.known(id)
}

// entry finds the URLs that this harvest scheduled; others are left to the next one.
func (h *harvester) entry(u *store.URL) (frontier.Entry, bool) {
	e := frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL)}
	switch todo := h.tasks.of(u.ID); {
	case todo.list != nil:
		e.Priority = 1 + todo.list.score
	case todo.notice != nil:
		e.Priority = todo.notice.list.score
	case todo.script != nil:
		e.Priority = 2
	case todo.look, todo.moved != nil:
	default:
		return e, false
	}
	return e, true
}

// end clears the unfinished marks of lists whose pages were all visited.
func (h *harvester) end() error {
	var done []*store.Capture
	whole := true
	for _, c := range h.chains {
		if c.row != nil && revisit.Unmatched(c.row) != c.counted {
			revisit.SetUnmatched(c.row, c.counted)
			if !slices.Contains(c.open, c.row) || c.joined != nil || c.pending > 0 {
				done = append(done, &store.Capture{ID: c.row.ID, State: store.Complete, Page: c.row, Unchanged: true})
			}
		}
		if c.joined != nil || c.pending > 0 {
			whole = whole && c.joined != nil
			continue
		}
		for _, row := range c.open {
			revisit.SetUnfinished(row, false)
			done = append(done, &store.Capture{ID: row.ID, State: store.Complete, Page: row, Unchanged: true})
		}
	}
	if h.relist && whole && h.ctx.Err() == nil {
		if err := h.Store.PutState(store.RelistState, nil); err != nil {
			return err
		}
	}
	if len(done) == 0 {
		return nil
	}
	_, err := h.Store.Commit(nil, done)
	return err
}

// unfinishedLists returns the lists with notices or further pages that are not stored.
func (h *harvester) unfinishedLists() (lists []uint64) {
	for _, c := range h.chains {
		if c.of().pending > 0 {
			lists = append(lists, c.root)
		}
	}
	slices.Sort(lists)
	return lists
}

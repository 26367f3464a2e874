package run

import (
	"slices"
	"sync"

	"angler/crawl/listpage"
	"angler/store"
)

// task is the work of a harvester on one URL. One field is set, and moved may be set as well. In
// the provisional part of a discovery, list and notice may both be set.
type task struct {
	list   *listVisit // visit a list page
	notice *announced // fetch a notice
	look   bool       // visit a known notice again
	script *listVisit // fetch a script file for a list
	moved  *[]uint64  // notices that redirect to this URL and are read once it is stored; nil = none
}

// open reports whether a list page or a notice is still to be visited.
func (t task) open() bool {
	return t.list != nil && !t.list.read || t.notice != nil && t.notice.state == noticeSent
}

// tasks holds a harvester's tasks by URL id. Workers and the writer's goroutine share it.
type tasks struct {
	mu sync.Mutex
	m  map[uint64]*task
}

// add registers a task and reports whether the URL had none.
func (t *tasks) add(id uint64, x task) (added bool) {
	t.edit(id, func(now *task) {
		if added = *now == (task{}); added {
			*now = x
		}
	})
	return added
}

// edit changes the task of a URL under the lock.
func (t *tasks) edit(id uint64, change func(*task)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m[id] == nil {
		t.m[id] = &task{}
	}
	change(t.m[id])
}

// of returns a copy of a URL's task, because other goroutines may change the task.
func (t *tasks) of(id uint64) (x task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m[id] == nil {
		return x
	}
	x = *t.m[id]
	if x.list != nil {
		list := *x.list
		x.list = &list
	}
	if x.notice != nil {
		notice := *x.notice
		x.notice = &notice
	}
	return x
}

// reset empties the table and returns its notices.
func (t *tasks) reset() map[uint64]*announced {
	t.mu.Lock()
	defer t.mu.Unlock()
	notices := map[uint64]*announced{}
	for id, x := range t.m {
		if x.notice != nil {
			notices[id] = x.notice
		}
	}
	clear(t.m)
	return notices
}

// listVisit is one visit to a list page.
type listVisit struct {
	noticeList
	page      int               // 1 = the list itself, then its further pages
	chain     *chain            // the list with its further pages
	before    []uint64          // page.Page.EntriesHash of the earlier pages
	shown     uint64            // page.Page.EntriesHash of this page
	want      []listpage.Record // records to fetch once their URLs are known
	next      []string          // addresses of further pages
	scripts   []string          // harvest: script files to fetch
	read      bool              // discovery: the page was read
	unmatched int               // records that the title patterns exclude
	known     int               // page 1: the number that an earlier visit excluded, further pages included
}

// page1 returns the first visit to a list.
func page1(u *store.URL, score float64) *listVisit {
	return &listVisit{noticeList: noticeList{id: u.ID, url: u.URL, score: score}, page: 1, chain: &chain{root: u.ID}}
}

// behind returns the visit to a page that follows a list page.
func (v *listVisit) behind(id uint64, url string) *listVisit {
	return &listVisit{noticeList: noticeList{id, url, v.score, v.in}, page: v.page + 1, chain: v.chain,
		before: append(slices.Clip(v.before), v.shown)}
}

// chain is a list with its further pages. Only begin, the writer's goroutine and the final list
// visits use fields other than root.
type chain struct {
	root      uint64        // the list
	pending   int           // visits and notices that are not stored yet; permanent failures do not count
	open      []*store.Page // rows of visited pages that are marked as unfinished
	row       *store.Page   // row of the list, once visited
	pages     int           // visited pages
	unmatched int           // records of these pages that the title patterns exclude
	counted   int           // as unmatched, with pages of an earlier visit; stored in the list's row
	joined    *chain        // the chain that took over this one; nil = none
}

// of returns the chain that took over c, or c.
func (c *chain) of() *chain {
	for c.joined != nil {
		c = c.joined
	}
	return c
}

// join merges two chains that share a page. Neither ends before the other, because the next harvest
// may reach that page through only one of them.
func (c *chain) join(other *chain) {
	a, b := c.of(), other.of()
	if a == b {
		return
	}
	a.pending += b.pending
	a.open = append(a.open, b.open...)
	b.joined, b.open = a, nil
}

// noticeState is the progress of an announced notice.
type noticeState uint8

// In final visits and harvests, every announced notice is at least noticeSent.
const (
	noticeLeft    noticeState = iota // waits as a link: no list announces it now
	noticeSent                       // an errand of the frontier
	noticeVisited                    // its page was visited
)

// announced is a notice that a list announced.
type announced struct {
	list   *listVisit
	record listpage.Record
	state  noticeState

	// Only the provisional part of a discovery uses these.
	others      []*listVisit // other lists that announce it
	isNew       bool         // visited, and new as a notice
	again       bool         // in flight as a link when announced, and visited once more
	fingerprint uint64       // fingerprint of the decisions when announced
}

// of returns the first qualifying list that announces a notice; nil = none.
func (a *announced) of(judged map[uint64]bool) *listVisit {
	if judged[a.list.chain.root] {
		return a.list
	}
	for _, v := range a.others {
		if judged[v.chain.root] {
			return v
		}
	}
	return nil
}

// announcement returns the notice's list and record.
func (a *announced) announcement() announcement { return announcement{a.list.noticeList, a.record} }

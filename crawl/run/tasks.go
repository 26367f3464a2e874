package run

import (
	"slices"
	"sync"

	"angler/crawl/listpage"
	"angler/store"
)

// task is the work of a harvester on one URL. In the provisional part of a discovery a
// page may be a page of a list and a notice of another list; else one field is set, and
// moved besides.
type task struct {
	list   *listVisit // visit a page of a list
	notice *announced // fetch a notice
	look   bool       // look at a known notice again
	script *listVisit // fetch a script file for a list
	moved  *[]uint64  // notices whose addresses lead here: read when it has come; nil = none
}

// open reports whether a list or a notice is still to be visited.
func (t task) open() bool {
	return t.list != nil && !t.list.read || t.notice != nil && t.notice.state == noticeSent
}

// tasks is the table of a harvester's tasks by URL id. Workers and the writer's
// goroutine share it.
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

// of copies the task of a URL, which may change meanwhile.
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

// reset empties the table and returns the notices that stood in it.
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

// listVisit is one visit to a page of a list.
type listVisit struct {
	noticeList
	page      int               // 1 = the list itself, then its pagination
	chain     *chain            // the list with the pages behind it
	before    []uint64          // the entries of the pages before it, as page.Page.Shown
	shown     uint64            // its own entries
	want      []listpage.Record // records to fetch once their URLs are known
	next      []string          // pagination links to follow
	scripts   []string          // of a harvest: files to fetch that it is read with
	read      bool              // of a discovery: the page has been read
	unmatched int               // records that the title patterns leave out
	known     int               // of page 1: the number that an earlier visit left out, pages behind it included
}

// page1 is the first visit to a list.
func page1(u *store.URL, score float64) *listVisit {
	return &listVisit{noticeList: noticeList{id: u.ID, url: u.URL, score: score}, page: 1, chain: &chain{root: u.ID}}
}

// behind is the visit to a page behind another one of a list.
func (v *listVisit) behind(id uint64, url string) *listVisit {
	return &listVisit{noticeList: noticeList{id, url, v.score, v.in}, page: v.page + 1, chain: v.chain,
		before: append(slices.Clip(v.before), v.shown)}
}

// chain is a list with the pages behind it. All but root is for begin and the writer's
// goroutine, and for the final visits to lists.
type chain struct {
	root      uint64        // the list
	pending   int           // visits and notices that are not stored; what is gone for good does not count
	open      []*store.Page // visited, and marked as unfinished
	row       *store.Page   // of the list, once it was visited
	pages     int           // visited
	unmatched int           // records of these pages that the title patterns leave out
	counted   int           // of them and of the pages of an earlier visit, as the list's row says
	joined    *chain        // the chain that has taken this one over; nil = none
}

// of is the chain that counts for c.
func (c *chain) of() *chain {
	for c.joined != nil {
		c = c.joined
	}
	return c
}

// join makes one chain of two that share a page: neither is done before the other,
// because tomorrow that page may be reached through one of them only.
func (c *chain) join(other *chain) {
	a, b := c.of(), other.of()
	if a == b {
		return
	}
	a.pending += b.pending
	a.open = append(a.open, b.open...)
	b.joined, b.open = a, nil
}

// noticeState is how far an announced notice has come.
type noticeState uint8

// The states. A discovery's final visits and a harvest send all that they announce.
const (
	noticeLeft    noticeState = iota // its page waits as the link that it is: no list announces it now
	noticeSent                       // its page is an errand of the frontier
	noticeVisited                    // its page was visited
)

// announced is a notice that a list has announced.
type announced struct {
	list   *listVisit
	record listpage.Record
	state  noticeState

	// Of the provisional part of a discovery.
	others []*listVisit // that announce it too
	fresh  bool         // visited, and no notice before
	again  bool         // it was on its way as a link, and comes once more
	under  uint64       // fingerprint of the decisions when it was announced
}

// of is the first list that announces a notice and is judged to be one; nil = none.
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

// says is an announced notice, as it is read from its page.
func (a *announced) says() announcement { return announcement{a.list.noticeList, a.record} }

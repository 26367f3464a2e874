package run

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/priority"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// This file is what follows a commit: what is on disk now becomes visible and
// enters the frontier.

// visit is one URL on its way to the commit: what will be stored of it, and what
// the run needs afterwards.
type visit struct {
	*store.Capture
	*tag
}

// tag travels with a capture to its commit.
type tag struct {
	entry  frontier.Entry
	read   *reader.Reading  // nil for what is no page: a redirect, a sitemap
	state  *decisions.State // that judged the page; nil when nothing was judged
	before *store.URL       // the URL as it stood when it was fetched
	list   *listVisit       // harvest: the aggregation page that was visited
}

// afterCommit runs on the writer's goroutine: what is on disk now becomes
// visible, its links enter the frontier, its lease ends.
func (r *Run) afterCommit(batch []store.Item[*tag], found []store.Admission) {
	if r.task == view.Discovery {
		r.teach(batch)
	}
	r.admit(found)
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page != nil && (c.Unchanged || r.task == view.Harvest) {
			r.Listener.Visited()
		}
		if c.Page != nil && !c.Unchanged {
			r.landed(c, t)
		}
		if c.Notice != nil {
			r.counts.notices.Add(1)
			r.Listener.Notice(c.Notice)
		}
		if c.State == store.Waiting && r.ctx.Err() == nil {
			r.again(t.entry, c)
		}
		if r.committed != nil {
			r.committed(t)
		}
		if t.entry.ID == c.ID {
			r.front.Done(t.entry, frontier.Outcome{})
		}
	}
}

// landed enters a page that was just stored into the counts and the index.
func (r *Run) landed(c *store.Capture, t *tag) {
	r.counts.pages.Add(1)
	row := view.PageRowOf(c.Page, c.Page.Score)
	row.Depth = t.entry.Depth
	if t.read != nil {
		if d := &t.read.Doc; len(d.Full) > 0 || len(d.List) > 0 {
			r.Topic.Counted(c.ID, *d, t.read.Fingerprint)
		}
		row.Aggregation = t.state.Relevant(&t.read.Doc, c.Page.Score)
	}
	r.Listener.Page(c.ID, row)
}

// teach tells the link order of the pages just stored.
func (r *Run) teach(batch []store.Item[*tag]) {
	r.observed = r.observed[:0]
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page == nil || c.Unchanged || t.state == nil || t.before == nil {
			continue
		}
		doc := &topic.Doc{}
		if t.read != nil {
			doc = &t.read.Doc
		}
		r.observed = append(r.observed, priority.Stored{Capture: c, Before: t.before, State: t.state, Doc: doc})
	}
	r.Order.Observe(r.observed)
	r.Order.Refresh()
}

// soon is how long a run waits for a URL that failed; what is due later is
// left to a later run.
const soon = 10 * time.Second

func (r *Run) again(entry frontier.Entry, c *store.Capture) {
	if c.Retry.Sub(r.Now()) > soon {
		r.counts.later.Add(1)
		return
	}
	r.front.Retry(entry, c.Retry)
}

// admit ranks URLs and hands them to the frontier. A harvest takes only what
// its lists announce, so it admits nothing here.
func (r *Run) admit(found []store.Admission) {
	if r.task != view.Discovery {
		return
	}
	entries := make([]frontier.Entry, 0, len(found))
	for {
		scope, state := r.Scope(), r.Topic.State()
		changed := func() bool { return r.Scope() != scope || r.Topic.State() != state }
		entries = entries[:0]
		for i := range found {
			u := &found[i].Row
			if u.State != store.Waiting || u.Retry.Sub(r.Now()) > soon {
				continue
			}
			if e, keep := r.Order.Entry(u); keep {
				entries = append(entries, e)
			}
		}
		if changed() {
			continue // they were judged under two
		}
		r.front.Push(entries...)
		if changed() {
			r.Order.Rank() // Reconsider may have passed before these came in
		}
		return
	}
}

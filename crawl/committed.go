package crawl

import (
	"time"

	"angler/crawl/frontier"
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
	entry frontier.Entry
	doc   topic.Doc
	print uint64 // of the dictionary that counted doc
	judge *judge
	known *store.URL // the URL as it stood when it was fetched
	list  *listVisit // harvest: the aggregation page that was visited
}

// afterCommit runs on the writer's goroutine: what is on disk now becomes
// visible, its links enter the frontier, its lease ends.
func (r *run) afterCommit(batch []store.Item[*tag], found []store.Admission) {
	if r.task == view.Discovery {
		r.order.observe(batch)
		r.order.refresh()
	}
	r.admit(found)
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page != nil && (c.Unchanged || r.task == view.Harvest) {
			r.e.visits.Add(1)
		}
		if c.Page != nil && !c.Unchanged {
			r.pages.Add(1)
			r.e.linked.Add(1)
			if len(t.doc.Full) > 0 || len(t.doc.List) > 0 {
				r.e.index.Add(c.ID, t.doc)
				r.e.prints.set(c.ID, t.print)
			}
			r.e.captured.add(c.ID)
			row := view.PageRowOf(c.Page, c.Page.Score)
			row.Depth = t.entry.Depth
			row.Aggregation = t.judge.relevant(&t.doc, c.Page.Score)
			r.e.opt.Report.Page(row)
		}
		if c.Notice != nil {
			r.notices.Add(1)
			r.e.noticeAdded(c.Notice)
			r.e.opt.Report.Notice(view.NoticeJSONOf(c.Notice))
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

// soon is how long a run waits for a URL that failed; what is due later is
// left to a later run.
const soon = 10 * time.Second

func (r *run) again(entry frontier.Entry, c *store.Capture) {
	if c.Retry.Sub(r.e.now()) > soon {
		r.later.Add(1)
		return
	}
	r.front.Retry(entry, c.Retry)
}

// admit ranks URLs and hands them to the frontier. A harvest takes only what
// its lists announce, so it admits nothing here.
func (r *run) admit(found []store.Admission) {
	if r.task != view.Discovery {
		return
	}
	entries := make([]frontier.Entry, 0, len(found))
	for {
		scope, rules := r.e.scope.Load(), r.e.steer.Load()
		changed := func() bool { return r.e.scope.Load() != scope || r.e.steer.Load() != rules }
		entries = entries[:0]
		for i := range found {
			u := &found[i].Row
			if u.State != store.Waiting || u.Retry.Sub(r.e.now()) > soon {
				continue
			}
			if e, keep := r.order.entry(u); keep {
				entries = append(entries, e)
			}
		}
		if changed() {
			continue // they were judged under two
		}
		r.front.Push(entries...)
		if changed() {
			r.order.rank() // reconsider may have passed before these came in
		}
		return
	}
}

package run

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/listpage"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
	"angler/store/writer"
	"angler/topic"
)

// This file is what follows the commit of a page.

// tag travels with a capture to its commit.
type tag struct {
	entry       frontier.Entry
	doc         topic.Doc              // the page's words; empty for what is no page: a redirect, a sitemap
	fingerprint uint64                 // of the dictionary that counted doc
	draft       *reader.Draft          // what workers elsewhere have understood, until that is taken up
	stored      func()                 // acknowledges to those workers that it is on the disk; nil = they do not ask
	state       *decisions.State       // that judged the page; nil when nothing was judged
	before      *store.URL             // the URL as it stood when it was fetched
	list        *listVisit             // the aggregation page that was visited
	notice      *announced             // the notice that was asked for
	behind      uint64                 // the page that the notice's address leads to, which is still to come; 0 = none
	renewed     bool                   // the notice was known
	asked       bool                   // a request was made that says something of host and network
	failure     failure                // why its request brought no page
	again       bool                   // it comes again in this run, whatever its state
	returned    bool                   // it was given back: the frontier has it already
	inRow       []Failed               // its failure completed a row: these are to be given back
	excused     bool                   // guarded by network.order: no fault of its own
	lacking     bool                   // something of the list is missing
	untold      []records.MissingEntry // of that, what no event has told yet
	sent        bool                   // guarded by network.order: on its way to the disk
}

type item = writer.Item[*tag] // a capture of a run on its way to the disk

// afterCommit runs on the writer's goroutine: what is on disk now becomes
// visible, its links enter the frontier, its lease ends.
func (r *Run) afterCommit(batch []item, found []store.Admission) {
	r.crowd(batch, found)
	r.plan.committed(batch, found)
	subscribers := r.subscribers()
	for _, it := range batch {
		for _, follow := range subscribers {
			follow(it)
		}
	}
}

// subscribers follow the commit of each capture, in this order: its lease ends last.
func (r *Run) subscribers() [5]func(item) {
	return [...]func(item){acknowledge, r.count, r.tellMissing, r.publish, r.release}
}

// acknowledge tells workers elsewhere that what they brought is on the disk.
func acknowledge(it item) {
	if it.Tag.stored != nil {
		it.Tag.stored()
	}
}

// count enters a capture into the figures of the run.
func (r *Run) count(it item) {
	r.counts.commit(it, r.opt.Stored, it.Tag.lacking && !r.Read(it.Capture.Page.URL))
}

// tellMissing reports what is missing of a list once.
func (r *Run) tellMissing(it item) {
	for _, x := range it.Tag.untold {
		r.Events.Note("warn", "%s · %s · what would help: %s", view.UnfollowedSays(x.Kind, x.Text, x.Why), it.Capture.Page.URL, listpage.RemedyFor(x.Kind))
	}
}

// publish enters a page into the index and tells the Listener of what is stored.
func (r *Run) publish(it item) {
	c, t := it.Capture, it.Tag
	if c.Page != nil && (c.Unchanged || r.task == view.Harvest) {
		r.Listener.Visited()
	}
	if c.Page != nil && !c.Unchanged {
		row := view.PageRowOf(c.Page, c.Page.Score)
		row.Depth = t.entry.Depth
		if len(c.Terms) > 0 {
			r.Topic.Counted(c.ID, t.doc, t.fingerprint)
		} else {
			r.Topic.Left(c.ID)
		}
		if t.state != nil {
			row.Aggregation = t.state.Relevant(&t.doc, c.Page.Score)
		}
		r.Listener.Page(c.ID, row)
	}
	if c.Notice != nil {
		r.Listener.Notice(c.Notice, t.renewed)
	}
}

// release ends the lease of a URL. One that comes again enters the frontier first, and so
// does what its page announces.
func (r *Run) release(it item) {
	c, t := it.Capture, it.Tag
	if t.returned {
		return
	}
	if (c.State == store.Waiting || t.again) && r.ctx.Err() == nil {
		if c.Retry.Sub(r.Now()) > soon {
			r.counts.postpone(c.ID, c.Retry)
		} else {
			r.front.Retry(t.entry, c.Retry)
		}
	}
	r.cookies(it)
	r.plan.landed(it)
	if t.entry.ID == c.ID {
		r.front.Done(t.entry, frontier.Outcome{})
	}
}

// soon is how long a run waits for a URL that failed; what is due later is
// left to a later run.
const soon = 10 * time.Second

// comesAgain reports whether a URL that failed is tried again in this run.
func (r *Run) comesAgain(it item) bool {
	c := it.Capture
	return it.Tag.returned || (c.State == store.Waiting || it.Tag.again) && c.Retry.Sub(r.Now()) <= soon
}

package run

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/listpage"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/store"
	"angler/store/unfollowed"
	"angler/store/writer"
	"angler/topic"
)

// This file is what follows a commit: what is on disk now becomes visible and
// enters the frontier.

// tag travels with a capture to its commit.
type tag struct {
	entry       frontier.Entry
	doc         topic.Doc          // the page's words; empty for what is no page: a redirect, a sitemap
	fingerprint uint64             // of the dictionary that counted doc
	draft       *reader.Draft      // what hands elsewhere have understood, until that is taken up
	stored      func()             // tells the hands that it is on the disk; nil = they do not ask
	state       *decisions.State   // that judged the page; nil when nothing was judged
	before      *store.URL         // the URL as it stood when it was fetched
	list        *listVisit         // the aggregation page that was visited
	notice      *announced         // the notice that was asked for
	renewed     bool               // the notice was known
	met         met                // what its request met
	again       bool               // it comes again in this run, whatever its state
	returned    bool               // it was given back: the frontier has it already
	inRow       []Failed           // its failure completed a row: these are to be given back
	excused     bool               // guarded by network.order: no fault of its own
	lacking     bool               // something of the list is missing
	untold      []unfollowed.Thing // of that, what no event has told yet
	sent        bool               // guarded by network.order: on its way to the disk
}

type item = writer.Item[*tag] // a capture of a run on its way to the disk

// afterCommit runs on the writer's goroutine: what is on disk now becomes
// visible, its links enter the frontier, its lease ends.
func (r *Run) afterCommit(batch []item, found []store.Admission) {
	r.counts.committed.Add(int64(len(batch)))
	r.crowd(batch, found)
	r.plan.committed(batch, found)
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if t.stored != nil {
			t.stored()
		}
		r.counts.tally(c, t, r.stored)
		r.counts.failed.Stored(&store.URL{ID: c.ID, State: c.State, Fails: c.Fails, Retry: c.Retry, Failure: c.Failure}, t.before != nil && c.Fails > t.before.Fails)
		if t.lacking && !r.lacking[c.ID] && !r.Read(c.Page.URL) {
			r.lacking[c.ID] = true
			r.counts.lacking.Add(1)
		}
		for _, x := range t.untold {
			r.Events.Note("warn", "%s · %s · what would help: %s", view.UnfollowedSays(x.Kind, x.Text, x.Why), c.Page.URL, listpage.RemedyFor(x.Kind))
		}
		if c.Page != nil && (c.Unchanged || r.task == view.Harvest) {
			r.Listener.Visited()
		}
		if c.Page != nil && !c.Unchanged {
			r.count(c, t)
		}
		if c.Notice != nil {
			switch {
			case c.Before != nil:
				r.counts.changed.Add(1)
			case !t.renewed:
				r.counts.notices.add()
			}
			r.Listener.Notice(c.Notice, t.renewed)
		}
		if t.returned {
			r.later.drop(c.ID)
			continue
		}
		if (c.State == store.Waiting || t.again) && r.ctx.Err() == nil {
			r.again(t.entry, c)
		}
		r.plan.landed(it)
		if t.entry.ID == c.ID {
			r.front.Done(t.entry, frontier.Outcome{})
		}
	}
}

// count enters a page that was just stored into the counts and the index.
func (r *Run) count(c *store.Capture, t *tag) {
	r.counts.pages.Add(1)
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

// soon is how long a run waits for a URL that failed; what is due later is
// left to a later run.
const soon = 10 * time.Second

func (r *Run) again(entry frontier.Entry, c *store.Capture) {
	if c.Retry.Sub(r.Now()) > soon {
		r.later.Add(c.ID, c.Retry)
		return
	}
	r.front.Retry(entry, c.Retry)
}

// comesAgain reports whether a URL that failed is tried again in this run.
func comesAgain(r *Run, it item) bool {
	c := it.Capture
	return it.Tag.returned || (c.State == store.Waiting || it.Tag.again) && c.Retry.Sub(r.Now()) <= soon
}

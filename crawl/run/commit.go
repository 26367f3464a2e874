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

// This file handles a page after its commit.

// tag travels with a capture to its commit.
type tag struct {
	entry       frontier.Entry
	doc         topic.Doc        // words of the page; empty for a redirect or a sitemap
	fingerprint uint64           // fingerprint of the dictionary that counted doc
	draft       *reader.Draft    // a remote worker's reading; set to nil once it is used
	stored      func()           // acknowledges the commit to the remote worker; nil = none waits
	state       *decisions.State // State that judged the page; nil = not judged
	before      *store.URL       // row of the URL before the fetch
	list        *listVisit       // visited list page
	notice      *announced       // announced notice of this URL
	// id of the page that the notice's address leads to and that is not stored yet; 0 = none
	behind     uint64
	renewed    bool                   // the notice was known before
	asked      bool                   // a request was made that tells something about host and network
	failure    failure                // why the request brought no page
	again      bool                   // the URL is visited again in this run, in any state
	returned   bool                   // restored after an outage or ban: the frontier holds it already
	inRow      []failedURL            // URLs to restore, because this failure started an outage or a ban
	excused    bool                   // the failure does not count against the URL; guarded by network.order
	lacking    bool                   // entries of the list are missing
	unreported []records.MissingEntry // missing entries that no event reported yet
	sent       bool                   // handed to the writer; guarded by network.order
}

type item = writer.Item[*tag] // a capture of a run on its way to the disk

// afterCommit runs on the writer's goroutine. It publishes the committed pages, pushes their links
// into the frontier and ends their leases.
func (r *Run) afterCommit(batch []item, found []store.Admission) {
	r.updateWaiting(batch, found)
	r.plan.committed(batch, found)
	subscribers := r.subscribers()
	for _, it := range batch {
		for _, follow := range subscribers {
			follow(it)
		}
	}
}

// subscribers are called for each committed capture, in this order: the lease ends last.
func (r *Run) subscribers() [5]func(item) {
	return [...]func(item){acknowledge, r.count, r.reportMissing, r.publish, r.release}
}

// acknowledge tells a remote worker that its result is on disk.
func acknowledge(it item) {
	if it.Tag.stored != nil {
		it.Tag.stored()
	}
}

// count adds a capture to the counts of the run.
func (r *Run) count(it item) {
	r.counts.commit(it, r.opt.Stored, it.Tag.lacking && !r.Read(it.Capture.Page.URL))
}

// reportMissing reports the missing entries of a list once.
func (r *Run) reportMissing(it item) {
	for _, x := range it.Tag.unreported {
		r.Events.Note("warn", "%s · %s · remedy: %s", view.UnfollowedSays(x.Kind, x.Text, x.Why),
			it.Capture.Page.URL, listpage.RemedyFor(x.Kind))
	}
}

// publish adds a page to the topic index and passes page and notice to the Listener.
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

// release ends the lease of a URL. If the URL is to be visited again, it enters the frontier first,
// and so do the URLs that its page announces.
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
	r.retryLoop(it)
	r.renamedMeanwhile(it)
	r.plan.pageCommitted(it)
	if t.entry.ID == c.ID {
		r.front.Done(t.entry, frontier.Outcome{})
	}
}

// soon is the longest wait for a retry within a run. Later retries are left to a later run.
const soon = 10 * time.Second

// comesAgain reports whether a URL that failed is tried again in this run.
func (r *Run) comesAgain(it item) bool {
	c := it.Capture
	return it.Tag.returned || (c.State == store.Waiting || it.Tag.again) && c.Retry.Sub(r.Now()) <= soon
}

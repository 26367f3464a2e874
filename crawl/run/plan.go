package run

import (
	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// plan is the task of a run's workers. A discovery follows links; a harvest visits lists and their
// notices.
type plan interface {
	// begin fills the frontier.
	begin() error
	// visit handles one URL up to its commit.
	visit(frontier.Entry, *store.URL) visit
	// unwanted reports whether a URL that was handed out must no longer be fetched.
	unwanted(*store.URL) bool
	// committed is called after each commit on the writer's goroutine, before the captures are
	// counted; pageCommitted follows for each capture.
	committed([]item, []store.Admission)
	pageCommitted(item)
	// entry ranks a URL that is tried again; false = it does not belong to the task.
	entry(*store.URL) (frontier.Entry, bool)
	// free reports whether a visit needs no request.
	free(id uint64, u *store.URL) bool
	// more is called when nothing waits and nothing is in flight. It may fill the frontier again
	// and returns true if it did.
	more() (bool, error)
	// why explains the rank of a URL.
	why(u *store.URL, class int8) string
	// end is called when a run came to its end.
	end() error
}

func (r *Run) planOf(task string) plan {
	if task == view.Harvest {
		r.harvest.final.Store(true)
		return r.harvest
	}
	return &discoverer{Run: r, found: enough{hosts: map[string]bool{}, shapes: map[uint64]*shapeEvidence{}}}
}

package run

import (
	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// plan is what a task does with a run's workers: a discovery follows links, a
// harvest visits lists and what they announce.
type plan interface {
	// begin fills the frontier.
	begin() error
	// visit is the way of one URL, up to its commit.
	visit(frontier.Entry, *store.URL) visit
	// unwanted reports whether a URL that was handed out is not to be fetched any
	// more.
	unwanted(*store.URL) bool
	// committed follows a commit, on the writer's goroutine, before anything of it
	// counts; landed follows each page of it.
	committed([]item, []store.Admission)
	landed(item)
	// entry ranks a URL that is to be tried again; false when it is none of the
	// task's.
	entry(*store.URL) (frontier.Entry, bool)
	// free reports whether the visit of a URL needs no request.
	free(id uint64, u *store.URL) bool
	// more is asked when nothing waits and nothing is in flight: it may fill the
	// frontier again.
	more() (bool, error)
	// why says in words why a URL stands where it stands.
	why(u *store.URL, class int8) string
	// end looks back on a run that came to its end.
	end() error
}

func (r *Run) planOf(task string) plan {
	if task == view.Harvest {
		r.harvest.final.Store(true)
		return r.harvest
	}
	return &discoverer{Run: r}
}

package run

import (
	"angler/crawl/urls"
	"angler/store"
)

// This file keeps the filter's counts of waiting URLs per host.

// setWaiting sets the counts from the stored URLs.
func (r *Run) setWaiting(byHost map[string]int) {
	for _, host := range r.Filter.SetWaiting(byHost) {
		r.reportCrowded(host)
	}
}

// updateWaiting adjusts the counts after a commit: new URLs wait, captured ones do not.
func (r *Run) updateWaiting(batch []item, found []store.Admission) {
	for i := range found {
		if u := found[i].Row.URL; found[i].New && r.Filter.Wait(u, 1) {
			r.reportCrowded(urls.HostOf(u))
		}
	}
	for _, it := range batch {
		wait := waitingChange(it)
		if wait != 0 && r.Filter.Wait(it.Tag.before.URL, wait) && wait > 0 {
			r.reportCrowded(urls.HostOf(it.Tag.before.URL))
		}
	}
}

// waitingChange returns 1 if a URL waits after a commit and did not before, -1 for the opposite, 0 for neither.
func waitingChange(it item) int {
	before := it.Tag.before
	if before == nil {
		return 0
	}
	switch now := it.Capture.State == store.Waiting; {
	case waits(before) && !now:
		return -1
	case now && !waits(before):
		return 1
	}
	return 0
}

// waits reports whether a stored URL waits for its fetch, or is being fetched.
func waits(u *store.URL) bool { return u.State == store.Waiting || u.State == store.Processing }

func (r *Run) reportCrowded(host string) {
	r.Events.Note("warn", "%d URLs of host %s wait: unknown ones are left out until some are fetched; crawl.host_urls is the bound",
		r.Settings().Crawl.HostURLs, host)
}

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
		if wait := waitingChange(it); wait != 0 && r.Filter.Wait(it.Tag.before.URL, wait) {
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
	was := before.State == store.Waiting || before.State == store.Processing
	switch waits := it.Capture.State == store.Waiting; {
	case was && !waits:
		return -1
	case waits && !was:
		return 1
	}
	return 0
}

func (r *Run) reportCrowded(host string) {
	r.Events.Note("warn", "%d URLs of host %s wait: unknown ones are left out until some are fetched; crawl.host_urls is the bound",
		r.Settings().Crawl.HostURLs, host)
}

package store

import (
	"time"

	"angler/store/mapped"
)

// This file bounds what reading leaves in memory: each row brings some pages of the
// database with it, wherever it lies. Commits, and scans of many rows, see to it themselves.

const (
	// trimEvery is after how many reading transactions the mapping is looked at, or after
	// how long: some tens of MB of what they brought.
	trimEvery = 512
	trimAfter = 100 * time.Millisecond
	// crawls is how long after a commit more may stay, because the same pages are read
	// again.
	crawls = 3 * time.Second
)

// viewed follows every reading transaction.
func (w *Workspace) viewed() {
	now := time.Now().UnixNano()
	last := w.trimmed.Load()
	if w.views.Add(1)%trimEvery != 0 && now-last < int64(trimAfter) || !w.trimmed.CompareAndSwap(last, now) {
		return
	}
	limit := int64(mapped.Few)
	if now-w.committed.Load() < int64(crawls) {
		limit = mapped.Most
	}
	mapped.Trim(w.db, limit)
}

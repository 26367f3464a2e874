package store

import (
	"sync/atomic"
	"time"

	"angler/store/sealed"
)

// watchMapping bounds what reading leaves in memory: each row brings some pages of the database
// with it, wherever it lies. Commits, and scans of many rows, see to it themselves. It is
// safe for concurrent use.
type watchMapping struct {
	views     atomic.Int64 // reading transactions
	committed atomic.Int64 // when the last commit ended, Unix nanoseconds
	looked    atomic.Int64 // when the mapping was last looked at
}

const (
	// lookEvery is after how many reading transactions the mapping is looked at, or after
	// how long: some tens of MB of what they brought.
	lookEvery = 512
	lookAfter = 100 * time.Millisecond
	// crawls is how long after a commit Most may stay, because the same pages are read
	// again.
	crawls = 3 * time.Second
)

// Committed notes a commit.
func (w *watchMapping) Committed() { w.committed.Store(time.Now().UnixNano()) }

// viewed follows every reading transaction of a database, outside of it.
func (w *watchMapping) viewed(db *sealed.DB) {
	now := time.Now().UnixNano()
	last := w.looked.Load()
	if w.views.Add(1)%lookEvery != 0 && now-last < int64(lookAfter) || !w.looked.CompareAndSwap(last, now) {
		return
	}
	limit := int64(few)
	if now-w.committed.Load() < int64(crawls) {
		limit = Most
	}
	trimMapping(db, limit)
}

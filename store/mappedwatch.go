package store

import (
	"sync/atomic"
	"time"

	"angler/store/sealed"
)

// watchMapping bounds the memory that reads leave behind: each row maps some pages of the database.
// Commits and long scans trim the mapping themselves. It is safe for concurrent use.
type watchMapping struct {
	views     atomic.Int64 // reading transactions
	committed atomic.Int64 // when the last commit ended, Unix nanoseconds
	looked    atomic.Int64 // when the mapping was last checked
}

const (
	// lookEvery is the number of reads, or the time, after which the mapping is checked; reads bring in
	// some tens of MB meanwhile.
	lookEvery = 512
	lookAfter = 100 * time.Millisecond
	// crawls is how long Most stays in force after a commit, because a crawl reads the same pages
	// again.
	crawls = 3 * time.Second
)

// noteCommit notes a commit.
func (w *watchMapping) noteCommit() { w.committed.Store(time.Now().UnixNano()) }

// viewed runs after every reading transaction of a database, outside of it.
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

package store

import (
	"time"

	bolt "go.etcd.io/bbolt"
)

// mapping keeps the part of a database small that counts as the process's
// memory. bbolt reads through a mapping of the whole file, and every page once
// looked at stays resident until somebody else needs the memory: a crawl looks
// at all it has written. Letting go of the pages costs a system call and, for
// those that are looked at again, a soft fault for each sixteen: they are still
// in the system's cache. The zero value is ready; not safe for concurrent use.
type mapping struct {
	released time.Time
}

// releaseEvery is how often the mapping is let go of at most. A crawl at full
// speed touches some 30 MB in between.
const releaseEvery = 2 * time.Second

// release lets go of the mapped pages of db, unless it did so just before. It
// must not be called within a transaction.
func (m *mapping) release(db *bolt.DB, now time.Time) {
	if now.Sub(m.released) < releaseEvery {
		return
	}
	m.released = now
	// Within a transaction bbolt cannot put the mapping elsewhere. That the pages
	// stay resident is the worst that a failure does.
	_ = db.View(func(tx *bolt.Tx) error {
		dropResident(db.Info().Data, uintptr(tx.Size()))
		return nil
	})
}

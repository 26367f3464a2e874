package store

import bolt "go.etcd.io/bbolt"

// maxMapped bounds how much of a database's mapping stays resident before and
// after a commit, in bytes. bbolt reads through a mapping of the whole file, and
// whatever was looked at counts as the process's memory until somebody else needs
// it: a crawl looks at all it has written. The system brings sixteen pages at a
// look, so a limit in time would not do: the rows of some thousand URLs lie all
// over a file of hundreds of megabytes. Letting go costs a system call, and for
// what is looked at again a soft fault: the pages are still in the system's cache.
const maxMapped = 64 << 20

// trimMapping lets go of the mapped pages of db when more than limit bytes of
// files are resident. It must not be called within a transaction.
func trimMapping(db *bolt.DB, limit int64) {
	if residentFiles() <= limit {
		return
	}
	// Within a transaction bbolt cannot put the mapping elsewhere. That the pages
	// stay resident is the worst that a failure does.
	_ = db.View(func(tx *bolt.Tx) error {
		dropResident(db.Info().Data, uintptr(tx.Size()))
		return nil
	})
}

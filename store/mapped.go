package store

import "angler/store/sealed"

// This file bounds how much of a database is in memory because it was looked at.

// Bounds of how much of a database's mapping stays resident, in bytes: Most before and
// after a commit, Few where rows are only read, one after the other; the program itself
// is among them. bbolt reads through a mapping of the whole file,
// and every page that was read counts as memory of the process until another
// process needs it. A crawl reads all it has written, and each read brings in
// sixteen pages. A limit in time would not help, because the rows of some
// thousand URLs are spread over a file of hundreds of megabytes. Releasing the
// pages costs one system call, and a soft fault for each page that is read
// again, which is still in the system's cache.
//
// With 64 MB a crawl of 50,000 pages took 2 % more of the processor than with 128.
const (
	Most = 128 << 20
	few  = 64 << 20
)

// trimMapping releases the mapped pages of db when more than limit bytes of files are
// resident. It must not be called within a transaction.
func trimMapping(db *sealed.DB, limit int64) {
	if residentMapping() <= limit {
		return
	}
	// Within a transaction bbolt cannot move the mapping. After a failure the
	// pages merely stay resident.
	_ = db.View(func(tx sealed.Tx) error {
		dropResident(db.Mapped(), uintptr(tx.Raw().Size()))
		return nil
	})
}

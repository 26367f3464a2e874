package store

import "angler/store/sealed"

// This file bounds how much of a database stays in memory after reads.

// Bounds of the resident part of a database's mapping, in bytes, including the program itself. Most
// holds before and after a commit, Few for sequential scans. bbolt reads through a mapping of the
// whole file. Every page read counts as memory of the process until another process needs it, and
// each read brings in sixteen pages. A limit in time would not help: the rows of some thousand URLs
// are spread over hundreds of megabytes. Releasing the pages costs one system call, and a soft
// fault for each page that is read again from the system's cache.
//
// With 64 MB a crawl of 50,000 pages took 2 % more processor time than with 128 MB.
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
	// Within a transaction bbolt cannot move the mapping. After a failure the pages stay resident.
	_ = db.View(func(tx sealed.Tx) error {
		dropResident(db.Mapped(), uintptr(tx.Raw().Size()))
		return nil
	})
}

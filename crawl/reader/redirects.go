package reader

import (
	"fmt"

	"angler/crawl/page"
	"angler/store"
)

// This file follows pages that redirect their reader.

// Moved is the error of Read for a page that only redirects.
type Moved struct{ URL string }

func (m *Moved) Error() string { return "it leads to " + m.URL }

// maxMoves is the maximum number of consecutive redirects, like browsers.
const maxMoves = 20

// Behind follows stored redirects from an address and returns the row of the final page. If a target is not stored
// as a page, row is that of the last redirect and next is its target. row is nil if nothing is stored. The error is
// a store.Failure for a loop or a chain longer than maxMoves.
func (r *Reader) Behind(id uint64) (row *store.Page, next string, err error) {
	seen := map[uint64]bool{}
	for hop := 0; ; hop++ {
		behind, err := r.Store.Page(id)
		if err != nil || behind == nil {
			return row, next, err
		}
		if row = behind; row.Location == "" {
			return row, "", nil
		}
		seen[id] = true
		if next, err = r.Resolver.Canonical(row.Location); err != nil {
			return row, row.Location, nil
		}
		known := false
		switch id, known = r.Store.Lookup(next); {
		case !known:
			return row, next, nil
		case seen[id]:
			return row, next, store.Failure{Kind: store.FailedRedirect, Detail: "it leads back to " + next}
		case hop == maxMoves:
			return row, next, store.Failure{Kind: store.FailedRedirect,
				Detail: fmt.Sprintf("more than %d redirects in a row", maxMoves)}
		}
	}
}

// StoredBehind is Stored for the page at the end of an address's redirects.
func (r *Reader) StoredBehind(id uint64, opt page.Options) (*page.Page, error) {
	row, _, err := r.Behind(id)
	if err != nil || row == nil {
		return nil, err
	}
	return r.Stored(row.ID, opt)
}

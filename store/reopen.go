package store

import (
	"slices"
	"time"
)

// Troubled reports whether a URL has failed: it is an exception or waits for a retry.
func (u *URL) Troubled() bool {
	return u.State == Exception || u.State == Waiting && (u.Fails > 0 || !u.Retry.IsZero())
}

// Reopen makes the matching troubled URLs wait as if they had never failed, and returns them. It
// may run during a crawl. Stored data of their pages stays.
func Reopen(w *Workspace, match func(*URL) bool) ([]Admission, error) {
	var ids []uint64
	for u, err := range w.URLs() {
		if err != nil {
			return nil, err
		}
		if u.Troubled() && match(u) {
			ids = append(ids, u.ID)
		}
	}
	var found []Admission
	for chunk := range slices.Chunk(ids, scanChunk) {
		part, err := w.update(func(c *commit) error {
			for _, id := range chunk {
				u, err := c.url(id)
				if err != nil {
					return err
				}
				if !u.Troubled() { // fetched meanwhile
					continue
				}
				if err := c.reopen(id); err != nil {
					return err
				}
			}
			return nil
		})
		found = append(found, part...)
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// untroubled clears the failures of a URL.
func (u *URL) untroubled() { u.Fails, u.Retry, u.Failure = 0, time.Time{}, Failure{} }

package store

import (
	"slices"
	"time"

	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// This file deletes what is kept long enough. What is dropped leaves room in the
// file that later commits use; package maintenance gives it back to the disk.

// BodySize is how many bytes the stored body of a page takes, 0 when there is none.
func BodySize(w *Workspace, id uint64) (n int, err error) {
	err = w.db.View(func(tx sealed.Tx) error {
		body, err := LookPacked(tx.Bucket(schema.Bodies), schema.IDKey(id))
		n = len(body)
		return err
	})
	return n, err
}

// DropBodies deletes the bodies of pages; their rows, words and links stay, and the
// traces that left has of a page are kept, see package records. A page that was fetched since
// a time keeps its own. It may be called while a crawl runs.
func DropBodies(w *Workspace, ids []uint64, left map[uint64]records.PageTraces, fetchedBefore time.Time) (dropped int, err error) {
	for chunk := range slices.Chunk(ids, scanChunk) {
		n := 0
		_, err := w.update(func(c *commit) error {
			bodies, pages := c.tx.Bucket(schema.Bodies), c.tx.Bucket(schema.Pages)
			n = 0
			for _, id := range chunk {
				key := schema.IDKey(id)
				p, err := decodePage(id, pages.Get(key))
				if err != nil || !p.Fetched.Before(fetchedBefore) || len(bodies.Get(key)) == 0 {
					continue
				}
				w.bodies.add(id, []byte{}) // as that of a redirect
				if err := records.PutTraces(c.tx, id, left[id]); err != nil {
					return err
				}
				n++
			}
			c.holes = quarter // this is about room
			return nil
		})
		if err != nil {
			return dropped, err
		}
		dropped += n
	}
	return dropped, nil
}

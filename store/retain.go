package store

import (
	"slices"
	"time"

	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// This file deletes expired data. Later commits reuse the freed space in the file; package
// maintenance returns it to the disk.

// BodySize returns the bytes of a stored page body, 0 if there is none.
func BodySize(w *Workspace, id uint64) (n int, err error) {
	err = w.db.View(func(tx sealed.Tx) error {
		body, err := lookPacked(tx.Bucket(schema.Bodies), schema.IDKey(id))
		n = len(body)
		return err
	})
	return n, err
}

// DropBodies deletes the bodies of pages. Their rows, words, links and the traces in left stay, see
// package records. A page fetched since a time keeps its body. It may run during a crawl.
func DropBodies(w *Workspace, ids []uint64, left map[uint64]records.PageTraces,
	fetchedBefore time.Time) (dropped int, err error) {
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
			c.holes = quarter // the aim is to free space
			return nil
		})
		if err != nil {
			return dropped, err
		}
		dropped += n
	}
	return dropped, nil
}

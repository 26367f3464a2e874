package store

import (
	"encoding/json"
	"slices"
	"time"

	"angler/store/sealed"
	"angler/store/traces"
)

// This file lets go of what is kept long enough. What is dropped leaves room in the
// file that later commits use; package compact gives it back to the disk.

// BodySize is how many bytes the stored body of a page takes, 0 when there is none.
func BodySize(w *Workspace, id uint64) (n int, err error) {
	err = w.db.View(func(tx sealed.Tx) error {
		n = len(tx.Bucket(bucketBodies).Get(idKey(id)))
		return nil
	})
	return n, err
}

// DropBodies lets go of the bodies of pages; their rows, words and links stay, and the
// trace that left has of a page is kept, see package traces. A page that was fetched since
// a time keeps its own. It may be called while a crawl runs.
func DropBodies(w *Workspace, ids []uint64, left map[uint64][]byte, fetchedBefore time.Time) (dropped int, err error) {
	for chunk := range slices.Chunk(ids, scanChunk) {
		n := 0
		_, err := w.update(func(c *commit) error {
			bodies, pages := c.tx.Bucket(bucketBodies), c.tx.Bucket(bucketPages)
			n = 0
			for _, id := range chunk {
				key := idKey(id)
				p, err := decodePage(id, pages.Get(key))
				if err != nil || !p.Fetched.Before(fetchedBefore) || len(bodies.Get(key)) == 0 {
					continue
				}
				if err := bodies.Put(key, []byte{}); err != nil { // as that of a redirect
					return err
				}
				if v := left[id]; v != nil {
					if err := traces.Put(c.tx, id, v); err != nil {
						return err
					}
				}
				n++
			}
			return nil
		})
		if err != nil {
			return dropped, err
		}
		dropped += n
	}
	return dropped, nil
}

// DropEvents lets go of the oldest logged decisions, those before a time, and returns
// how many there are and their bytes. What was decided stays. An event is kept as long as one
// that takes it back, or does it again, so that undo finds what it needs. With dry
// nothing is dropped.
func DropEvents(w *Workspace, before time.Time, dry bool) (n int, size int64, err error) {
	collect := func(tx sealed.Tx) (keys [][]byte, err error) {
		n, size = 0, 0
		type event struct {
			Seq, Undoes, Redoes uint64
			At                  time.Time
		}
		var old []event
		var sizes []int64
		needed := ^uint64(0) // the oldest event that a kept one refers to
		done := false
		b := tx.Bucket(bucketEvents)
		err = b.ForEach(func(k, v []byte) error {
			var e event
			if json.Unmarshal(v, &e) != nil {
				return nil // damaged: the check says so
			}
			if !done && e.At.Before(before) {
				old, keys, sizes = append(old, e), append(keys, append([]byte(nil), k...)), append(sizes, int64(len(k)+len(v)))
				return nil
			}
			done = true // what follows is kept, whatever its clock said
			needed = min(needed, referred(e.Undoes), referred(e.Redoes))
			return nil
		})
		if err != nil {
			return nil, err
		}
		last := len(old) // events before it go
		for last > 0 && old[last-1].Seq >= needed {
			last--
			needed = min(needed, referred(old[last].Undoes), referred(old[last].Redoes))
		}
		for i := range last {
			n, size = n+1, size+sizes[i]
		}
		return keys[:last], nil
	}
	if dry {
		err = w.db.View(func(tx sealed.Tx) error { _, err := collect(tx); return err })
		return n, size, err
	}
	_, err = w.update(func(c *commit) error {
		keys, err := collect(c.tx)
		if err != nil {
			return err
		}
		b := c.tx.Bucket(bucketEvents)
		for _, k := range keys {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
	return n, size, err
}

// referred is the event that another one names; none is after all.
func referred(seq uint64) uint64 {
	if seq == 0 {
		return ^uint64(0)
	}
	return seq
}

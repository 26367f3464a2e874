package archive

import (
	"encoding/json"
	"time"

	"angler/store"
	"angler/store/schema"
	"angler/store/sealed"
)

// DropEvents deletes logged decisions from before a time, the oldest first. It returns their number
// and bytes. The present State does not change. An event is kept while a kept event undoes or
// redoes it, so undo still works. dry only counts.
func DropEvents(w *store.Workspace, before time.Time, dry bool) (n int, size int64, err error) {
	collect := func(tx sealed.Tx) (keys [][]byte, err error) {
		n, size = 0, 0
		type event struct {
			Seq, Undoes, Redoes uint64
			At                  time.Time
		}
		var old []event
		var sizes []int64
		needed := ^uint64(0) // the oldest event that a kept event refers to
		done := false
		b := tx.Bucket(schema.Events)
		err = b.ForEach(func(k, v []byte) error {
			var e event
			if json.Unmarshal(v, &e) != nil {
				return nil // damaged: the workspace check reports it
			}
			if !done && e.At.Before(before) {
				old, keys, sizes = append(old, e), append(keys, append([]byte(nil), k...)),
					append(sizes, int64(len(k)+len(v)))
				return nil
			}
			done = true // all later events are kept, whatever their time
			needed = min(needed, referred(e.Undoes), referred(e.Redoes))
			return nil
		})
		if err != nil {
			return nil, err
		}
		last := len(old) // events before this index are deleted
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
		err = w.View(func(tx sealed.Tx) error { _, err := collect(tx); return err })
		return n, size, err
	}
	err = w.Write(func(tx sealed.Tx) error {
		keys, err := collect(tx)
		if err != nil {
			return err
		}
		b := tx.Bucket(schema.Events)
		for _, k := range keys {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
	return n, size, err
}

// referred returns the event that another one refers to; the highest number if there is none.
func referred(seq uint64) uint64 {
	if seq == 0 {
		return ^uint64(0)
	}
	return seq
}

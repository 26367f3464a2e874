package store

import (
	"bytes"
	"context"
	"slices"

	"angler/store/schema"
	"angler/store/sealed"
)

// rowChunk is the number of notices read in a transaction.
const rowChunk = 1024

// NoticeRows calls f with stored notices as JSON (see Notice), without decoding them. ids,
// ascending, selects them; nil means all. Use it for very many notices. A row is valid only during
// the call. f runs inside a transaction, so it must not wait or read other rows. Damaged rows are
// skipped.
func NoticeRows(ctx context.Context, w *Workspace, ids []uint64, f func(id uint64, row []byte) error) error {
	if ids != nil {
		for part := range slices.Chunk(ids, rowChunk) {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := w.db.View(func(tx sealed.Tx) error {
				b := tx.Bucket(schema.Notices)
				for _, id := range part {
					if row := b.Get(schema.IDKey(id)); row != nil {
						if err := f(id, row); err != nil {
							return err
						}
					}
				}
				return nil
			})
			trimMapping(w.db, few)
			if err != nil {
				return err
			}
		}
		return nil
	}
	for next := []byte{}; next != nil; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := w.db.View(func(tx sealed.Tx) error {
			b := tx.Bucket(schema.Notices)
			c := b.Cursor()
			k, row := c.Seek(next)
			for n := 0; k != nil && n < rowChunk; k, row = c.Next() {
				n++
				id, err := BoundID(k, w.last.Load())
				if err != nil {
					b.Spoiled(k, err)
					continue
				}
				if err := f(id, row); err != nil {
					return err
				}
			}
			next = bytes.Clone(k)
			return nil
		})
		trimMapping(w.db, few)
		if err != nil {
			return err
		}
	}
	return nil
}

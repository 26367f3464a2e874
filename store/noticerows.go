package store

import (
	"bytes"
	"context"
	"slices"

	"angler/store/schema"
	"angler/store/sealed"
)

// rowChunk notices are handed out per transaction.
const rowChunk = 1024

// NoticeRows calls f with notices as they are stored, JSON (see Notice), without
// decoding them: with those of some ids, which ascend, in their order, or with all
// when ids is nil. It is for who looks at very many. A row is valid during the call
// only, and f runs inside a transaction: it waits for nothing and reads nothing else.
// Damaged rows are left out.
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
				id, err := boundID(k, w.last.Load())
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

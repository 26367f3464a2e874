package store

import (
	"context"

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
		return w.chunks(ids, func(tx sealed.Tx, id uint64) error {
			if row := tx.Bucket(schema.Notices).Get(schema.IDKey(id)); row != nil {
				return f(id, row)
			}
			return nil
		}, ctx.Err)
	}
	return w.db.Walk(sealed.Walk{Bucket: schema.Notices, N: rowChunk,
		Row: func(b sealed.Bucket, k, row []byte) error {
			id, err := boundID(k, w.last.Load())
			if err != nil {
				b.Spoiled(k, err)
				return nil
			}
			return f(id, row)
		},
		Between: func() error { trimMapping(w.db, few); return ctx.Err() }})
}

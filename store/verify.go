package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file verifies the rows behind a checkpoint. An opening that reads only the checkpoint does
// not read those rows, so Verify reports damage in them.

// vouched are the buckets whose rows an opening without a checkpoint reads.
var vouched = [...][]byte{schema.URLs, schema.Pages, schema.Terms, schema.Words, schema.Notices}

// Verify reads every row behind the checkpoint of w and counts the damaged ones in Damage. If there
// are any, it gives up the checkpoint: the next opening reads the rows and skips the damaged ones.
// pause runs after every few thousand rows, outside of any transaction.
func Verify(ctx context.Context, w *Workspace, pause func()) error {
	for _, name := range vouched {
		if err := verify(ctx, w, name, pause); err != nil {
			return err
		}
	}
	if w.Damage.Len() == 0 {
		return nil
	}
	return DiscardCheckpoint(w)
}

// verify reads the rows of a bucket, chunk by chunk.
func verify(ctx context.Context, w *Workspace, name []byte, pause func()) error {
	return w.db.Walk(sealed.Walk{Bucket: name, N: scanChunk,
		Row:     func(_ sealed.Bucket, _, _ []byte) error { return ctx.Err() },
		Between: func() error { trimMapping(w.db, few); pause(); return nil }})
}

// verifyAll is Verify for an opening that waits for it; the error says why the checkpoint must not
// be used.
func verifyAll(w *Workspace) error {
	errs := make([]error, len(vouched))
	var all sync.WaitGroup
	for i, name := range vouched {
		all.Go(func() { errs[i] = verify(context.Background(), w, name, func() {}) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	if w.Damage.Len() > 0 {
		return fmt.Errorf("%w: rows that it stands for are damaged", errNoCheckpoint)
	}
	return nil
}

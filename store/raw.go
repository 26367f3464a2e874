package store

import (
	"bytes"
	"os"
	"slices"
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file is for package maintenance, which sees rows as they are in the file, and for the
// packages that write other buckets. No other package uses it.

// Rows gives access to the rows of an idle workspace.
type Rows struct{ w *Workspace }

// RowsOf gives package maintenance access to the rows of a workspace.
func RowsOf(w *Workspace) Rows { return Rows{w} }

// DB is the workspace's database.
func (r Rows) DB() *sealed.DB { return r.w.db }

// LastID returns the highest id ever assigned.
func (r Rows) LastID() uint64 { return r.w.last.Load() }

// MaxBody returns the largest body that the settings allow, in bytes.
func (r Rows) MaxBody() int { return r.w.set.Crawl.MaxBodyMB << 20 }

// Stale reports whether rows were repaired, so that the data in memory is outdated.
func (r Rows) Stale() bool { return r.w.repaired }

// IDOf finds the id of a key without its row in urls.
func (r Rows) IDOf(ids sealed.Bucket, k Key) (uint64, bool) {
	id, ok, _ := r.w.seen.look(ids, k)
	return id, ok
}

// Mend changes rows. The workspace must be opened again afterwards; it then reads all rows, because
// the checkpoint is gone.
func (r Rows) Mend(f func(sealed.Tx) error) error {
	r.w.committing.Lock()
	defer r.w.committing.Unlock()
	r.w.repaired = true
	err := r.w.db.Update(func(tx sealed.Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		return schema.Forget(tx)
	})
	if err != nil {
		return r.w.writeError(err)
	}
	r.w.recalled.use(nil, 0, nil)
	os.Remove(CheckpointPath(r.w.dir))
	return nil
}

// Write runs a transaction on rows that the workspace does not cache, such as those of package
// records. It may run at any time.
func (w *Workspace) Write(f func(sealed.Tx) error) error {
	if err := w.db.Update(f); err != nil {
		return w.writeError(err)
	}
	return nil
}

// View runs a reading transaction on such rows.
func (w *Workspace) View(f func(sealed.Tx) error) error { return w.db.View(f) }

// Reset rewrites the number of the last URL.
func Reset(tx sealed.Tx) error {
	last := schema.LastID(tx)
	if err := tx.Bucket(schema.URLs).SetSequence(last); err != nil {
		return err
	}
	return tx.Bucket(schema.Meta).Put(schema.KeyLast, schema.IDKey(last))
}

// Wait makes a URL wait as if it had never been fetched; a URL without a sound row stays as it is.
func Wait(tx sealed.Tx, id uint64) error {
	urls := tx.Bucket(schema.URLs)
	u, err := DecodeURL(id, urls.Get(schema.IDKey(id)))
	if err != nil {
		return nil
	}
	u.State, u.Fails, u.Retry, u.Failure = Waiting, 0, time.Time{}, Failure{}
	return urls.Put(schema.IDKey(id), AppendURL(nil, u))
}

// MissingBuckets returns the buckets that every database has and that are not among
// names. A database of version 7 has Desk in place of Decisions.
func MissingBuckets(names []string) (missing []string) {
	for _, b := range schema.Buckets {
		older := bytes.Equal(b, schema.Decisions) && slices.Contains(names, string(schema.Desk))
		if !older && !slices.Contains(names, string(b)) {
			missing = append(missing, string(b))
		}
	}
	return missing
}

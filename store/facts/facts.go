// Package facts keeps what was read of every notice: the values of its fields, each
// with its place and how sure it is, and those that are not believed, with the reason.
//
// All of it is derived from notices and pages, and can be made again at any time. A
// row says by which reader, for which fields and of which notice it was made, so that
// opening a workspace finds what is missing or outdated (Scan). Rows are compact
// (some 600 bytes); the bucket is made by the first row, and workspaces of before have
// none. Transactions are short. Everything is safe for concurrent use.
package facts

import (
	"bytes"
	"context"

	"angler/store"
	"angler/store/sealed"
)

// Bucket holds the rows: id of the notice → Row.
var Bucket = store.BucketFacts

// Row is what was read of one notice.
type Row struct {
	ID     uint64
	Stamp  Stamp
	Values []Value
	// Doubtful were found and are not believed.
	Doubtful []Value
	Limits   []string // bounds that were hit
	Sketch   Sketch
}

// Sketch is what a notice's text is compared and checked by; see packages alike and
// check below crawl/notice.
type Sketch struct {
	Words, Figures uint64
	Long           bool   // Words and Figures tell something
	Families       uint32 // that the notice holds
	Size           uint32 // of the text, in bytes
}

// Stamp says what a row was made from; a row with another one is outdated.
type Stamp struct {
	Version uint32 // of the reader
	Set     uint64 // fingerprint of the fields
	Notice  uint32 // the seal of the notice's row
	Files   uint64 // fingerprint of the texts of its attachments; 0 = none was read
}

// Value is one value of a field; see fields.Value of package crawl/fields.
type Value struct {
	Field, Lot, Text, Norm, Source, Label, Doubt string

	From, To           int // bytes of the notice's text, or of its title
	Table, Row, Column int // from 1; 0 outside of tables
	Agree              int
	Sure               float64
	Clock              bool
}

// Put stores rows in one commit. Those of notices that were taken back meanwhile are
// left out.
func Put(w *store.Workspace, rows []*Row) error {
	return change(w, func(b sealed.Bucket) error {
		notices := b.Beside(store.BucketNotices)
		for _, r := range rows {
			key := store.IDKey(r.ID)
			if notices.Get(key) == nil {
				continue
			}
			if err := b.Put(key, appendRow(nil, r)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Drop removes the rows of notices that are no longer stored.
func Drop(w *store.Workspace, ids []uint64) error {
	return change(w, func(b sealed.Bucket) error {
		for _, id := range ids {
			if err := b.Delete(store.IDKey(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

func change(w *store.Workspace, f func(sealed.Bucket) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(tx.Bucket(Bucket))
	})
}

// Get returns the row of a notice, nil when there is none, and the seal of the notice's
// own row. A damaged row is none.
func Get(w *store.Workspace, id uint64) (row *Row, notice uint32, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		key := store.IDKey(id)
		notice = seal(key, tx.Bucket(store.BucketNotices).Get(key))
		row = sealed.Find(tx.Bucket(Bucket), key, Decode)
		return nil
	})
	return row, notice, err
}

// decodeIn decodes a row; a damaged one is counted and nil.
func decodeIn(b sealed.Bucket, key, v []byte) *Row {
	if v == nil {
		return nil
	}
	r, err := Decode(key, v)
	if err != nil {
		b.Spoiled(key, err)
		return nil
	}
	return r
}

// Place is one notice as Scan meets it.
type Place struct {
	ID     uint64
	Notice uint32 // the seal of the notice's row; 0 = there is no such notice
	Row    *Row   // nil = nothing was read yet
}

// slice rows are looked at in one transaction.
const slice = 256

// Scan calls f for every notice and every row in the order of ids, outside of
// transactions. It costs some 3 µs a row. The end of ctx ends it.
func Scan(ctx context.Context, w *store.Workspace, f func(Place) error) error {
	var next []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var places []Place
		var last []byte
		err := store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
			places, last = gather(tx, next)
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range places {
			if err := f(p); err != nil {
				return err
			}
		}
		if last == nil {
			return nil
		}
		next = last
	}
}

// gather returns what stands from a key on, and the key to go on with; nil at the end.
func gather(tx sealed.Tx, from []byte) (places []Place, next []byte) {
	notices := tx.Bucket(store.BucketNotices).Cursor()
	nk, nv := notices.Seek(from)
	b := tx.Bucket(Bucket)
	c := b.Cursor()
	rk, rv := c.Seek(from)
	move := c.Next
	for nk != nil || rk != nil {
		if len(places) == slice {
			if rk == nil || nk != nil && bytes.Compare(nk, rk) < 0 {
				return places, bytes.Clone(nk)
			}
			return places, bytes.Clone(rk)
		}
		order := bytes.Compare(nk, rk)
		if rk == nil {
			order = -1
		} else if nk == nil {
			order = 1
		}
		var p Place
		if order <= 0 {
			if len(nk) == 8 {
				p.ID, p.Notice = store.KeyID(nk), seal(nk, nv)
			}
		}
		if order >= 0 {
			if len(rk) == 8 {
				p.ID, p.Row = store.KeyID(rk), decodeIn(b, rk, rv)
			}
			rk, rv = move()
		}
		if order <= 0 {
			nk, nv = notices.Next()
		}
		if p.ID != 0 {
			places = append(places, p)
		}
	}
	return places, nil
}

// seal is the checksum of a notice's row; another row has another. 0 is that of none.
func seal(key, v []byte) uint32 {
	if v == nil {
		return 0
	}
	return max(1, sealed.Sum(store.BucketNotices, key, v))
}

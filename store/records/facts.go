package records

import (
	"bytes"
	"context"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file keeps what was read of every notice: the values of its fields, each with its
// place and its probability, and those that are not believed, with the reason.
//
// All of it is derived from notices and pages, and can be made again at any time. A
// row says by which reader, for which fields and of which notice it was made, so that
// opening a workspace finds what is missing or outdated (ScanFacts). A row takes some 600
// bytes.

// FactsBucket holds the rows: id of the notice → Facts.
var FactsBucket = []byte("facts")

// Facts holds the extracted fields of one notice.
type Facts struct {
	ID     uint64
	Stamp  FactsStamp
	Values []FactValue
	// Doubtful were found and are not believed.
	Doubtful []FactValue
	Limits   []string // bounds that were hit
	Sketch   Sketch
}

// Sketch is what a notice's text is compared and checked by; see crawl/notices.
type Sketch struct {
	Words, Figures uint64
	Long           bool   // Words and Figures tell something
	Families       uint32 // that the notice holds
	Size           uint32 // of the text, in bytes
}

// FactsStamp says what a row was made from; a row with another one is outdated.
type FactsStamp struct {
	Version uint32 // of the reader
	Set     uint64 // fingerprint of the fields
	Notice  uint32 // the seal of the notice's row
	Files   uint64 // fingerprint of the texts of its attachments; 0 = none was read
}

// FactValue is one value of a field; see fields.Value of package crawl/fields.
type FactValue struct {
	Field, Lot, Text, Norm, Source, Label, Doubt string

	From, To           int // bytes of the notice's text, or of its title
	Table, Row, Column int // from 1; 0 outside of tables
	Agree              int
	Sure               float64
	Clock              bool
}

var facts = table[uint64, Facts]{bucket: FactsBucket, key: idKey,
	encode: func(f *Facts) ([]byte, error) { return appendFacts(nil, f), nil },
	decode: decodeFacts,
	sound: func(key []byte, f *Facts) bool {
		f.ID = idOf(key)
		return f.ID != 0
	}}

// PutFacts stores rows in one commit. Those of notices that were taken back meanwhile are
// left out.
func PutFacts(db DB, list []*Facts) error {
	return facts.change(db, func(r rows[uint64, Facts]) error {
		notices := r.Beside(schema.Notices)
		for _, f := range list {
			if notices.Get(idKey(f.ID)) == nil {
				continue
			}
			if err := r.put(f.ID, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropFacts removes the rows of notices that are no longer stored.
func DropFacts(db DB, ids []uint64) error {
	return facts.change(db, func(r rows[uint64, Facts]) error {
		for _, id := range ids {
			if err := r.delete(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// FactsOf returns the row of a notice, nil when there is none, and the seal of the notice's
// own row. A damaged row is none.
func FactsOf(db DB, id uint64) (f *Facts, notice uint32, err error) {
	err = db.View(func(tx sealed.Tx) error {
		notice = seal(idKey(id), tx.Bucket(schema.Notices).Get(idKey(id)))
		f = facts.in(tx).get(id)
		return nil
	})
	return f, notice, err
}

// FactsPlace is one notice as ScanFacts meets it.
type FactsPlace struct {
	ID     uint64
	Notice uint32 // the seal of the notice's row; 0 = there is no such notice
	Row    *Facts // nil = nothing was read yet
}

// factsSlice rows are looked at in one transaction.
const factsSlice = 256

// ScanFacts calls f for every notice and every row in the order of ids, outside of
// transactions. It costs some 3 µs a row. The end of ctx ends it.
func ScanFacts(ctx context.Context, db DB, f func(FactsPlace) error) error {
	var next []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var places []FactsPlace
		var last []byte
		err := db.View(func(tx sealed.Tx) error {
			places, last = gatherFacts(tx, next)
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

// gatherFacts returns what stands from a key on, and the key to go on with; nil at the end.
func gatherFacts(tx sealed.Tx, from []byte) (places []FactsPlace, next []byte) {
	notices, b := tx.Bucket(schema.Notices).Cursor(), facts.in(tx)
	nk, nv := notices.Seek(from)
	c := b.Cursor()
	rk, rv := c.Seek(from)
	for nk != nil || rk != nil {
		order := bytes.Compare(nk, rk)
		if rk == nil {
			order = -1
		} else if nk == nil {
			order = 1
		}
		if len(places) == factsSlice {
			if order < 0 {
				return places, bytes.Clone(nk)
			}
			return places, bytes.Clone(rk)
		}
		var p FactsPlace
		if order >= 0 {
			if p.ID = idOf(rk); p.ID != 0 {
				var err error
				if p.Row, err = facts.read(rk, rv); err != nil {
					b.Spoiled(rk, err)
				}
			}
			rk, rv = c.Next()
		}
		if order <= 0 {
			if p.ID = idOf(nk); p.ID != 0 {
				p.Notice = seal(nk, nv)
			}
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
	return max(1, sealed.Sum(schema.Notices, key, v))
}

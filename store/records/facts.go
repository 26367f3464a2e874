package records

import (
	"bytes"
	"context"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file keeps the facts of every notice: the values of its fields with place and probability,
// and the rejected values with the reason.
//
// Facts derive from notices and pages and can be made again. A row names the version of the reader,
// the fields and the notice it was made from, so ScanFacts finds missing and outdated rows. A row
// takes about 600 bytes.

// FactsBucket holds the rows: id of the notice → Facts.
var FactsBucket = []byte("facts")

// Facts holds the extracted fields of one notice.
type Facts struct {
	ID     uint64
	Stamp  FactsStamp
	Values []FactValue
	// Doubtful are values that were found and rejected.
	Doubtful []FactValue
	Limits   []string // bounds that were hit
	Sketch   Sketch
}

// Sketch holds the features by which a notice's text is compared and checked; see crawl/notices.
type Sketch struct {
	Words, Figures uint64
	Long           bool   // Words and Figures are meaningful
	Families       uint32 // families of words in the notice
	Size           uint32 // of the text, in bytes
}

// FactsStamp identifies the sources of a row. A row with another stamp is outdated.
type FactsStamp struct {
	Version uint32 // of the reader
	Set     uint64 // fingerprint of the fields
	Notice  uint32 // checksum of the notice's row
	Files   uint64 // fingerprint of the texts of its attachments; 0: none was read
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

// PutFacts stores rows in one commit. It skips notices that were removed meanwhile.
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

// DropFacts removes the rows of deleted notices.
func DropFacts(db DB, ids []uint64) error {
	return facts.change(db, func(r rows[uint64, Facts]) error { return r.delete(ids...) })
}

// FactsOf returns the row of a notice and the checksum of the notice's own row. The row is nil if
// it is missing or damaged.
func FactsOf(db DB, id uint64) (f *Facts, notice uint32, err error) {
	err = db.View(func(tx sealed.Tx) error {
		notice = seal(idKey(id), tx.Bucket(schema.Notices).Get(idKey(id)))
		f = facts.in(tx).get(id)
		return nil
	})
	return f, notice, err
}

// FactsPlace is one notice in ScanFacts.
type FactsPlace struct {
	ID     uint64
	Notice uint32 // checksum of the notice's row; 0: there is no such notice
	Row    *Facts // nil: no facts yet
}

// factsSlice is the number of rows read in one transaction.
const factsSlice = 256

// ScanFacts calls f for every notice and every row in order of ids, outside of transactions. It
// costs about 3 µs a row. It stops when ctx ends.
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

// gatherFacts returns the rows from a key on, and the key to continue with; nil at the end.
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

// seal returns the checksum of a notice's row; 0 means that there is no row.
func seal(key, v []byte) uint32 {
	if v == nil {
		return 0
	}
	return max(1, sealed.Sum(schema.Notices, key, v))
}

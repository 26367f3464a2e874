package records

import (
	"errors"

	"angler/store/sealed"
)

// This file keeps what is needed of a page after its body was deleted: of a page in the
// form that the learner needs, so that its host can be learned by it again; and the tables
// of a page, from which other fields of its notice can be read.
//
// A row is written in the transaction that drops its page's body, and goes in the one that
// stores another body.

// Traces is one kind of traces: id of the URL → bytes.
type Traces = table[uint64, []byte]

// The kinds of traces.
var (
	HostTraces  = traces("traces", MaxHostTrace)   // what the page's host is learned by
	TableTraces = traces("remains", MaxTableTrace) // what the fields of its notice are read from besides the text, compressed as a body is
)

// Bounds of a row, in bytes.
const (
	MaxHostTrace  = 8 << 10
	MaxTableTrace = 256 << 10
)

func traces(bucket string, most int) *Traces {
	return &Traces{bucket: []byte(bucket), key: idKey, encode: asIs, decode: asBytes, sound: func(key []byte, v *[]byte) bool {
		return len(key) == 8 && len(*v) > 0 && len(*v) <= most
	}}
}

// PageTraces holds the traces of a page; nil means none.
type PageTraces struct{ Host, Tables []byte }

// ErrTraceTooLong is the error of a trace that is empty or too long.
var ErrTraceTooLong = errors.New("a trace has at least one byte and at most 8 KB, of tables 256 KB")

// PutTraces writes the rows of a page that something is left of.
func PutTraces(tx sealed.Tx, id uint64, p PageTraces) error {
	return errors.Join(putTrace(tx, HostTraces, id, p.Host), putTrace(tx, TableTraces, id, p.Tables))
}

func putTrace(tx sealed.Tx, t *Traces, id uint64, v []byte) error {
	if v == nil {
		return nil
	}
	if !t.sound(idKey(id), &v) {
		return ErrTraceTooLong
	}
	r, err := t.writable(tx)
	if err != nil {
		return err
	}
	return r.put(id, &v)
}

// DropTraces removes the rows of a page, if there are some.
func DropTraces(tx sealed.Tx, id uint64) error {
	return errors.Join(HostTraces.in(tx).delete(id), TableTraces.in(tx).delete(id))
}

// TraceOf returns the row of a page; nil without one, or for one that is damaged.
func TraceOf(db DB, t *Traces, id uint64) []byte {
	v, err := t.of(db, id)
	if err != nil || v == nil {
		return nil
	}
	return *v
}

package records

import (
	"errors"

	"angler/store/sealed"
)

// This file keeps data of a page after its body was deleted: the features from which the learner
// learns its host, and the tables from which fields of its notice are read.
//
// The transaction that deletes a page's body writes a row. The transaction that stores another body
// deletes it.

// Traces is one kind of trace: id of the URL → bytes.
type Traces = table[uint64, []byte]

// The kinds of traces.
var (
	HostTraces  = traces("traces", MaxHostTrace)   // features from which the page's host is learned
	TableTraces = traces("remains", MaxTableTrace) // what the fields of its notice are read from besides the text, compressed as a body is
)

// Bounds of a row, in bytes.
const (
	MaxHostTrace  = 8 << 10
	MaxTableTrace = 256 << 10
)

func traces(bucket string, most int) *Traces {
	return &Traces{bucket: []byte(bucket), key: idKey, encode: asIs, decode: asBytes,
		sound: func(key []byte, v *[]byte) bool {
			return len(key) == 8 && len(*v) > 0 && len(*v) <= most
		}}
}

// PageTraces holds the traces of a page; nil means none.
type PageTraces struct{ Host, Tables []byte }

// ErrTraceTooLong is the error of a trace that is empty or too long.
var ErrTraceTooLong = errors.New("a trace has at least one byte and at most 8 KB, of tables 256 KB")

// PutTraces writes the traces of a page.
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
	return t.put(tx, id, &v)
}

// DropTraces deletes the traces of a page, if any.
func DropTraces(tx sealed.Tx, id uint64) error {
	return errors.Join(HostTraces.in(tx).delete(id), TableTraces.in(tx).delete(id))
}

// TraceOf returns the trace of a page; nil if it is missing or damaged.
func TraceOf(db DB, t *Traces, id uint64) []byte {
	v, err := t.of(db, id)
	if err != nil || v == nil {
		return nil
	}
	return *v
}

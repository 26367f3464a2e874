// Package traces keeps what is still needed of pages whose bodies were deleted: what
// their host is learned by, some hundred bytes to three kilobytes a page in the form that
// the learner needs, so that it can be learned on, and again; and what the fields of a notice
// are read from besides its text, the tables of its page, some kilobytes compressed, so
// that other fields can be read of it.
//
// A row is written in the transaction that drops its page's body, and goes in the one that
// stores another body. The buckets are made by their first rows. Calls within a transaction
// are for its goroutine; Of is safe for concurrent use, one short transaction.
package traces

import (
	"encoding/binary"
	"errors"

	"angler/store/sealed"
)

// Kind is one kind of traces: id of the URL, 8 bytes, big endian → the trace.
type Kind struct {
	Bucket  []byte
	Longest int // bytes of a row
}

// The kinds.
var (
	Host   = Kind{[]byte("traces"), 8 << 10}    // what the page's host is learned by
	Tables = Kind{[]byte("remains"), 256 << 10} // what the fields of its notice are read from besides the text, compressed as a body is
)

// Left is what stays of a page; nil is nothing.
type Left struct{ Host, Tables []byte }

// ErrLong is the error of a trace that is empty or longer than Longest.
var ErrLong = errors.New("a trace has at least one byte and at most 8 KB, of tables 256 KB")

// Put writes the rows of a page that something is left of.
func Put(tx sealed.Tx, id uint64, l Left) error {
	return errors.Join(Host.put(tx, id, l.Host), Tables.put(tx, id, l.Tables))
}

// Drop removes the rows of a page, if there are some.
func Drop(tx sealed.Tx, id uint64) error { return errors.Join(Host.drop(tx, id), Tables.drop(tx, id)) }

func (k Kind) put(tx sealed.Tx, id uint64, v []byte) error {
	if v == nil {
		return nil
	}
	key := binary.BigEndian.AppendUint64(nil, id)
	if err := k.Check(key, v); err != nil {
		return err
	}
	if _, err := tx.Raw().CreateBucketIfNotExists(k.Bucket); err != nil {
		return err
	}
	return tx.Bucket(k.Bucket).Put(key, append([]byte(nil), v...))
}

func (k Kind) drop(tx sealed.Tx, id uint64) error {
	return tx.Bucket(k.Bucket).Delete(binary.BigEndian.AppendUint64(nil, id))
}

// Of returns the row of a page; nil without one, or for one that is damaged.
func (k Kind) Of(db *sealed.DB, id uint64) (v []byte) {
	_ = db.View(func(tx sealed.Tx) error {
		v = append(v, tx.Bucket(k.Bucket).Get(binary.BigEndian.AppendUint64(nil, id))...)
		return nil
	})
	return v
}

// Check says what is wrong with the form of a row.
func (k Kind) Check(key, v []byte) error {
	if len(key) != 8 || len(v) == 0 || len(v) > k.Longest {
		return ErrLong
	}
	return nil
}

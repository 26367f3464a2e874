// Package traces keeps what the pages of a host repeat is learned from, of pages whose
// bodies were let go of: some hundred bytes to three kilobytes a page, in the form of
// whoever learns. So what was learned of the host can be learned on, and again, without
// the bodies.
//
// A row is written in the transaction that drops its page's body, and goes in the one that
// stores another body. The bucket is made by its first row. Calls within a transaction are
// for its goroutine; Of is safe for concurrent use, one short transaction.
package traces

import (
	"encoding/binary"
	"errors"

	"angler/store/sealed"
)

// Bucket holds the rows: id of the URL, 8 bytes, big endian → the trace.
var Bucket = []byte("traces")

// Longest is the most bytes of a row.
const Longest = 8 << 10

// ErrLong is the error of a trace that is empty or longer than Longest.
var ErrLong = errors.New("a trace has 1 byte to 8 KB")

// Put writes the row of a page.
func Put(tx sealed.Tx, id uint64, v []byte) error {
	key := binary.BigEndian.AppendUint64(nil, id)
	if err := Check(key, v); err != nil {
		return err
	}
	if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
		return err
	}
	return tx.Bucket(Bucket).Put(key, append([]byte(nil), v...))
}

// Drop removes the row of a page, if there is one.
func Drop(tx sealed.Tx, id uint64) error {
	b := tx.Bucket(Bucket)
	if b.Missing() {
		return nil
	}
	return b.Delete(binary.BigEndian.AppendUint64(nil, id))
}

// Of returns the row of a page; nil without one, or for one that is damaged.
func Of(db *sealed.DB, id uint64) (v []byte) {
	_ = db.View(func(tx sealed.Tx) error {
		if b := tx.Bucket(Bucket); !b.Missing() {
			v = append(v, b.Get(binary.BigEndian.AppendUint64(nil, id))...)
		}
		return nil
	})
	return v
}

// Check says what is wrong with the form of a row.
func Check(key, v []byte) error {
	if len(key) != 8 || len(v) == 0 || len(v) > Longest {
		return ErrLong
	}
	return nil
}

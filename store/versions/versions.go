// Package versions keeps what changed notices said before.
//
// Each version is a row of its own bucket, which the first one makes: id of the URL and
// number of the version, 8 and 4 bytes, big endian → JSON, compressed. The newest
// version of a notice is not here but in its row. A version is written in the
// transaction that replaces the notice's row, so that a kill loses neither. How many are
// kept of a notice is bounded by the caller, and their texts by MaxText; the oldest go
// first, and numbers are not given away again.
//
// Calls within a transaction are for its goroutine; the others are safe for concurrent
// use, one short transaction each.
package versions

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klauspost/compress/s2"

	"angler/store/sealed"
)

// Bucket holds the versions.
var Bucket = []byte("versions")

// MaxText bounds the text of a version, in bytes.
const MaxText = 256 << 10

// longest bounds a row when it is unpacked, in bytes: hostile rows say they are huge.
const longest = 2 << 20

// Version is what a notice said until it changed.
type Version struct {
	Number    int       `json:"number"` // 1 is the first
	Until     time.Time `json:"until"`  // when the change was found
	Title     string    `json:"title"`
	Date      time.Time `json:"date,omitzero"`
	Precision uint8     `json:"precision,omitempty"`
	Text      string    `json:"text"`
	Files     []string  `json:"files,omitempty"` // names of attachments
}

func key(id uint64, number uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(make([]byte, 0, 12), id), number)
}

// Keep writes a version of a notice behind those that are kept already and gives it its
// number; of more than most the oldest are removed.
func Keep(tx sealed.Tx, id uint64, v Version, most int) error {
	if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
		return err
	}
	b := tx.Bucket(Bucket)
	keys := keysOf(b, id)
	v.Number = 1
	if len(keys) > 0 {
		v.Number = int(binary.BigEndian.Uint32(keys[len(keys)-1][8:])) + 1
	}
	if len(v.Text) > MaxText {
		v.Text = strings.ToValidUTF8(v.Text[:MaxText], "")
	}
	row, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := b.Put(key(id, uint32(v.Number)), s2.Encode(nil, row)); err != nil {
		return err
	}
	for i := 0; i <= len(keys)-max(1, most); i++ {
		if err := b.Delete(keys[i]); err != nil {
			return err
		}
	}
	return nil
}

func keysOf(b sealed.Bucket, id uint64) (keys [][]byte) {
	head := binary.BigEndian.AppendUint64(nil, id)
	c := b.Bucket.Cursor() // keys alone: a damaged value must not hide them
	for k, _ := c.Seek(head); len(k) == 12 && bytes.HasPrefix(k, head); k, _ = c.Next() {
		keys = append(keys, bytes.Clone(k))
	}
	return keys
}

// Drop removes the versions of a notice.
func Drop(tx sealed.Tx, id uint64) error {
	b := tx.Bucket(Bucket)
	if b.Missing() {
		return nil
	}
	for _, k := range keysOf(b, id) {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// Of returns what is kept of a notice, the oldest first. Damaged rows are counted and
// left out.
func Of(db *sealed.DB, id uint64) (out []Version, err error) {
	head := binary.BigEndian.AppendUint64(nil, id)
	err = db.View(func(tx sealed.Tx) error { out = sealed.Scan(tx.Bucket(Bucket), head, decode); return nil })
	return out, err
}

// Total tells how many versions are kept, of how many notices, and what their rows take,
// in bytes.
func Total(db *sealed.DB) (versions, notices int, size int64, err error) {
	err = db.View(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		if b.Missing() {
			return nil
		}
		last := uint64(0)
		c := b.Bucket.Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			if len(k) != 12 {
				continue
			}
			versions++
			size += int64(len(k) + len(v))
			if id := binary.BigEndian.Uint64(k); id != last {
				last = id
				notices++
			}
		}
		return nil
	})
	return versions, notices, size, err
}

// Prune removes at most most versions that were replaced before a time, in a
// transaction, and returns how many went; call it until that is 0. from is where to go
// on, nil at first.
func Prune(tx sealed.Tx, before time.Time, from []byte, most int) (gone int, next []byte, err error) {
	b := tx.Bucket(Bucket)
	if b.Missing() {
		return 0, nil, nil
	}
	var old [][]byte
	c := b.Cursor()
	k, row := c.Seek(from)
	for n := 0; k != nil && n < most; k, row = c.Next() {
		n++
		if v, err := decode(k, row); err == nil && v.Until.Before(before) {
			old = append(old, bytes.Clone(k))
		}
	}
	next = bytes.Clone(k)
	for _, k := range old {
		if err := b.Delete(k); err != nil {
			return 0, nil, err
		}
	}
	return len(old), next, nil
}

// Old counts the versions that Prune would remove.
func Old(tx sealed.Tx, before time.Time) (n int, err error) {
	b := tx.Bucket(Bucket)
	if b.Missing() {
		return 0, nil
	}
	c := b.Cursor()
	for k, row := c.First(); k != nil; k, row = c.Next() {
		if v, err := decode(k, row); err == nil && v.Until.Before(before) {
			n++
		}
	}
	return n, nil
}

var errForm = errors.New("it does not decode")

func decode(k, row []byte) (v Version, err error) {
	if len(k) != 12 {
		return v, errForm
	}
	n, err := s2.DecodedLen(row)
	if err != nil || n > longest {
		return v, errForm
	}
	text, err := s2.Decode(nil, row)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		return v, fmt.Errorf("%w: %v", errForm, err)
	}
	v.Number = int(binary.BigEndian.Uint32(k[8:]))
	return v, nil
}

// Check says what is wrong with a row; nil when nothing is.
func Check(k, row []byte) error {
	_, err := decode(k, row)
	return err
}

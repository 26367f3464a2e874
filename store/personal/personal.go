// Package personal keeps what belongs to one person and is no decision:
// which notices they have read, and how they left their screens. What people
// decide together stands in the log of decisions, see store.Decisions.
//
// Its rows have a bucket of their own in the workspace's database, which is made
// by the first row. So older workspaces need no upgrade, and backup, check and
// repair treat the rows like all others. Every call is one short transaction, and
// what was written is on the disk when it returns. A person is named as in the
// log.
package personal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"angler/store"
	"angler/store/sealed"
)

// Bucket holds read/PERSON/id → when it was read, in seconds since 1970, 8 bytes;
// and place/PERSON/ → how the screens were left, JSON.
var Bucket = []byte("personal")

// longestName bounds the name of a person in a key, in bytes.
const longestName = 256

func prefix(kind, person string) []byte {
	person = strings.ReplaceAll(person, "/", "_")
	return []byte(kind + "/" + person[:min(len(person), longestName)] + "/")
}

func readKey(person string, id uint64) []byte {
	return binary.BigEndian.AppendUint64(prefix("read", person), id)
}

// Read returns when a person read which notices, by id.
func Read(w *store.Workspace, person string) (map[uint64]time.Time, error) {
	out := map[uint64]time.Time{}
	head := prefix("read", person)
	err := store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		c := b.Cursor()
		for k, v := c.Seek(head); k != nil && bytes.HasPrefix(k, head); k, v = c.Next() {
			id, at, err := decodeRead(k, v)
			if err != nil {
				b.Spoiled(k, err)
				continue
			}
			out[id] = at
		}
		return nil
	})
	return out, err
}

// SetRead notes that a person has read notices, or with the zero time that they
// have not.
func SetRead(w *store.Workspace, person string, ids []uint64, at time.Time) error {
	return write(w, func(b sealed.Bucket) error {
		for _, id := range ids {
			k := readKey(person, id)
			var err error
			if at.IsZero() {
				err = b.Delete(k)
			} else {
				err = b.Put(k, binary.BigEndian.AppendUint64(make([]byte, 0, 8+sealed.Size), uint64(at.Unix())))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Place returns how a person left the screens, nil when nothing is known.
func Place(w *store.Workspace, person string) (v json.RawMessage, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		v = bytes.Clone(tx.Bucket(Bucket).Get(prefix("place", person)))
		return nil
	})
	return v, err
}

// SetPlace keeps how a person left the screens.
func SetPlace(w *store.Workspace, person string, v json.RawMessage) error {
	return write(w, func(b sealed.Bucket) error { return b.Put(prefix("place", person), bytes.Clone(v)) })
}

func write(w *store.Workspace, f func(sealed.Bucket) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(tx.Bucket(Bucket))
	})
}

var errForm = errors.New("it does not decode")

func decodeRead(k, v []byte) (id uint64, at time.Time, err error) {
	if len(k) < 8 || len(v) != 8 {
		return 0, at, errForm
	}
	return binary.BigEndian.Uint64(k[len(k)-8:]), time.Unix(int64(binary.BigEndian.Uint64(v)), 0), nil
}

// Check says what is wrong with a row; nil when nothing is.
func Check(k, v []byte) error {
	kind, rest, _ := bytes.Cut(k, []byte("/"))
	switch string(kind) {
	case "read":
		if len(rest) < 9 || rest[len(rest)-9] != '/' {
			return errForm
		}
		_, _, err := decodeRead(k, v)
		return err
	case "place":
		if json.Valid(v) {
			return nil
		}
	}
	return errForm
}

// Package requests keeps what is to be sent for addresses that a plain GET does not
// bring: method, body, header, and to which list the reply belongs.
//
// An address with a fragment (urls.Address) is a row of store.URL like any other; what is
// sent for it is a row of the bucket here, id of the URL → Row. It is written by the
// commit that makes the address known (store.Link.Request), and again whenever its list is
// read again, so that a kill loses nothing. State that a server gives out with a page (a
// view state, a token) makes a row that expires: it is good for the run that wrote it, and
// afterwards it is not sent until the list has been read again.
//
// The first row makes the bucket; workspaces of before have none. Rows are compressed and
// bounded (MaxBody). Everything is safe for concurrent use, one short transaction each;
// Put is for the goroutine of its transaction. Backup, check and repair treat the rows
// like all others.
package requests

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"angler/store/sealed"
)

// Bucket holds the rows.
var Bucket = []byte("requests")

// MaxBody bounds what is sent, in bytes.
const MaxBody = 1 << 20

// longest bounds a row when it is unpacked, in bytes: hostile rows say they are huge.
const longest = 2 << 20

// ErrTooLong means a body above MaxBody.
var ErrTooLong = errors.New("the request is too long to be kept")

// Row is what is sent for one address. The URL is that of the address, without its
// fragment.
type Row struct {
	Method      string            `json:"method,omitempty"` // "" = GET
	Body        []byte            `json:"body,omitempty"`
	ContentType string            `json:"type,omitempty"`   // of the body
	Header      map[string]string `json:"header,omitempty"` // besides those of every request
	Root        uint64            `json:"root,omitempty"`   // id of the list's first page; 0 = itself
	Page        int               `json:"page,omitempty"`   // number within its list, from 1; 0 = unknown
	Source      string            `json:"source,omitempty"` // who made it: "form", "postback", "recipe:NAME"
	Expires     bool              `json:"expires,omitempty"`
	Made        time.Time         `json:"made"`
}

// Stale reports whether a row may no longer be sent in a run that began at a time: what
// the server gave out with an earlier page has expired.
func (r *Row) Stale(began time.Time) bool { return r.Expires && r.Made.Before(began) }

func key(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

// Put writes the row of an address, in place of the one before.
func Put(tx sealed.Tx, id uint64, r *Row) error {
	if len(r.Body) > MaxBody {
		return fmt.Errorf("%w: %d bytes, at most %d are", ErrTooLong, len(r.Body), MaxBody)
	}
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
		return err
	}
	return tx.Bucket(Bucket).Put(key(id), packer().EncodeAll(v, nil))
}

// Get returns the row of an address; nil when there is none, or a damaged one, which is
// counted.
func Get(db *sealed.DB, id uint64) (r *Row, err error) {
	err = db.View(func(tx sealed.Tx) error {
		r = sealed.Find(tx.Bucket(Bucket), key(id), func(_, v []byte) (*Row, error) { return Decode(v) })
		return nil
	})
	return r, err
}

var errForm = errors.New("it does not decode")

// Decode reads a row.
func Decode(v []byte) (*Row, error) {
	plain, err := unpacker().DecodeAll(v, nil)
	if err != nil || len(plain) > longest {
		return nil, errForm
	}
	r := new(Row)
	if json.Unmarshal(plain, r) != nil || len(r.Body) > MaxBody || r.Page < 0 {
		return nil, errForm
	}
	return r, nil
}

// View states are most of what is kept. They are base64, which takes an entropy coder to
// become shorter; small windows keep coder and decoder small.
var packer = sync.OnceValue(func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
})

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(longest), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
})

package records

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"angler/store/sealed"
)

// This file keeps what is to be sent for addresses that a plain GET does not bring:
// method, body, header, and to which list the reply belongs.
//
// An address with a fragment (urls.Address) is a row of store.URL like any other; what is
// sent for it is a row here. It is written by the commit that makes the address known
// (store.Link.Request), and again whenever its list is read again, so that a kill loses
// nothing. State that a server gives out with a page (a view state, a token) makes a row
// that expires: it is good for the run that wrote it, and afterwards it is not sent until
// the list has been read again.

// requestsBucket holds id of the URL → Request, JSON, compressed (zstd).
var requestsBucket = []byte("requests")

// MaxRequestBody is the maximum length of a body, in bytes.
const MaxRequestBody = 1 << 20

// maxRequest bounds a row when it is unpacked, in bytes: hostile rows say they are huge.
const maxRequest = 2 << 20

// ErrRequestTooLong means a body above MaxRequestBody.
var ErrRequestTooLong = errors.New("the request is too long to be kept")

// Request is what is sent for one address. The URL is that of the address, without its
// fragment.
type Request struct {
	Method      string            `json:"method,omitempty"` // "" = GET
	Body        []byte            `json:"body,omitempty"`
	ContentType string            `json:"type,omitempty"`   // of the body
	Header      map[string]string `json:"header,omitempty"` // besides those of every request
	Root        uint64            `json:"root,omitempty"`   // id of the list's first page; 0 = itself
	Page        int               `json:"page,omitempty"`   // number within its list, from 1; 0 = unknown
	Source      string            `json:"source,omitempty"` // its maker: "form", "postback", "recipe:NAME"
	Expires     bool              `json:"expires,omitempty"`
	Made        time.Time         `json:"made"`
}

var requests = table[uint64, Request]{bucket: requestsBucket, key: idKey, pack: packZstd, unpack: unpackZstd,
	sound: func(_ []byte, r *Request) bool { return len(r.Body) <= MaxRequestBody && r.Page >= 0 }}

// Stale reports whether a row may no longer be sent in a run that began at a time: what
// the server gave out with an earlier page has expired.
func (r *Request) Stale(began time.Time) bool { return r.Expires && r.Made.Before(began) }

// PutRequest writes the row of an address, in place of the one before.
func PutRequest(tx sealed.Tx, id uint64, row *Request) error {
	if len(row.Body) > MaxRequestBody {
		return fmt.Errorf("%w: %d bytes, at most %d are", ErrRequestTooLong, len(row.Body), MaxRequestBody)
	}
	r, err := requests.writable(tx)
	if err != nil {
		return err
	}
	return r.put(id, row)
}

// RequestOf returns the row of an address; nil when there is none, or a damaged one, which
// is counted.
func RequestOf(db DB, id uint64) (*Request, error) { return requests.of(db, id) }

func packZstd(v []byte) []byte { return packer().EncodeAll(v, nil) }

func unpackZstd(v []byte) ([]byte, error) {
	plain, err := unpacker().DecodeAll(v, nil)
	if err != nil || len(plain) > maxRequest {
		return nil, errForm
	}
	return plain, nil
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
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxRequest), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
})

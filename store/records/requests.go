package records

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"angler/store/sealed"
)

// This file keeps the requests of addresses for which a plain GET is not enough: method, body,
// header, and the list that the reply belongs to.
//
// An address with a fragment (urls.Address) is an ordinary row of store.URL; its request is a row
// here. The commit that makes the address known writes it (store.Link.Request). Each visit of its
// list writes it again, so a kill loses nothing. State that a server issues with a page (a view
// state, a token) makes a row that expires. Such a row is valid in the run that wrote it. Later
// runs do not send it before they have read the list again.

// requestsBucket holds id of the URL → Request, JSON, compressed (zstd).
var requestsBucket = []byte("requests")

// MaxRequestBody is the maximum length of a body, in bytes.
const MaxRequestBody = 1 << 20

// maxRequest bounds a decompressed row, in bytes: hostile rows claim huge sizes.
const maxRequest = 2 << 20

// ErrRequestTooLong means a body above MaxRequestBody.
var ErrRequestTooLong = errors.New("the request is too long to be kept")

// Request is the request of one address. Its URL is the address without fragment.
type Request struct {
	Method      string            `json:"method,omitempty"` // "" = GET
	Body        []byte            `json:"body,omitempty"`
	ContentType string            `json:"type,omitempty"`   // of the body
	Header      map[string]string `json:"header,omitempty"` // in addition to those of every request
	Root        uint64            `json:"root,omitempty"`   // id of the list's first page; 0: this address
	Page        int               `json:"page,omitempty"`   // page number in its list, from 1; 0: unknown
	Source      string            `json:"source,omitempty"` // its maker: "form", "postback", "recipe:NAME"
	Expires     bool              `json:"expires,omitempty"`
	Made        time.Time         `json:"made"`
}

var requests = table[uint64, Request]{bucket: requestsBucket, key: idKey, pack: packZstd, unpack: unpackZstd,
	sound: func(_ []byte, r *Request) bool { return len(r.Body) <= MaxRequestBody && r.Page >= 0 }}

// Stale reports whether a run that began at a time must not send the row, because state issued with
// an earlier page has expired.
func (r *Request) Stale(began time.Time) bool { return r.Expires && r.Made.Before(began) }

// PutRequest stores the row of an address and replaces the old one.
func PutRequest(tx sealed.Tx, id uint64, row *Request) error {
	if len(row.Body) > MaxRequestBody {
		return fmt.Errorf("%w: %d bytes, at most %d are", ErrRequestTooLong, len(row.Body), MaxRequestBody)
	}
	return requests.put(tx, id, row)
}

// RequestOf returns the row of an address; nil if it is missing or damaged. Damaged rows are
// counted.
func RequestOf(db DB, id uint64) (*Request, error) { return requests.of(db, id) }

func packZstd(v []byte) []byte { return packer().EncodeAll(v, nil) }

func unpackZstd(v []byte) ([]byte, error) {
	plain, err := unpacker().DecodeAll(v, nil)
	if err != nil || len(plain) > maxRequest {
		return nil, errForm
	}
	return plain, nil
}

// View states are most of the data. They are base64, which only an entropy coder makes shorter;
// small windows keep encoder and decoder small.
var packer = sync.OnceValue(func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
})

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxRequest),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return z
})

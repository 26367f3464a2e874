package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// A stored body begins with a byte that names its form: BodyForm is that of Compress. The
// frames of zstd, which programs before schema 3 wrote, begin with 0x28.
const (
	BodyForm = 0x02
	formZstd = 0x28
)

var errBody = errors.New("store: body does not decode")

// ErrTooLong says that a body is longer than the caller wants to read.
var ErrTooLong = errors.New("store: body is too long")

// rooms are reused buffers that bodies are compressed into; only the part that
// was used is copied out.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// maxRoom is the largest buffer that is reused, in bytes; few pages are longer.
const maxRoom = 256 << 10

// Compress compresses a body with S2, which takes 20 to 30 µs to make 5.3 KB
// out of 12. The fastest level of zstd made 4.4 KB of them, but was the most
// expensive single step of a page: 90 to 120 µs in a crawl, where its tables
// are never in the cache. It is safe for concurrent use.
func Compress(body []byte) []byte {
	room := rooms.Get().(*[]byte)
	z := append((*room)[:0], BodyForm)
	z = slices.Grow(z, s2.MaxEncodedLen(len(body)))
	z = z[:1+len(s2.Encode(z[1:cap(z)], body))]
	if cap(z) <= maxRoom {
		*room = z
	}
	kept := bytes.Clone(z)
	rooms.Put(room)
	return kept
}

// Decompress undoes Compress; a result longer than limit bytes is an error. A body
// without bytes is not nil: it is another thing than none.
func Decompress(z []byte, limit int) ([]byte, error) {
	if len(z) == 0 {
		return nil, errBody
	}
	switch z[0] {
	case BodyForm:
		switch n, err := s2.DecodedLen(z[1:]); {
		case err != nil:
			return nil, fmt.Errorf("%w: %v", errBody, err)
		case n > limit:
			return nil, fmt.Errorf("%w: %d bytes are more than %d", ErrTooLong, n, limit)
		}
		return s2.Decode([]byte{}, z[1:])
	case formZstd:
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(limit, 1<<16))))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return d.DecodeAll(z, []byte{})
	}
	return nil, errBody
}

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

// The first byte of a stored body names its form: BodyForm is the form of Compress. Frames of zstd,
// which programs before schema 3 wrote, begin with 0x28.
const (
	BodyForm = 0x02
	formZstd = 0x28
)

var errBody = errors.New("store: body does not decode")

// ErrTooLong means that a body is longer than the caller's limit.
var ErrTooLong = errors.New("store: body is too long")

// rooms are reused buffers for compression; only the used part is copied out.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// maxRoom is the largest reused buffer, in bytes; few pages are longer.
const maxRoom = 256 << 10

// Compress compresses a body with S2. It makes 5.3 KB of 12 KB in 20 to 30 µs. The fastest level of
// zstd made 4.4 KB, but was the most expensive step of a page: 90 to 120 µs in a crawl, whose
// caches never hold zstd's tables. Compress is safe for concurrent use.
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

// Decompress undoes Compress. A result longer than limit bytes is an error. An empty body is not
// nil: nil means that no body is stored.
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
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(max(limit, 1<<16))))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return d.DecodeAll(z, []byte{})
	}
	return nil, errBody
}

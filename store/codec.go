package store

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// errRow means a row of the database does not decode: written by a newer
// program or damaged.
var errRow = errors.New("store: row does not decode")

// The hot rows (URLs, pages) are encoded compactly with varints, because a page touches about fifty
// of them. Data written by analysts is JSON.

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return binary.AppendVarint(b, 0)
	}
	return binary.AppendVarint(b, t.UnixMilli())
}

func appendFloat(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
}

// reader decodes one row; the first error sticks and later reads yield zero.
type reader struct {
	b    []byte
	text string // the whole row, if strings may share it; "": each string is a copy
	err  error
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) string() string {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.fail()
		return ""
	}
	var s string
	if at := len(r.text) - len(r.b); r.text != "" {
		s = r.text[at : at+int(n)]
	} else {
		s = string(r.b[:n])
	}
	r.b = r.b[n:]
	return s
}

func (r *reader) time() time.Time {
	ms := r.varint()
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

func (r *reader) float() float64 {
	if len(r.b) < 4 {
		r.fail()
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(r.b))
	r.b = r.b[4:]
	return float64(f)
}

func (r *reader) fail() {
	r.b = nil
	r.err = errRow
}

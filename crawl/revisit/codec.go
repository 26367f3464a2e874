package revisit

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// maxUnix is the last second of the year 9999.
const maxUnix = 253402300799

// The versions. A history without a Week is of version 1.
const (
	codecVersion = 1
	weekVersion  = 2
)

// errCorrupt is returned for bytes that are no history.
var errCorrupt = errors.New("revisit history is corrupt: visit the page again to begin a new one")

// encode appends the binary form of h: about 30 bytes, 150 for a list with new records, 4 for a page
// never visited. It holds version, counts, first visit, other times relative to it, three
// little-endian floats, and the Week.
func (h History) encode(dst []byte) []byte {
	version := byte(codecVersion)
	if h.Week != (week{}) {
		version = weekVersion
	}
	dst = append(dst, version)
	dst = binary.AppendUvarint(dst, uint64(h.Visits))
	dst = binary.AppendUvarint(dst, uint64(h.Changes))
	dst = binary.AppendUvarint(dst, uint64(h.Records))
	if h.Visits == 0 {
		return dst
	}
	changed := uint64(0)
	if !h.Changed.IsZero() {
		changed = uint64(h.Changed.Unix()-h.First.Unix()) + 1
	}
	dst = binary.AppendUvarint(dst, uint64(h.First.Unix()))
	dst = binary.AppendUvarint(dst, uint64(h.Last.Unix()-h.First.Unix()))
	dst = binary.AppendUvarint(dst, changed)
	dst = binary.AppendUvarint(dst, uint64(h.Step/time.Second))
	for _, f := range [...]float32{h.Compared, h.Differed, h.Span} {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(f))
	}
	if version == weekVersion {
		for _, p := range h.Week.numbers() {
			dst = binary.LittleEndian.AppendUint16(dst, *p)
		}
	}
	return dst
}

// decode decodes the output of encode and returns the bytes after it. It returns errCorrupt for
// values that no sequence of visits can produce.
func decode(b []byte) (h History, rest []byte, err error) {
	if len(b) == 0 || b[0] != codecVersion && b[0] != weekVersion {
		return History{}, nil, errCorrupt
	}
	r := reader{b: b[1:]}
	h.Visits, h.Changes, h.Records = uint32(r.uvarint(math.MaxUint32)), uint32(r.uvarint(math.MaxUint32)),
		uint32(r.uvarint(math.MaxUint32))
	if h.Visits == 0 {
		if r.bad || h.Changes != 0 || h.Records != 0 {
			return History{}, nil, errCorrupt
		}
		return h, r.b, nil
	}
	first := r.uvarint(maxUnix)
	last := first + r.uvarint(maxUnix-first)
	changed := r.uvarint(last - first + 1)
	h.Step = time.Duration(r.uvarint(uint64(maxInterval/time.Second))) * time.Second
	h.Compared, h.Differed, h.Span = r.float(), r.float(), r.float()
	if b[0] == weekVersion {
		for _, p := range h.Week.numbers() {
			*p = r.uint16()
		}
	}
	h.First, h.Last = time.Unix(int64(first), 0).UTC(), time.Unix(int64(last), 0).UTC()
	if changed > 0 {
		h.Changed = time.Unix(int64(first+changed-1), 0).UTC()
	}
	const slack = 1.001 // of rounding
	if r.bad || h.Changes >= h.Visits || (h.Changes > 0) != (changed > 0) ||
		h.Compared > memory*slack || h.Differed > h.Compared ||
		float64(h.Span) > float64(h.Compared)*maxInterval.Hours()/24*slack {
		return History{}, nil, errCorrupt
	}
	return h, r.b, nil
}

// reader decodes numbers from b; bad means that one was missing or too large.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uvarint(max uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > max {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// uint16 decodes a number below most*unit.
func (r *reader) uint16() uint16 {
	if len(r.b) < 2 {
		r.bad = true
		return 0
	}
	v := binary.LittleEndian.Uint16(r.b)
	r.b, r.bad = r.b[2:], r.bad || v >= most*unit
	return v
}

// float decodes a finite number ≥ 0.
func (r *reader) float() float32 {
	if len(r.b) < 4 {
		r.bad = true
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(r.b))
	r.b = r.b[4:]
	if !(f >= 0) || math.IsInf(float64(f), 0) {
		r.bad = true
		return 0
	}
	return f
}

// numbers returns the used numbers of a Week, in the order of its binary form.
func (w *week) numbers() (list []*uint16) {
	for _, x := range [...]struct {
		part *part
		n    int
	}{{&w.Hours, 24}, {&w.Days, 7}} {
		for i := range x.n {
			list = append(list, &x.part.Found[i], &x.part.Expected[i])
		}
	}
	return list
}

package page

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Trace is what a host is learned by of one of its pages: hashes of its lines and links,
// and the endings of its title. It can be kept in place of the page's body.
type Trace struct {
	lines, targets []uint32 // without repetitions
	tails          []string
	head           uint32 // hash of the title
}

// Trace is what the page's host is learned by. It does not change when the page does.
func (p *Page) Trace() *Trace { return traceOf(p, nil) }

// traceFormat is the first byte of a stored Trace.
const traceFormat = 2

// traceTails bounds the endings of a title.
const traceTails = 3

var errTrace = errors.New("page: stored trace does not decode")

func (t *Trace) same(o *Trace) bool {
	return t.head == o.head && slices.Equal(t.lines, o.lines) && slices.Equal(t.targets, o.targets) && slices.Equal(t.tails, o.tails)
}

// MarshalBinary writes the trace: 4 bytes a line and a link, at most 3.2 KB, and the
// endings. The error is always nil.
func (t *Trace) MarshalBinary() ([]byte, error) {
	out := binary.LittleEndian.AppendUint32([]byte{traceFormat}, t.head)
	for _, all := range [...][]uint32{t.lines, t.targets} {
		out = binary.AppendUvarint(out, uint64(len(all)))
		for _, h := range all {
			out = binary.LittleEndian.AppendUint32(out, h)
		}
	}
	for _, s := range t.tails {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out, nil
}

// UnmarshalBinary replaces t by what MarshalBinary wrote.
func (t *Trace) UnmarshalBinary(in []byte) error {
	if len(in) < 5 || in[0] != traceFormat {
		return errTrace
	}
	head := binary.LittleEndian.Uint32(in[1:])
	in = in[5:]
	next := func(most, size int) (n int, ok bool) {
		v, w := binary.Uvarint(in)
		if w <= 0 || v > uint64(most) || v*uint64(size) > uint64(len(in)-w) {
			return 0, false
		}
		in = in[w:]
		return int(v), true
	}
	read := Trace{head: head}
	for _, x := range [...]struct {
		all  *[]uint32
		most int
	}{{&read.lines, learnLines}, {&read.targets, learnTargets}} {
		n, ok := next(x.most, 4)
		if !ok {
			return errTrace
		}
		*x.all = make([]uint32, n)
		for i := range n {
			(*x.all)[i] = binary.LittleEndian.Uint32(in[4*i:])
		}
		in = in[4*n:]
	}
	for len(in) > 0 {
		n, ok := next(len(in), 1)
		if !ok || len(read.tails) == traceTails {
			return errTrace
		}
		read.tails = append(read.tails, string(in[:n]))
		in = in[n:]
	}
	*t = read
	return nil
}

package page

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Trace holds the data of one page that Boilerplate learns from: hashes of its lines and links,
// and the endings of its title. The store keeps it after it deletes the page's body.
type Trace struct {
	lines, targets []uint32 // distinct hashes
	tails          []string
	head           uint32 // hash of the title
}

// Trace returns the page's trace, which shares no memory with the page.
func (p *Page) Trace() *Trace { return traceOf(p, nil) }

// traceFormat is the first byte of a stored Trace.
const traceFormat = 2

// traceTails is the maximum number of title endings of a page.
const traceTails = 3

var errTrace = errors.New("page: stored trace does not decode")

func (t *Trace) same(o *Trace) bool {
	return t.head == o.head && slices.Equal(t.lines, o.lines) && slices.Equal(t.targets, o.targets) &&
		slices.Equal(t.tails, o.tails)
}

// MarshalBinary encodes the trace: 4 bytes for each line and link, at most 3.2 KB, and the
// title endings. The error is always nil.
func (t *Trace) MarshalBinary() ([]byte, error) {
	out := binary.LittleEndian.AppendUint32([]byte{traceFormat}, t.head)
	out = appendHashes(appendHashes(out, t.lines), t.targets)
	for _, s := range t.tails {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out, nil
}

// UnmarshalBinary replaces t by the result of MarshalBinary.
func (t *Trace) UnmarshalBinary(in []byte) error {
	if len(in) < 5 || in[0] != traceFormat {
		return errTrace
	}
	read := Trace{head: binary.LittleEndian.Uint32(in[1:])}
	var ok, ok2 bool
	read.lines, in, ok = cutHashes(in[5:])
	read.targets, in, ok2 = cutHashes(in)
	if !ok || !ok2 || len(read.lines) > learnLines || len(read.targets) > learnTargets {
		return errTrace
	}
	for len(in) > 0 {
		var tail []byte
		if tail, in, ok = cutStored(in, 1); !ok || len(read.tails) == traceTails {
			return errTrace
		}
		read.tails = append(read.tails, string(tail))
	}
	*t = read
	return nil
}

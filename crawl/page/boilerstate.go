package page

import (
	"encoding/binary"
	"errors"
)

// boilerFormat is the first byte of a stored Boilerplate.
const boilerFormat = 2

var errBoilerplate = errors.New("page: stored boilerplate does not decode")

// MarshalBinary writes what was learned, so that a later process need not
// learn it again. What was seen once is left out: it says nothing about
// repetition and is most of the tables.
func (b *Boilerplate) MarshalBinary() ([]byte, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := binary.AppendUvarint([]byte{boilerFormat}, uint64(b.pages))
	out = binary.AppendUvarint(out, uint64(len(b.tail)))
	out = append(out, b.tail...)
	for _, m := range []map[uint64]int32{b.lines, b.targets} {
		n := 0
		for _, c := range m {
			if c > 1 {
				n++
			}
		}
		out = binary.AppendUvarint(out, uint64(n))
		for h, c := range m {
			if c > 1 {
				out = binary.LittleEndian.AppendUint64(out, h)
				out = binary.AppendUvarint(out, uint64(c))
			}
		}
	}
	return out, nil
}

// UnmarshalBinary replaces b by what MarshalBinary wrote. Titles' endings are
// learned anew; the one found so far is kept until then.
func (b *Boilerplate) UnmarshalBinary(in []byte) error {
	if len(in) == 0 || in[0] != boilerFormat {
		return errBoilerplate
	}
	in = in[1:]
	bad := false
	next := func() uint64 {
		v, n := binary.Uvarint(in)
		if n <= 0 {
			bad, in = true, nil
			return 0
		}
		in = in[n:]
		return v
	}
	pages, size := next(), next()
	if bad || pages > 1<<31-1 || size > uint64(len(in)) {
		return errBoilerplate
	}
	tail := string(in[:size])
	in = in[size:]
	tables := [2]map[uint64]int32{{}, {}}
	for _, m := range tables {
		for n := next(); n > 0; n-- {
			if len(in) < 9 || len(m) > learnEntries {
				return errBoilerplate
			}
			h := binary.LittleEndian.Uint64(in)
			in = in[8:]
			c := next()
			if c > pages {
				return errBoilerplate
			}
			m[h] = int32(c)
		}
	}
	if bad {
		return errBoilerplate
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages, b.tail, b.lines, b.targets, b.tails = int(pages), tail, tables[0], tables[1], map[string]int32{}
	return nil
}

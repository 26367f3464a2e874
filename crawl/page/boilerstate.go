package page

import (
	"encoding/binary"
	"errors"
	"slices"
)

// boilerFormat is the first byte of a stored Boilerplate.
const boilerFormat = 3

var errBoilerplate = errors.New("page: stored boilerplate does not decode")

// MarshalBinary writes what was learned, so that a later process need not read the
// sample again: the names of its pages, and what they repeat. What they do not
// repeat is left out; it is most of the tables. Until something is learned the same bytes
// are returned again; they are not to be written to.
func (b *Boilerplate) MarshalBinary() ([]byte, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if last := b.written.Load(); last != nil {
		return *last, nil
	}
	out := binary.AppendUvarint([]byte{boilerFormat}, uint64(len(b.pages)))
	for i := range b.pages {
		out = binary.LittleEndian.AppendUint64(out, b.pages[i].Key)
		out = binary.AppendUvarint(out, b.pages[i].ID)
	}
	out = binary.AppendUvarint(out, uint64(len(b.tail)))
	out = append(out, b.tail...)
	for _, x := range []struct {
		table map[uint32]int32
		floor floor
	}{{b.lines, b.above(20)}, {b.targets, b.above(10)}} {
		at, n := len(out), uint64(0)
		if x.floor.ok {
			for h, c := range x.table {
				if x.floor.repeated(c) {
					n++
					out = binary.LittleEndian.AppendUint32(out, h)
					out = binary.AppendUvarint(out, uint64(c))
				}
			}
		}
		out = slices.Insert(out, at, binary.AppendUvarint(nil, n)...)
	}
	out = slices.Clip(out)
	b.written.Store(&out)
	return out, nil
}

// UnmarshalBinary replaces b by what MarshalBinary wrote. Before it learns on, its
// sample must be filled.
func (b *Boilerplate) UnmarshalBinary(in []byte) error {
	if len(in) == 0 || in[0] != boilerFormat {
		return errBoilerplate
	}
	in = in[1:]
	bad := false
	next := func(most uint64) uint64 {
		v, n := binary.Uvarint(in)
		if n <= 0 || v > most {
			bad, in = true, nil
			return 0
		}
		in = in[n:]
		return v
	}
	pages := make([]sampled, next(sampleSize))
	for i := range pages {
		if len(in) < 8 {
			return errBoilerplate
		}
		pages[i].Key = binary.LittleEndian.Uint64(in)
		in = in[8:]
		if pages[i].ID = next(1<<63 - 1); bad || i > 0 && pages[i].Key <= pages[i-1].Key {
			return errBoilerplate
		}
	}
	size := next(uint64(len(in)))
	if size > uint64(len(in)) {
		return errBoilerplate
	}
	tail := string(in[:size])
	in = in[size:]
	tables := [2]map[uint32]int32{{}, {}}
	for _, m := range tables {
		for n := next(sampleSize * learnTargets); n > 0; n-- {
			if len(in) < 5 {
				return errBoilerplate
			}
			h := binary.LittleEndian.Uint32(in)
			in = in[4:]
			m[h] = int32(next(uint64(len(pages))))
		}
	}
	if bad || len(in) > 0 {
		return errBoilerplate
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written.Store(nil)
	b.pages, b.thin, b.tail, b.lines, b.targets, b.tails, b.log = pages, len(pages) > 0, tail, tables[0], tables[1], nil, nil
	return nil
}

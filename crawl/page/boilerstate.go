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
// repeat is left out; it is most of the tables.
func (b *Boilerplate) MarshalBinary() ([]byte, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
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
	}{{b.lines, b.lineVerdicts()}, {b.targets, b.verdicts()}} {
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
	return slices.Clip(out), nil
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

// Verdicts writes what the host repeats, for readers of that alone: some hundred bytes
// to some KB. nil = nothing. Until a verdict is another the same bytes are returned again;
// they are not to be written to.
func (b *Boilerplate) Verdicts() []byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if last := b.written.Load(); last != nil {
		return *last
	}
	lines, targets := aboveFloor(b.lines, b.lineVerdicts()), aboveFloor(b.targets, b.verdicts())
	var out []byte
	if b.tail != "" || len(lines)+len(targets) > 0 {
		out = append(binary.AppendUvarint(nil, uint64(len(b.tail))), b.tail...)
		for _, some := range [...][]uint32{lines, targets} {
			out = binary.AppendUvarint(out, uint64(len(some)))
			for _, h := range some {
				out = binary.LittleEndian.AppendUint32(out, h)
			}
		}
	}
	b.written.Store(&out)
	return out
}

// aboveFloor are the things of a table that are repeated.
func aboveFloor(table map[uint32]int32, f floor) (out []uint32) {
	if !f.ok {
		return nil
	}
	for h, n := range table {
		if f.repeated(n) {
			out = append(out, h)
		}
	}
	return out
}

// FromVerdicts returns what answers as the writer of Verdicts did. It cannot learn.
func FromVerdicts(in []byte) (*Boilerplate, error) {
	b := new(Boilerplate)
	if len(in) == 0 {
		return b, nil
	}
	b.pages, b.thin = make([]sampled, usablePages), true
	next := func() (n int, ok bool) {
		v, size := binary.Uvarint(in)
		if size <= 0 || v > uint64(len(in)-size) {
			return 0, false
		}
		in = in[size:]
		return int(v), true
	}
	n, ok := next()
	if !ok {
		return nil, errBoilerplate
	}
	b.tail, in = string(in[:n]), in[n:]
	for _, table := range [...]*map[uint32]int32{&b.lines, &b.targets} {
		if n, ok = next(); !ok || 4*n > len(in) {
			return nil, errBoilerplate
		}
		*table = make(map[uint32]int32, n)
		for ; n > 0; n-- {
			(*table)[binary.LittleEndian.Uint32(in)] = usablePages
			in = in[4:]
		}
	}
	if len(in) > 0 {
		return nil, errBoilerplate
	}
	return b, nil
}

package page

import (
	"encoding/binary"
	"errors"
	"slices"
)

// boilerFormat is the first byte of a stored Boilerplate.
const boilerFormat = 4

var errBoilerplate = errors.New("page: stored boilerplate does not decode")

// MarshalBinary encodes the identities of the sample's pages and the profile. A later process
// has the profile without reading the sample again. The error is always nil.
func (b *Boilerplate) MarshalBinary() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := binary.AppendUvarint([]byte{boilerFormat}, uint64(len(b.pages)))
	for i := range b.pages {
		out = binary.LittleEndian.AppendUint64(out, b.pages[i].Key)
		out = binary.AppendUvarint(out, b.pages[i].ID)
	}
	return slices.Clip(append(out, b.Profile().Bytes()...)), nil
}

// UnmarshalBinary replaces b by the result of MarshalBinary. Fill must run before the next Learn.
func (b *Boilerplate) UnmarshalBinary(in []byte) error {
	if len(in) == 0 || in[0] != boilerFormat {
		return errBoilerplate
	}
	n, size := binary.Uvarint(in[1:])
	if size <= 0 || n > sampleSize {
		return errBoilerplate
	}
	in = in[1+size:]
	pages := make([]sampled, n)
	for i := range pages {
		if len(in) < 9 {
			return errBoilerplate
		}
		pages[i].Key = binary.LittleEndian.Uint64(in)
		if pages[i].ID, size = binary.Uvarint(in[8:]); size <= 0 || pages[i].ID > 1<<63-1 || i > 0 &&
			pages[i].Key <= pages[i-1].Key {
			return errBoilerplate
		}
		in = in[8+size:]
	}
	p, err := ProfileFrom(in)
	if err != nil || len(p.lines) > sampleSize*learnLines || len(p.targets) > sampleSize*learnTargets {
		return errBoilerplate
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.current.Store(p)
	b.pages, b.unfilled, b.changed, b.nextUpdate, b.past = pages, n > 0, 0, len(pages), nil
	return nil
}

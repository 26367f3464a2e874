package topic

import (
	"bufio"
	"encoding/binary"
	"errors"
)

// savePostings writes the lists of all words for restorePostings.
func savePostings(w *bufio.Writer, terms []postingList) error {
	size, last, n := make([]uint32, len(terms)), make([]uint32, len(terms)), make([]uint32, len(terms))
	total := 0
	for i := range terms {
		size[i], last[i], n[i] = uint32(len(terms[i].data)), terms[i].last, terms[i].n
		total += len(terms[i].data)
	}
	err := errors.Join(WriteColumn(w, size), WriteColumn(w, last), WriteColumn(w, n), writeLength(w, total))
	for i := range terms {
		_, werr := w.Write(terms[i].data)
		err = errors.Join(err, werr)
	}
	return err
}

// restorePostings returns the lists that savePostings wrote, for an index of slots slots. Their
// bytes stay in r's buffer until they grow.
func restorePostings(r *columnReader, slots int) []postingList {
	size, last, n := ReadColumn[uint32](r), ReadColumn[uint32](r), ReadColumn[uint32](r)
	data := r.bytes()
	if !r.Check(len(size) == len(last) && len(size) == len(n)) {
		return nil
	}
	terms := make([]postingList, len(size))
	for i := range terms {
		if !r.Check(uint64(size[i]) <= uint64(len(data))) {
			return nil
		}
		terms[i] = postingList{data[:size[i]:size[i]], last[i], n[i]}
		data = data[size[i]:]
		r.Check(terms[i].sound(slots))
	}
	r.Check(len(data) == 0)
	return terms
}

// sound reports whether the postings can be read without checks in an index of slots slots.
func (p *postingList) sound(slots int) bool {
	const long, low = 0x8080808080808080, 0x0001000100010001
	data, slot, entries := p.data, uint64(0), 0
	for len(data) > 0 {
		if len(data) >= 8 {
			x := binary.LittleEndian.Uint64(data)
			steps := x & 0x00ff00ff00ff00ff
			if x&long == 0 && (steps-low)&0x8000800080008000 == 0 { // four entries of a byte each, without a zero step
				slot += steps * low >> 48
				entries += 4
				data = data[8:]
				continue
			}
		}
		step, i := binary.Uvarint(data)
		_, j := binary.Uvarint(data[max(i, 0):])
		if i <= 0 || j <= 0 || step == 0 || step > uint64(slots) {
			return false
		}
		slot += step
		entries++
		data = data[i+j:]
	}
	return slot == uint64(p.last) && p.last <= uint32(slots) && entries == int(p.n)
}

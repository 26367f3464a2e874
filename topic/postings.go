package topic

import "encoding/binary"

// This file stores which pages hold a word, and how often, in two bytes a page.

// postingList holds the pages with one word, by ascending slot, and the occurrences. An entry is
// two varints: the distance to the previous slot and the occurrences. Nearly all are one byte, so
// addDot reads four entries at a time. Packing the occurrences into two spare bits of the distance
// would save a tenth of the memory. But its branches cannot be predicted and make it more than
// twice as slow.
type postingList struct {
	data []byte
	last uint32 // slot of the last entry + 1
	n    uint32 // entries
}

// add appends a page; slot is larger than every one before, n ≥ 1.
func (p *postingList) add(slot, n uint32) {
	var buf [10]byte
	b := appendVarint(appendVarint(buf[:0], slot+1-p.last), n)
	if len(p.data)+len(b) > cap(p.data) {
		p.grow(len(b))
	}
	p.data = append(p.data, b...)
	p.last = slot + 1
	p.n++
}

// grow makes room for a thirty-second more, rounded up as the allocator does. append alone would
// reserve up to twice the size, too much for a million pages.
func (p *postingList) grow(n int) {
	size := len(p.data) + n + len(p.data)/32
	data := append([]byte(nil), make([]byte, size)...)
	p.data = data[:copy(data, p.data)]
}

// widen makes room for n words and a few more: append alone would reserve a quarter more, and most
// words of a crawl are rare.
func widen(terms []postingList, n int) []postingList {
	if n > cap(terms) {
		wider := make([]postingList, len(terms), n+n/32)
		copy(wider, terms)
		terms = wider
	}
	return terms[:n]
}

func appendVarint(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// varint returns the number at data[i:] and its end.
func varint(data []byte, i int) (uint32, int) {
	v := uint32(data[i] & 0x7f)
	for shift := 7; data[i] >= 0x80; shift += 7 {
		i++
		v |= uint32(data[i]&0x7f) << shift
	}
	return v, i + 1
}

// each calls f for every entry.
func (p *postingList) each(f func(slot, n uint32)) {
	slot, step, n := uint32(0), uint32(0), uint32(0)
	for i := 0; i < len(p.data); {
		step, i = varint(p.data, i)
		n, i = varint(p.data, i)
		slot += step
		f(slot-1, n)
	}
}

// postingCursor is a position in postings: the next byte and the previous slot. The zero value is
// the start.
type postingCursor struct{ byte, slot int }

// addDot adds w·n to acc[slot] for the entries from the cursor on, and stops soon after limit. An
// analyst who changes a weight waits for this loop.
func (p *postingList) addDot(acc []float32, w float32, from postingCursor, limit int) postingCursor {
	const long = 0x8080808080808080 // continuation bits
	data, slot, i := p.data, from.slot-1, from.byte
	for i+8 <= len(data) && slot < limit {
		x := binary.LittleEndian.Uint64(data[i:])
		if x&long != 0 {
			var step, n uint32
			step, i = varint(data, i)
			n, i = varint(data, i)
			slot += int(step)
			acc[slot] += w * float32(n)
			continue
		}
		i += 8
		slot += int(x & 0x7f)
		acc[slot] += w * float32(int32(x>>8&0x7f))
		slot += int(x >> 16 & 0x7f)
		acc[slot] += w * float32(int32(x>>24&0x7f))
		slot += int(x >> 32 & 0x7f)
		acc[slot] += w * float32(int32(x>>40&0x7f))
		slot += int(x >> 48 & 0x7f)
		acc[slot] += w * float32(int32(x>>56))
	}
	for i < len(data) && slot < limit {
		var step, n uint32
		step, i = varint(data, i)
		n, i = varint(data, i)
		slot += int(step)
		acc[slot] += w * float32(n)
	}
	return postingCursor{i, slot + 1}
}

// addSquares adds s·n² to acc[slot] of every entry.
func (p *postingList) addSquares(acc []float32, s float32) {
	p.each(func(slot, n uint32) { acc[slot] += s * float32(n) * float32(n) })
}

package reader

import (
	"encoding/binary"
	"errors"

	"angler/topic"
)

var errVector = errors.New("reader: term vectors do not decode")

// EncodeDoc writes a page's term vectors for the store: the fingerprint of the
// dictionary that cut them, then ids as differences, so that a page of 200
// words costs some 500 bytes.
func EncodeDoc(d *topic.Doc, fingerprint uint64) []byte {
	b := make([]byte, 0, 16+3*(len(d.Full)+len(d.List)))
	b = binary.LittleEndian.AppendUint64(b, fingerprint)
	b = binary.AppendUvarint(b, uint64(d.Records))
	b = binary.AppendUvarint(b, uint64(d.Dated))
	for _, v := range [...]topic.Vector{d.Full, d.List} {
		b = binary.AppendUvarint(b, uint64(len(v)))
		prev := uint32(0)
		for _, t := range v {
			b = binary.AppendUvarint(b, uint64(t.ID-prev))
			b = binary.AppendUvarint(b, uint64(t.N))
			prev = t.ID
		}
	}
	return b
}

var errLostWord = errors.New("reader: term vectors name a lost word")

// CheckDoc says what is wrong with the stored words of a page, if anything is. A
// word whose number was lost counts as wrong: the page is to be counted again.
func CheckDoc(b []byte, words int, lost func(uint32) bool) error {
	d, _, err := DecodeDoc(b, words)
	if err != nil {
		return err
	}
	for _, v := range [...]topic.Vector{d.Full, d.List} {
		for _, t := range v {
			if lost(t.ID) {
				return errLostWord
			}
		}
	}
	return nil
}

// DecodeDoc undoes EncodeDoc. words bounds the term ids: a vector that names
// an unknown word is damaged.
func DecodeDoc(b []byte, words int) (d topic.Doc, fingerprint uint64, err error) {
	if len(b) < 8 {
		return d, 0, errVector
	}
	fingerprint, b = binary.LittleEndian.Uint64(b), b[8:]
	bad := false
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	d.Records, d.Dated = int(next()), int(next())
	for _, v := range [...]*topic.Vector{&d.Full, &d.List} {
		n := next()
		if bad || n > uint64(len(b)) {
			return topic.Doc{}, 0, errVector
		}
		*v = make(topic.Vector, n)
		id := uint64(0)
		for i := range *v {
			id += next()
			count := next()
			if bad || id >= uint64(words) || count == 0 || count > 1<<32-1 {
				return topic.Doc{}, 0, errVector
			}
			(*v)[i] = topic.Term{ID: uint32(id), N: uint32(count)}
		}
	}
	return d, fingerprint, nil
}

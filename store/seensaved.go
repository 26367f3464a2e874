package store

import (
	"bytes"
	"encoding/binary"

	"angler/store/config"
	"angler/store/schema"
	"angler/store/sealed"
)

// save writes the filter and the keys that are not merged, for Recall.
func (s *seenSet) save(out *bytes.Buffer) error {
	b, err := s.filter.bytes()
	if err != nil {
		return err
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(s.sized)), uint64(s.n))
	out.Write(binary.AppendUvarint(head, uint64(len(b))))
	out.Write(b)
	for i := range s.young {
		for k, id := range s.young[i] {
			out.Write(binary.AppendUvarint(append(head[:0], k[:]...), id))
		}
	}
	return nil
}

// seenRecallSeen restores a seenSet that Save wrote when before was the highest id; now last is. ok
// is false if b is damaged, or its filter does not fit these settings and this number of URLs.
func seenRecallSeen(tx sealed.Tx, set config.Store, b []byte, before, last uint64) (s *seenSet, ok bool) {
	var head [3]uint64 // keys the filter was made for, keys it has, its length
	for i := range head {
		n := 0
		if head[i], n = binary.Uvarint(b); n <= 0 {
			return nil, false
		}
		b = b[n:]
	}
	sized, n, size := head[0], head[1], head[2]
	if sized > 1<<40 || sized < uint64(set.ExpectedURLs) || last > sized || n > last || size > uint64(len(b)) ||
		uint64(filterSize(int(sized), set.FalsePositive)) != size {
		return nil, false
	}
	s = seenMade(int(sized), set)
	if !s.filter.load(b[:size], int(n)) {
		return nil, false
	}
	for b = b[size:]; len(b) > 0; {
		var k schema.Key
		b = b[copy(k[:], b):]
		id, size := binary.Uvarint(b)
		if size <= 0 {
			return nil, false
		}
		b = b[size:]
		if id <= before {
			s.keep(k, id)
		}
	}
	urls, ids := tx.Bucket(schema.URLs), tx.Bucket(schema.IDs)
	for id := before + 1; id <= last; id++ {
		url, err := rowURL(urls.Get(schema.IDKey(id)))
		if err != nil {
			continue
		}
		k := schema.KeyOf(url)
		s.filter.add(k[:])
		n++
		if ids.Get(k[:]) == nil {
			s.keep(k, id)
		}
	}
	s.n = int(n)
	s.filter.hold(s.n)
	return s, true
}

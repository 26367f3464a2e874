package store

import (
	"bytes"
	"encoding/binary"

	"github.com/bits-and-blooms/bloom/v3"
	bolt "go.etcd.io/bbolt"
)

// seen answers "is this URL known?" for the committing goroutine. A Bloom "no"
// is final; a Bloom "maybe" asks a small table of recent answers (navigation
// links repeat on every page) and then the exact keys in bbolt. P0 2.2.2
// tolerates the URLs that a Bloom filter alone loses; this loses none.
type seen struct {
	filter *bloom.BloomFilter
	n      int // keys in the filter
	recent [2]map[Key]uint64
}

// recentSize bounds one generation of the table of recent answers (24 bytes
// and map overhead a key).
const recentSize = 1 << 15

var keySeen, keySeenN = []byte("seen"), []byte("seen-n")

// loadSeen reads the stored filter, or builds it from the keys when it is
// missing, stale (the process was killed) or of another size.
func loadSeen(tx *bolt.Tx, set StoreSettings) (*seen, error) {
	s := &seen{recent: [2]map[Key]uint64{make(map[Key]uint64), make(map[Key]uint64)}}
	ids := tx.Bucket(bucketIDs)
	n := ids.Stats().KeyN
	want := bloom.NewWithEstimates(max(uint(set.ExpectedURLs), uint(n)*2), set.FalsePositive)
	meta := tx.Bucket(bucketMeta)
	if v := meta.Get(keySeenN); len(v) == 8 && binary.BigEndian.Uint64(v) == uint64(n) {
		f := new(bloom.BloomFilter)
		_, err := f.ReadFrom(bytes.NewReader(meta.Get(keySeen)))
		if err == nil && f.K() == want.K() && f.Cap() == want.Cap() {
			s.filter, s.n = f, n
			return s, nil
		}
	}
	s.filter = want
	err := ids.ForEach(func(k, _ []byte) error {
		s.filter.Add(k)
		s.n++
		return nil
	})
	return s, err
}

func (s *seen) save(tx *bolt.Tx) error {
	var b bytes.Buffer
	if _, err := s.filter.WriteTo(&b); err != nil {
		return err
	}
	meta := tx.Bucket(bucketMeta)
	if err := meta.Put(keySeen, b.Bytes()); err != nil {
		return err
	}
	return meta.Put(keySeenN, binary.BigEndian.AppendUint64(nil, uint64(s.n)))
}

// find returns the id of a known URL.
func (s *seen) find(ids *bolt.Bucket, k Key) (uint64, bool) {
	if id, ok := s.recent[0][k]; ok {
		return id, true
	}
	if id, ok := s.recent[1][k]; ok {
		s.remember(k, id)
		return id, true
	}
	if !s.filter.Test(k[:]) {
		return 0, false
	}
	v := ids.Get(k[:])
	if len(v) != 8 {
		return 0, false
	}
	id := keyID(v)
	s.remember(k, id)
	return id, true
}

// add notes a URL that was just given an id.
func (s *seen) add(k Key, id uint64) {
	s.filter.Add(k[:])
	s.n++
	s.remember(k, id)
}

func (s *seen) remember(k Key, id uint64) {
	if len(s.recent[0]) >= recentSize {
		s.recent[0], s.recent[1] = s.recent[1], s.recent[0]
		clear(s.recent[0])
	}
	s.recent[0][k] = id
}

// forget drops answers that a rolled-back transaction may have left behind.
// The filter keeps its bits: they only cost a question to bbolt.
func (s *seen) forget(ids *bolt.Bucket) {
	clear(s.recent[0])
	clear(s.recent[1])
	s.n = ids.Stats().KeyN
}

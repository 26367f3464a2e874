package store

import (
	"bytes"
	"encoding/binary"

	"angler/store/sealed"
)

// packTally counts the used bytes of packs. The zero value is empty.
type packTally struct{ live map[uint64]int }

// met counts a row of the bucket that owns the packs.
func (t *packTally) met(row []byte) {
	if p, ok := placed(row); ok {
		if t.live == nil {
			t.live = map[uint64]int{}
		}
		t.live[p.pack] += p.n
	}
}

// of returns how many bytes of a pack are in use.
func (t *packTally) of(key []byte) int {
	if len(key) != 8 {
		return 0
	}
	return t.live[binary.BigEndian.Uint64(key)]
}

// mendPack renews the checksum of a pack whose table is readable, and removes any other.
func mendPack(tx sealed.Tx, bucket, key []byte, _ error) error {
	packs := tx.Bucket(bucket)
	row := packs.Raw(key)
	if len(row) < sealed.Size {
		return packs.Delete(key)
	}
	v := bytes.Clone(row[:len(row)-sealed.Size])
	if _, err := packEntries(key, v); err != nil {
		return packs.Delete(key)
	}
	return packs.Put(key, v)
}

// putPackHoles stores how many bytes of a pack are holes.
func putPackHoles(tx sealed.Tx, key []byte, n int) error {
	if n <= 0 {
		return tx.Bucket(spentPacks).Delete(key)
	}
	b, err := packMade(tx.Bucket(packBucket), spentPacks)
	if err != nil {
		return err
	}
	return b.Put(key, encodeHoles(n))
}

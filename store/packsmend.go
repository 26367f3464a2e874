package store

import (
	"bytes"
	"encoding/binary"

	"angler/store/sealed"
)

// This file is for package maintenance.

// PackTally counts the used bytes of packs. The zero value is empty.
type PackTally struct{ live map[uint64]int }

// Met counts a row of the bucket that owns the packs.
func (t *PackTally) Met(row []byte) {
	if p, ok := placed(row); ok {
		if t.live == nil {
			t.live = map[uint64]int{}
		}
		t.live[p.pack] += p.n
	}
}

// Of returns how many bytes of a pack are in use.
func (t *PackTally) Of(key []byte) int {
	if len(key) != 8 {
		return 0
	}
	return t.live[binary.BigEndian.Uint64(key)]
}

// MendPacks renews the checksum of a pack whose table is readable, and removes any other.
func MendPacks(packs sealed.Bucket, key []byte) error {
	row := packs.Raw(key)
	if len(row) < sealed.Size {
		return packs.Delete(key)
	}
	v := bytes.Clone(row[:len(row)-sealed.Size])
	if _, err := PackEntries(key, v); err != nil {
		return packs.Delete(key)
	}
	return packs.Put(key, v)
}

// PutPackHoles stores how many bytes of a pack are holes.
func PutPackHoles(tx sealed.Tx, key []byte, n int) error {
	if n <= 0 {
		return tx.Bucket(SpentPacks).Delete(key)
	}
	b, err := packMade(tx.Bucket(PackBucket), SpentPacks)
	if err != nil {
		return err
	}
	return b.Put(key, encodeHoles(n))
}

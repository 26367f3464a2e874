package packs

import (
	"bytes"
	"encoding/binary"

	"angler/store/sealed"
)

// This file is for package check.

// Tally counts what is in use of packs. The zero value has counted nothing.
type Tally struct{ live map[uint64]int }

// Met notes a row of the bucket that the packs are of.
func (t *Tally) Met(row []byte) {
	if p, ok := placed(row); ok {
		if t.live == nil {
			t.live = map[uint64]int{}
		}
		t.live[p.pack] += p.n
	}
}

// Of is how many bytes of a pack are in use.
func (t *Tally) Of(key []byte) int {
	if len(key) != 8 {
		return 0
	}
	return t.live[binary.BigEndian.Uint64(key)]
}

// Mend seals a pack again whose table can be read, and removes any other.
func Mend(packs sealed.Bucket, key []byte) error {
	row, err := packs.Raw(key)
	if err != nil || len(row) < sealed.Size {
		return packs.Delete(key)
	}
	v := bytes.Clone(row[:len(row)-sealed.Size])
	if _, err := Entries(key, v); err != nil {
		return packs.Delete(key)
	}
	return packs.Put(key, v)
}

// PutHoles writes how many bytes of a pack are holes.
func PutHoles(tx sealed.Tx, key []byte, n int) error {
	if n <= 0 {
		return tx.Bucket(Spent).Delete(key)
	}
	b, err := made(tx.Bucket(Bucket), Spent)
	if err != nil {
		return err
	}
	return b.Put(key, encodeHoles(n))
}

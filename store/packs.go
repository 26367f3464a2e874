package store

import (
	"bytes"
	"encoding/binary"
	"errors"

	"angler/store/sealed"
)

// This file stores many values of a bucket in one row of another: some dozens of page bodies in a
// pack.
//
// The keys of pages are assigned when their addresses become known, but their bodies arrive in
// another order. As separate rows they would be scattered over their tree, and each commit would
// rewrite the neighbours of all of them: two to three times the new bytes. A pack is appended and
// never changed. The bucket then holds a place: the pack and the position in it. A few values at a
// time stay ordinary rows.
//
// The danger is unused space: replacing a value leaves a hole. Holes are counted. A pack that is
// half holes moves its remaining values to another pack.

var (
	// packBucket holds packs by number, and spentPacks the hole bytes of each pack. Both are made when first
	// needed.
	packBucket = []byte("packs")
	spentPacks = []byte("packs-spent")
)

// packForm is the first byte of a row that is a place. No value starts with it.
const packForm = 0x03

const (
	most  = 256 << 10 // bytes of a pack
	least = 64 << 10  // fewer bytes are not worth a pack
	large = 64 << 10  // a value of more bytes is a row of its own
)

// errPack means that a pack is damaged.
var errPack = errors.New("a pack does not decode")

// packPlace is where a value lies.
type packPlace struct {
	pack  uint64
	at, n int // bytes of the pack's row
}

// placed decodes a row that may be a place.
func placed(row []byte) (p packPlace, ok bool) {
	if len(row) == 0 || row[0] != packForm {
		return p, false
	}
	v := [3]uint64{}
	row = row[1:]
	for i := range v {
		x, n := binary.Uvarint(row)
		if n <= 0 || i > 0 && x > most {
			return p, false
		}
		v[i], row = x, row[n:]
	}
	return packPlace{v[0], int(v[1]), int(v[2])}, len(row) == 0
}

func (p packPlace) row() []byte {
	b := append(make([]byte, 0, 16), packForm)
	b = binary.AppendUvarint(b, p.pack)
	b = binary.AppendUvarint(b, uint64(p.at))
	return binary.AppendUvarint(b, uint64(p.n))
}

// lookPacked returns the value of a key in a bucket whose values may be in packs, or nil. It is
// valid until the transaction ends. The error is that of Bucket.Look, or errPack if the value is
// missing from its pack. The content of a pack is not checked: the caller checks its values.
func lookPacked(b sealed.Bucket, key []byte) ([]byte, error) {
	row, err := b.Look(key)
	p, ok := placed(row)
	if err != nil || !ok {
		return row, err
	}
	from := b.Beside(packBucket)
	if from.Missing() {
		return nil, errPack
	}
	pack := from.Raw(number(p.pack))
	if p.at < 0 || p.n < 0 || p.at+p.n > len(pack)-sealed.Size {
		return nil, errPack
	}
	return pack[p.at : p.at+p.n : p.at+p.n], nil
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// packEntry is a value in a pack.
type packEntry struct {
	Key uint64 // in the bucket of the value
	packPlace
}

// points reports whether a row is the place of this value.
func (e packEntry) points(row []byte) bool { return bytes.Equal(row, e.row()) }

// size returns the bytes of the value.
func (e packEntry) size() int { return e.n }

// packEntries lists the values of a pack.
func packEntries(key, v []byte) ([]packEntry, error) {
	if len(key) != 8 {
		return nil, errPack
	}
	rest := v
	next := func() (uint64, bool) {
		x, n := binary.Uvarint(rest)
		if n <= 0 {
			return 0, false
		}
		rest = rest[n:]
		return x, true
	}
	count, ok := next()
	if !ok || count > uint64(len(v)) {
		return nil, errPack
	}
	all := make([]packEntry, count)
	size := 0
	for i := range all {
		k, ok1 := next()
		n, ok2 := next()
		if !ok1 || !ok2 || n > most {
			return nil, errPack
		}
		all[i] = packEntry{k, packPlace{pack: binary.BigEndian.Uint64(key), at: size, n: int(n)}}
		size += int(n)
	}
	if size != len(rest) {
		return nil, errPack
	}
	for i := range all {
		all[i].at += len(v) - len(rest)
	}
	return all, nil
}

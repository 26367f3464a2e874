package store

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"angler/store/sealed"
)

// packBatch gathers values of a bucket for one transaction. The zero value is ready; reuse it to
// keep its buffers. It is for one goroutine at a time.
type packBatch struct {
	values []value
	spent  map[uint64]int // by pack: bytes that become holes
	bufs   [][]byte
	used   int // of bufs
}

type value struct {
	key uint64
	v   []byte
}

// add notes a value; of two with one key the later one holds. The slice must stay as it is
// until the transaction ends.
func (b *packBatch) add(key uint64, v []byte) { b.values = append(b.values, value{key, v}) }

// begin drops all added values.
func (b *packBatch) begin() {
	clear(b.values)
	b.values, b.used = b.values[:0], 0
	clear(b.spent)
}

// half and Quarter are shares of a pack: if one part in that many is holes, the pack is given up.
const (
	half    = 2
	quarter = 4
)

// Write stores the added values, and gives up packs whose share of holes is too large.
func (b *packBatch) Write(into sealed.Bucket, share int) error {
	slices.SortStableFunc(b.values, func(x, y value) int { return cmp.Compare(x.key, y.key) })
	last := b.values[:0]
	for i, x := range b.values {
		if i+1 == len(b.values) || b.values[i+1].key != x.key {
			last = append(last, x)
		}
	}
	b.values = last
	for _, x := range b.values {
		b.leave(into.Get(number(x.key)))
	}
	if err := b.put(into, b.values); err != nil {
		return err
	}
	return b.settle(into, share)
}

// deletePacked removes the row of a key.
func deletePacked(into sealed.Bucket, key []byte) error {
	var b packBatch
	b.leave(into.Get(key))
	if err := into.Delete(key); err != nil {
		return err
	}
	return b.settle(into, half)
}

// leave notes that a row is replaced.
func (b *packBatch) leave(row []byte) {
	if p, ok := placed(row); ok {
		if b.spent == nil {
			b.spent = map[uint64]int{}
		}
		b.spent[p.pack] += p.n
	}
}

// put writes values with ascending keys, in packs where that is worth it.
func (b *packBatch) put(into sealed.Bucket, values []value) error {
	size := 0
	for _, x := range values {
		if len(x.v) < large {
			size += len(x.v)
		}
	}
	if size < least {
		for _, x := range values {
			if err := into.Put(number(x.key), x.v); err != nil {
				return err
			}
		}
		return nil
	}
	packs, err := packMade(into, packBucket)
	if err != nil {
		return err
	}
	for len(values) > 0 {
		n, size := 0, 0
		for n < len(values) && (n == 0 || size+len(values[n].v) <= most-16*(n+2)) {
			if x := values[n]; len(x.v) >= large || len(x.v) == 0 {
				break
			}
			size += len(values[n].v)
			n++
		}
		if n == 0 {
			if err := into.Put(number(values[0].key), values[0].v); err != nil {
				return err
			}
			values = values[1:]
			continue
		}
		if err := b.pack(packs, into, values[:n], size); err != nil {
			return err
		}
		values = values[n:]
	}
	return keepApart(packs)
}

// pack writes one pack and the places of its values.
func (b *packBatch) pack(packs, into sealed.Bucket, values []value, size int) error {
	seq, err := packs.NextSequence()
	if err != nil {
		return err
	}
	buf := binary.AppendUvarint(b.buffer(size+16*(len(values)+1)+sealed.Size), uint64(len(values)))
	for _, x := range values {
		buf = binary.AppendUvarint(buf, x.key)
		buf = binary.AppendUvarint(buf, uint64(len(x.v)))
	}
	for _, x := range values {
		p := packPlace{seq, len(buf), len(x.v)}
		buf = append(buf, x.v...)
		if err := into.Put(number(x.key), p.row()); err != nil {
			return err
		}
	}
	return packs.Put(number(seq), buf)
}

// buffer returns memory that stays unchanged until Begin.
func (b *packBatch) buffer(size int) []byte {
	if b.used == len(b.bufs) {
		b.bufs = append(b.bufs, nil)
	}
	buf := &b.bufs[b.used]
	b.used++
	if cap(*buf) < size {
		*buf = make([]byte, 0, max(size, most+sealed.Size))
	}
	return (*buf)[:0]
}

// fillers are empty packs after the packs of a transaction. bbolt splits no leaf of four rows or
// fewer, and puts at least two into each. Without fillers the next transaction would rewrite up to
// four packs to append its own.
const fillers = 4

func keepApart(packs sealed.Bucket) error {
	for range fillers {
		seq, err := packs.NextSequence()
		if err != nil {
			return err
		}
		if err := packs.Put(number(seq), []byte{0}); err != nil { // a pack without values
			return err
		}
	}
	return nil
}

// settle counts the holes and gives up packs with too many.
func (b *packBatch) settle(into sealed.Bucket, share int) error {
	if len(b.spent) == 0 {
		return nil
	}
	spent, err := packMade(into, spentPacks)
	packs := into.Beside(packBucket)
	if err != nil || packs.Missing() {
		return err
	}
	var moved []value
	for _, pack := range slices.Sorted(maps.Keys(b.spent)) {
		left, err := b.count(packs, spent, into, pack, share)
		if err != nil {
			return err
		}
		moved = append(moved, left...)
	}
	slices.SortFunc(moved, func(x, y value) int { return cmp.Compare(x.key, y.key) })
	return b.put(into, moved)
}

// count adds to the holes of a pack and removes the pack if they are too many; left holds its
// remaining values.
func (b *packBatch) count(packs, spent, into sealed.Bucket, pack uint64, share int) (left []value, err error) {
	key := number(pack)
	holes := packHoles(spent.Get(key)) + b.spent[pack]
	v := packs.Get(key)
	entries, err := packEntries(key, v)
	if err != nil { // damaged or missing: a check reports it
		return nil, nil
	}
	whole := 0
	for _, e := range entries {
		whole += e.n
	}
	if holes*share < whole {
		return nil, spent.Put(key, encodeHoles(holes))
	}
	for _, e := range entries {
		if e.points(into.Get(number(e.Key))) {
			left = append(left, value{e.Key, append(b.buffer(e.n+sealed.Size), v[e.at:e.at+e.n]...)}) // bbolt may move its mapping
		}
	}
	if err := packs.Delete(key); err != nil {
		return nil, err
	}
	return left, spent.Delete(key)
}

// packHoles decodes a row of spentPacks; a missing row means no holes.
func packHoles(v []byte) int {
	n, _ := binary.Uvarint(v)
	return int(min(n, most))
}

// encodeHoles encodes a row of spentPacks.
func encodeHoles(n int) []byte {
	return binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+sealed.Size), uint64(n))
}

// packMade returns a bucket and makes it if it is missing.
func packMade(beside sealed.Bucket, name []byte) (sealed.Bucket, error) {
	if b := beside.Beside(name); !b.Missing() {
		return b, nil
	}
	if _, err := beside.Tx().CreateBucket(name); err != nil {
		return sealed.Bucket{}, err
	}
	return beside.Beside(name), nil
}

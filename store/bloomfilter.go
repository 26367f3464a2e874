package store

import (
	"bytes"
	"encoding/binary"
	"math"
	"sync/atomic"

	"github.com/bits-and-blooms/bloom/v3"
)

// This file answers "is this key known?" with "no" or "maybe", in a few
// bits a key (Bloom 1970), and counts how well it does.
//
// A question costs k looks at the memory and a counter. One goroutine asks and
// adds; anybody may read the Figures at any time, without a lock. The danger is
// to believe a "maybe": the caller must look the key up, and say when it was
// not there.

// bloomFilter is a set of keys. Figures is safe for concurrent use; all else is for one
// goroutine at a time.
type bloomFilter struct {
	f       *bloom.BloomFilter
	keys    atomic.Int64
	counted int           // keys when the bits were counted
	set     atomic.Uint64 // share of bits that are set, as math.Float64bits
	maybe   atomic.Int64
	wrong   atomic.Int64
}

// FilterFigures say what a filter is and how well it does.
type FilterFigures struct {
	Keys      int     `json:"keys"`
	Bits      uint    `json:"bits"`       // m
	Hashes    uint    `json:"hashes"`     // k, bits that a key sets
	Fill      float64 `json:"fill"`       // share of the bits that are set, 0 … 1
	FalseRate float64 `json:"false_rate"` // estimated share of unknown keys that get a "maybe": fill^k
	Maybe     int64   `json:"maybe"`      // answers "maybe" since the start
	False     int64   `json:"false"`      // of those, for keys that were not known
}

// newFilter returns an empty filter for about so many keys, of which rate, 0 … 1, is the
// share of unknown keys that get a "maybe" once it holds them.
func newFilter(keys int, rate float64) *bloomFilter {
	return &bloomFilter{f: bloom.NewWithEstimates(uint(max(keys, 1)), rate)}
}

// filterSize is how many bytes Bytes returns of a filter that New made.
func filterSize(keys int, rate float64) int {
	bits, _ := bloom.EstimateParameters(uint(max(keys, 1)), rate)
	return bloomfilterHeadBytes + int((max(bits, 1)+63)/64)*8
}

// bloomfilterHeadBytes stand before the bits: m, k and m again, 8 bytes each.
const bloomfilterHeadBytes = 24

// load fills an empty filter from what bytes returned for one with so many keys.
// It reports false, and changes nothing, when that one was of another size.
func (f *bloomFilter) load(stored []byte, keys int) bool {
	var head []byte
	for _, n := range [...]uint{f.f.Cap(), f.f.K(), f.f.Cap()} {
		head = binary.BigEndian.AppendUint64(head, uint64(n))
	}
	if !bytes.HasPrefix(stored, head) { // the library allocates what the head says
		return false
	}
	old := new(bloom.BloomFilter)
	if _, err := old.ReadFrom(bytes.NewReader(stored)); err != nil {
		return false
	}
	f.f = old
	f.hold(keys)
	return true
}

// bytes returns the filter in a form for load.
func (f *bloomFilter) bytes() ([]byte, error) {
	var b bytes.Buffer
	_, err := f.f.WriteTo(&b)
	return b.Bytes(), err
}

// add makes key known.
func (f *bloomFilter) add(key []byte) { f.f.Add(key) }

// test reports whether key may be known; false is certain. After a true for a key
// that proves unknown Wrong must be called.
func (f *bloomFilter) test(key []byte) bool {
	if !f.f.Test(key) {
		return false
	}
	f.maybe.Add(1)
	return true
}

// Wrong counts the last "maybe" as false.
func (f *bloomFilter) Wrong() { f.wrong.Add(1) }

// hold says how many keys the filter holds now. From time to time it counts the
// bits, 0.1 ms for a million keys.
func (f *bloomFilter) hold(keys int) {
	before := int(f.keys.Swap(int64(keys)))
	if keys == 0 || before != 0 && keys-f.counted < recount+f.counted/64 {
		return
	}
	f.counted = keys
	f.set.Store(math.Float64bits(float64(f.f.BitSet().Count()) / float64(f.f.Cap())))
}

// recount is how many keys come before the bits are counted again, besides one in
// 64. Of a filter that is sized for its keys a key sets k/m of the bits, so what is
// shown is a sixty-fourth behind at most.
const recount = 256

// figures returns the figures of now.
func (f *bloomFilter) figures() FilterFigures {
	fill := math.Float64frombits(f.set.Load())
	return FilterFigures{Keys: int(f.keys.Load()), Bits: f.f.Cap(), Hashes: f.f.K(), Fill: fill, FalseRate: math.Pow(fill, float64(f.f.K())),
		Maybe: f.maybe.Load(), False: f.wrong.Load()}
}

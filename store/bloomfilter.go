package store

import (
	"bytes"
	"encoding/binary"
	"math"
	"sync/atomic"

	"github.com/bits-and-blooms/bloom/v3"
)

// This file answers whether a key is known with "no" or "maybe", in a few bits a key (Bloom 1970),
// and counts its errors.
//
// A query reads k words of memory and a counter. One goroutine queries and adds keys. Any goroutine
// may read the figures without a lock. "maybe" is no answer: the caller must look the key up, and
// report a wrong "maybe".

// bloomFilter is a set of keys. figures is safe for concurrent use; all other methods are for one
// goroutine at a time.
type bloomFilter struct {
	f       *bloom.BloomFilter
	keys    atomic.Int64
	counted int           // keys when the bits were counted
	set     atomic.Uint64 // share of bits that are set, as math.Float64bits
	maybe   atomic.Int64
	wrong   atomic.Int64
}

// FilterFigures describe a filter and its rate of errors.
type FilterFigures struct {
	Keys      int     `json:"keys"`
	Bits      uint    `json:"bits"`       // m
	Hashes    uint    `json:"hashes"`     // k, bits that a key sets
	Fill      float64 `json:"fill"`       // share of the bits that are set, 0 … 1
	FalseRate float64 `json:"false_rate"` // estimated share of unknown keys that get a "maybe": fill^k
	Maybe     int64   `json:"maybe"`      // answers "maybe" since the start
	False     int64   `json:"false"`      // of those, for keys that were not known
}

// newFilter returns an empty filter for about that many keys. rate, 0 … 1, is the share of unknown
// keys that get a "maybe" once it holds them.
func newFilter(keys int, rate float64) *bloomFilter {
	return &bloomFilter{f: bloom.NewWithEstimates(uint(max(keys, 1)), rate)}
}

// filterSize returns the length of Bytes for a filter that newFilter made.
func filterSize(keys int, rate float64) int {
	bits, _ := bloom.EstimateParameters(uint(max(keys, 1)), rate)
	return bloomfilterHeadBytes + int((max(bits, 1)+63)/64)*8
}

// bloomfilterHeadBytes is the length of the head before the bits: m, k and m again, 8 bytes each.
const bloomfilterHeadBytes = 24

// load fills an empty filter from what bytes returned for one with so many keys.
// It reports false, and changes nothing, when that one was of another size.
func (f *bloomFilter) load(stored []byte, keys int) bool {
	var head []byte
	for _, n := range [...]uint{f.f.Cap(), f.f.K(), f.f.Cap()} {
		head = binary.BigEndian.AppendUint64(head, uint64(n))
	}
	if !bytes.HasPrefix(stored, head) { // the library allocates as the head says
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

// test reports whether key may be known; false is certain. The caller must count it in wrong if a "maybe"
// proves false.
func (f *bloomFilter) test(key []byte) bool {
	if !f.f.Test(key) {
		return false
	}
	f.maybe.Add(1)
	return true
}

// hold sets the number of keys in the filter. Now and then it counts the bits: 0.1 ms for a million
// keys.
func (f *bloomFilter) hold(keys int) {
	before := int(f.keys.Swap(int64(keys)))
	if keys == 0 || before != 0 && keys-f.counted < recount+f.counted/64 {
		return
	}
	f.counted = keys
	f.set.Store(math.Float64bits(float64(f.f.BitSet().Count()) / float64(f.f.Cap())))
}

// recount is the number of new keys after which the bits are counted again; large filters wait for
// one key in 64. A key sets k/m of the bits of a well-sized filter, so the figure shown lags by at
// most 1/64.
const recount = 256

// figures returns the current figures.
func (f *bloomFilter) figures() FilterFigures {
	fill := math.Float64frombits(f.set.Load())
	return FilterFigures{Keys: int(f.keys.Load()), Bits: f.f.Cap(), Hashes: f.f.K(), Fill: fill,
		FalseRate: math.Pow(fill, float64(f.f.K())),
		Maybe:     f.maybe.Load(), False: f.wrong.Load()}
}

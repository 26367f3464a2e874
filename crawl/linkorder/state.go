package linkorder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

// The state of learned, version 2: the four bytes "alo\x02", the body, and the CRC-32C of both, little endian. Body
// values are uvarints unless stated: fetches; n₊; the number of hosts and their hashes (8 bytes each, rising); the
// examples of both classes for both questions; the number of buckets in use. For each bucket follow its distance
// from the one before, n₀, n₁, Σ gradient² and w for both questions (4 bytes each), and Σ prior (4 bytes). A bucket
// takes about 26 bytes, so the state takes at most 7 MB.
const stateMagic = "alo\x02"

// Limits of the counts and weights in a state. Larger values do not come from Save and would spoil the arithmetic.
const (
	maxCount    = math.MaxUint32
	maxExamples = 1 << 52
	maxWeight   = 1e6
	maxSquare   = 1e12
	maxPrior    = 1e12
)

// Save encodes the knowledge. Constants are settings and not part of it.
func (l *learned) Save() []byte {
	l.mu.RLock()
	defer l.mu.RUnlock()
	k := &l.known
	b := []byte(stateMagic)
	b = binary.AppendUvarint(b, k.fetches)
	b = binary.AppendUvarint(b, k.relevant)
	b = binary.AppendUvarint(b, uint64(len(k.hosts)))
	for _, h := range slices.Sorted(maps.Keys(k.hosts)) {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	for _, class := range k.model.class {
		for _, n := range class {
			b = binary.AppendUvarint(b, uint64(n-1))
		}
	}
	var met []int
	for i := range k.model.learn {
		if k.model.learn[i] != [questions]tallied{} {
			met = append(met, i)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(met)))
	last := -1
	for _, i := range met {
		b = binary.AppendUvarint(b, uint64(i-last))
		last = i
		for q := range questions {
			t := &k.model.learn[i][q]
			b = binary.AppendUvarint(b, uint64(t.n[0]))
			b = binary.AppendUvarint(b, uint64(t.n[1]))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(t.squares))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(k.model.read[i][q].w))
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(k.promises.sum[i]))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Load replaces the knowledge by a saved state. It fails, and changes nothing, if the state is damaged or of another
// version.
func (l *learned) Load(state []byte) error {
	k, err := l.parse(state)
	if err != nil {
		return fmt.Errorf("load the link order's state: it is %w: let it learn anew from the crawl's history", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = k
	return nil
}

var errDamaged = errors.New("damaged")

func (l *learned) parse(state []byte) (k knowledge, err error) {
	const magic = len(stateMagic)
	switch {
	case len(state) < magic+4 || string(state[:magic-1]) != stateMagic[:magic-1]:
		return k, errDamaged
	case state[magic-1] != stateMagic[magic-1]:
		return k, fmt.Errorf("of version %d, not %d", state[magic-1], stateMagic[magic-1])
	}
	end := len(state) - 4
	if crc32.Checksum(state[:end], castagnoli) != binary.LittleEndian.Uint32(state[end:]) {
		return k, errDamaged
	}
	r := stateReader{rest: state[magic:end]}
	k = knowledge{hosts: map[uint64]struct{}{}}
	k.fetches = r.count(math.MaxInt64)
	k.relevant = r.count(k.fetches)
	for range r.count(uint64(len(r.rest) / 8)) {
		k.hosts[r.word()] = struct{}{}
	}
	var class [questions][2]float64
	for q := range class {
		class[q] = [2]float64{1 + float64(r.count(maxExamples)), 1 + float64(r.count(maxExamples))}
	}
	// Allocate the model last: a rejected state must not cost 10 MB.
	type entry struct {
		bucket int
		learn  [questions]tallied
		w      [questions]float32
		prior  float32
	}
	met := make([]entry, r.count(uint64(min(buckets, len(r.rest)/entryBytes))))
	last := -1
	for i := range met {
		step := int(r.count(buckets))
		if last += step; step == 0 || last >= buckets {
			return knowledge{}, errDamaged
		}
		e := &met[i]
		e.bucket = last
		for q := range questions {
			e.learn[q].n = [2]uint32{uint32(r.count(maxCount)), uint32(r.count(maxCount))}
			e.learn[q].squares = r.float(0, maxSquare)
			e.w[q] = r.float(-maxWeight, maxWeight)
		}
		e.prior = r.float(0, maxPrior)
	}
	if r.failed || len(r.rest) > 0 {
		return knowledge{}, errDamaged
	}
	k.model, k.promises = l.known.model.empty(), newPromises(l.known.promises.credit)
	for q := range questions {
		k.model.setClass(q, class[q])
	}
	for _, e := range met {
		k.model.learn[e.bucket] = e.learn
		k.promises.sum[e.bucket] = e.prior
		k.promises.settle(uint32(e.bucket), e.learn[isTarget].n[1])
		for q := range questions {
			k.model.read[e.bucket][q] = weights{w: e.w[q], odds: k.model.odds(e.learn[q].n)}
		}
	}
	return k, nil
}

// entryBytes is the minimum size of a bucket.
const entryBytes = 1 + 2*(1+1+4+4) + 4

// empty returns a model with the same constants and without knowledge.
func (m *model) empty() *model {
	return newModel(Params{"learned.rate": m.rate, "learned.l2": m.l2, "learned.add": m.add,
		"learned.temper": m.temper})
}

// stateReader parses a body. After the first missing or invalid value it reads zeros.
type stateReader struct {
	rest   []byte
	failed bool
}

func (r *stateReader) count(limit uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if r.failed || n <= 0 || v > limit {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *stateReader) word() uint64 {
	if r.failed || len(r.rest) < 8 {
		r.failed = true
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

// float reads a number from low to high.
func (r *stateReader) float(low, high float32) float32 {
	if r.failed || len(r.rest) < 4 {
		r.failed = true
		return 0
	}
	v := math.Float32frombits(binary.LittleEndian.Uint32(r.rest))
	r.rest = r.rest[4:]
	if !(v >= low && v <= high) { // also rejects NaN
		r.failed = true
		return 0
	}
	return v
}

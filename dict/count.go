package dict

import (
	"hash/maphash"
	"math"
	"slices"
	"sync"
)

// Counter counts words by id. Reuse one per goroutine with Reset: it keeps an
// array as long as the lexicon. The zero value is ready; not safe for
// concurrent use.
type Counter struct {
	n    []uint32 // by id
	seen []uint32 // ids with n > 0, in order of arrival
}

// Add adds n occurrences of id; NoWord is ignored.
func (c *Counter) Add(id, n uint32) {
	if id == NoWord || n == 0 {
		return
	}
	if int(id) >= len(c.n) {
		c.n = append(c.n, make([]uint32, int(id)+1-len(c.n)+1024)...)
	}
	old := c.n[id]
	if old == 0 {
		c.seen = append(c.seen, id)
	}
	if c.n[id] = old + n; c.n[id] < old {
		c.n[id] = math.MaxUint32
	}
}

// Len returns the number of distinct words counted.
func (c *Counter) Len() int { return len(c.seen) }

// Reset clears the counts in time proportional to Len.
func (c *Counter) Reset() {
	for _, id := range c.seen {
		c.n[id] = 0
	}
	c.seen = c.seen[:0]
}

// Each calls f for every counted word, by ascending id; n ≥ 1.
func (c *Counter) Each(f func(id, n uint32)) {
	slices.Sort(c.seen)
	for _, id := range c.seen {
		f(id, c.n[id])
	}
}

// Count adds the words of text (blocks separated by '\n') to into, numbered by lex. A block that
// was counted before, on any page, is taken from the cache.
func (d *Dict) Count(lex *Lexicon, text string, into *Counter) {
	<-d.ready
	var sc *scratch
	eachBlock(text, func(_ int, block string) {
		if len(block) < 2 {
			return // a single character at most
		}
		key := maphash.String(d.cache.seed, block) ^ lex.salt*0x9e3779b97f4a7c15
		if tally, ok := d.cache.get(key); ok {
			for _, t := range tally {
				into.Add(t.id, t.n)
			}
			return
		}
		if sc == nil {
			sc = d.scratch.Get().(*scratch)
		}
		ids := d.ids(sc, lex, block)
		for _, id := range ids {
			into.Add(id, 1)
		}
		d.cache.put(key, ids)
	})
	if sc != nil {
		d.scratch.Put(sc)
	}
}

// ids returns the ids of the words of one block, valid until the next call with sc. It locks the
// lexicon at most twice a block.
func (d *Dict) ids(sc *scratch, lex *Lexicon, block string) []uint32 {
	d.cut(sc, block)
	sc.keys = sc.keys[:0]
	missed := false
	kept := sc.words[:0]
	known := d.numbersOf(lex)
	for _, w := range sc.words {
		id, dropped := known.of(w)
		if dropped {
			continue
		}
		if id == NoWord {
			if !d.keep(sc, w, sc.word(w)) {
				known.drop(w)
				continue
			}
			missed = true
		}
		kept = append(kept, w)
		sc.keys = append(sc.keys, id)
	}
	if !missed {
		return sc.keys
	}
	missed = false
	lex.mu.RLock()
	for i, id := range sc.keys {
		if id == NoWord {
			if id, ok := lex.ids[string(sc.word(kept[i]))]; ok {
				sc.keys[i] = id
				known.set(kept[i], id)
			} else {
				missed = true
			}
		}
	}
	lex.mu.RUnlock()
	if !missed {
		return sc.keys
	}
	lex.mu.Lock()
	defer lex.mu.Unlock()
	for i, id := range sc.keys {
		if id == NoWord {
			sc.keys[i] = lex.intern(string(sc.word(kept[i])))
		}
	}
	return sc.keys
}

// tally is one word of a block and its count.
type tally struct{ id, n uint32 }

// blockCache keeps the counts of text blocks by a seeded 64-bit hash. With a secret seed no
// attacker can make two blocks collide; by chance two among ten million do once in 400 000 runs.
// Each shard has two generations. When the young one is full it becomes the old one, and blocks in
// use move over. That is nearly as good as LRU and needs no links.
type blockCache struct {
	seed   maphash.Seed
	shards [16]cacheShard
	limit  int // blocks of one generation of one shard; 0: off
}

type cacheShard struct {
	mu         sync.Mutex
	young, old map[uint64][]tally
}

// maxCachedWords is the longest cached block: longer ones are running text, which does not repeat.
const maxCachedWords = 256

func newBlockCache(size int) *blockCache {
	if size == 0 {
		size = 1 << 15
	}
	return &blockCache{seed: maphash.MakeSeed(), limit: max(size, 0) / (2 * 16)}
}

func (c *blockCache) get(key uint64) ([]tally, bool) {
	if c.limit == 0 {
		return nil, false
	}
	s := &c.shards[key%16]
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.young[key]; ok {
		return v, true
	}
	v, ok := s.old[key]
	if ok {
		s.add(key, v, c.limit)
	}
	return v, ok
}

// put stores the counts of ids.
func (c *blockCache) put(key uint64, ids []uint32) {
	if c.limit == 0 || len(ids) > maxCachedWords {
		return
	}
	slices.Sort(ids)
	var v []tally
	if len(ids) > 0 {
		v = make([]tally, 0, len(ids))
	}
	for _, id := range ids {
		if n := len(v); n > 0 && v[n-1].id == id {
			v[n-1].n++
		} else {
			v = append(v, tally{id, 1})
		}
	}
	s := &c.shards[key%16]
	s.mu.Lock()
	s.add(key, v, c.limit)
	s.mu.Unlock()
}

// add stores counts; the caller holds the lock.
func (s *cacheShard) add(key uint64, v []tally, limit int) {
	if s.young == nil || len(s.young) >= limit {
		s.old, s.young = s.young, make(map[uint64][]tally, limit)
	}
	s.young[key] = v
}

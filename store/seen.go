package store

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"angler/store/config"
	"angler/store/schema"
	"angler/store/sealed"
)

// This file answers whether a URL is known from a filter and from memory. It queries the keys in
// the database only if both leave it open.

// seenSet answers whether a URL is known. A Bloom "no" is final. A Bloom "maybe" checks a small
// table of recent answers (navigation links repeat on every page), then the exact keys. P0 2.2.2
// tolerates the URLs that a Bloom filter alone loses; seenSet loses none.
//
// A key is a random number, so every new URL would change another leaf of the keys' tree. At a
// million URLs a commit would mostly write such leaves. So new keys stay in memory, in shards by
// their first bits. One shard at a time is merged, when many of its keys share a leaf. A kill loses
// nothing: a row of a URL holds the URL itself, and the database stores up to which id all keys are
// merged.
//
// All methods but ID, look and figures are for the committing goroutine.
type seenSet struct {
	Most int // young keys

	filter  *bloomFilter
	n       int // keys in the filter
	sized   int // the number of keys it was made for
	recent  [2]map[schema.Key]uint64
	pending map[schema.Key]uint64 // keys of the open transaction

	mu     sync.RWMutex // guards young
	young  [youngShards]map[schema.Key]uint64
	least  [youngShards]uint64 // id of each shard of young; arbitrary for an empty shard
	nyoung int
	next   int // the next shard to merge
}

const (
	// recentSize bounds one generation of the table of recent answers (24 bytes a key plus map
	// overhead).
	recentSize  = 1 << 15
	youngShards = 64
	// youngKeys is the number of keys kept in memory, about 8 MB.
	youngKeys = 1 << 17
)

func seenMade(sized int, set config.Store) *seenSet {
	s := &seenSet{Most: youngKeys, recent: [2]map[schema.Key]uint64{{}, {}}, pending: map[schema.Key]uint64{},
		sized: sized, filter: newFilter(sized, set.FalsePositive)}
	for i := range s.young {
		s.young[i] = map[schema.Key]uint64{}
	}
	return s
}

// loadSeen builds the filter from the keys. urls is the number of known URLs.
func loadSeen(tx sealed.Tx, set config.Store, urls int) *seenSet {
	s := seenMade(max(set.ExpectedURLs, urls*2), set)
	s.n = urls
	merged, err := tx.Bucket(schema.Meta).Look(schema.KeyMerged)
	if err != nil {
		merged = schema.IDKey(0) // the merged keys are no longer known
	}
	s.catchUp(tx, merged)
	c, bad := tx.Bucket(schema.IDs).Cursor(), 0
	c.Each = func([]byte, error) { bad++ }
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		s.filter.add(k)
	}
	if bad > 0 {
		s.catchUp(tx, schema.IDKey(0))
	}
	for i := range s.young {
		for k := range s.young[i] {
			s.filter.add(k[:])
		}
	}
	s.filter.hold(urls)
	return s
}

// catchUp loads the keys of URLs from an id on that are missing from the bucket of keys.
func (s *seenSet) catchUp(tx sealed.Tx, from []byte) {
	if len(from) != 8 {
		return
	}
	ids, urls := tx.Bucket(schema.IDs), tx.Bucket(schema.URLs)
	c := urls.Cursor()
	for k, row := c.Seek(from); k != nil; k, row = c.Next() {
		if len(k) != 8 {
			continue
		}
		url, err := rowURL(row)
		if err != nil {
			urls.Spoiled(k, err)
			continue
		}
		if key := schema.KeyOf(url); ids.Get(key[:]) == nil {
			s.keep(key, schema.KeyID(k))
		}
	}
}

func shardOf(k schema.Key) int { return int(k[0]) * youngShards >> 8 }

// id returns the id of a stored URL. It is safe for concurrent use.
func (s *seenSet) id(ids sealed.Bucket, k schema.Key) (uint64, bool) {
	id, ok, err := s.look(ids, k)
	if err != nil {
		return s.search(ids.Beside(schema.URLs), k)
	}
	return id, ok
}

// look is ID without search; the error means that the row of the key is damaged.
func (s *seenSet) look(ids sealed.Bucket, k schema.Key) (uint64, bool, error) {
	s.mu.RLock()
	id, ok := s.young[shardOf(k)][k]
	s.mu.RUnlock()
	if ok {
		return id, true, nil
	}
	v, err := ids.Look(k[:])
	if len(v) != 8 {
		return 0, false, err
	}
	return schema.KeyID(v), true, nil
}

// search finds the id of a URL whose key row is damaged. It reads all URLs.
func (s *seenSet) search(urls sealed.Bucket, k schema.Key) (uint64, bool) {
	c := urls.Cursor()
	for id, row := c.First(); id != nil; id, row = c.Next() {
		if url, err := rowURL(row); err == nil && len(id) == 8 && schema.KeyOf(url) == k {
			return schema.KeyID(id), true
		}
	}
	return 0, false
}

// find is ID for the committing goroutine; it sees the URLs added by the open transaction.
func (s *seenSet) find(ids sealed.Bucket, k schema.Key) (uint64, bool) {
	if id, ok := s.recent[0][k]; ok {
		return id, true
	}
	id, ok := s.recent[1][k]
	if !ok {
		if !s.filter.test(k[:]) {
			return 0, false
		}
		if id, ok = s.pending[k]; !ok {
			if id, ok = s.id(ids, k); !ok {
				s.filter.wrong.Add(1)
			}
		}
	}
	if ok {
		s.remember(k, id)
	}
	return id, ok
}

// add notes a URL that was just given an id.
func (s *seenSet) add(k schema.Key, id uint64) {
	s.filter.add(k[:])
	s.pending[k] = id
	s.remember(k, id)
}

func (s *seenSet) remember(k schema.Key, id uint64) {
	if len(s.recent[0]) >= recentSize {
		s.recent[0], s.recent[1] = s.recent[1], s.recent[0]
		clear(s.recent[0])
	}
	s.recent[0][k] = id
}

// merge writes shards of young keys until few enough are left, and up to which
// ID all keys are merged then. It returns how many shards it wrote; Landed must
// follow when the transaction has succeeded, Dropped when it has failed.
func (s *seenSet) merge(tx sealed.Tx) (shards int, err error) {
	if len(s.pending) == 0 {
		return 0, nil
	}
	ids := tx.Bucket(schema.IDs)
	left := s.nyoung + len(s.pending)
	for ; left > s.Most && shards < youngShards; shards++ {
		shard := s.young[(s.next+shards)%youngShards]
		for _, k := range slices.SortedFunc(maps.Keys(shard),
			func(a, b schema.Key) int { return bytes.Compare(a[:], b[:]) }) {
			if err := ids.Put(append([]byte(nil), k[:]...), schema.IDKey(shard[k])); err != nil {
				return shards, err
			}
		}
		left -= len(shard)
	}
	merged := ^uint64(0)
	for i := shards; i < youngShards; i++ {
		if shard := (s.next + i) % youngShards; len(s.young[shard]) > 0 {
			merged = min(merged, s.least[shard])
		}
	}
	for _, id := range s.pending {
		merged = min(merged, id)
	}
	return shards, tx.Bucket(schema.Meta).Put(schema.KeyMerged, schema.IDKey(merged))
}

// landed runs after a successful transaction.
func (s *seenSet) landed(shards int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; shards > 0; shards-- {
		s.nyoung -= len(s.young[s.next])
		clear(s.young[s.next])
		s.next = (s.next + 1) % youngShards
	}
	for k, id := range s.pending {
		s.keep(k, id)
	}
	s.n += len(s.pending)
	s.filter.hold(s.n)
	clear(s.pending)
}

func (s *seenSet) keep(k schema.Key, id uint64) {
	i := shardOf(k)
	if len(s.young[i]) == 0 || id < s.least[i] {
		s.least[i] = id
	}
	s.young[i][k] = id
	s.nyoung++
}

// dropped forgets the URLs of a rolled-back transaction. The filter keeps their bits, which cost at
// most a needless lookup.
func (s *seenSet) dropped() {
	clear(s.recent[0])
	clear(s.recent[1])
	clear(s.pending)
}

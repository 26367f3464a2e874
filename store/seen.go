package store

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"angler/store/bloomfilter"
	"angler/store/config"
	"angler/store/sealed"
)

// seen answers "is this URL known?". A Bloom "no" is final; a Bloom "maybe" asks
// a small table of recent answers (navigation links repeat on every page), then
// the exact keys. P0 2.2.2 tolerates the URLs that a Bloom filter alone loses;
// this loses none.
//
// A key is a random number, so every new URL would change another leaf of the
// keys' tree; at a million URLs a commit would mostly write such leaves. So new
// keys stay in memory, in shards by their first bits, and one shard at a time
// is merged, when many of its keys fall into each leaf. Nothing is lost by a
// kill: a row of a URL holds the URL itself, and the database says up to which
// id every key is merged.
//
// Everything but id and young is for the committing goroutine.
type seen struct {
	filter  *bloomfilter.Filter
	n       int // keys in the filter
	sized   int // and for how many it was made
	recent  [2]map[Key]uint64
	pending map[Key]uint64 // of the transaction in the making

	mu     sync.RWMutex // guards young
	young  [youngShards]map[Key]uint64
	least  [youngShards]uint64 // id of each shard of young; any when it is empty
	nyoung int
	next   int // the shard that is merged next
	most   int // young keys
}

const (
	// recentSize bounds one generation of the table of recent answers (24 bytes
	// and map overhead a key).
	recentSize  = 1 << 15
	youngShards = 64
	// youngKeys are kept in memory, some 8 MB.
	youngKeys = 1 << 17
)

var (
	// keySeen, keySeenN: the filter and its keys, as programs without checkpoints leave
	// them at their end.
	keySeen, keySeenN = []byte("seen"), []byte("seen-n")
	// keyMerged: every URL with a smaller id has its key in the bucket. Without it
	// all have.
	keyMerged = []byte("merged")
)

// loadSeen builds the filter from the keys. urls is the number of known URLs.
func loadSeen(tx sealed.Tx, set config.Store, urls int) (*seen, error) {
	s := newSeen(max(set.ExpectedURLs, urls*2), set)
	s.n = urls
	ids, meta := tx.Bucket(bucketIDs), tx.Bucket(bucketMeta)
	merged, err := meta.Look(keyMerged)
	if err != nil {
		merged = idKey(0) // which keys are merged is not known any more
	}
	s.catchUp(tx, merged)
	c, bad := ids.Cursor(), 0
	c.Each = func([]byte, error) { bad++ }
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		s.filter.Add(k)
	}
	if bad > 0 {
		s.catchUp(tx, idKey(0))
	}
	for i := range s.young {
		for k := range s.young[i] {
			s.filter.Add(k[:])
		}
	}
	s.filter.Hold(urls)
	return s, nil
}

// catchUp keeps the keys of the URLs from an id on that are not in the bucket of
// keys.
func (s *seen) catchUp(tx sealed.Tx, from []byte) {
	if len(from) != 8 {
		return
	}
	ids, urls := tx.Bucket(bucketIDs), tx.Bucket(bucketURLs)
	c := urls.Cursor()
	for k, row := c.Seek(from); k != nil; k, row = c.Next() {
		if len(k) != 8 {
			continue
		}
		u, err := decodeURL(keyID(k), row)
		if err != nil {
			urls.Spoiled(k, err)
			continue
		}
		if key := KeyOf(u.URL); ids.Get(key[:]) == nil {
			s.keep(key, u.ID)
		}
	}
}

func shardOf(k Key) int { return int(k[0]) * youngShards >> 8 }

// id returns the id of a stored URL. It is safe for concurrent use.
func (s *seen) id(ids sealed.Bucket, k Key) (uint64, bool) {
	id, ok, err := s.look(ids, k)
	if err != nil {
		return searchURL(ids.Beside(bucketURLs), k)
	}
	return id, ok
}

func (s *seen) look(ids sealed.Bucket, k Key) (uint64, bool, error) {
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
	return keyID(v), true, nil
}

// searchURL finds the id of a URL without its key, whose row is damaged. It reads
// all URLs.
func searchURL(urls sealed.Bucket, k Key) (uint64, bool) {
	c := urls.Cursor()
	for id, row := c.First(); id != nil; id, row = c.Next() {
		if u, err := decodeURL(0, row); err == nil && len(id) == 8 && KeyOf(u.URL) == k {
			return keyID(id), true
		}
	}
	return 0, false
}

// find is id for the committing goroutine: it knows what the transaction in the
// making has added.
func (s *seen) find(ids sealed.Bucket, k Key) (uint64, bool) {
	if id, ok := s.recent[0][k]; ok {
		return id, true
	}
	id, ok := s.recent[1][k]
	if !ok {
		if !s.filter.Test(k[:]) {
			return 0, false
		}
		if id, ok = s.pending[k]; !ok {
			if id, ok = s.id(ids, k); !ok {
				s.filter.Wrong()
			}
		}
	}
	if ok {
		s.remember(k, id)
	}
	return id, ok
}

// add notes a URL that was just given an id.
func (s *seen) add(k Key, id uint64) {
	s.filter.Add(k[:])
	s.pending[k] = id
	s.remember(k, id)
}

func (s *seen) remember(k Key, id uint64) {
	if len(s.recent[0]) >= recentSize {
		s.recent[0], s.recent[1] = s.recent[1], s.recent[0]
		clear(s.recent[0])
	}
	s.recent[0][k] = id
}

// merge writes shards of young keys until few enough are left, and up to which
// id all keys are merged then. It returns how many shards it wrote; landed must
// follow when the transaction has succeeded, dropped when it has failed.
func (s *seen) merge(tx sealed.Tx) (shards int, err error) {
	if len(s.pending) == 0 {
		return 0, nil
	}
	ids := tx.Bucket(bucketIDs)
	left := s.nyoung + len(s.pending)
	for ; left > s.most && shards < youngShards; shards++ {
		shard := s.young[(s.next+shards)%youngShards]
		for _, k := range slices.SortedFunc(maps.Keys(shard), func(a, b Key) int { return bytes.Compare(a[:], b[:]) }) {
			if err := ids.Put(append([]byte(nil), k[:]...), idKey(shard[k])); err != nil {
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
	return shards, tx.Bucket(bucketMeta).Put(keyMerged, idKey(merged))
}

// landed follows a transaction that succeeded.
func (s *seen) landed(shards int) {
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
	s.filter.Hold(s.n)
	clear(s.pending)
}

func (s *seen) keep(k Key, id uint64) {
	i := shardOf(k)
	if len(s.young[i]) == 0 || id < s.least[i] {
		s.least[i] = id
	}
	s.young[i][k] = id
	s.nyoung++
}

// dropped forgets what a rolled-back transaction has added. The filter keeps
// the bits, which cost at most a needless look at the keys.
func (s *seen) dropped() {
	clear(s.recent[0])
	clear(s.recent[1])
	clear(s.pending)
}

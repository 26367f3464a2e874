package linkorder

import (
	"hash/maphash"
	"sync"
)

// cache stores the features of recently valued inlinks, which saves four fifths of the cost of valuing a target
// again. Its size is fixed. Target ID and inlink number give the place, so 8,192 consecutive targets never displace
// each other. A hash of the strings guards each place: repeated IDs cost time, not correctness.
type cache struct {
	seed   maphash.Seed
	places []cached
}

type cached struct {
	mu    sync.Mutex
	sum   uint64 // hash of the source strings; 0 = empty
	n     int16
	where int16
	at    [maxFeatures]uint32
}

// places is the size of the cache. A place takes about 180 bytes; memory grows as places fill.
const places = 8192 * MaxInlinks

func newCache() *cache {
	return &cache{seed: maphash.MakeSeed(), places: make([]cached, places)}
}

// link is f.link for an inlink of a target, cached.
func (c *cache) link(f *features, t *Target, at int) {
	in := &t.Inlinks[at]
	p := &c.places[(t.ID*MaxInlinks+uint64(at))%places]
	sum := c.sum(t.URL, in)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sum != sum {
		f.link(t.URL, in)
		p.sum, p.n, p.where = sum, int16(f.n), int16(f.where)
		copy(p.at[:], f.at[:])
		return
	}
	f.n, f.where = int(p.n), int(p.where)
	copy(f.at[:], p.at[:])
}

func (c *cache) sum(url string, in *Inlink) uint64 {
	h := maphash.String(c.seed, url)
	h = mix(h ^ maphash.String(c.seed, in.Anchor))
	h = mix(h ^ maphash.String(c.seed, in.Block))
	return mix(h^in.Tags^maphash.String(c.seed, in.SourceURL)) | 1
}

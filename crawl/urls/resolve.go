package urls

import (
	"hash/maphash"
	"math/bits"
	"strings"
	"sync"
)

// Resolver completes the links of pages and remembers what it completed: a
// site's navigation is the same fifty hrefs on every page. It is safe for
// concurrent use and keeps at most size answers (about 200 bytes each).
type Resolver struct {
	canon  *Canon
	seed   maphash.Seed
	shards [16]shard
}

// shard keeps two generations of answers: when the young one is full it
// becomes the old one and the old one is forgotten, which approximates "least
// recently used" without a list.
type shard struct {
	mu         sync.RWMutex
	young, old map[uint64]memo
	limit      int
}

// memo is an answer. It is found by a seeded hash of all that it depends on: the href, and
// nothing more when that is absolute, the origin when it is a path, else the base's
// directory (its whole path for a bare query). With its second hash that is 128 bits:
// no attacker can make two collide on purpose, and by chance they do not.
type memo struct {
	href  uint64 // hash of the href alone
	url   string
	class Class // of the URL
	err   error
}

// NewResolver returns a Resolver for a canonical form (nil: the default) that
// keeps at most size answers, at least 256.
func NewResolver(c *Canon, size int) *Resolver {
	if c == nil {
		c = defaultCanon
	}
	r := &Resolver{canon: c, seed: maphash.MakeSeed()}
	for i := range r.shards {
		r.shards[i].limit = max(size, 256) / (2 * len(r.shards))
		r.shards[i].young = make(map[uint64]memo)
	}
	return r
}

// Canonical returns the canonical form of an absolute URL under the resolver's
// settings.
func (r *Resolver) Canonical(raw string) (string, error) { return r.canon.canonical(raw) }

// Resolve completes href as written on the page (or under the <base>) at base,
// an absolute URL in canonical form (of an Address what stands before the fragment), and
// returns its canonical form. Errors
// wrap errEmpty (nothing, or a place on the same page), errScheme
// (javascript:, mailto:, tel: …) or errMalformed. A remembered answer costs
// about 0.1 µs and no allocation.
func (r *Resolver) Resolve(base, href string) (string, error) {
	m := r.resolve(base, href)
	return m.url, m.err
}

func (r *Resolver) resolve(base, href string) memo {
	href = trim(href)
	if err := fetchable(href); err != nil {
		return memo{err: err}
	}
	base = Bare(base)
	written := maphash.String(r.seed, href)
	key := written ^ bits.RotateLeft64(maphash.String(r.seed, from(base, href)), 31)
	sh := &r.shards[key&15]
	sh.mu.RLock()
	m, ok := sh.young[key]
	if !ok {
		m, ok = sh.old[key]
	}
	sh.mu.RUnlock()
	if ok && m.href == written {
		return m
	}
	m = memo{href: written}
	if m.url, ok = r.canon.fast(base, href); !ok {
		m.url, m.err = r.canon.slow(base, href)
	}
	m.class = ClassOf(m.url)
	sh.mu.Lock()
	if len(sh.young) >= sh.limit {
		sh.old, sh.young = sh.young, make(map[uint64]memo, sh.limit)
	}
	sh.young[key] = m
	sh.mu.Unlock()
	return m
}

// from returns the part of base that the completion of href depends on.
func from(base, href string) string {
	if len(href) > 7 && href[0]|0x20 == 'h' && strings.Contains(href[:8], "://") {
		return ""
	}
	if i := strings.IndexByte(base, '?'); i >= 0 {
		if href[0] == '#' {
			return base
		}
		base = base[:i]
	}
	start := strings.Index(base, "://") + 3
	if start < 3 {
		return base
	}
	switch {
	case href[0] == '?':
		return base
	case href[0] == '/':
		if i := strings.IndexByte(base[start:], '/'); i >= 0 {
			return base[:start+i]
		}
		return base
	}
	if i := strings.LastIndexByte(base, '/'); i >= start {
		return base[:i+1]
	}
	return base
}

package urls

import (
	"hash/maphash"
	"math/bits"
	"strings"
	"sync"
)

// Resolver completes the links of pages and caches the results, because a site's navigation repeats on every page.
// It is safe for concurrent use and keeps at most size results of about 200 bytes.
type Resolver struct {
	seed    maphash.Seed
	shards  [16]shard
	ignored ignored
}

// shard keeps two generations of results. A full young generation replaces the old one, which approximates LRU
// without a list.
type shard struct {
	mu         sync.RWMutex
	young, old map[uint64]memo
	limit      int
}

// memo is a cached result. Its key is a seeded hash of its inputs: href, and unless href is absolute, the origin for
// a path, the whole path of the base for a bare query, else the base's directory. With its second hash it has 128
// bits, so attackers cannot force collisions and random ones do not occur.
type memo struct {
	href  uint64 // hash of the href alone
	url   string
	class Class // of the URL
	err   error
}

// NewResolver returns a Resolver that keeps at most size results, at least 256.
func NewResolver(size int) *Resolver {
	r := &Resolver{seed: maphash.MakeSeed()}
	for i := range r.shards {
		r.shards[i].limit = max(size, 256) / (2 * len(r.shards))
		r.shards[i].young = make(map[uint64]memo)
	}
	return r
}

// Canonical returns the canonical form of an absolute URL without ignored parts.
func (r *Resolver) Canonical(raw string) (string, error) {
	u, err := Canonical(raw)
	return r.ignored.cut(u), err
}

// Resolve completes a written href against base and returns its canonical form. base is the canonical absolute URL
// of the page or its <base>; the fragment of an Address is ignored. Errors wrap errEmpty (nothing, or a place on the
// same page), errScheme (javascript:, mailto:, tel: …) or errMalformed. A cached result costs about 0.1 µs and no
// allocation.
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
		m.url = r.ignored.cut(m.url)
		return m
	}
	m = memo{href: written}
	if m.url, ok = fast(base, href); !ok {
		m.url, m.err = slow(base, href)
	}
	m.class = ClassOf(m.url)
	sh.mu.Lock()
	if len(sh.young) >= sh.limit {
		sh.old, sh.young = sh.young, make(map[uint64]memo, sh.limit)
	}
	sh.young[key] = m
	sh.mu.Unlock()
	m.url = r.ignored.cut(m.url)
	return m
}

// from returns the part of base that affects the completion of href.
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

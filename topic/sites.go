package topic

import (
	"math"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// siteUse counts for every site (a registrable domain) its pages and how many hold each word of the
// titles. It is the source of a spread. The zero value is empty; it is not safe for concurrent use.
// Most words belong to one site and cost two bytes, the number of this home site. Use by another
// site is an entry of a hash table, 8 bytes and room to grow.
type siteUse struct {
	ids   map[string]uint16 // by registrable domain
	hosts map[string]uint16 // by host; a cache
	pages []uint32          // by site: pages that count
	home  []uint16          // by term id: 1 + the site that used it first; 0: none
	away  pairTable         // by term and site: pages of sites other than home
}

const (
	maxSites  = math.MaxUint16 - 1 // further sites share the last number
	maxCached = 1 << 14            // hosts
)

// site returns the number of a page's site; pages without a URL share one.
func (u *siteUse) site(url string) uint16 {
	host := hostOf(url)
	if id, ok := u.hosts[host]; ok {
		return id
	}
	domain := Registrable(host)
	id, ok := u.ids[domain]
	if !ok {
		if u.ids == nil {
			u.ids = map[string]uint16{}
		}
		if id = uint16(min(len(u.pages), maxSites-1)); int(id) == len(u.pages) {
			u.pages = append(u.pages, 0)
			u.ids[strings.Clone(domain)] = id
		}
	}
	if u.hosts == nil || len(u.hosts) >= maxCached {
		u.hosts = map[string]uint16{}
	}
	u.hosts[strings.Clone(host)] = id
	return id
}

// hostOf returns the host of a canonical URL without port.
func hostOf(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		url = url[:i]
	}
	if strings.HasPrefix(url, "[") {
		ip, _, _ := strings.Cut(url[1:], "]")
		return ip
	}
	host, _, _ := strings.Cut(url, ":")
	return host
}

// Registrable returns the registered domain (x.edu.cn for cs.x.edu.cn). An IP address and a name
// without dots are returned as they are.
func Registrable(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// page counts another page of a site.
func (u *siteUse) page(site uint16) { u.pages[site]++ }

// Word counts another page of a site that holds a word.
func (u *siteUse) Word(id uint32, site uint16) {
	if int(id) < len(u.home) && u.home[id] == site+1 {
		return // most words of a page; only this is inlined
	}
	u.word(id, site)
}

func (u *siteUse) word(id uint32, site uint16) {
	if int(id) >= len(u.home) {
		u.home = append(u.home, make([]uint16, max(1024, int(id)+1-len(u.home)))...)
	}
	switch home := u.home[id]; home {
	case 0:
		u.home[id] = site + 1
	case site + 1:
	default:
		u.away.add(uint64(id)<<16 | uint64(site))
	}
}

// forget clears all pages and words; the sites keep their numbers.
func (u *siteUse) forget() {
	clear(u.pages)
	u.home, u.away = nil, pairTable{}
}

// spread sums the uses; df counts the pages that hold each word, of pages in all.
func (u *siteUse) spread(pages int, df []uint32) *spread {
	s := newSums(u.pages, pages, df)
	elsewhere := make([]uint32, len(df))
	u.away.each(func(key uint64, n uint32) {
		id := uint32(key >> 16)
		elsewhere[id] += n
		s.use(id, n, u.pages[uint16(key)])
	})
	for id, n := range df {
		if n > elsewhere[id] && id < len(u.home) && u.home[id] > 0 {
			s.use(uint32(id), n-elsewhere[id], u.pages[u.home[id]-1])
		}
	}
	return s.single()
}

// pairTable counts 48-bit keys in a hash table of one word an entry: the key above, a 16-bit count
// below. Larger counts are in a map.
type pairTable struct {
	at   []uint64 // (key+1)<<16 | count − 1; 0: free; length a power of two
	used int
	bits uint
	more map[uint64]uint32 // the rest of larger counts, by key
}

const (
	minPairBits = 8
	pairCount   = 1<<16 - 1
)

func (t *pairTable) add(key uint64) {
	if t.used*8 >= len(t.at)*7 {
		t.grow()
	}
	p := t.place(key)
	switch e := t.at[p]; {
	case e == 0:
		t.at[p] = (key + 1) << 16
		t.used++
	case e&pairCount < pairCount:
		t.at[p]++
	default:
		if t.more == nil {
			t.more = map[uint64]uint32{}
		}
		t.more[key]++
	}
}

// place returns the place of key, or the free place for it.
func (t *pairTable) place(key uint64) int {
	p := int(key * 0x9e3779b97f4a7c15 >> (64 - t.bits))
	for t.at[p] != 0 && t.at[p]>>16 != key+1 {
		if p++; p == len(t.at) {
			p = 0
		}
	}
	return p
}

func (t *pairTable) grow() {
	old := t.at
	t.bits = max(t.bits+1, minPairBits)
	t.at = make([]uint64, 1<<t.bits)
	for _, e := range old {
		if e != 0 {
			t.at[t.place(e>>16-1)] = e
		}
	}
}

// each calls f for every key.
func (t *pairTable) each(f func(key uint64, n uint32)) {
	for _, e := range t.at {
		if e != 0 {
			key := e>>16 - 1
			f(key, uint32(e&pairCount)+1+t.more[key])
		}
	}
}

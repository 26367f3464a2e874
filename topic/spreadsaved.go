package topic

import (
	"bufio"
	"errors"
	"maps"
	"slices"
)

// save writes a siteUse for restoreUse.
func (u *siteUse) save(w *bufio.Writer) error {
	domains := make([]string, len(u.pages))
	for domain, id := range u.ids {
		domains[id] = domain
	}
	more := slices.Sorted(maps.Keys(u.away.more))
	counts := make([]uint32, len(more))
	for i, key := range more {
		counts[i] = u.away.more[key]
	}
	return errors.Join(writeStrings(w, domains), WriteColumn(w, u.pages), WriteColumn(w, u.home),
		WriteColumn(w, u.away.at), WriteColumn(w, more), WriteColumn(w, counts))
}

// restoreUse returns the siteUse that Save wrote; term ids are below terms. r.Err reports invalid
// data. sites is the number of numbered sites.
func restoreUse(r *columnReader, terms int) (u siteUse, sites int) {
	u.ids = map[string]uint16{}
	domains := r.strings()
	u.pages, u.home, u.away.at = ReadColumn[uint32](r), ReadColumn[uint16](r), ReadColumn[uint64](r)
	more, counts := ReadColumn[uint64](r), ReadColumn[uint32](r)
	if !r.Check(len(domains) == len(u.pages) && len(domains) <= maxSites && len(more) == len(counts)) {
		return siteUse{}, 0
	}
	for id, domain := range domains {
		u.ids[domain] = uint16(id)
	}
	for _, home := range u.home {
		r.Check(int(home) <= len(u.pages))
	}
	for i, key := range more {
		if u.away.more == nil {
			u.away.more = map[uint64]uint32{}
		}
		u.away.more[key] = counts[i]
	}
	u.away.settle(r, len(u.pages), terms)
	return u, len(u.pages)
}

// settle completes a table whose entries alone are known.
func (t *pairTable) settle(r *columnReader, sites, terms int) {
	if len(t.at) == 0 {
		*t = pairTable{more: t.more}
		return
	}
	for 1<<t.bits < len(t.at) {
		t.bits++
	}
	for _, e := range t.at {
		if e != 0 {
			t.used++
			key := e>>16 - 1
			r.Check(e>>16 > 0 && int(uint16(key)) < sites && key>>16 < uint64(terms))
		}
	}
	r.Check(1<<t.bits == len(t.at) && t.bits >= minPairBits && t.used < len(t.at)) // a full table would loop for ever
}

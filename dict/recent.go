package dict

import "hash/maphash"

// recent remembers lines by a seeded 64-bit hash, in two generations. When the young one is full it
// becomes the old one, and repeated lines move over. A line on every page is never forgotten.
type recent struct {
	seed       maphash.Seed
	young, old map[uint64]struct{}
}

// maxRecent bounds one generation, some 5 MB.
const maxRecent = 1 << 17

// add reports whether line is new.
func (r *recent) add(line string) bool {
	h := maphash.String(r.seed, line)
	if _, ok := r.young[h]; ok {
		return false
	}
	_, known := r.old[h]
	if r.young == nil || len(r.young) >= maxRecent {
		r.old, r.young = r.young, make(map[uint64]struct{}, 1024)
	}
	r.young[h] = struct{}{}
	return !known
}

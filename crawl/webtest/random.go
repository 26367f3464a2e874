package webtest

// random is a splitmix64 stream with eight bytes of state, one per page.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return finish(uint64(*r))
}

// below returns a number in [0, n); n must be positive.
func (r *random) below(n int) int { return int((r.next() >> 33) * uint64(n) >> 31) }

func finish(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// mix hashes a and b into one key.
func mix(a, b uint64) uint64 { return finish(a*0x9e3779b97f4a7c15 + finish(b+0x632be59bd9b4e019)) }

// hashString is FNV-1a, defined here so that no library can change a web.
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return finish(h)
}

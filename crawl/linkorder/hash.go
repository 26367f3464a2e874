package linkorder

// The hashes of this package are equal in every process, because saved state uses them. They do not resist chosen
// collisions. A hostile page can at most make two features share a weight.

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hashByte continues an FNV-1a hash.
func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * fnvPrime }

// hashRune continues a hash with a whole rune.
func hashRune(h uint64, r rune) uint64 { return (h ^ uint64(r)) * fnvPrime }

// hashString hashes a string, eight bytes at a time.
func hashString(s string) uint64 {
	h := fnvOffset ^ uint64(len(s))
	for len(s) >= 8 {
		h = (h ^ word(s)) * fnvPrime
		h ^= h >> 32 // a product's low bits depend only on the factors' low bits
		s = s[8:]
	}
	for i := range len(s) {
		h = hashByte(h, s[i])
	}
	return h
}

// word returns the first eight bytes of a string.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// mix spreads every bit over the word (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

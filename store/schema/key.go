package schema

import (
	"crypto/sha256"
	"encoding/binary"
)

// Key is a 128-bit fingerprint of a canonical URL or a body: the first half of its SHA-256. P1 uses
// MD5; under MD5 a hostile site can make two URLs collide and hide one of them.
type Key [16]byte

// KeyOf fingerprints a canonical URL or a body.
func KeyOf[T ~string | ~[]byte](x T) Key {
	sum := sha256.Sum256([]byte(x))
	return Key(sum[:16])
}

// IDKey returns a URL id as a bbolt key: big endian, so that ids sort in order of discovery and new
// rows are appended to the last leaf.
func IDKey(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

func KeyID(k []byte) uint64 { return binary.BigEndian.Uint64(k) }

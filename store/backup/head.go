package backup

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"

	"angler/store"
)

// headBytes is how much of a database checkHead looks at.
const headBytes = 1 << 17

// checkHead verifies the first bytes of a copied database of so many bytes: one
// of its two meta pages must be valid and speak of no more than there is.
func checkHead(head []byte, size int64) error {
	// A page begins with 16 bytes of header. The meta page goes on with magic,
	// version, page size, flags (4 bytes each), root (16), freelist, page count,
	// transaction and checksum (8 each), in the byte order of the machine; bbolt
	// refuses files of the other one.
	const pageHeader, metaBytes = 16, 64
	order := binary.NativeEndian
	for page, at := int64(0), int64(0); page < 2; page++ {
		if int64(len(head)) < at+pageHeader+metaBytes {
			break
		}
		meta := head[at+pageHeader:][:metaBytes]
		pageSize := int64(order.Uint32(meta[8:]))
		sum := fnv.New64a()
		sum.Write(meta[:56])
		if order.Uint32(meta) == 0xED0CDAED && order.Uint64(meta[56:]) == sum.Sum64() && int64(order.Uint64(meta[40:]))*pageSize <= size {
			return nil
		}
		at += max(int64(os.Getpagesize()), pageHeader+metaBytes)
	}
	return fmt.Errorf("%w: the copy has no valid meta page", store.ErrDamaged)
}

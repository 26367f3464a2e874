package sitemap

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// maxLayers is the maximum number of nested gzip layers: a packed file, packed again in transfer.
const maxLayers = 2

// unpack undoes gzip and returns at most limit bytes; cut reports that there were more. A broken stream yields its
// readable part.
func unpack(body []byte, limit int) (out []byte, cut bool) {
	for range maxLayers {
		if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
			break
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			break
		}
		body, _ = io.ReadAll(io.LimitReader(z, int64(limit)+1))
		if len(body) > limit {
			break
		}
	}
	if len(body) > limit {
		return body[:limit], true
	}
	return body, false
}

package sitemap

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// maxLayers bounds gzip within gzip: a packed file, packed again on its way.
const maxLayers = 2

// unpack returns at most limit bytes of what a body holds once gzip is undone,
// and whether there was more. A broken stream gives what could be read.
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

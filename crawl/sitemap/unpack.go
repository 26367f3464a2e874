package sitemap

import (
	"angler/crawl/htmldoc"
)

// maxLayers is the maximum number of nested gzip layers: a packed file, packed again in transfer.
const maxLayers = 2

// unpack undoes gzip and returns at most limit bytes; cut reports that there were more. A broken stream yields its
// readable part.
func unpack(body []byte, limit int) (out []byte, cut bool) {
	for range maxLayers {
		body, _ = htmldoc.Inflate(body, int64(limit)+1)
	}
	if len(body) > limit {
		return body[:limit], true
	}
	return body, false
}

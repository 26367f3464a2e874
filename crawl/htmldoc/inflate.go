package htmldoc

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
)

// Inflate decompresses a body that is compressed without a declaration, up to limit bytes; cut
// reports that there was more. It returns any other body unchanged. Of a broken stream it returns
// the readable part.
func Inflate(body []byte, limit int64) (out []byte, cut bool) {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b, 8}):
		r, err = gzip.NewReader(bytes.NewReader(body))
	case bytes.HasPrefix(body, []byte{0x78, 0x9c}), bytes.HasPrefix(body, []byte{0x78, 0xda}):
		r, err = zlib.NewReader(bytes.NewReader(body))
	default:
		return body, false
	}
	if err != nil {
		return body, false
	}
	// A broken stream ends early; the part before is still the page.
	out, _ = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(out)) > limit {
		return out[:limit], true
	}
	return out, false
}

package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Bodies are collected in pooled buffers and copied out at their exact size. A server's
// Content-Length may lie, and growing a slice from nothing copies a page five times. Buffers above
// keepBuffer are left to the collector.
var bufferPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keepBuffer = 1 << 20

// maxLayers bounds stacked Content-Encodings: one on the wire, one by a proxy that compressed a
// compressed body.
const maxLayers = 2

// readBody reads and decompresses a response's body and returns at most limit decoded bytes.
// truncated means that there were more. After a broken transfer it keeps the received part, as
// browsers do; broken is the error, nil for a complete body. Bytes from the wire are bounded, too,
// so a stream that decompresses to nothing ends. It does not close the body.
func readBody(res *http.Response, path string, limit int) (body []byte, truncated bool, broken, err error) {
	if res.Body == nil || res.Body == http.NoBody || res.ContentLength == 0 {
		return nil, false, nil, nil
	}
	wire := &io.LimitedReader{R: res.Body, N: int64(limit) + 64<<10}
	u := unpacker{r: wire}
	defer u.release()
	if err := u.undo(res.Header, path); err != nil {
		if err == io.EOF { // an empty body, whatever its declared encoding
			return nil, false, nil, nil
		}
		return nil, false, nil, err
	}
	buf := bufferPool.Get().(*bytes.Buffer)
	buf.Reset()
	n, err := buf.ReadFrom(io.LimitReader(u.r, int64(limit)+1))
	switch {
	case n > int64(limit):
		truncated, err = true, nil
		buf.Truncate(limit)
	case err != nil && wire.N <= 0:
		// Our own bound cut a compressed stream short, not the server.
		truncated, err = true, nil
	case errors.Is(err, gzip.ErrHeader) && n > 0:
		// Padding after a gzip stream, which every browser accepts.
		err = nil
	case n > 0 && breaks(err):
		broken, err = err, nil
	}
	if err == nil {
		body = bytes.Clone(buf.Bytes())
	}
	if buf.Cap() <= keepBuffer {
		bufferPool.Put(buf)
	}
	return body, truncated, broken, err
}

// breaks reports whether a transfer ended early or decompresses wrongly. A timeout is no break: the
// reply may be complete next time, and browsers have no such limit.
func breaks(err error) bool {
	var late net.Error
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) &&
		!(errors.As(err, &late) && late.Timeout())
}

// brokenWhy describes a broken transfer in a few words.
func brokenWhy(err error) string {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zlib.ErrChecksum):
		return "its checksum is wrong"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ended early"
	case errors.As(err, &corrupt) || errors.Is(err, errPacked):
		return "its compression is broken"
	}
	return "the connection broke"
}

// unpacker stacks decoders on r and returns the costly ones to their pool.
type unpacker struct {
	r     io.Reader
	gzips []*gzip.Reader
	zstds []*zstd.Decoder
}

var gzipPool sync.Pool // of *gzip.Reader: its window and tables are 40 KB

func (u *unpacker) release() {
	for _, z := range u.gzips {
		gzipPool.Put(z)
	}
	for _, z := range u.zstds {
		z.Close()
	}
}

// undo decodes the Content-Encoding, and the gzip of files that are gzip by name (sitemap.xml.gz)
// or type, as colly does.
func (u *unpacker) undo(h http.Header, path string) error {
	var layers []string
	if e := h.Get("Content-Encoding"); e != "" {
		layers = strings.Split(strings.ToLower(e), ",")
	}
	if len(layers) > maxLayers {
		return fmt.Errorf("%d content encodings", len(layers))
	}
	for i := len(layers) - 1; i >= 0; i-- {
		var err error
		switch name := strings.TrimSpace(layers[i]); name {
		case "", "identity", "none":
		case "gzip", "x-gzip":
			err = u.gunzip()
		case "deflate":
			u.r, err = inflate(bufio.NewReader(u.r))
		case "br", "zstd": // never asked for, but some servers send them anyhow
			err = u.unpack(name)
		case "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "aes128gcm", "sdch":
			return fmt.Errorf("content encoding %q was not asked for and cannot be read", name)
		default: // no encoding but a mistake, mostly a charset; browsers ignore it, too
		}
		if err != nil {
			return err
		}
	}
	if strings.HasSuffix(strings.ToLower(path), ".xml.gz") ||
		strings.Contains(strings.ToLower(h.Get("Content-Type")), "gzip") {
		return u.gunzip()
	}
	return nil
}

// gunzip puts a gzip reader on u.r. Data that is declared gzip but has no gzip header passes
// unchanged: some servers declare it by mistake.
func (u *unpacker) gunzip() error {
	r := bufio.NewReader(u.r)
	u.r = r
	if magic, _ := r.Peek(2); len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		return nil
	}
	z, ok := gzipPool.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	if err := z.Reset(r); err != nil {
		return err
	}
	u.gzips = append(u.gzips, z)
	u.r = z
	return nil
}

// maxZstdWindow bounds the memory of a zstd stream; RFC 8878, section 3.1.1.1.2, asks decoders for
// at least this much.
const maxZstdWindow = 8 << 20

// errPacked marks errors of the decoders of unpack, except an early end.
var errPacked = errors.New("cannot be decompressed")

// unpack puts a decoder of brotli or zstd on u.r.
func (u *unpacker) unpack(name string) error {
	r := bufio.NewReader(u.r)
	if _, err := r.Peek(1); err != nil {
		return err
	}
	if name == "br" {
		u.r = marked{brotli.NewReader(r)}
		return nil
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return err
	}
	u.zstds = append(u.zstds, z)
	u.r = marked{z}
	return nil
}

// marked adds errPacked to the errors of a decoder.
type marked struct{ r io.Reader }

func (m marked) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: %w", errPacked, err)
	}
	return n, err
}

// inflate decodes "deflate", which servers send with and without the zlib wrapper that RFC 9110
// section 8.4.1.2 requires.
func inflate(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(2)
	if len(head) == 0 {
		return nil, err
	}
	switch {
	case len(head) < 2:
	case head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0:
		return zlib.NewReader(r)
	case head[0] == '<' && (head[1] == '!' || head[1] == '?' || head[1]|0x20 >= 'a' && head[1]|0x20 <= 'z'):
		return r, nil // an uncompressed page
	}
	return flate.NewReader(r), nil
}

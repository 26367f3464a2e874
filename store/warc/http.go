package warc

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds of an HTTP head inside a record.
const (
	maxHTTPHead   = 256 << 10
	maxHTTPFields = 1000
)

// Answer is a stored HTTP response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // without transfer and content encoding
	Cut    bool   // the body exceeded the limit, or its encoding is damaged
}

// Errors of blocks.
var (
	errNoHTTP   = errors.New("the block holds no HTTP response")
	errHTTPHead = fmt.Errorf("the head of the HTTP response is longer than %d KB or %d fields", maxHTTPHead>>10,
		maxHTTPFields)
)

// ReadAnswer reads the block of a response record: the status line, the header, and at most most
// bytes of the body.
func ReadAnswer(block io.Reader, most int) (*Answer, error) {
	r := bufio.NewReader(block)
	head, err := httpHead(r)
	if err != nil {
		return nil, err
	}
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	parts := strings.Fields(string(line))
	if len(parts) < 2 || !strings.HasPrefix(parts[0], "HTTP/") && parts[0] != "ICY" {
		return nil, errNoHTTP
	}
	a := &Answer{Header: http.Header{}}
	if a.Status, err = strconv.Atoi(parts[1]); err != nil || a.Status < 100 || a.Status > 999 {
		return nil, fmt.Errorf("the HTTP response has the status %.20q", parts[1])
	}
	last := ""
	n := 0
	for line := range strings.Lines(string(rest)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		if n++; n > maxHTTPFields {
			return nil, errHTTPHead
		}
		if line[0] == ' ' || line[0] == '\t' {
			if v := a.Header[last]; len(v) > 0 {
				v[len(v)-1] += " " + strings.TrimSpace(line)
			}
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok { // lines that are not fields are skipped, as browsers do
			last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
			a.Header[last] = append(a.Header[last], strings.TrimSpace(value))
		}
	}
	a.Body, a.Cut, err = decoded(r, a.Header, most)
	return a, err
}

// httpHead reads up to the empty line.
func httpHead(r *bufio.Reader) ([]byte, error) {
	var head []byte
	for {
		line, err := r.ReadSlice('\n')
		if len(head)+len(line) > maxHTTPHead {
			return nil, errHTTPHead
		}
		head = append(head, line...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(head) > 0:
			return head, nil // a head without body
		case err != nil:
			return nil, errNoHTTP
		case len(bytes.TrimRight(line, "\r\n")) == 0 && len(bytes.TrimSpace(head)) > 0:
			return head, nil
		}
	}
}

// decoded reads a body and removes its transfer and content encodings. In some archives the fields
// do not match the body: a body without the claimed encoding is taken as it is.
func decoded(r *bufio.Reader, h http.Header, most int) (body []byte, cut bool, err error) {
	var in io.Reader = r
	if strings.Contains(strings.ToLower(h.Get("Transfer-Encoding")), "chunked") && chunked(r) {
		in = httputil.NewChunkedReader(r)
	}
	encodings := strings.Split(strings.ToLower(strings.Join(h.Values("Content-Encoding"), ",")), ",")
	if len(encodings) > 4 {
		return nil, false, fmt.Errorf("the body is encoded %d times", len(encodings))
	}
	for i := len(encodings) - 1; i >= 0; i-- {
		b := bufio.NewReader(in)
		if in, err = decoder(b, strings.TrimSpace(encodings[i])); err != nil {
			return nil, false, err
		}
	}
	body, err = io.ReadAll(io.LimitReader(in, int64(most)+1))
	switch {
	case len(body) > most:
		return body[:most], true, nil
	case err != nil && len(body) == 0:
		return nil, false, fmt.Errorf("the body cannot be decoded: %v", readable(err))
	}
	return body, err != nil, nil
}

// decoder undoes one content encoding.
func decoder(b *bufio.Reader, encoding string) (io.Reader, error) {
	magic, _ := b.Peek(4)
	switch encoding {
	case "", "identity", "none":
		return b, nil
	case "gzip", "x-gzip":
		if len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
			return b, nil
		}
		return gzip.NewReader(b)
	case "deflate":
		if len(magic) >= 2 && magic[0]&0x0f == 8 && (int(magic[0])<<8|int(magic[1]))%31 == 0 {
			return zlib.NewReader(b)
		}
		return flate.NewReader(b), nil
	case "zstd":
		if len(magic) < 4 || magic[0] != 0x28 || magic[1] != 0xb5 {
			return b, nil
		}
		d, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, err
		}
		return d, nil
	}
	return nil, fmt.Errorf("the content encoding %.20q is not read", encoding)
}

// chunked reports whether the size of a chunk follows.
func chunked(r *bufio.Reader) bool {
	line, _ := r.Peek(20)
	line, _, found := bytes.Cut(line, []byte("\n"))
	line, _, _ = bytes.Cut(bytes.TrimSpace(line), []byte(";"))
	_, err := strconv.ParseUint(strings.TrimSpace(string(line)), 16, 63)
	return found && err == nil
}

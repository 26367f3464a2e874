package warc

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Writer writes records. Each is compressed by itself, so that it can be read from its offset. It
// is for one goroutine.
type Writer struct {
	w      io.Writer
	zip    *gzip.Writer
	offset int64
	buf    bytes.Buffer
}

// NewWriter returns a writer of compressed records.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, zip: gzip.NewWriter(nil)}
}

// NewID returns the id of a new record.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// dateOf formats a time for WARC.
func dateOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// Digest returns the digest of a block or payload in the form of WARC.
func Digest(b []byte) string {
	h := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(h[:])
}

// Write writes a record of a type and returns its offset and length in the file. It adds the fields
// that every record has (type, length, digest of the block); id and at become WARC-Record-ID and
// WARC-Date.
func (x *Writer) Write(kind, id string, at time.Time, block []byte, fields ...Field) (offset, length int64, err error) {
	x.buf.Reset()
	fmt.Fprintf(&x.buf, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Date: %s\r\n", kind, id, dateOf(at))
	for _, f := range fields {
		if f.Value != "" {
			fmt.Fprintf(&x.buf, "%s: %s\r\n", f.Name, oneLine(f.Value))
		}
	}
	fmt.Fprintf(&x.buf, "WARC-Block-Digest: %s\r\nContent-Length: %d\r\n\r\n", Digest(block), len(block))
	out := &counting{w: x.w}
	x.zip.Reset(out)
	for _, b := range [][]byte{x.buf.Bytes(), block, []byte("\r\n\r\n")} {
		if _, err := x.zip.Write(b); err != nil {
			return 0, 0, err
		}
	}
	if err := x.zip.Close(); err != nil {
		return 0, 0, err
	}
	offset = x.offset
	x.offset += out.n
	return offset, out.n, nil
}

// oneLine removes line ends from a value.
func oneLine(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}

// Lines encodes fields as a block of application/warc-fields.
func Lines(fields ...Field) []byte {
	var b bytes.Buffer
	for _, f := range fields {
		if f.Value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", f.Name, oneLine(f.Value))
		}
	}
	return b.Bytes()
}

// ReadLines reads at most 64 KB of a block of application/warc-fields; lines that are not fields
// are skipped.
func ReadLines(block io.Reader) fields {
	b, _ := io.ReadAll(io.LimitReader(block, maxHead))
	var fields fields
	for line := range bytes.Lines(b) {
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && len(fields) < maxFields {
			fields = append(fields, Field{string(bytes.TrimSpace(name)), string(bytes.TrimSpace(value))})
		}
	}
	return fields
}

// counting counts the bytes written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

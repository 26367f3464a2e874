// Package warc reads and writes web archives (WARC 1.1, ISO 28500). Each record is compressed by
// itself, or none is.
//
// Archives come from strangers or were cut off by a full disk. So a reader streams, holds the
// bounded head of one record at a time, and reports a fault with its record and byte; everything
// before it is sound. The package is our own, because the maintained library spools bodies of any
// size into temporary files and brings an HTTP client.
package warc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Bounds of a record's head.
const (
	maxHead   = 64 << 10 // bytes
	maxFields = 500
)

// ErrBroken is the error of a reader if a file violates the format or ends too early. It is wrapped
// with the record and the fault.
var ErrBroken = errors.New("the archive is broken")

// The known types of records.
const (
	Info     = "warcinfo"
	Request  = "request"
	Response = "response"
	Resource = "resource"
	Metadata = "metadata"
	Revisit  = "revisit"
)

// Field is one named field of a record's head.
type Field struct{ Name, Value string }

// fields are the head of a record, in order.
type fields []Field

// Get returns the first field of a name, in any case; "" if there is none.
func (f fields) Get(name string) string {
	for i := range f {
		if strings.EqualFold(f[i].Name, name) {
			return f[i].Value
		}
	}
	return ""
}

// Record is one record of an archive.
type Record struct {
	Fields fields
	Type   string    // one of the types, in small letters
	Target string    // its address; "": none
	ID     string    // as written: <urn:uuid:…>
	At     time.Time // when it was captured; zero: unknown
	Length int64     // of the block, in bytes

	// Block is the content. It is valid until the next call of Next and may be left unread.
	Block io.Reader
}

// reader reads records in order. It is for one goroutine.
type reader struct {
	raw   *counted
	r     *bufio.Reader
	zip   *gzip.Reader
	n     int // records started
	block io.LimitedReader
	begun bool
	err   error
}

// counted counts the bytes read of a file.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// NewReader reads an archive, compressed or not.
func NewReader(r io.Reader) (*reader, error) {
	x := &reader{raw: &counted{r: r}}
	in := bufio.NewReaderSize(x.raw, 1<<16)
	magic, err := in.Peek(2)
	switch {
	case err == io.EOF && len(magic) == 0:
		return nil, fmt.Errorf("%w: the file is empty", ErrBroken)
	case len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		// The gzip members are read as one stream: the previous record tells where a record begins, and
		// some programs compress a whole file at once.
		if x.zip, err = gzip.NewReader(in); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrBroken, err)
		}
		x.r = bufio.NewReaderSize(x.zip, 1<<16)
	default:
		x.r = in
	}
	return x, nil
}

// Next returns the next record. It returns io.EOF after the last one, and ErrBroken if the file is
// unreadable from here. After an error do not call it again.
func (x *reader) Next() (*Record, error) {
	if x.err != nil {
		return nil, x.err
	}
	rec, err := x.next()
	if err != nil {
		x.err = err
		return nil, err
	}
	return rec, nil
}

func (x *reader) broken(format string, args ...any) error {
	return fmt.Errorf("%w: record %d, near byte %d: %s", ErrBroken, max(x.n, 1), x.raw.n, fmt.Sprintf(format, args...))
}

func (x *reader) next() (*Record, error) {
	if x.begun {
		if _, err := io.Copy(io.Discard, &x.block); err != nil {
			return nil, x.broken("%v", readable(err))
		}
		if x.block.N > 0 {
			return nil, x.broken("the file ends %d bytes before the record does", x.block.N)
		}
	}
	// Two line ends follow a block; some writers omit them or add more.
	blank := 0
	for {
		line, err := x.line()
		switch {
		case err == io.EOF && line == "":
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case line == "" && blank < 8:
			blank++
			continue
		}
		version, ok := strings.CutPrefix(line, "WARC/")
		if !ok {
			what := "no record begins here"
			if x.n > 0 {
				what = "no record begins behind this one; its length is wrong, or it is damaged"
			} else if !printable(line) {
				what = "this is no WARC file"
			}
			return nil, x.broken("%s", what)
		}
		x.n++
		if !strings.HasPrefix(version, "1.") && !strings.HasPrefix(version, "0.1") {
			return nil, x.broken("version %.20q is unknown", version)
		}
		break
	}
	fields, err := x.head()
	if err != nil {
		return nil, err
	}
	rec := &Record{Fields: fields, Type: strings.ToLower(fields.Get("WARC-Type")), ID: fields.Get("WARC-Record-ID")}
	rec.Target = strings.TrimSuffix(strings.TrimPrefix(fields.Get("WARC-Target-URI"), "<"), ">") // wget and others put brackets around
	rec.At, _ = time.Parse(time.RFC3339Nano, fields.Get("WARC-Date"))
	length := fields.Get("Content-Length")
	if rec.Length, err = strconv.ParseInt(strings.TrimSpace(length), 10, 64); err != nil || rec.Length < 0 {
		return nil, x.broken("its Content-Length is %.40q", length)
	}
	x.begun, x.block = true, io.LimitedReader{R: x.r, N: rec.Length}
	rec.Block = &x.block
	return rec, nil
}

// head reads the fields of a record.
func (x *reader) head() (fields, error) {
	var fields fields
	for size := 0; ; {
		line, err := x.line()
		switch {
		case err == io.EOF:
			return nil, x.broken("the file ends in the record's head")
		case err != nil:
			return nil, err
		case line == "":
			return fields, nil
		}
		if size += len(line); size > maxHead || len(fields) >= maxFields {
			return nil, x.broken("its head is longer than %d KB or %d fields", maxHead>>10, maxFields)
		}
		if (line[0] == ' ' || line[0] == '\t') && len(fields) > 0 { // a continuation of the previous line
			fields[len(fields)-1].Value += " " + strings.TrimSpace(line)
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, x.broken("its head has the line %.60q", line)
		}
		fields = append(fields, Field{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
}

// line reads a line without its end; at the end of the file it returns the last text with io.EOF.
func (x *reader) line() (string, error) {
	var line []byte
	for {
		part, err := x.r.ReadSlice('\n')
		if len(line)+len(part) > maxHead {
			if x.n == 0 {
				return "", x.broken("this is no WARC file")
			}
			return "", x.broken("a line is longer than %d KB", maxHead>>10)
		}
		line = append(line, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			return strings.TrimRight(string(line), "\r\n"), io.EOF
		case err != nil:
			return "", x.broken("%v", readable(err))
		}
		return strings.TrimRight(string(line), "\r\n"), nil
	}
}

// readable puts a read error into plain words.
func readable(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends too early")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return errors.New("its compression is damaged")
	}
	return err
}

func printable(s string) bool {
	for i := range min(len(s), 100) {
		if s[i] < ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}

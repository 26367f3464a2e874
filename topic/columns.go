package topic

import (
	"bufio"
	"encoding/binary"
	"errors"
)

// This file encodes columns of numbers: a length and the numbers, little endian. A columnReader
// trusts no length: it allocates at most the bytes it was given, and after the first invalid value
// it returns nothing more.

// columnNumber is an element of a column.
type columnNumber interface {
	bool | uint8 | uint16 | uint32 | uint64
}

// columnBlock is how many numbers are converted at a time.
const columnBlock = 1 << 13

// WriteColumn writes a column. It returns the first error of w.
func WriteColumn[T columnNumber](w *bufio.Writer, column []T) error {
	err := writeLength(w, len(column))
	var buf []byte
	for at := 0; at < len(column) && err == nil; at += columnBlock {
		if buf, err = binary.Append(buf[:0], binary.LittleEndian,
			column[at:min(at+columnBlock, len(column))]); err == nil {
			_, err = w.Write(buf)
		}
	}
	return err
}

// writeLength starts a column of n bytes, which the caller writes.
func writeLength(w *bufio.Writer, n int) error {
	_, err := w.Write(binary.AppendUvarint(nil, uint64(n)))
	return err
}

// writeStrings writes a column of strings.
func writeStrings(w *bufio.Writer, column []string) error {
	lengths, text := make([]uint32, len(column)), []byte(nil)
	for i, s := range column {
		lengths[i] = uint32(len(s))
		text = append(text, s...)
	}
	return errors.Join(WriteColumn(w, lengths), WriteColumn(w, text))
}

// columnReader reads columns in the order of writing.
type columnReader struct {
	b   []byte
	bad bool
}

// errColumns means that bytes are not columns, or are inconsistent.
var errColumns = errors.New("columns do not decode")

// NewColumnReader reads b, which must not change.
func NewColumnReader(b []byte) *columnReader { return &columnReader{b: b} }

// Err returns errColumns after an invalid value, after a failed Check, or if bytes are left.
func (r *columnReader) Err() error {
	if r.bad || len(r.b) > 0 {
		return errColumns
	}
	return nil
}

// Check records that the columns are inconsistent unless ok, and reports whether they have been
// consistent so far.
func (r *columnReader) Check(ok bool) bool {
	r.bad = r.bad || !ok
	return !r.bad
}

// length reads the count of numbers of size bytes that follow.
func (r *columnReader) length(size int) int {
	n, used := binary.Uvarint(r.b)
	if !r.Check(used > 0 && n <= uint64(len(r.b)-max(used, 0))/uint64(size)) {
		return 0
	}
	r.b = r.b[used:]
	return int(n)
}

// ReadColumn reads a column; nil after an error.
func ReadColumn[T columnNumber](r *columnReader) []T {
	var one T
	size := binary.Size(one)
	n := r.length(size)
	if r.bad {
		return nil
	}
	column := make([]T, n)
	_, err := binary.Decode(r.b[:n*size], binary.LittleEndian, column)
	r.Check(err == nil)
	r.b = r.b[n*size:]
	return column
}

// bytes reads a column of bytes in place.
func (r *columnReader) bytes() []byte {
	n := r.length(1)
	if r.bad {
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

// strings reads a column of strings.
func (r *columnReader) strings() []string {
	lengths, text := ReadColumn[uint32](r), string(r.bytes())
	column := make([]string, len(lengths))
	for i, n := range lengths {
		if !r.Check(uint64(n) <= uint64(len(text))) {
			return nil
		}
		column[i], text = text[:n], text[n:]
	}
	r.Check(text == "")
	return column
}

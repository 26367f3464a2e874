package store

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
)

// chunkBytes is the size of the rows that share a checksum and are in memory together.
const chunkBytes = 1 << 18

// checkpointRow is a row that writeCheckpointRows has written.
type checkpointRow struct {
	ID    uint64
	Value []byte // valid until the next row
}

// writeCheckpointRows writes rows, ascending by id, as a part for checkpointReader.Rows: chunks of
// rows, each after its length and checksum.
func writeCheckpointRows(w *bufio.Writer, rows iter.Seq2[checkpointRow, error]) error {
	var chunk []byte
	flush := func() error {
		h := order.AppendUint32(order.AppendUint32(nil, uint32(len(chunk))), crc32.Checksum(chunk, castagnoli))
		_, _ = w.Write(h) // a bufio.Writer keeps its first error
		_, err := w.Write(chunk)
		chunk = chunk[:0]
		return err
	}
	last := uint64(0)
	for row, err := range rows {
		if err != nil {
			return err
		}
		chunk = binary.AppendUvarint(binary.AppendUvarint(chunk, row.ID-last), uint64(len(row.Value)))
		chunk = append(chunk, row.Value...)
		last = row.ID
		if len(chunk) >= chunkBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// Rows yields the rows of a part that writeCheckpointRows has written, chunk by chunk. Damage ends
// it with errNoCheckpoint.
func (c *checkpointReader) Rows(name string) iter.Seq2[checkpointRow, error] {
	return func(yield func(checkpointRow, error) bool) {
		if err := c.rows(name, func(r checkpointRow) bool { return yield(r, nil) }); err != nil {
			yield(checkpointRow{}, err)
		}
	}
}

func (c *checkpointReader) rows(name string, yield func(checkpointRow) bool) error {
	p, ok := c.parts[name]
	if !ok {
		return fmt.Errorf("%w: part %q is missing", errNoCheckpoint, name)
	}
	damaged := fmt.Errorf("%w: part %q is damaged", errNoCheckpoint, name)
	var h [8]byte
	var b []byte
	for id := uint64(0); p.size > 0; {
		if p.size < int64(len(h)) {
			return damaged
		}
		if err := c.at(h[:], p.at); err != nil {
			return err
		}
		n := int64(order.Uint32(h[:]))
		p.at, p.size = p.at+int64(len(h)), p.size-int64(len(h))
		if n > p.size {
			return damaged
		}
		if int64(cap(b)) < n {
			b = make([]byte, n)
		}
		b = b[:n]
		if err := c.at(b, p.at); err != nil {
			return err
		}
		if crc32.Checksum(b, castagnoli) != order.Uint32(h[4:]) {
			return damaged
		}
		p.at, p.size = p.at+n, p.size-n
		for rest := b; len(rest) > 0; {
			step, i := binary.Uvarint(rest)
			size, j := binary.Uvarint(rest[max(i, 0):])
			if i <= 0 || j <= 0 || size > uint64(len(rest)-i-j) {
				return damaged
			}
			id += step
			rest = rest[i+j:]
			if !yield(checkpointRow{id, rest[:size:size]}) {
				return nil
			}
			rest = rest[size:]
		}
	}
	return nil
}

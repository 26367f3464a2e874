package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"angler/store/config"
	"angler/store/modes"
)

// This file stores in one file the data that opening a workspace would gather from scattered rows.
// It is read in one pass.
//
// A checkpoint has a name, which the database holds too, and parts that their owners write and
// read. It is a cache: a file that is damaged, cut off, of another format or another name is
// ignored. Lengths are checked against the file before anything is allocated for them.

// checkpointName identifies the checkpoint in a file.
type checkpointName [16]byte

// CheckpointPart is one part of a checkpoint to be written.
type CheckpointPart struct {
	Name  string
	Write func(w *bufio.Writer) error
}

// errNoCheckpoint means that a file is another checkpoint, or is damaged.
var errNoCheckpoint = errors.New("no checkpoint of this database")

// The file: magic, name, parts, directory, and a trailer of fixed length that locates the
// directory. The magic holds the version of the program, because another version may read pages
// differently.
const (
	magic          = "angler checkpoint 1 of " + config.Version + "\n"
	checkpointHead = len(magic) + len(checkpointName{})
	trailer        = 8 + 4 // length of the directory, checksum of directory and head
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	order      = binary.LittleEndian
)

// place locates a part.
type place struct {
	at, size int64
	sum      uint32
}

// writeCheckpoint replaces the checkpoint at path in one step; after an error the old file is still
// there.
func writeCheckpoint(path string, name checkpointName, parts ...CheckpointPart) error {
	temporary := func(dir string) (*os.File, error) { return os.CreateTemp(dir, filepath.Base(path)+".*") }
	return modes.Whole(path, true, temporary, func(f *os.File) error {
		first := append([]byte(magic), name[:]...)
		if _, err := f.Write(first); err != nil {
			return err
		}
		at := int64(len(first))
		var directory []byte
		for _, p := range parts {
			out := &summed{w: f}
			w := bufio.NewWriterSize(out, 1<<18)
			if err := errors.Join(p.Write(w), w.Flush()); err != nil {
				return err
			}
			directory = append(binary.AppendUvarint(directory, uint64(len(p.Name))), p.Name...)
			directory = order.AppendUint64(order.AppendUint64(directory, uint64(at)), uint64(out.n))
			directory = order.AppendUint32(directory, out.sum)
			at += out.n
		}
		sum := crc32.Update(crc32.Checksum(first, castagnoli), castagnoli, directory)
		_, err := f.Write(order.AppendUint32(order.AppendUint64(directory, uint64(len(directory))), sum))
		return err
	})
}

// summed counts and checksums the bytes written.
type summed struct {
	w   io.Writer
	n   int64
	sum uint32
}

func (s *summed) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.n += int64(n)
	s.sum = crc32.Update(s.sum, castagnoli, b[:n])
	return n, err
}

// checkpointReader is an open checkpoint. It is safe for concurrent use.
type checkpointReader struct {
	f     *os.File
	parts map[string]place
}

// openCheckpoint opens the checkpoint at path. The error is errNoCheckpoint if the file has another
// name.
func openCheckpoint(path string, name checkpointName) (*checkpointReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	c := &checkpointReader{f: f, parts: map[string]place{}}
	if err := c.read(name); err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

// read reads the head and the directory.
func (c *checkpointReader) read(name checkpointName) error {
	st, err := c.f.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	end := st.Size() - trailer
	if end < int64(checkpointHead) {
		return fmt.Errorf("%w: it is too short", errNoCheckpoint)
	}
	first, last := make([]byte, checkpointHead), make([]byte, trailer)
	if err := errors.Join(c.at(first, 0), c.at(last, end)); err != nil {
		return err
	}
	if string(first[:len(magic)]) != magic {
		return fmt.Errorf("%w: it is of another form", errNoCheckpoint)
	}
	if checkpointName(first[len(magic):]) != name {
		return fmt.Errorf("%w: its name is another", errNoCheckpoint)
	}
	n := order.Uint64(last)
	if n > uint64(end)-uint64(checkpointHead) {
		return fmt.Errorf("%w: it is cut off", errNoCheckpoint)
	}
	end -= int64(n)
	b := make([]byte, n)
	if err := c.at(b, end); err != nil {
		return err
	}
	if crc32.Update(crc32.Checksum(first, castagnoli), castagnoli, b) != order.Uint32(last[8:]) {
		return fmt.Errorf("%w: its directory is damaged", errNoCheckpoint)
	}
	for len(b) > 0 {
		n, used := binary.Uvarint(b)
		if used <= 0 || n > uint64(len(b)-used) || uint64(len(b)-used)-n < 20 {
			return fmt.Errorf("%w: its directory does not decode", errNoCheckpoint)
		}
		part := string(b[used : used+int(n)])
		b = b[used+int(n):]
		at, size := order.Uint64(b), order.Uint64(b[8:])
		if at < uint64(checkpointHead) || at > uint64(end) || size > uint64(end)-at {
			return fmt.Errorf("%w: part %q reaches out of it", errNoCheckpoint, part)
		}
		c.parts[part] = place{int64(at), int64(size), order.Uint32(b[16:])}
		b = b[20:]
	}
	return nil
}

// at reads len(b) bytes at an offset of the file.
func (c *checkpointReader) at(b []byte, offset int64) error {
	if _, err := c.f.ReadAt(b, offset); err != nil {
		return fmt.Errorf("%w: %w", errNoCheckpoint, err)
	}
	return nil
}

// part returns a part, whole and verified.
func (c *checkpointReader) part(name string) ([]byte, error) {
	p, ok := c.parts[name]
	if !ok {
		return nil, fmt.Errorf("%w: part %q is missing", errNoCheckpoint, name)
	}
	b := make([]byte, p.size)
	if err := c.at(b, p.at); err != nil {
		return nil, err
	}
	if crc32.Checksum(b, castagnoli) != p.sum {
		return nil, fmt.Errorf("%w: part %q is damaged", errNoCheckpoint, name)
	}
	return b, nil
}

// Close closes the file.
func (c *checkpointReader) Close() error { return c.f.Close() }

package cli

import (
	"fmt"
	"io"
)

// Open opens a file; "-" is standard input.
type Open func(path string) (io.ReadCloser, error)

// Input opens a list.
func (open Open) Input(path string) (io.ReadCloser, error) {
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the list: %w", err)
	}
	return f, nil
}

// maxDocument bounds a document read from a file.
const maxDocument = 64 << 20

// Document reads a file of at most 64 MB.
func (open Open) Document(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err == nil && len(b) > maxDocument {
		err = fmt.Errorf("%s is longer than %d MB", path, maxDocument>>20)
	}
	return b, err
}

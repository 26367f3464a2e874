package crawl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ExportFile writes one kind of rows (see Exports) as JSON lines to a file and
// returns how many. A relative path stands in the folder the program was
// started from. The file appears when it is whole; one that exists is only
// replaced if replace says so, else the error is fs.ErrExist.
func (e *Engine) ExportFile(ctx context.Context, what, path string, replace bool) (n int, err error) {
	if err := e.Words(ctx); err != nil {
		return 0, err
	}
	if _, err := os.Stat(path); err == nil && !replace {
		return 0, fmt.Errorf("%s: %w; choose another name", path, fs.ErrExist)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".angler-export-*")
	if err != nil {
		return 0, fmt.Errorf("cannot write to %s; choose a folder you may write to", filepath.Dir(path))
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 1<<16)
	n, err = e.Export(ctx, what, w)
	err = errors.Join(err, w.Flush(), tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return 0, fmt.Errorf("%s was not written: %w", path, err)
	}
	return n, nil
}

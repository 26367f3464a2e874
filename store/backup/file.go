package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"angler/store"
)

// WriteFile is Write to a file that only its owner can read. It appears under its
// name when it is whole: written, on the disk, and read back. A file that is
// there is replaced only if replace says so, else the error is fs.ErrExist.
func WriteFile(ctx context.Context, src *store.Source, path string, replace bool, p Plan) (*Manifest, error) {
	return Receive(ctx, path, replace, func(w io.Writer) error {
		_, err := Write(ctx, src, w, p)
		return err
	})
}

// Receive is WriteFile for an archive that write brings from somewhere else.
func Receive(ctx context.Context, path string, replace bool, write func(io.Writer) error) (*Manifest, error) {
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file; choose another name", path)
	case err == nil && !replace:
		return nil, fmt.Errorf("%s: %w; choose another name", path, fs.ErrExist)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".angler-backup-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("cannot write to %s (%w); choose a folder you may write to", filepath.Dir(path), err)
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 1<<20)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	var m *Manifest
	if err == nil {
		m, err = Verify(ctx, tmp.Name())
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return nil, fmt.Errorf("%s was not written: %w; free some space, or choose another folder", path, syscall.ENOSPC)
	case err != nil:
		return nil, fmt.Errorf("%s was not written: %w", path, err)
	}
	return m, nil
}

// Stage writes a backup into a file of the folder dir that has no name, verifies
// it and returns it, read from its beginning; the caller closes it, and nothing is
// left. So a reader may take as long as it likes.
func Stage(ctx context.Context, src *store.Source, dir string, p Plan) (*os.File, *Manifest, error) {
	f, err := os.CreateTemp(dir, ".angler-backup-*")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriterSize(f, 1<<20)
	_, err = Write(ctx, src, w, p)
	if err == nil {
		err = w.Flush()
	}
	var m *Manifest
	if err == nil {
		m, err = Verify(ctx, f.Name())
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("no room for a copy in %s: %w; free some space", dir, syscall.ENOSPC)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, m, nil
}

// syncFolder makes a changed name durable. Not every system can.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

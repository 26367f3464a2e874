package export

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile has write fill a file, which appears under its name when it is whole:
// what fails or is cancelled leaves nothing behind and the old file as it was.
// One that exists is only replaced if replace says so, else the error is
// fs.ErrExist; folders and devices never are.
func WriteFile(path string, replace bool, write func(io.Writer) error) error {
	var mode fs.FileMode // of the file that is there; 0 = none is
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return fmt.Errorf("%s is no file; choose another name", path)
	case err == nil && !replace:
		return fmt.Errorf("%s: %w; choose another name", path, fs.ErrExist)
	case err == nil:
		mode = st.Mode().Perm()
	}
	// A new file is for whom the user's mask says.
	tmp, err := os.OpenFile(filepath.Join(filepath.Dir(path), ".angler-export-"+rand.Text()), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write to %s (%v); choose a folder you may write to", filepath.Dir(path), cause(err))
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil && mode != 0 {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s was not written: %w; free some space, or choose another folder", path, syscall.ENOSPC)
	case err != nil:
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// cause strips the operation and path that os errors repeat.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

package modes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Whole has fill write a file, which appears under its name when it is whole and on
// the disk: what fails leaves nothing behind and the old file as it was. temporary
// makes the file that is filled, in the folder it is given. A file that is there is
// only replaced if replace says so, else the error is fs.ErrExist; folders and
// devices never are.
func Whole(path string, replace bool, temporary func(folder string) (*os.File, error), fill func(*os.File) error) error {
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return fmt.Errorf("%s is no file; choose another name", path)
	case err == nil && !replace:
		return fmt.Errorf("%s: %w; choose another name", path, fs.ErrExist)
	}
	tmp, err := temporary(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("cannot write to %s (%w); choose a folder you may write to", filepath.Dir(path), Cause(err))
	}
	switch err := complete(tmp, path, fill); {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s was not written: %w; free some space, or choose another folder", path, syscall.ENOSPC)
	case err != nil:
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// complete fills a temporary file, flushes it and gives it its name. It is gone
// afterwards, whatever happened.
func complete(tmp *os.File, path string, fill func(*os.File) error) error {
	defer os.Remove(tmp.Name())
	err := fill(tmp)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return err
}

// Rename gives a file or folder its name while this process holds what has that name,
// or files in it, open, which keeps others out. Windows renames nothing that is open:
// there release is called before, and a process that opens the file in this moment
// makes the renaming fail, with everything as it was.
func Rename(from, to string, release func() error) error {
	if runtime.GOOS == "windows" {
		if err := release(); err != nil {
			return err
		}
	}
	return os.Rename(from, to)
}

// SyncFolder makes changed names of a folder last: without it a crash of the
// machine may bring the old ones back. Not every system can; Windows has no call for
// it and does nothing.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
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

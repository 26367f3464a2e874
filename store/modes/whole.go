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

// Whole writes a file that appears when fill has completed it and it is flushed. After an error
// nothing new is left and the old file is unchanged. temporary makes the file to fill, in the given
// folder. An existing file is replaced only with replace, otherwise the error is fs.ErrExist;
// folders and devices never are.
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

// complete fills a temporary file, flushes it and renames it. The temporary file is always removed.
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

// Rename renames a file or folder while this process holds a lock on its target or on files in it.
// Windows cannot rename open files: there release is called first, and if a process opens the file
// in this moment, Rename fails and changes nothing.
func Rename(from, to string, release func() error) error {
	if runtime.GOOS == "windows" {
		if err := release(); err != nil {
			return err
		}
	}
	return os.Rename(from, to)
}

// SyncFolder flushes the names in a folder; otherwise a crash of the machine may restore old ones.
// It does nothing on Windows, which has no call for it.
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

package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/modes"
)

// restored is a workspace made from a backup.
type restored struct {
	Manifest *Manifest
	Settings error  // what is wrong with its unchanged angler.toml; nil: nothing
	Old      string // the workspace that was in its place; "": there was none
}

// Restore makes the workspace dir from an archive. It appears when it is complete and verified. An
// existing folder must be empty; with force it is moved to DIR.old-TIME, otherwise the error is
// store.ErrExists. The error is store.ErrLocked if a process has it open.
func Restore(ctx context.Context, archive, dir string, force bool, now time.Time) (*restored, error) {
	dir = filepath.Clean(dir)
	busy, release, err := inPlace(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if busy && !force {
		return nil, fmt.Errorf("%s: %w, or holds other files; choose another folder, or put it aside with --force", dir,
			store.ErrExists)
	}
	parent := filepath.Dir(dir)
	tmp, m, err := extract(ctx, archive, parent, func(string) bool { return true })
	defer os.RemoveAll(tmp)
	if err != nil {
		return nil, err
	}
	out := &restored{Manifest: m}
	_, out.Settings = config.Read(tmp)
	if busy {
		out.Old = dir + ".old-" + now.Format("20060102-150405")
		if _, err := os.Lstat(out.Old); err == nil {
			return nil, fmt.Errorf("%s is there already; try again", out.Old)
		}
		if err := modes.Rename(dir, out.Old, release); err != nil {
			return nil, err
		}
	} else {
		os.Remove(dir) // an empty folder, if any
	}
	if err := os.Rename(tmp, dir); err != nil {
		if out.Old != "" {
			err = errors.Join(err, os.Rename(out.Old, dir))
		}
		return nil, err
	}
	return out, modes.SyncFolder(parent)
}

// extract unpacks the files that take accepts into a new folder in parent, and verifies them. The
// caller removes the folder, which may be "" after an error.
func extract(ctx context.Context, archive, parent string, take func(name string) bool) (tmp string, m *Manifest,
	err error) {
	f, size, err := openArchive(archive)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", nil, err
	}
	tmp, err = os.MkdirTemp(parent, ".angler-restore-*") // mode 0700
	if err != nil {
		return "", nil, fmt.Errorf("cannot write to %s: %w; choose a folder you may write to", parent, modes.Cause(err))
	}
	m, err = read(ctx, f, size, func(name string, _ int64, r io.Reader) error {
		if !take(name) {
			return nil
		}
		return unpack(tmp, name, r)
	})
	if err == nil {
		err = store.CheckCopy(filepath.Join(tmp, store.DatabaseName))
	}
	if err == nil {
		err = syncFolders(tmp)
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("%w; free some space in %s", syscall.ENOSPC, parent)
	}
	if err != nil {
		err = fmt.Errorf("%s was not restored: %w", archive, err)
	}
	return tmp, m, err
}

// inPlace reports whether dir exists and is not empty, and keeps others from opening it.
func inPlace(dir string) (busy bool, release func() error, err error) {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, func() error { return nil }, nil
	case err != nil:
		return false, nil, fmt.Errorf("%s cannot be used: %w; choose another folder", dir, err)
	}
	release, err = store.Hold(dir)
	return len(list) > 0, release, err
}

// unpack writes one file of a workspace; its name was checked.
func unpack(dir, name string, r io.Reader) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncFolders flushes the names in a folder and in those below it.
func syncFolders(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return modes.SyncFolder(path)
	})
}

package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"angler/store"
	"angler/store/modes"
)

// replacedWorkspace is the result of replacing a database by a backup.
type replacedWorkspace struct {
	Manifest *Manifest
	Old      string // the damaged database now; "": there was none
	Merged   store.TakenOver
	Unmerged error // why newer rows were not all taken; nil: all readable ones were
}

// errWhole means that the database to replace is not damaged.
var errWhole = errors.New("the database is not damaged")

// ReplaceWorkspace replaces a damaged database by that of a backup, and takes over the newer
// decisions that are readable. The damaged database is kept beside it. Missing files of the
// workspace are restored; others stay. A sound database is replaced only with force; otherwise the
// error is errWhole. The error is store.ErrLocked if a process has the workspace open.
func ReplaceWorkspace(ctx context.Context, archive, dir string, force bool) (*replacedWorkspace, error) {
	release, err := store.Hold(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	path := store.DatabasePath(dir)
	if !force && !store.IsDamaged(path) {
		return nil, fmt.Errorf("%s: %w; replace it all the same with --force", path, errWhole)
	}
	tmp, m, err := extract(ctx, archive, dir, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		return err != nil || name == store.DatabaseName
	})
	defer os.RemoveAll(tmp)
	if err != nil {
		return nil, err
	}
	out, made := &replacedWorkspace{Manifest: m}, filepath.Join(tmp, store.DatabaseName)
	if _, err := os.Lstat(path); err == nil {
		if out.Merged, out.Unmerged = store.TakeOver(path, made); store.CheckCopy(made) != nil {
			return nil, fmt.Errorf("%s was not restored: %w", archive, out.Unmerged)
		}
		if out.Old, err = putAside(path, release); err != nil {
			return nil, err
		}
	}
	os.Remove(store.CheckpointPath(dir)) // it belongs to other rows
	return out, errors.Join(modes.Rename(made, path, release), putBack(tmp, dir), modes.SyncFolder(dir))
}

// putAside gives a database a second, unused name. On disks without links it renames the file. With
// a link there is a database at every moment.
func putAside(path string, release func() error) (old string, err error) {
	old = path + ".damaged"
	for i := 2; ; i++ {
		if _, err := os.Lstat(old); err != nil {
			break
		}
		old = fmt.Sprintf("%s.damaged-%d", path, i)
	}
	if os.Link(path, old) != nil {
		if err := modes.Rename(path, old, release); err != nil {
			return "", fmt.Errorf("cannot move %s aside (%w)", path, modes.Cause(err))
		}
	}
	return old, nil
}

// putBack moves the files of a folder to another one that lacks them.
func putBack(from, to string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		place := filepath.Join(to, filepath.FromSlash(name))
		return errors.Join(modes.MakeFolder(filepath.Dir(place)),
			os.Rename(filepath.Join(from, filepath.FromSlash(name)), place))
	})
}

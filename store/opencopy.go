package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"angler/store/config"
	"angler/store/modes"
	"angler/store/sealed"

	bolt "go.etcd.io/bbolt"
)

// OpenBeside is OpenToRead for a workspace that another process may have open. In that case it
// reads a copy of the database, made at opening. The copy is a temporary file and is removed when
// the workspace is closed.
func OpenBeside(ctx context.Context, dir string) (*Workspace, error) {
	w, err := OpenToRead(dir)
	if !errors.Is(err, ErrLocked) {
		return w, err
	}
	return openCopy(ctx, dir, err)
}

// OpenCopy reads a copy of a workspace's database, made at opening. Unlike OpenBeside it never
// locks the workspace, so other processes can open it.
func OpenCopy(ctx context.Context, dir string) (*Workspace, error) { return openCopy(ctx, dir, nil) }

// openCopy implements OpenCopy; held is the reason why the database itself is not read, nil means
// by choice.
func openCopy(ctx context.Context, dir string, held error) (*Workspace, error) {
	held = cmp.Or(held, fmt.Errorf("%s is read from a copy of its database", dir))
	set, err := config.Read(dir)
	if err = cmp.Or(err, present(dir)); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "angler-reading-*.db")
	if err != nil {
		return nil, fmt.Errorf("%w; to read it beside, a copy is needed, and none can be made (%v)", held,
			modes.Cause(err))
	}
	defer os.Remove(f.Name()) // the process that has it open keeps it
	err = sealed.CopyBeside(ctx, DatabasePath(dir), f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	switch {
	case errors.Is(err, sealed.ErrBusy):
		return nil, fmt.Errorf("%w, and no copy of one moment can be made to read it beside; pause the run there, or export there with e", held)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrDamaged):
		return nil, fmt.Errorf("%s: %w%s", DatabasePath(dir), err, advice(dir))
	case err != nil:
		return nil, fmt.Errorf("%w; to read it beside it was copied to %s in vain: %w", held, os.TempDir(),
			modes.Cause(err))
	}
	at := time.Now()
	db, err := openFile(f.Name(), dir, bolt.Options{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	w, err := readerOf(dir, set, db)
	if err == nil {
		w.beside = at
	}
	return w, err
}

// Beside returns when the copy was made that a workspace reads; the zero time means that it reads
// its own database.
func Beside(w *Workspace) time.Time { return w.beside }

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"angler/store/config"
	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// ErrReadOnly is the error of a write to a workspace that OpenToRead opened without write
// permission.
var ErrReadOnly = errors.New("the workspace is open for reading only: its folder or file system cannot be written by this user")

// OpenToRead is Open for a reader. It reads a workspace that its modes or file system protect from
// writing. Several processes can do so at once. It writes nothing then: leases of a killed process
// count as waiting but stay on disk. An older schema is an error, because the file cannot be
// upgraded. Damaged rows are skipped and reported, even if a checkpoint has their content.
func OpenToRead(dir string) (*Workspace, error) {
	w, err := openWorkspace(dir, true)
	if err == nil || !unwritable(err) {
		return w, err
	}
	set, err := config.Read(dir)
	if err != nil {
		return nil, err
	}
	return openReader(dir, set)
}

// unwritable reports whether an error of opening for writing leaves reading possible.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// Unwritable reports whether the database in a folder exists and this user cannot write it. It
// opens and closes the file; do not call it for an open workspace.
func Unwritable(dir string) bool {
	f, err := os.OpenFile(DatabasePath(dir), os.O_RDWR, 0)
	if err == nil {
		f.Close()
	}
	return unwritable(err)
}

func openReader(dir string, set config.Settings) (*Workspace, error) {
	db, err := OpenReadOnly(dir)
	if err != nil {
		return nil, err
	}
	return readerOf(dir, set, db)
}

// readerOf makes a workspace of a database opened for reading.
func readerOf(dir string, set config.Settings, db *sealed.DB) (*Workspace, error) {
	w := &Workspace{Damage: &db.Tally, dir: dir, db: db, set: set}
	db.Viewed = func() { w.mapping.viewed(db) }
	w.Decisions = &Decisions{w: w}
	err := db.View(func(tx sealed.Tx) error {
		switch version, err := schema.Known(tx); {
		case err != nil:
			return err
		case version < schema.Version:
			return fmt.Errorf("it was written by an older angler (schema %d, now %d) and must be written to once: open it where it can be, with: angler workspace check %s", version, schema.Version, dir)
		}
		return nil
	})
	if err == nil {
		err = w.load(true)
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return w, nil
}

// ReadOnly reports whether a workspace cannot be written, see OpenToRead.
func ReadOnly(w *Workspace) bool { return w.db.ReadOnly() }

// cannotOpen explains why a database was not opened.
func cannotOpen(dir string, err error) error {
	what := "check that you may write to it"
	if unwritable(err) {
		what = "this command writes to the workspace; those that only read it (export, score, explain, frontier, check …) work without"
	}
	return fmt.Errorf("cannot open %s (%w); %s", filepath.Join(dir, databaseFile), modes.Cause(err), what)
}

package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/store/config"
	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
	"angler/store/secrets"
)

// Parts of a workspace that a copy contains besides the files of DictDir, as slash-separated names
// in its folder. All other files can be made again.
const (
	DatabaseName = databaseFile
	HostKeyName  = secrets.HostKeyFile
	KeysName     = secrets.AuthorizedKeysFile
	DictDir      = "dict"

	// CookieKeyName is the key of the cookies in the database.
	CookieKeyName = secrets.CookieKeyFile
)

// Source is a workspace whose database can be copied, even while this process uses it.
type Source struct {
	Dir string
	// Patience is how long a commit may wait before Copy ends with ErrHeldUp; 0: for ever.
	Patience time.Duration

	db   *sealed.DB
	mine bool // Close closes the database
}

// ErrHeldUp means that a copy was given up because a commit waited for it.
var ErrHeldUp = errors.New("a commit waited for the copy")

// patientWriter ends a copy while a commit waits.
type patientWriter struct {
	io.WriterTo
	src *Source
}

// WriteTo writes the database until a commit has waited too long.
func (p patientWriter) WriteTo(w io.Writer) (int64, error) {
	x := &watching{Writer: w, src: p.src}
	n, err := p.WriterTo.WriteTo(x)
	if x.heldUp { // bbolt does not wrap every error
		err = ErrHeldUp
	}
	return n, err
}

type watching struct {
	io.Writer
	src    *Source
	heldUp bool
}

func (x *watching) Write(b []byte) (int, error) {
	if x.src.db.Writing() > x.src.Patience {
		x.heldUp = true
		return 0, ErrHeldUp
	}
	return x.Writer.Write(b)
}

// SourceOf returns the source of an open workspace, which outlives it.
func SourceOf(w *Workspace) *Source { return &Source{Dir: w.dir, db: w.db} }

// OpenSource opens a workspace only for copying. It writes nothing, needs no write permission, and
// reads databases of older schemas. Meanwhile no process can open the workspace for writing. The
// error is ErrLocked if one has it open.
func OpenSource(dir string) (*Source, error) {
	if _, err := os.Stat(filepath.Join(dir, config.Name)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w here", dir, errNoWorkspace)
	}
	db, err := OpenReadOnly(dir)
	if err != nil {
		return nil, err
	}
	return &Source{Dir: dir, db: db, mine: true}, nil
}

// Close releases the workspace.
func (s *Source) Close() error {
	if s.mine {
		return s.db.Close()
	}
	return nil
}

// Copy passes to the size of the database in bytes, its schema, and a writer of one consistent
// state. Commits go on meanwhile, but cannot reuse the space they free. A commit that outgrows the
// mapped part of the file waits, and so do new readers. So to must write to something as fast as a
// disk.
func (s *Source) Copy(to func(size int64, schema int, from io.WriterTo) error) error {
	return s.db.View(func(tx sealed.Tx) error {
		version, err := schema.Known(tx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Dir, err)
		}
		if s.Patience > 0 {
			return to(tx.Raw().Size(), version, patientWriter{tx.Raw(), s})
		}
		return to(tx.Raw().Size(), version, tx.Raw())
	})
}

// schema returns the version of the database.
func (s *Source) schema() (version int, err error) {
	err = s.db.View(func(tx sealed.Tx) error { version, err = schema.Known(tx); return err })
	return version, err
}

// Rows counts the rows of a bucket; 0 if there is none.
func (s *Source) Rows(bucket []byte) (n int, err error) {
	err = s.db.View(func(tx sealed.Tx) error {
		if b := tx.Raw().Bucket(bucket); b != nil {
			n = b.Stats().KeyN
		}
		return nil
	})
	return n, err
}

// CheckCopy opens the copy of a database. It checks only that the copy is complete and has a schema
// that this program can open.
func CheckCopy(path string) error {
	db, err := openFile(path, "", bolt.Options{ReadOnly: true})
	if errors.Is(err, ErrDamaged) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	defer db.Close()
	return db.View(func(tx sealed.Tx) error {
		_, err := schema.Known(tx)
		return err
	})
}

// OpenReadOnly opens the database of a workspace next to other readers.
func OpenReadOnly(dir string) (*sealed.DB, error) {
	path := filepath.Join(dir, databaseFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: %s is missing", dir, ErrDamaged, databaseFile)
	}
	db, err := openSealed(dir, bolt.Options{ReadOnly: true})
	return db, notOpened(dir, err, func() error {
		return fmt.Errorf("cannot open %s (%v); check that you may read it", path, modes.Cause(err))
	})
}

// Hold keeps other processes from opening a workspace until release is called; a second call does
// nothing. The error is ErrLocked if a process has it open. Hold succeeds for a database that no
// process can open.
func Hold(dir string) (release func() error, err error) {
	db, err := OpenReadOnly(dir)
	switch {
	case errors.Is(err, ErrLocked):
		return nil, err
	case err != nil:
		return func() error { return nil }, nil
	}
	return db.Close, nil
}

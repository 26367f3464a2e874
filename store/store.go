// Package store keeps a workspace: a folder with angler.toml (settings, edited by people), crawl.db
// (bbolt) and dict/ (user words, stop words).
//
// One transaction holds all changes of one fetched page, so a crash never leaves half a page.
// Package writer groups transactions, because a commit costs a disk flush (1–4 ms) however many
// pages it holds. Rows that every page touches are small and keyed by ids in order of discovery.
// Bodies have a bucket of their own, because big values beside small hot keys make both slow. The
// danger is a long read transaction: it keeps freed space from reuse, so readers here copy what
// they need and end.
//
// Checker verifies every row, and repairs a damaged one from the rows that it derives from.
// Package maintenance compacts, backs up and restores.
//
// P0 … P4: see docs/papers.md.
package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"angler/store/config"
	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// Schema is the version of the database this program writes, see schema.Version.
const Schema = schema.Version

// Names inside a workspace folder.
const (
	databaseFile = "crawl.db"
	holderFile   = "crawl.db.holder"
)

// Errors of opening and creating. They are wrapped with the folder's name and a remedy; test them
// with errors.Is.
var (
	errNoWorkspace = config.ErrNone
	ErrExists      = errors.New("already an angler workspace")
	ErrLocked      = errors.New("workspace is in use")
	ErrNewer       = schema.ErrNewer
	ErrDamaged     = sealed.ErrDamaged
)

// Key is a fingerprint of a canonical URL or of a body.
type Key = schema.Key

// KeyOf fingerprints a canonical URL or a body.
func KeyOf[T ~string | ~[]byte](x T) Key { return schema.KeyOf(x) }

// Workspace is an open workspace. Reads are safe for concurrent use; writes
// are serialised by bbolt. Only one process can hold a workspace.
type Workspace struct {
	Decisions *Decisions    // decisions of analysts; set by Open
	Damage    *sealed.Tally // damaged rows that were skipped; set by Open
	Recalled  error         // why Open read every row, see SaveCheckpoint; nil: it did not

	// Committed runs after every commit of URLs, pages or notices; it must not wait. nil means none.
	// Set it before the first commit.
	Committed func()

	dir    string
	db     *sealed.DB
	set    config.Settings
	beside time.Time // when the copy was made; zero: the database itself is open

	last atomic.Uint64 // the highest id ever assigned

	words lexicon // source of new words; set once by UseLexicon

	recalled checkpointed
	known    []string // the words of the checkpoint

	mapping watchMapping

	committing sync.Mutex // one transaction at a time; guards seen and the writing of heads
	seen       *seenSet
	heads      []head    // by id
	bodies     packBatch // scratch space of the open commit
	repaired   bool      // the data in memory is outdated

	mu     sync.Mutex // guards the counts
	counts [numStates]int
	pages  int
	notes  int
	nwords int
}

// Counts are the numbers of URLs by state and of stored rows.
type Counts struct {
	Waiting, Processing, Exception, Complete int
	Pages, Notices                           int
	URLs                                     int
}

// Create makes a workspace in dir. It refuses a folder with any file of a workspace, even if its
// settings are missing. A failure removes only files made by this call.
func Create(dir string, set config.Settings) (err error) {
	if err := set.Validate(); err != nil {
		return err
	}
	_, statErr := os.Stat(dir)
	if err := Free(dir); err != nil {
		return err
	}
	if err := modes.MakeFolder(dir); err != nil {
		return fmt.Errorf("cannot make folder %s (%v); choose a folder you may write to", dir, modes.Cause(err))
	}
	if errors.Is(statErr, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				os.Remove(dir)
			}
		}()
	}
	// O_EXCL: another process may have made a workspace since Free looked.
	made := false
	db, err := openSealed(dir, bolt.Options{OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag|os.O_EXCL, mode)
		made = made || err == nil && flag&os.O_CREATE != 0
		return f, err
	}})
	defer func() {
		if err != nil && made {
			os.Remove(DatabasePath(dir))
		}
	}()
	if err != nil {
		return fmt.Errorf("cannot create a database in %s (%v); choose a folder you may write to", dir,
			modes.Cause(err))
	}
	err = db.Update(func(tx sealed.Tx) error {
		if err := schema.MakeBuckets(tx); err != nil {
			return err
		}
		if err := tx.Bucket(schema.Meta).Put([]byte("created"),
			[]byte(time.Now().UTC().Format(time.RFC3339))); err != nil {
			return err
		}
		return schema.Put(tx)
	})
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("cannot write the database in %s: %w", dir, err)
	}
	return set.Write(filepath.Join(dir, config.Name))
}

// Free returns nil if dir does not exist or holds no file of a workspace. Otherwise the error is
// ErrExists and names the file.
func Free(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot use folder %s (%v); choose a folder you may write to", dir, modes.Cause(err))
	}
	found := ""
	for _, f := range files {
		switch name := f.Name(); {
		case name == config.Name:
			return fmt.Errorf("%s: %w; choose another folder, or open it with: angler %s", dir, ErrExists, dir)
		case strings.HasPrefix(name, databaseFile), strings.HasPrefix(name,
			backlogFile), name == DictDir, name == BackupFolder, name == CookieKeyName,
			strings.HasPrefix(HostKeyName, name+"/"):
			found = cmp.Or(found, name)
		}
	}
	if found != "" {
		return fmt.Errorf("%s: %w: it holds %s, but no %s; put that file back, or choose another folder", dir,
			ErrExists, found, config.Name)
	}
	return nil
}

// LockWait is how long Open waits for another process to release the database: long enough for a
// process that is closing it.
const LockWait = 300 * time.Millisecond

// Open opens the workspace in dir. It sets URLs leased by a killed process back to waiting. Without
// a checkpoint it costs one pass over the URLs; with one, Verify looks for damaged rows.
func Open(dir string) (*Workspace, error) { return openWorkspace(dir, false) }

func openWorkspace(dir string, whole bool) (*Workspace, error) {
	set, err := config.Read(dir)
	if err != nil {
		return nil, err
	}
	path := DatabasePath(dir)
	if err := present(dir); err != nil {
		return nil, err
	}
	db, err := openDatabase(dir)
	if err := notOpened(dir, err, func() error { return cannotOpen(dir, err) }); err != nil {
		return nil, err
	}
	w := &Workspace{Damage: &db.Tally, dir: dir, db: db, set: set}
	db.Viewed = func() { w.mapping.viewed(db) }
	w.Decisions = &Decisions{w: w}
	err = beforeUpgrade(w)
	if err == nil {
		err = w.load(whole)
	}
	if err != nil {
		db.Close()
		if errors.Is(err, ErrDamaged) && !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w%s", path, err, advice(dir))
		}
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	writeHolder(dir, holder{})
	return w, nil
}

// present returns the error of a workspace without a database.
func present(dir string) error {
	if _, err := os.Stat(DatabasePath(dir)); err != nil {
		return fmt.Errorf("%s: %w: %s is missing; restore it, or remove %s and run angler new again",
			dir, ErrDamaged, databaseFile, config.Name)
	}
	return nil
}

// beforeUpgrade calls BeforeUpgrade for a database of an older schema.
func beforeUpgrade(w *Workspace) error {
	src := SourceOf(w)
	if version, err := src.schema(); err != nil || version == Schema {
		return nil // load reports the error
	}
	return BeforeUpgrade(src)
}

// notOpened explains why bbolt did not open a database; otherwise explains causes other than damage
// and a lock. It returns nil without an error.
func notOpened(dir string, err error, otherwise func() error) error {
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("%s: %w by %s", dir, ErrLocked, holderMessage(dir))
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err,
		berrors.ErrVersionMismatch):
		return fmt.Errorf("%s: %w (%v)%s", DatabasePath(dir), ErrDamaged, err, advice(dir))
	}
	return otherwise()
}

// Close closes the database.
func (w *Workspace) Close() error {
	w.committing.Lock()
	defer w.committing.Unlock()
	w.recalled.use(nil, 0, nil)
	if !ReadOnly(w) {
		os.Remove(filepath.Join(w.dir, holderFile))
	}
	return w.db.Close()
}

// Dir is the workspace's folder.
func (w *Workspace) Dir() string { return w.dir }

// Counts returns the current counts; they equal the stored rows.
func (w *Workspace) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := Counts{Waiting: w.counts[Waiting], Processing: w.counts[Processing], Exception: w.counts[Exception],
		Complete: w.counts[Complete], Pages: w.pages, Notices: w.notes}
	c.URLs = c.Waiting + c.Processing + c.Exception + c.Complete
	return c
}

// Seen returns the figures of the Bloom filter in front of the exact keys. It does not wait.
func (w *Workspace) Seen() FilterFigures { return w.seen.filter.figures() }

// Write runs a transaction on rows that the workspace does not cache, such as those of package
// records. It may run at any time.
func (w *Workspace) Write(f func(sealed.Tx) error) error {
	if err := w.db.Update(f); err != nil {
		return w.writeError(err)
	}
	return nil
}

// View runs a reading transaction on such rows.
func (w *Workspace) View(f func(sealed.Tx) error) error { return w.db.View(f) }

// writeError reports whether a transaction could not be written, and what to do.
func (w *Workspace) writeError(err error) error {
	if errors.Is(err, berrors.ErrDatabaseReadOnly) {
		return fmt.Errorf("workspace %s: %w", w.dir, ErrReadOnly)
	}
	what := ""
	if errors.Is(err, syscall.ENOSPC) {
		what = "; free some space and start again, what is stored is safe"
	}
	return fmt.Errorf("workspace %s: cannot write: %w%s", w.dir, err, what)
}

// Package sealed is bbolt with a seal on every row: a checksum over bucket, key
// and value, written by Put and verified wherever a row is read. A row whose
// seal is broken is left out by Get, Cursor and ForEach and counted in the
// database's Tally, so that one changed byte costs one row.
//
// bbolt trusts its file: on damaged pages it panics, reads outside its mapping,
// or walks in circles. Here a panic of bbolt and a fault in its mapping become
// an error that is ErrDamaged, the transaction ends, and its locks are free
// again. Circles cannot be recovered from, so Inspect looks at the pages before
// bbolt does. The price is 4 bytes and some 20 ns a row, and a read of the
// branch pages at opening.
package sealed

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// ErrDamaged means that the file does not hold what was written to it.
var ErrDamaged = errors.New("workspace database is damaged")

// DB is an open database whose rows are sealed. It is safe for concurrent use.
type DB struct {
	bolt   *bolt.DB
	path   string
	name   string // of the file in errors
	page   int    // bytes of a page
	plain  string // the bucket without seals
	bare   string // the key without seals
	advice string
	Tally  Tally
	Viewed func()                    // called after each reading transaction, outside of it; nil = none. Set before the first one
	stuck  atomic.Bool               // a transaction could not be ended: bbolt's locks are held for good
	begun  atomic.Pointer[time.Time] // when the writing transaction under way began; nil = there is none
}

// Options are bbolt's, and what is particular to seals.
type Options struct {
	bolt.Options
	Plain  string // a bucket whose rows have no seal, because something else vouches for them
	Bare   string // a key whose row has no seal in any bucket
	Name   string // of the file in errors; "" means its path
	Advice string // what to do about damage; the end of every error that is ErrDamaged
}

// Open inspects the file at path and opens it as bbolt does. A damaged file is
// an error that is ErrDamaged and names it. A missing file is made.
func Open(path string, mode os.FileMode, o Options) (db *DB, err error) {
	db = &DB{path: path, name: cmp.Or(o.Name, path), plain: o.Plain, bare: o.Bare, advice: o.Advice}
	if st, err := os.Stat(path); err == nil {
		if st.Size() == 0 {
			return nil, db.damaged(errors.New("the file is empty"))
		}
		if err := db.inspect(path, mode, o); err != nil {
			return nil, err
		}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = db.damaged(fmt.Errorf("%v", r)) // nothing of ours runs here
		}
	}()
	db.bolt, err = bolt.Open(path, mode, &o.Options)
	if err != nil {
		return nil, err
	}
	db.page = db.bolt.Info().PageSize // later another goroutine may move what Info reads
	return db, nil
}

// inspect looks at the file while it is not written.
func (db *DB) inspect(path string, mode os.FileMode, o Options) error {
	o.ReadOnly = true // takes the lock of readers, and loads no list of free pages
	b, err := bolt.Open(path, mode, &o.Options)
	if err != nil {
		return err
	}
	defer b.Close()
	r, err := Inspect(path, Branches)
	if err != nil {
		return err
	}
	if len(r.Problems) > 0 {
		return db.damaged(errors.New(r.Problems[0]))
	}
	if r.Spare != "" {
		db.Tally.Add([]byte("the file's beginning"), nil, errors.New(r.Spare))
	}
	return nil
}

// ReadOnly tells whether the database was opened for reading alone.
func (db *DB) ReadOnly() bool { return db.bolt.IsReadOnly() }

// Free is how many bytes of the file hold nothing, or will when the readers of now
// have ended.
func (db *DB) Free() int64 {
	s := db.bolt.Stats()
	return int64(s.FreePageN+s.PendingPageN) * int64(db.page)
}

// Path is the database's file.
func (db *DB) Path() string { return db.path }

// Mapped is where bbolt has mapped the file.
func (db *DB) Mapped() uintptr { return db.bolt.Info().Data }

// Close ends the database.
func (db *DB) Close() error {
	if db.stuck.Load() {
		return nil // bbolt would wait for its own lock; the process's end frees the file
	}
	return db.bolt.Close()
}

// View runs f in a reading transaction.
func (db *DB) View(f func(Tx) error) error {
	err := db.run(false, f)
	if db.Viewed != nil {
		db.Viewed()
	}
	return err
}

// Update runs f in a writing transaction, which is committed when f returns nil.
func (db *DB) Update(f func(Tx) error) error {
	begun := new(time.Time)
	defer db.begun.CompareAndSwap(begun, nil) // another one may have begun since the commit
	return db.run(true, func(tx Tx) error {
		*begun = time.Now()
		db.begun.Store(begun)
		return f(tx)
	})
}

// Writing returns how long the writing transaction under way has taken; 0 without one.
func (db *DB) Writing() time.Duration {
	if begun := db.begun.Load(); begun != nil {
		return time.Since(*begun)
	}
	return 0
}

// run is a transaction that ends whatever happens in it. A panic that is not
// bbolt's and no fault in the mapping is a mistake of ours and goes on.
func (db *DB) run(writable bool, f func(Tx) error) (err error) {
	if db.stuck.Load() {
		return db.damaged(errors.New("a transaction could not be ended"))
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var tx *bolt.Tx
	ended := false
	defer func() {
		if ended {
			return
		}
		r := recover() // nil when the goroutine ends
		theirs := r != nil && foreign(r)
		db.rollback(tx)
		switch {
		case theirs:
			err = db.damaged(fmt.Errorf("%v", r))
		case r != nil:
			panic(r)
		}
	}()
	if tx, err = db.bolt.Begin(writable); err != nil {
		ended = true
		return err
	}
	if err = f(Tx{tx, db}); err == nil && writable {
		err = tx.Commit()
	} else if rollback := tx.Rollback(); err == nil {
		err = rollback
	}
	ended = true
	return err
}

// rollback ends a transaction after a panic. Where bbolt cannot do that either,
// no goroutine may wait for its locks.
func (db *DB) rollback(tx *bolt.Tx) {
	defer func() {
		if recover() != nil {
			db.stuck.Store(true)
		}
	}()
	if tx == nil {
		db.stuck.Store(true) // it panicked at the beginning, under its locks
		return
	}
	_ = tx.Rollback() // an error says that it has ended already
}

func (db *DB) damaged(err error) error {
	return fmt.Errorf("%s: %w (%w)%s", db.name, ErrDamaged, err, db.advice)
}

// broken is the panic of a cursor that met what cannot be.
type broken string

// foreign reports whether a panic comes from bbolt's pages: a fault outside of
// Go's memory, a cursor's own, or one whose first frame is bbolt's.
func foreign(r any) bool {
	if _, ok := r.(broken); ok {
		return true
	}
	if _, ok := r.(interface{ Addr() uintptr }); ok {
		return true
	}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicking := false; ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(f.Function, "runtime."):
			return strings.HasPrefix(f.Function, "go.etcd.io/bbolt")
		}
		if !more {
			return false
		}
	}
}

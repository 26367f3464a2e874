package maintenance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"angler/store"
	"angler/store/config"
	"angler/store/modes"
	"angler/store/sealed"
)

// This file writes the database of a workspace anew without the room that
// nothing uses any more, and puts it in place in one step.
//
// No writer may run meanwhile: the lock of readers is held from the first look to after
// the new file is in place. The new file is compared with the old one row by row and
// flushed before it gets the name, so that a crash at any moment leaves one of the two,
// whole. It needs as much room on the disk as what is in use.

// suffix is that of the new file until it has its name.
const suffix = ".compact"

// batchBytes are written in one transaction.
const batchBytes = 16 << 20

// compactedSizes are those of a database file, in bytes.
type compactedSizes struct {
	Before, After int64 // of the file
	Rows          int
}

// EstimateCompaction tells the size of the file and how much of it nothing uses.
func EstimateCompaction(dir string) (file, free int64, err error) {
	db, err := open(dir)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	st, err := os.Stat(db.Path())
	if err != nil {
		return 0, 0, err
	}
	err = db.View(func(tx sealed.Tx) error {
		// A database that is read alone has no list of free pages in memory: what is
		// in use is counted.
		used := int64(4 * os.Getpagesize())
		return tx.Raw().ForEach(func(_ []byte, b *bolt.Bucket) error {
			s := b.Stats()
			used += int64(s.BranchAlloc + s.LeafAlloc)
			free = max(0, st.Size()-used)
			return nil
		})
	})
	return st.Size(), free, err
}

// Compact compacts the database of the workspace in dir. told is called now and then with
// the bytes that were copied of about so many. When ctx ends, or anything fails,
// everything is as it was. The error is store.ErrLocked when the workspace is open.
func Compact(ctx context.Context, dir string, told func(done, total int64)) (s compactedSizes, err error) {
	db, err := open(dir)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	path := db.Path()
	st, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	s.Before = st.Size()
	made := path + suffix
	if err := os.Remove(made); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that was killed
		return s, fmt.Errorf("cannot remove %s (%v); remove it by hand", made, modes.Cause(err))
	}
	defer os.Remove(made) // nothing when it has got its name
	x := &copying{ctx: ctx, told: told, total: s.Before}
	if err := x.fill(db, made, st.Mode().Perm()); err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			return s, fmt.Errorf("%s: %w; compacting needs room for what is in use: free some space", dir, err)
		}
		return s, fmt.Errorf("%s was left as it was: %w", path, err)
	}
	done, err := os.Stat(made)
	if err != nil {
		return s, err
	}
	if err := ctx.Err(); err != nil {
		return s, err
	}
	os.Remove(store.CheckpointPath(dir)) // the next closing makes another
	if err := modes.Rename(made, path, db.Close); err != nil {
		return s, fmt.Errorf("cannot put %s in place (%v)", made, modes.Cause(err))
	}
	_ = modes.SyncFolder(filepath.Dir(path)) // names that a crash of the machine brings back are both of whole files
	s.After, s.Rows = done.Size(), x.rows
	// A process that opened the old file just before waits for its lock for LockWait. It
	// must not get it: what it wrote would be lost with the file.
	time.Sleep(2 * store.LockWait)
	return s, nil
}

// open opens the database for reading, which keeps others from writing it.
func open(dir string) (*sealed.DB, error) {
	if _, err := config.Read(dir); err != nil {
		return nil, err
	}
	path := store.DatabasePath(dir)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w: %s is missing", dir, store.ErrDamaged, path)
	}
	db, err := sealed.Open(path, modes.File, sealed.Options{Options: bolt.Options{Timeout: store.LockWait, ReadOnly: true},
		Plain: string(store.BucketBodies), Bare: string(store.KeySchema), Advice: store.Advice(dir)})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fmt.Errorf("%s: %w by %s", dir, store.ErrLocked, store.InTheWay(dir))
	case err != nil:
		return nil, fmt.Errorf("cannot open %s: %w", path, err)
	}
	return db, nil
}

// copying is one copy under way.
type copying struct {
	ctx         context.Context
	told        func(done, total int64)
	done, total int64
	rows        int
}

// fill writes all rows into a new database, flushes it, and compares the two.
func (x *copying) fill(from *sealed.DB, made string, mode fs.FileMode) error {
	to, err := bolt.Open(made, mode, &bolt.Options{NoSync: true, NoFreelistSync: false, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	used := int64(0)
	err = from.View(func(tx sealed.Tx) error {
		if err := tx.Raw().ForEach(func(name []byte, b *bolt.Bucket) error { return x.bucket(to, name, b) }); err != nil {
			return err
		}
		if err := to.Sync(); err != nil {
			return err
		}
		return to.View(func(copied *bolt.Tx) error {
			used = copied.Size()
			return x.compare(tx.Raw(), copied)
		})
	})
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	f, err := os.OpenFile(made, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	// bbolt makes a file longer than it needs, so as to grow seldom.
	return errors.Join(f.Truncate(used), f.Chmod(mode), f.Sync(), f.Close())
}

// bucket copies the rows of one bucket as they lie in the file.
func (x *copying) bucket(to *bolt.DB, name []byte, b *bolt.Bucket) error {
	c := b.Cursor()
	for k, v, first := start(c); first || k != nil; first = false {
		err := to.Update(func(tx *bolt.Tx) error {
			out, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			out.FillPercent = .9
			if err := out.SetSequence(b.Sequence()); err != nil {
				return err
			}
			size := 0
			for ; k != nil && size < batchBytes; k, v = c.Next() {
				if v == nil {
					return fmt.Errorf("bucket %s holds another bucket", name)
				}
				if err := out.Put(k, v); err != nil {
					return err
				}
				size += len(k) + len(v)
				x.rows++
			}
			x.done += int64(size)
			return x.ctx.Err()
		})
		if err != nil {
			return err
		}
		x.told(x.done, x.total)
	}
	return nil
}

// start is the first row of a bucket; first says that the bucket is still to be made.
func start(c *bolt.Cursor) (k, v []byte, first bool) {
	k, v = c.First()
	return k, v, true
}

var errDiffers = errors.New("what was copied is not what is stored")

// compare reads both databases side by side.
func (x *copying) compare(one, two *bolt.Tx) error {
	n := 0
	count := func(tx *bolt.Tx) (n int, err error) {
		err = tx.ForEach(func([]byte, *bolt.Bucket) error { n++; return nil })
		return n, err
	}
	a, err1 := count(one)
	b, err2 := count(two)
	if err := errors.Join(err1, err2); err != nil || a != b {
		return errors.Join(err, errDiffers)
	}
	return one.ForEach(func(name []byte, from *bolt.Bucket) error {
		to := two.Bucket(name)
		if to == nil || to.Sequence() != from.Sequence() {
			return errDiffers
		}
		c, d := from.Cursor(), to.Cursor()
		k, v := c.First()
		l, w := d.First()
		for k != nil || l != nil {
			if !bytes.Equal(k, l) || !bytes.Equal(v, w) {
				return errDiffers
			}
			if n++; n%1024 == 0 && x.ctx.Err() != nil {
				return x.ctx.Err()
			}
			k, v = c.Next()
			l, w = d.Next()
		}
		return nil
	})
}

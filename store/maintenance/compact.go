package maintenance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/store"
	"angler/store/config"
	"angler/store/modes"
	"angler/store/sealed"
)

// This file rewrites the database of a workspace without its unused space and replaces the old file
// in one step.
//
// No process may write meanwhile: the readers' lock is held from the first read until the new file
// is in place. The new file is compared with the old one row by row and flushed before it gets the
// name. So a crash at any moment leaves one complete file. It needs as much free disk space as the
// used part of the database.

// suffix marks the new file until it gets its name.
const suffix = ".compact"

// batchBytes is the size of one transaction.
const batchBytes = 16 << 20

// compactedSizes are sizes of a database file, in bytes.
type compactedSizes struct {
	Before, After int64 // of the file
	Rows          int
}

// EstimateCompaction returns the size of the file and its unused bytes.
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
		// A read-only database has no list of free pages in memory, so the used pages are counted.
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

// Compact compacts the database of the workspace in dir. told gets the copied bytes and their
// approximate total now and then. If ctx ends or anything fails, nothing has changed. The error is
// store.ErrLocked if the workspace is open.
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
	if err := os.Remove(made); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a killed process
		return s, fmt.Errorf("cannot remove %s (%v); remove it by hand", made, modes.Cause(err))
	}
	defer os.Remove(made) // no effect once it has its name
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
	os.Remove(store.CheckpointPath(dir)) // the next closing writes a new one
	if err := modes.Rename(made, path, db.Close); err != nil {
		return s, fmt.Errorf("cannot put %s in place (%v)", made, modes.Cause(err))
	}
	_ = modes.SyncFolder(filepath.Dir(path)) // after a crash of the machine either name is a complete file
	s.After, s.Rows = done.Size(), x.rows
	// A process that opened the old file just before waits LockWait for its lock. It must not get it:
	// its writes would be lost with the file.
	time.Sleep(2 * store.LockWait)
	return s, nil
}

// open opens the database for reading, which keeps other processes from writing.
func open(dir string) (*sealed.DB, error) {
	if _, err := config.Read(dir); err != nil {
		return nil, err
	}
	return store.OpenReadOnly(dir)
}

// copying is one compaction.
type copying struct {
	ctx         context.Context
	told        func(done, total int64)
	done, total int64
	rows        int
}

// fill copies all rows into a new database, flushes it, and compares the two.
func (x *copying) fill(from *sealed.DB, made string, mode fs.FileMode) error {
	to, err := bolt.Open(made, mode, &bolt.Options{NoSync: true, NoFreelistSync: false,
		FreelistType: bolt.FreelistMapType})
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
	// bbolt allocates more than it needs, so that files grow seldom.
	return errors.Join(f.Truncate(used), f.Chmod(mode), f.Sync(), f.Close())
}

// bucket copies the rows of one bucket without decoding them.
func (x *copying) bucket(to *bolt.DB, name []byte, b *bolt.Bucket) error {
	c := b.Cursor()
	k, v := c.First()
	for first := true; first || k != nil; first = false { // an empty bucket is made, too
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

var errDiffers = errors.New("what was copied is not what is stored")

// compare compares both databases row by row.
func (x *copying) compare(one, two *bolt.Tx) error {
	a, err1 := x.fingerprint(one)
	b, err2 := x.fingerprint(two)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return errDiffers
	}
	return nil
}

// fingerprint returns a hash of all rows and of the sequences of their buckets.
func (x *copying) fingerprint(tx *bolt.Tx) ([]byte, error) {
	sum := sha256.New()
	add := func(b []byte) {
		sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		sum.Write(b)
	}
	err := tx.ForEach(func(name []byte, b *bolt.Bucket) error {
		add(name)
		sum.Write(binary.LittleEndian.AppendUint64(nil, b.Sequence()))
		n := 0
		return b.ForEach(func(k, v []byte) error {
			add(k)
			add(v)
			if n++; n%1024 == 0 {
				return x.ctx.Err()
			}
			return nil
		})
	})
	return sum.Sum(nil), err
}

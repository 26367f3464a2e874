package sealed

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A copy made while every commit changes all rows holds one complete commit, or is not made.
func TestCopyBesideAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := Open(path, 0o600, Options{})
	must(t, err)
	defer db.Close()
	bucket := []byte("rows")
	commit := func(n uint64) {
		err := db.Update(func(tx Tx) error {
			if _, err := tx.Raw().CreateBucketIfNotExists(bucket); err != nil {
				return err
			}
			for k := range uint64(300) {
				v := binary.BigEndian.AppendUint64(make([]byte, 0, 512), n)
				if err := tx.Bucket(bucket).Put(binary.BigEndian.AppendUint64(nil, k), append(v, make([]byte, 400)...)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	commit(1)
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := uint64(2); ; n++ {
			select {
			case <-stop:
				return
			default:
				commit(n)
			}
		}
	})
	copies := 0
	for range 40 {
		to, err := os.Create(filepath.Join(t.TempDir(), "copy.db"))
		must(t, err)
		err = CopyBeside(context.Background(), path, to)
		to.Close()
		if errors.Is(err, ErrBusy) {
			continue
		}
		must(t, err)
		copies++
		whole(t, to.Name(), bucket)
	}
	close(stop)
	writer.Wait()
	to, err := os.Create(filepath.Join(t.TempDir(), "copy.db"))
	must(t, err)
	if err := CopyBeside(context.Background(), path, to); err != nil {
		t.Errorf("without a writer: %v", err)
	}
	whole(t, to.Name(), bucket)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := CopyBeside(gone, path, to); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	to.Close()
	t.Logf("%d copies beside the writer", copies)
}

// whole checks that all rows are of one commit.
func whole(t *testing.T, path string, bucket []byte) {
	t.Helper()
	c, err := Open(path, 0o600, Options{})
	must(t, err)
	defer c.Close()
	seen, rows := map[uint64]bool{}, 0
	err = c.View(func(tx Tx) error {
		return tx.Bucket(bucket).ForEach(func(_, v []byte) error {
			rows++
			seen[binary.BigEndian.Uint64(v)] = true
			return nil
		})
	})
	if err != nil || rows != 300 || len(seen) != 1 || c.Tally.Len() > 0 {
		t.Errorf("a copy has %d rows of %d commits, %v, %s", rows, len(seen), err, c.Tally.String())
	}
}

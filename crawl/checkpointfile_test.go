package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/maintenance"
	"angler/store/schema"
)

// crawledBit makes a workspace of a few pages and closes it.
func crawledBit(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	e := openDemo(t, dir, crawl.Options{})
	sampled(t, e, 3)
	discoverMore(t, e)
	closed(t, e)
	return dir
}

func discoverMore(t *testing.T, e *demo.Engine) {
	t.Helper()
	discover(t, e.Runs, run.Options{MaxPages: 60})
}

func closed(t *testing.T, e *demo.Engine) {
	t.Helper()
	must(t, e.Close())
}

// A checkpoint that is cut off, or in which bits have turned, changes nothing of what an
// engine shows, wherever that is.
func TestADamagedCheckpoint(t *testing.T) {
	t.Parallel()
	dir := crawledBit(t)
	path := store.CheckpointPath(dir)
	whole, err := os.ReadFile(path)
	must(t, err)
	shown := func(b []byte) (map[string]any, bool) {
		to := t.TempDir()
		must(t, errors.Join(os.CopyFS(to, os.DirFS(dir)), os.WriteFile(store.CheckpointPath(to), b, 0o600)))
		e := openDemo(t, to, crawl.Options{})
		defer closed(t, e)
		return engineSays(t, e), e.Recalled()
	}
	want, used := shown(whole)
	if !used {
		t.Fatal("whole, it is not used")
	}
	same := func(what string, b []byte, use bool) {
		t.Helper()
		got, used := shown(b)
		if used && !use {
			t.Errorf("%s: it is used", what)
		}
		for key := range want {
			if !reflect.DeepEqual(got[key], want[key]) {
				t.Errorf("%s, %s:\n%.1000v\nwhole:\n%.1000v", what, key, got[key], want[key])
			}
		}
	}
	const parts = 6
	for i := range parts {
		at := len(whole) * i / parts
		same(fmt.Sprintf("cut off at %d of %d", at, len(whole)), whole[:at], false)
		b := bytes.Clone(whole)
		b[at] ^= 0x10
		// Rows of pages are verified when they are read, and then those of the database are.
		same(fmt.Sprintf("a bit of byte %d turned", at), b, i > 0)
	}
}

// What lies where the checkpoint should be and cannot be replaced costs nothing but the
// next opening's time.
func TestACheckpointThatCannotBeWritten(t *testing.T) {
	dir := crawledBit(t)
	path := store.CheckpointPath(dir)
	must(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "in the way"), nil, 0o600)))
	e := openDemo(t, dir, crawl.Options{})
	discoverMore(t, e)
	closed(t, e)
	notUsed := func() {
		t.Helper()
		e := openDemo(t, dir, crawl.Options{})
		defer closed(t, e)
		consistent(t, e.Engine)
		if e.Recalled() {
			t.Error("a folder is used as a checkpoint")
		}
	}
	notUsed()
	must(t, os.RemoveAll(path))
	notUsed()
	sameAsRows(t, "when nothing is in the way any more", dir, true)
}

// Neither a workspace that was restored nor a copy takes up a checkpoint of another moment,
// and words that were written into the dictionary's file meanwhile count.
func TestACheckpointOfAnotherMoment(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := crawledBit(t)
	e := openDemo(t, dir, crawl.Options{})
	archive := filepath.Join(t.TempDir(), "backup.tar.gz")
	must(t, e.BackupFile(ctx, archive, false))
	discoverMore(t, e)
	if err := store.DiscardCheckpoint(e.Workspace()); err != nil { // so that closing makes another
		t.Fatal(err)
	}
	closed(t, e)
	later, err := os.ReadFile(store.CheckpointPath(dir))
	must(t, err)
	restored, err := maintenance.Restore(ctx, archive, dir, true, time.Now())
	must(t, err)
	if _, err := os.Stat(store.CheckpointPath(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the checkpoint after the restoring: %v", err)
	}
	sameAsRows(t, "restored", dir, false)
	must(t, os.WriteFile(store.CheckpointPath(dir), later, 0o600))
	sameAsRows(t, "restored beside a later checkpoint", dir, false)
	sameAsRows(t, "put aside", restored.Old, true)

	words := filepath.Join(restored.Old, "dict", "words.txt")
	must(t, errors.Join(os.MkdirAll(filepath.Dir(words), 0o700), os.WriteFile(words, []byte("竞争性磋商公告\n公开招标公告\n"), 0o600)))
	sameAsRows(t, "with more words", restored.Old, true)
}

// A row of the database that is damaged behind the checkpoint is told of while the engine is
// open, and the opening after that leaves it out.
func TestDamageBehindACheckpoint(t *testing.T) {
	dir := crawledBit(t)
	db, err := bolt.Open(filepath.Join(dir, store.DatabaseName), 0o600, nil)
	must(t, err)
	err = db.Update(func(tx *bolt.Tx) error {
		k, v := tx.Bucket(schema.Pages).Cursor().Last()
		k, v = bytes.Clone(k), bytes.Clone(v)
		v[len(v)/2] ^= 0x5a
		return tx.Bucket(schema.Pages).Put(k, v)
	})
	must(t, errors.Join(err, db.Close()))
	for _, use := range []bool{true, false} {
		e := openDemo(t, dir, crawl.Options{})
		crawl.Verified(t.Context(), e.Engine)
		if e.Recalled() != use || e.Workspace().Damage.Len() != 1 {
			t.Errorf("a checkpoint was used: %v; %s", e.Recalled(), e.Workspace().Damage)
		}
		snapshots, end := e.Subscribe()
		told := func(s *view.Snapshot) bool {
			return slices.ContainsFunc(s.Events, func(ev view.Event) bool {
				return strings.Contains(ev.Text.String(), "1 of pages") && strings.Contains(ev.Text.String(), "--repair")
			})
		}
		ends := time.After(10 * time.Minute)
		for s := e.Snapshot(); !told(s); {
			select {
			case s = <-snapshots:
			case <-ends:
				t.Fatalf("a checkpoint is used: %v; events: %v", use, s.Events)
			}
		}
		end()
		closed(t, e)
	}
}

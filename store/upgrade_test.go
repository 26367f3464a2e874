package store

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"

	"angler/store/schema"
	"angler/store/sealed"
)

// older unpacks a workspace that a program of schema 7 made: 30 pages of the demo, three
// samples, two labels, a topic that was changed, taken back and changed again.
func older(t *testing.T) (dir string) {
	t.Helper()
	f, err := os.Open("testdata/schema7.tar.zst")
	must(t, err)
	defer f.Close()
	z, err := zstd.NewReader(f)
	must(t, err)
	defer z.Close()
	dir = t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		must(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		b, err := io.ReadAll(r)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, filepath.Base(h.Name)), b, 0o600))
	}
}

// inDatabase changes the database of a closed workspace.
func inDatabase(t *testing.T, dir string, f func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, databaseFile), 0o600, nil)
	must(t, err)
	must(t, db.Update(f))
	must(t, db.Close())
}

// decided returns the rows of a bucket of decisions, each with its checksum.
func decided(t *testing.T, dir string, bucket []byte) map[string]string {
	t.Helper()
	rows := map[string]string{}
	inDatabase(t, dir, func(tx *bolt.Tx) error {
		b := tx.Bucket(bucket)
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error { rows[string(k)] = string(v); return nil })
	})
	return rows
}

// inRows is inDatabase for rows with checksums.
func inRows(t *testing.T, dir string, f func(sealed.Tx) error) {
	t.Helper()
	db, err := openDatabase(dir)
	must(t, err)
	must(t, db.Update(f))
	must(t, db.Close())
}

// ofVersion returns a change of an older database to another version.
func ofVersion(version uint32) func(sealed.Tx) error {
	return func(tx sealed.Tx) error {
		v := binary.BigEndian.AppendUint32(nil, version)
		meta := tx.Bucket(schema.Meta)
		return errors.Join(meta.Put(schema.KeySealed, bytes.Clone(v)), meta.Put(schema.KeySchema, v))
	}
}

func TestOlderWorkspaceIsUpgraded(t *testing.T) {
	dir := older(t)
	before := decided(t, dir, schema.Desk)
	w := open(t, dir)
	check(t, w)
	if got := w.Counts(); got.Pages != 50 || got.Notices != 14 {
		t.Errorf("%+v, want 50 pages and 14 notices", got)
	}
	labels, err := w.Decisions.Values(FirstTopic, "label")
	must(t, err)
	if len(labels) != 2 {
		t.Errorf("labels %s", labels)
	}
	for u, err := range w.URLs() {
		must(t, err)
		if u.State == Complete {
			if p, err := w.Page(u.ID); err != nil || p.Title == "" && p.Location == "" {
				t.Errorf("page of %s: %+v, %v", u.URL, p, err)
			}
		}
	}
	_, err = w.Decisions.Undo("wang", nil)
	must(t, err)
	_, err = w.Decisions.Redo("wang", nil)
	must(t, err)
	must(t, w.Close())

	after := decided(t, dir, schema.Decisions)
	if !slices.Equal(slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before))) || len(after) == 0 {
		t.Errorf("keys of decisions %v, before %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
	for k, v := range after {
		if n := len(v) - sealed.Size; v[:n] != before[k][:n] {
			t.Errorf("%s is %s, before %s", k, v[:n], before[k][:n])
		}
	}
	if left := decided(t, dir, schema.Desk); len(left) > 0 {
		t.Errorf("left in the old bucket: %v", left)
	}
	check(t, open(t, dir))
}

// A damaged decision of the older schema costs itself, and a repair writes it again.
func TestUpgradeLeavesDamagedDecisionsOut(t *testing.T) {
	dir := older(t)
	before := decided(t, dir, schema.Desk)
	label := slices.MinFunc(slices.Collect(maps.Keys(before)), func(a, b string) int { return bytes.Compare([]byte(a), []byte(b)) })
	inDatabase(t, dir, func(tx *bolt.Tx) error {
		return tx.Bucket(schema.Desk).Put([]byte(label), []byte("spoiled without a checksum"))
	})
	w := open(t, dir)
	if n := w.Damage.Len(); n != 1 {
		t.Errorf("%d damaged rows counted, want 1", n)
	}
	if problems, err := repaired(w); err != nil || len(problems) != 1 {
		t.Errorf("%q, %v", problems, err)
	}
	must(t, w.Close())
	after := decided(t, dir, schema.Decisions)
	if len(after) != len(before) {
		t.Errorf("%d decisions after the repair, before %d", len(after), len(before))
	}
}

// Damaged, newer and too old databases are left alone.
func TestUpgradeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(sealed.Tx) error
		want   error
	}{
		{"a newer schema", ofVersion(Schema + 1), ErrNewer},
		{"one that is too old", ofVersion(schema.Oldest - 1), schema.ErrOlder},
		{"no decisions", func(tx sealed.Tx) error { return tx.Raw().DeleteBucket(schema.Desk) }, ErrDamaged},
		{"no state", func(tx sealed.Tx) error { return tx.Raw().DeleteBucket(schema.State) }, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := older(t)
			inRows(t, dir, c.change)
			before := decided(t, dir, schema.Desk)
			if _, err := Open(dir); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if after := decided(t, dir, schema.Desk); !maps.Equal(after, before) {
				t.Errorf("decisions %v, before %v", after, before)
			}
			if made := decided(t, dir, schema.Decisions); len(made) > 0 {
				t.Errorf("decisions were moved: %v", made)
			}
		})
	}
}

// A changed row of the schema is reported, and the one with a checksum is believed.
func TestChangedSchemaIsKnownAsSuch(t *testing.T) {
	for _, wrong := range []uint32{2, Schema + 7} {
		w, dir := create(t)
		commitPage(t, w, seed(t, w, "http://a.test/")[0].Row.ID, Link{URL: "http://a.test/1"})
		must(t, w.Close())
		inDatabase(t, dir, func(tx *bolt.Tx) error {
			return tx.Bucket(schema.Meta).Put(schema.KeySchema, binary.BigEndian.AppendUint32(nil, wrong))
		})
		w = open(t, dir)
		if w.Damage.Len() != 1 || w.Counts().URLs != 2 {
			t.Errorf("schema %d: %s, %d URLs", wrong, w.Damage, w.Counts().URLs)
		}
		problems, err := repaired(w)
		if err != nil || len(problems) != 1 {
			t.Errorf("schema %d: %q, %v", wrong, problems, err)
		}
		must(t, w.Close())
		check(t, open(t, dir))
	}
}

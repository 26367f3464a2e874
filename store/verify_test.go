package store

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"angler/store/schema"
)

// spoil changes a byte of the first row of a bucket behind the store's back.
func spoil(t *testing.T, dir string, bucket []byte) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, databaseFile), 0o600, nil)
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error {
		k, v := tx.Bucket(bucket).Cursor().First()
		k, v = bytes.Clone(k), bytes.Clone(v)
		v[len(v)/2] ^= 0x5a
		return tx.Bucket(bucket).Put(k, v)
	}))
	must(t, db.Close())
}

// Damage in a row is reported even if a checkpoint has its content: at once when a person opens to
// read, otherwise after Verify, and then by every opening.
func TestDamageBehindACheckpointIsTold(t *testing.T) {
	w, whole := create(t)
	lived(t, w, 9)
	id := w.last.Load()
	_, err := w.Commit(nil, []*Capture{{ID: id, State: Complete, Page: &Page{URL: "http://host0.test/n", Status: 200}, Terms: []byte(Uncounted),
		Notice: &Notice{ID: id, URL: "http://host0.test/n", Title: "公告"}}})
	must(t, err)
	*w.words.(*words) = append(*w.words.(*words), "招标")
	commitPage(t, w, 1)
	saveCheckpoint(t, w, func(*Page) {})
	pages := w.Counts().Pages
	must(t, w.Close())

	r, err := OpenToRead(whole)
	must(t, err)
	if r.Recalled != nil || r.Damage.Len() != 0 {
		t.Errorf("whole, it is not used: %v; %s", r.Recalled, r.Damage)
	}
	must(t, r.Close())
	for _, bucket := range vouched {
		dir := copied(t, whole)
		spoil(t, dir, bucket)

		r, err := OpenToRead(copied(t, dir))
		must(t, err)
		if r.Recalled == nil || r.Damage.Len() != 1 {
			t.Errorf("%s, to read: %v; %s", bucket, r.Recalled, r.Damage)
		}
		n := 0
		for _, err := range r.Pages() {
			must(t, err)
			n++
		}
		if left := pages - n; (left == 1) != bytes.Equal(bucket, schema.Pages) {
			t.Errorf("%s, to read: %d pages are left out", bucket, left)
		}
		must(t, r.Close())

		w := open(t, dir)
		if w.Recalled != nil || w.Damage.Len() != 0 {
			t.Errorf("%s, opened: %v; %s", bucket, w.Recalled, w.Damage)
		}
		rests := 0
		must(t, Verify(t.Context(), w, func() { rests++ }))
		if w.Damage.Len() != 1 || rests < len(vouched) {
			t.Errorf("%s, verified with %d rests: %s", bucket, rests, w.Damage)
		}
		seed(t, w, "http://more.test/")
		must(t, w.Close())
		if w = open(t, dir); w.Recalled == nil || w.Damage.Len() > 1 {
			t.Errorf("%s, opened again: %v; %s", bucket, w.Recalled, w.Damage)
		}
		must(t, w.Close())
	}

	ctx, stop := context.WithCancel(t.Context())
	w = open(t, whole)
	defer w.Close()
	if err := Verify(ctx, w, stop); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

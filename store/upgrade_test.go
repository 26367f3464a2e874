package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"angler/store/schema"
	"angler/store/sealed"
)

// A database of schema 1 has no further inlinks, no history and no state.
func TestOlderSchemaIsUpgraded(t *testing.T) {
	w, dir := create(t)
	root := seed(t, w, "http://a.test/")[0].Row
	commitPage(t, w, root.ID, Link{URL: "http://a.test/1"})
	must(t, w.Close())
	breakSeals(t, dir, 1, func(tx *bolt.Tx) error { return tx.DeleteBucket(schema.State) })
	w = open(t, dir)
	check(t, w)
	must(t, w.PutState("order", []byte("learned")))
	must(t, w.Close())
	w = open(t, dir)
	if got := w.State("order"); string(got) != "learned" {
		t.Errorf("state %q", got)
	}
}

// older makes a workspace whose database f changes into an older schema.
func older(t *testing.T, version uint32, f func(*bolt.Tx) error) (dir string) {
	t.Helper()
	w, dir := create(t)
	commitPage(t, w, seed(t, w, "http://a.test/")[0].Row.ID, Link{URL: "http://a.test/1"})
	must(t, w.Close())
	breakSeals(t, dir, version, f)
	return dir
}

// breakSeals removes the checksums from the database of a closed workspace, as older programs wrote
// it, and then runs f.
func breakSeals(t *testing.T, dir string, version uint32, f func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, databaseFile), 0o644, nil)
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error {
		for _, name := range schema.Buckets {
			b := tx.Bucket(name)
			rows := map[string][]byte{}
			must(t, b.ForEach(func(k, v []byte) error {
				rows[string(k)] = bytes.Clone(v)
				return nil
			}))
			for k, v := range rows {
				if bytes.Equal(name, schema.Bodies) || k == string(schema.KeySchema) {
					continue
				}
				must(t, b.Put([]byte(k), v[:len(v)-sealed.Size]))
			}
		}
		meta := tx.Bucket(schema.Meta)
		for _, k := range [][]byte{schema.KeySealed, schema.KeyLast, schema.KeySealing} {
			must(t, meta.Delete(k))
		}
		return errors.Join(f(tx), meta.Put(schema.KeySchema, binary.BigEndian.AppendUint32(nil, version)))
	}))
	must(t, db.Close())
}

// Before schema 4 a value had no topic, neither in its key nor in the log.
func TestDecisionsWithoutTopicAreTheFirstTopics(t *testing.T) {
	const list, other = "http://a.test/", "http://a.test/1"
	for version := range uint32(4) {
		if version == 0 {
			continue
		}
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			dir := older(t, version, func(tx *bolt.Tx) error {
				var errs []error
				put := func(bucket, key, value string) {
					errs = append(errs, tx.Bucket([]byte(bucket)).Put([]byte(key), []byte(value)))
				}
				put("desk", "sample/"+list, `{"url":"`+list+`"}`)
				put("desk", "anti/"+other, `{"url":"`+other+`"}`)
				put("desk", "label/1", `"yes"`)
				put("desk", "topic/config", `{"m":50}`)
				for _, u := range []string{list, other} {
					k := KeyOf(u)
					put("samples", string(k[:]), `{"url":"`+u+`","content_type":"text/html","body":"","added":"2024-05-01T00:00:00Z"}`)
				}
				// 1: a sample. 2: two labels in one step. 3 takes back 2. 4: a label. 5: a changed label. 6 takes back 5.
				for i, e := range []string{
					`{"seq":1,"at":"2024-05-01T00:00:00Z","by":"wang","what":"sample","changes":[{"kind":"sample","key":"` + list + `","after":{"url":"` + list + `"}}]}`,
					`{"seq":2,"at":"2024-05-01T00:00:00Z","by":"wang","what":"labels","changes":[{"kind":"label","key":"1","after":"no"},{"kind":"label","key":"2","after":"no"}]}`,
					`{"seq":3,"at":"2024-05-01T00:00:00Z","by":"li","what":"undo: labels","changes":[{"kind":"label","key":"2","before":"no"},{"kind":"label","key":"1","before":"no"}],"undoes":2}`,
					`{"seq":4,"at":"2024-05-01T00:00:00Z","by":"li","what":"label 1 yes","changes":[{"kind":"label","key":"1","after":"yes"}]}`,
					`{"seq":5,"at":"2024-05-01T00:00:00Z","by":"li","what":"label 1 no","changes":[{"kind":"label","key":"1","before":"yes","after":"no"}]}`,
					`{"seq":6,"at":"2024-05-01T00:00:00Z","by":"li","what":"undo: label 1 no","changes":[{"kind":"label","key":"1","before":"no","after":"yes"}],"undoes":5}`,
				} {
					put("events", string(schema.IDKey(uint64(i+1))), e)
				}
				errs = append(errs, tx.Bucket([]byte("events")).SetSequence(6))
				put("state", "order", "learned")
				put("state", "orders", "of somebody else")
				return errors.Join(errs...)
			})
			w := open(t, dir)
			check(t, w)
			label := func(want string) {
				t.Helper()
				m, err := w.Decisions.Values(FirstTopic, "label")
				must(t, err)
				if got := string(m["1"]); got != want || len(m["2"]) != 0 {
					t.Errorf("labels %s, want that of 1 to be %s", m, want)
				}
			}
			for kind, want := range map[string]string{"sample": list, "anti": other, "topic": "config"} {
				m, err := w.Decisions.Values(FirstTopic, kind)
				must(t, err)
				if _, ok := m[want]; !ok || len(m) != 1 {
					t.Errorf("%s: %s, want that of %s", kind, m, want)
				}
				if kind == "topic" {
					continue
				}
				if s, err := w.Decisions.Sample(want); err != nil || s == nil || s.URL != want {
					t.Errorf("material of %s: %+v, %v", want, s, err)
				}
			}
			if got := w.State("order/1"); string(got) != "learned" {
				t.Errorf("the link order remembers %q", got)
			}
			if w.State("order") != nil || string(w.State("orders")) != "of somebody else" {
				t.Errorf("old state %q, state of somebody else %q", w.State("order"), w.State("orders"))
			}
			events, err := w.Decisions.Events(100)
			must(t, err)
			if len(events) != 6 || slices.ContainsFunc(events, func(e Event) bool { return e.Changes[0].Topic != FirstTopic }) {
				t.Errorf("events %+v", events)
			}
			label(`"yes"`)
			_, err = w.Decisions.Redo("wang", nil)
			must(t, err)
			label(`"no"`)
			for _, want := range []string{`"yes"`, ""} {
				_, err := w.Decisions.Undo("wang", nil)
				must(t, err)
				label(want)
			}
			e, err := w.Decisions.Undo("wang", nil)
			must(t, err)
			if m, err := w.Decisions.Values(FirstTopic, "sample"); err != nil || len(m) != 0 || e.Undoes != 1 {
				t.Errorf("after undoing event %d: samples %s, %v", e.Undoes, m, err)
			}
			must(t, w.Close())
			w = open(t, dir) // and again in this schema
			_, err = w.Decisions.Redo("wang", nil)
			must(t, err)
			if m, err := w.Decisions.Values(FirstTopic, "sample"); err != nil || len(m) != 1 {
				t.Errorf("after a restart: samples %s, %v", m, err)
			}
			must(t, w.db.View(func(tx sealed.Tx) error {
				return tx.Bucket(schema.Decisions).ForEach(func(k, _ []byte) error {
					if !strings.HasPrefix(string(k), "1/") {
						t.Errorf("key %s", k)
					}
					return nil
				})
			}))
		})
	}
}

// Damaged and newer databases are refused unchanged, and so are unknown older ones.
func TestUpgradeRefuses(t *testing.T) {
	decided := func(tx *bolt.Tx) error { return tx.Bucket([]byte("desk")).Put([]byte("label/1"), []byte(`"yes"`)) }
	for _, c := range []struct {
		name    string
		version uint32
		damage  func(*bolt.Tx) error
		want    error
	}{
		{"a newer schema", Schema + 1, decided, ErrNewer},
		{"an older one without decisions", Schema - 1, func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("desk")) }, ErrDamaged},
		{"an older one without state", 3, func(tx *bolt.Tx) error { return errors.Join(decided(tx), tx.DeleteBucket([]byte("state"))) }, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := older(t, c.version, c.damage)
			if _, err := Open(dir); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			db, err := bolt.Open(filepath.Join(dir, databaseFile), 0o644, nil)
			must(t, err)
			defer db.Close()
			must(t, db.View(func(tx *bolt.Tx) error {
				if b := tx.Bucket([]byte("desk")); b != nil && b.Get([]byte("label/1")) == nil {
					t.Error("the label was moved")
				}
				return nil
			}))
		})
	}
}

// A workspace of schema 4 gets checksums in pieces. After a kill the next opening continues, and
// older programs refuse the workspace.
func TestSealingGoesOnAfterAKill(t *testing.T) {
	for kills := range 6 {
		w, dir := create(t)
		root := seed(t, w, "http://a.test/")[0].Row
		var links []Link
		for i := range 2 * schema.SealRows {
			links = append(links, Link{URL: fmt.Sprintf("http://a.test/%d", i)})
		}
		commitPage(t, w, root.ID, links...)
		_, err := w.Decisions.Do("wang", "label", Change{Topic: FirstTopic, Kind: "label", Key: "1", After: []byte(`"yes"`)})
		must(t, err)
		want := w.Counts()
		must(t, w.Close())
		breakSeals(t, dir, 4, func(*bolt.Tx) error { return nil })

		db, err := openDatabase(dir)
		must(t, err)
		for i := range kills {
			must(t, db.Update(func(tx sealed.Tx) error {
				if i == 0 {
					return schema.BeginSealing(tx, 4)
				}
				done, err := schema.SealSome(tx)
				if done {
					t.Error("sealed in fewer pieces than the test needs")
				}
				return err
			}))
		}
		must(t, db.View(func(tx sealed.Tx) error {
			if v := tx.Raw().Bucket(schema.Meta).Get(schema.KeySchema); kills > 0 && binary.BigEndian.Uint32(v) != Schema {
				t.Errorf("half sealed, an older program sees schema %d", binary.BigEndian.Uint32(v))
			}
			return nil
		}))
		if kills == 3 {
			putVersion(t, db, 5) // the killed program had schema 5
		}
		must(t, db.Close())

		w = open(t, dir)
		check(t, w)
		if got := w.Counts(); got != want || w.Damage.Len() != 0 {
			t.Errorf("after %d pieces: %+v, before %+v; %s", kills, got, want, w.Damage)
		}
		if m, err := w.Decisions.Values(FirstTopic, "label"); err != nil || string(m["1"]) != `"yes"` {
			t.Errorf("after %d pieces: labels %s, %v", kills, m, err)
		}
		must(t, w.db.View(func(tx sealed.Tx) error {
			if tx.Bucket(schema.Meta).Get(schema.KeySealing) != nil {
				t.Error("the mark of sealing is left")
			}
			return nil
		}))
		must(t, w.Close())
	}
}

// A changed row of the schema is not taken for another version.
func TestChangedSchemaIsKnownAsSuch(t *testing.T) {
	for _, wrong := range []uint32{2, Schema + 7} {
		w, dir := create(t)
		commitPage(t, w, seed(t, w, "http://a.test/")[0].Row.ID, Link{URL: "http://a.test/1"})
		must(t, w.Close())
		db, err := bolt.Open(filepath.Join(dir, databaseFile), 0o644, nil)
		must(t, err)
		must(t, db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket(schema.Meta).Put(schema.KeySchema, binary.BigEndian.AppendUint32(nil, wrong))
		}))
		must(t, db.Close())
		w = open(t, dir)
		if w.Damage.Len() != 1 || w.Counts().URLs != 2 {
			t.Errorf("schema %d: %s, %d URLs", wrong, w.Damage, w.Counts().URLs)
		}
		problems, err := w.Repair()
		if err != nil || len(problems) != 1 {
			t.Errorf("schema %d: %q, %v", wrong, problems, err)
		}
		must(t, w.Close())
		check(t, open(t, dir))
	}
}

func putVersion(t *testing.T, db *sealed.DB, version uint32) {
	t.Helper()
	must(t, db.Update(func(tx sealed.Tx) error {
		v := binary.BigEndian.AppendUint32(nil, version)
		return errors.Join(tx.Bucket(schema.Meta).Put(schema.KeySealed, bytes.Clone(v)), tx.Raw().Bucket(schema.Meta).Put(schema.KeySchema, v))
	}))
}

// Programs of schema 5 commit without notes. They refuse a workspace with a checkpoint, and a
// checkpoint beside a database of theirs is ignored.
func TestACheckpointIsNoneOfAnOlderSchema(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 8)
	p := gathered(t, w).Pages[0]
	id := p.ID
	p.Title = "written without a note"
	must(t, w.Close())
	if !asRows(t, dir, "as it is") {
		t.Fatal("it is not used")
	}
	db, err := openDatabase(dir)
	must(t, err)
	putVersion(t, db, 5)
	must(t, db.Update(func(tx sealed.Tx) error {
		return errors.Join(tx.Bucket(schema.Pages).Put(schema.IDKey(id), appendPage(nil, &p)), tx.Bucket(schema.Meta).Put([]byte("seen-n"), make([]byte, 8, 16)))
	}))
	must(t, db.Close())

	r, err := openReader(dir, w.set) // without an upgrade it is read as it is
	must(t, err)
	if p, err := r.Page(id); err != nil || p.Title != "written without a note" || r.Recalled == nil {
		t.Errorf("to read: %+v, %v, %v", p, err, r.Recalled)
	}
	must(t, r.Close())

	if asRows(t, dir, "written by an older program") {
		t.Error("it is used")
	}
	w = open(t, dir)
	must(t, w.db.View(func(tx sealed.Tx) error {
		meta := tx.Bucket(schema.Meta)
		if v := meta.Get(schema.KeySealed); binary.BigEndian.Uint32(v) != Schema || meta.Get(schema.KeyCheckpoint) != nil || meta.Get([]byte("seen-n")) != nil {
			t.Errorf("schema %x, and what belongs to the checkpoint or to the older program is left", v)
		}
		return nil
	}))
}

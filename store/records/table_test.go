package records

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// testDB is a database without a workspace.
type testDB struct{ *sealed.DB }

func (d testDB) Write(f func(sealed.Tx) error) error { return d.Update(f) }

func open(t testing.TB) testDB {
	t.Helper()
	db, err := sealed.Open(filepath.Join(t.TempDir(), "rows.db"), 0o600, sealed.Options{})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, db.Update(func(tx sealed.Tx) error {
		_, err := tx.Raw().CreateBucket(schema.Notices)
		return err
	}))
	return testDB{db}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// FuzzCheck reads made-up rows of every bucket: none crashes the program, and sound ones are read
// again.
func FuzzCheck(f *testing.F) {
	address := addressKey("http://a.test/")
	for i := range All {
		f.Add(byte(i), []byte{0, 0, 0, 0, 0, 0, 0, 1}, []byte{2, 4, '{', '}'})
		f.Add(byte(i), []byte("aaaaaaaabbbb"), []byte{0x28, 0xb5, 0x2f, 0xfd})
		f.Add(byte(i), []byte(""), []byte(""))
	}
	f.Add(byte(9), []byte("d\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"id":1,"ref":"r"}`))
	f.Add(byte(9), []byte("smorning"), []byte(`{"name":"morning"}`))
	f.Add(byte(12), address, []byte(`{"url":"http://a.test/","state":"wanted"}`))
	f.Add(byte(3), []byte{0, 0, 0, 0, 0, 0, 0, 1}, []byte(`{"said":"yes","quote":"桥梁"}`))
	f.Add(byte(4), []byte("use"), []byte(`{"day":"2026-11-22","tokens":9}`))
	f.Add(byte(5), []byte("q"), []byte(`{"query":"q","times":1}`))
	f.Add(byte(6), []byte{0, 0, 0, 0, 0, 0, 0, 1}, []byte(`{"seen":[{"kind":"pager"}],"since":"2026-11-22T08:00:00Z"}`))
	f.Fuzz(func(t *testing.T, bucket byte, key, value []byte) {
		b := All[int(bucket)%len(All)]
		if b.Check(key, value) != nil {
			return
		}
		if r, err := requests.read(key, value); err == nil && len(r.Body) > MaxRequestBody {
			t.Errorf("a body of %d bytes", len(r.Body))
		}
		if q, err := queries.read(key, value); err == nil && q.Query != string(key) {
			t.Errorf("%q is the row of %q", q.Query, key)
		}
		if a, err := answers.read(key, value); err == nil && (a.ID != idOf(key) || a.Said == "") {
			t.Errorf("%q reads as %+v", value, a)
		}
		if m, err := missing.read(key, value); err == nil && (m.ID == 0 || len(m.Kinds()) == 0) {
			t.Errorf("%q reads as %+v", value, m)
		}
	})
}

// A damaged row is reported by the check and counts as missing.
func TestDamagedRequests(t *testing.T) {
	db := open(t)
	for _, v := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte{0x28}, 99)} {
		if err := requests.Check(idKey(1), v); err == nil {
			t.Errorf("%x is sound", v)
		}
		must(t, requests.change(db, func(r rows[uint64, Request]) error { return r.Put(idKey(1), bytes.Clone(v)) }))
		if r, err := RequestOf(db, 1); r != nil || err != nil {
			t.Errorf("%x decodes to %+v, %v", v, r, err)
		}
	}
	if db.Tally.Len() == 0 {
		t.Error("the damage is not counted")
	}
}

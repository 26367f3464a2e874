package traces_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	. "angler/store/traces"

	"angler/store/sealed"
)

// TestTracesStayAsLongAsTheBodyIsGone drops a body for a trace, and the trace for the next
// body.
func TestTracesStayAsLongAsTheBodyIsGone(t *testing.T) {
	dir := t.TempDir()
	if err := store.Create(dir, config.Default()); err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	found, err := w.Seed([]string{"http://a.test/1", "http://a.test/2"})
	if err != nil {
		t.Fatal(err)
	}
	db, one, two := store.RowsOf(w).DB(), found[0].Row.ID, found[1].Row.ID
	if Host.Of(db, one) != nil || Tables.Of(db, one) != nil {
		t.Error("a trace before the first")
	}
	put := func(id uint64, url, body string) {
		t.Helper()
		if _, err := w.Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Page: &store.Page{URL: url, Status: 200, Fetched: time.Unix(1_700_000_000, 0)}, Body: store.Compress([]byte(body))}}); err != nil {
			t.Fatal(err)
		}
	}
	put(one, "http://a.test/1", "first")
	put(two, "http://a.test/2", "second")
	left := map[uint64]Left{one: {Host: []byte{1, 2, 3}}, two: {Tables: []byte{4}}}
	if n, err := store.DropBodies(w, []uint64{one, two}, left, time.Now()); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if v := Host.Of(db, one); !bytes.Equal(v, []byte{1, 2, 3}) || Host.Of(db, two) != nil {
		t.Errorf("left %v and %v", v, Host.Of(db, two))
	}
	if v := Tables.Of(db, two); !bytes.Equal(v, []byte{4}) || Tables.Of(db, one) != nil {
		t.Errorf("left of tables %v and %v", v, Tables.Of(db, one))
	}
	put(one, "http://a.test/1", "again")
	put(two, "http://a.test/2", "again")
	if v, w := Host.Of(db, one), Tables.Of(db, two); v != nil || w != nil {
		t.Errorf("%v and %v stay beside bodies", v, w)
	}
	if n, err := store.DropBodies(w, []uint64{one}, left, time.Unix(1_600_000_000, 0)); err != nil || n != 0 || Host.Of(db, one) != nil {
		t.Errorf("%d bodies of pages that were fetched since went, %v", n, err)
	}
	for _, l := range []Left{{Host: []byte{}}, {Host: make([]byte, Host.Longest+1)}, {Tables: make([]byte, Tables.Longest+1)}} {
		if err := store.RowsOf(w).Write(func(tx sealed.Tx) error { return Put(tx, one, l) }); !errors.Is(err, ErrLong) {
			t.Errorf("%d and %d bytes: %v", len(l.Host), len(l.Tables), err)
		}
	}
}

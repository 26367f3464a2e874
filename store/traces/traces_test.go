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
	if Of(db, one) != nil {
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
	left := map[uint64][]byte{one: {1, 2, 3}}
	if n, err := store.DropBodies(w, []uint64{one, two}, left, time.Now()); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if v := Of(db, one); !bytes.Equal(v, []byte{1, 2, 3}) || Of(db, two) != nil {
		t.Errorf("left %v and %v", v, Of(db, two))
	}
	put(one, "http://a.test/1", "again")
	if v := Of(db, one); v != nil {
		t.Errorf("%v stays beside a body", v)
	}
	if n, err := store.DropBodies(w, []uint64{one}, left, time.Unix(1_600_000_000, 0)); err != nil || n != 0 || Of(db, one) != nil {
		t.Errorf("%d bodies of pages that were fetched since went, %v", n, err)
	}
	for _, v := range [][]byte{nil, make([]byte, Longest+1)} {
		if err := store.RowsOf(w).Write(func(tx sealed.Tx) error { return Put(tx, one, v) }); !errors.Is(err, ErrLong) {
			t.Errorf("%d bytes: %v", len(v), err)
		}
	}
}

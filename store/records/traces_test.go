package records_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	. "angler/store/records"

	"angler/store/sealed"
)

// TestTracesStayAsLongAsTheBodyIsGone replaces a body by a trace, and the trace by the next body.
func TestTracesStayAsLongAsTheBodyIsGone(t *testing.T) {
	dir := t.TempDir()
	must(t, store.Create(dir, config.Default()))
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	found, err := w.Seed([]string{"http://a.test/1", "http://a.test/2"})
	must(t, err)
	one, two := found[0].Row.ID, found[1].Row.ID
	if TraceOf(w, HostTraces, one) != nil || TraceOf(w, TableTraces, one) != nil {
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
	left := map[uint64]PageTraces{one: {Host: []byte{1, 2, 3}}, two: {Tables: []byte{4}}}
	if n, err := store.DropBodies(w, []uint64{one, two}, left, time.Now()); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if v := TraceOf(w, HostTraces, one); !bytes.Equal(v, []byte{1, 2, 3}) || TraceOf(w, HostTraces, two) != nil {
		t.Errorf("left %v and %v", v, TraceOf(w, HostTraces, two))
	}
	if v := TraceOf(w, TableTraces, two); !bytes.Equal(v, []byte{4}) || TraceOf(w, TableTraces, one) != nil {
		t.Errorf("left of tables %v and %v", v, TraceOf(w, TableTraces, one))
	}
	put(one, "http://a.test/1", "again")
	put(two, "http://a.test/2", "again")
	if v, more := TraceOf(w, HostTraces, one), TraceOf(w, TableTraces, two); v != nil || more != nil {
		t.Errorf("%v and %v stay beside bodies", v, more)
	}
	if n, err := store.DropBodies(w, []uint64{one}, left, time.Unix(1_600_000_000, 0)); err != nil || n != 0 || TraceOf(w, HostTraces, one) != nil {
		t.Errorf("%d bodies of pages that were fetched since went, %v", n, err)
	}
	for _, l := range []PageTraces{{Host: []byte{}}, {Host: make([]byte, MaxHostTrace+1)}, {Tables: make([]byte, MaxTableTrace+1)}} {
		if err := w.Write(func(tx sealed.Tx) error { return PutTraces(tx, one, l) }); !errors.Is(err, ErrTraceTooLong) {
			t.Errorf("%d and %d bytes: %v", len(l.Host), len(l.Tables), err)
		}
	}
}

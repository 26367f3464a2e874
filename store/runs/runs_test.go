package runs

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/sealed"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://www.donghu.test/"}
	must(t, store.Create(dir, set))
	return dir
}

func open(t testing.TB, dir string) *store.Workspace {
	t.Helper()
	w, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func row(n int) *Row {
	return &Row{Task: "discovery", By: "wang", Start: start.Add(time.Duration(n) * time.Hour), Seen: start.Add(time.Duration(n)*time.Hour + time.Minute)}
}

func TestARowComesBackAsItWas(t *testing.T) {
	dir := create(t)
	w := open(t, dir)
	r := row(1)
	r.End, r.Why, r.Took, r.Fetched, r.Kinds = Finished, "nothing waits", 12.5, 340, map[string]int{"dns": 3, "http 404": 9}
	r.Curve = []Point{{At: 1, Fetched: 10}, {At: 12.5, Fetched: 340, Lists: 4, Notices: 31, Failures: 12}}
	r.Events = []Event{{Kind: "warn HTTP status 404", Level: "warn", N: 9, Last: start, Text: "HTTP status 404 · http://x.test/"}}
	id, err := Begin(w, r)
	must(t, err)
	must(t, w.Close())
	rows, err := List(open(t, dir), 0, 10)
	must(t, err)
	want, _ := json.Marshal(r)
	if got, _ := json.Marshal(rows[0]); id != 1 || len(rows) != 1 || !bytes.Equal(got, want) {
		t.Errorf("number %d, %d rows, the newest\n%s, want\n%s", id, len(rows), got, want)
	}
}

// A process that was killed leaves a row without an end: its list shows that
// it was killed, and the next opening writes it down.
func TestARowWithoutAnEndIsOfAKilledRun(t *testing.T) {
	w := open(t, create(t))
	id, err := Begin(w, row(1))
	must(t, err)
	for live, want := range map[uint64]string{id: "", 0: Killed} {
		rows, err := List(w, live, 10)
		must(t, err)
		if rows[0].End != want {
			t.Errorf("with run %d under way the row ends %q, want %q", live, rows[0].End, want)
		}
	}
	for i, want := range []int{1, 0} {
		if n, err := Settle(w); err != nil || n != want {
			t.Errorf("settled %d rows at opening %d, %v; want %d", n, i+1, err, want)
		}
	}
	rows, err := List(w, id, 10)
	must(t, err)
	if r := rows[0]; r.End != Killed || r.Took != 60 || !strings.Contains(r.Why, "kill -9") {
		t.Errorf("after settling: %q after %v s, %q", r.End, r.Took, r.Why)
	}
}

func TestTheOldestRowsGive(t *testing.T) {
	w := open(t, create(t))
	must(t, store.RowsOf(w).Write(func(tx sealed.Tx) error {
		_, err := tx.Raw().CreateBucket(Bucket)
		must(t, err)
		for i := 1; i <= Most; i++ {
			r := row(i)
			r.ID = uint64(i)
			must(t, put(tx.Bucket(Bucket), r))
		}
		return nil
	}))
	id, err := Begin(w, row(Most+1))
	must(t, err)
	rows, err := List(w, id, 2*Most)
	must(t, err)
	if len(rows) != Most || rows[0].ID != Most+1 || rows[Most-1].ID != 2 {
		t.Errorf("%d rows from %d to %d, want %d from %d to 2", len(rows), rows[0].ID, rows[len(rows)-1].ID, Most, Most+1)
	}
	if some, err := List(w, id, 3); err != nil || len(some) != 3 || some[2].ID != Most-1 {
		t.Errorf("of three: %d rows, %v", len(some), err)
	}
}

func TestADamagedRowIsLeftOut(t *testing.T) {
	w := open(t, create(t))
	for i := range 3 {
		_, err := Begin(w, row(i))
		must(t, err)
	}
	must(t, store.RowsOf(w).Write(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		must(t, b.Put(store.IDKey(2), []byte(`{"id":7,"task":"harvest"}`))) // another's number
		return b.Bucket.Put(store.IDKey(3), []byte("no row"))
	}))
	rows, err := List(w, 1, 10)
	must(t, err)
	if len(rows) != 1 || rows[0].ID != 1 {
		t.Errorf("rows %+v, want number 1 alone", rows)
	}
	if w.Damage.String() == "" {
		t.Error("the damage is not told")
	}
	if id, err := Begin(w, row(9)); err != nil || id <= 1 {
		t.Errorf("the next run has number %d, %v", id, err)
	}
}

// A workspace of before has no bucket, and one that cannot be written keeps what it
// says.
func TestWithoutABucketAndWithoutWriting(t *testing.T) {
	dir := create(t)
	w := open(t, dir)
	if rows, err := List(w, 0, 10); err != nil || len(rows) != 0 {
		t.Fatalf("%d rows, %v before any run", len(rows), err)
	}
	_, err := Begin(w, row(1))
	must(t, err)
	defer w.Close()
	w, err = store.OpenBeside(t.Context(), dir)
	must(t, err)
	defer w.Close()
	if !store.ReadOnly(w) {
		t.Error("what is open elsewhere is open for writing")
	}
	if n, err := Settle(w); n != 0 || err != nil {
		t.Errorf("settled %d, %v", n, err)
	}
	if rows, err := List(w, 0, 10); err != nil || len(rows) != 1 || rows[0].End != Killed {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

func TestThinKeepsBothEnds(t *testing.T) {
	for _, n := range []int{0, 1, MostPoints, MostPoints + 1, 5000} {
		c := make([]Point, n)
		for i := range c {
			c[i].Fetched = i
		}
		got := Thin(c)
		if len(got) != min(n, MostPoints) || n > 0 && (got[0].Fetched != 0 || got[len(got)-1].Fetched != n-1) {
			t.Errorf("%d points become %d", n, len(got))
		}
	}
}

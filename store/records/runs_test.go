package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/store/sealed"
)

func row(n int) *Run {
	return &Run{Task: "discovery", By: "wang", Start: start.Add(time.Duration(n) * time.Hour), Seen: start.Add(time.Duration(n)*time.Hour + time.Minute)}
}

func TestARowComesBackAsItWas(t *testing.T) {
	w := open(t)
	r := row(1)
	r.End, r.Why, r.Took, r.Fetched, r.Kinds = RunFinished, "nothing waits", 12.5, 340, map[string]int{"dns": 3, "http 404": 9}
	r.Curve = []RunPoint{{At: 1, Fetched: 10}, {At: 12.5, Fetched: 340, Lists: 4, Notices: 31, Failures: 12}}
	r.Events = []RunEvent{{Kind: "warn HTTP status 404", Level: "warn", N: 9, Last: start, Text: "HTTP status 404 · http://x.test/"}}
	id, err := BeginRun(w, r)
	must(t, err)
	rows, err := Runs(w, 0, 10)
	must(t, err)
	want, _ := json.Marshal(r)
	if got, _ := json.Marshal(rows[0]); id != 1 || len(rows) != 1 || !bytes.Equal(got, want) {
		t.Errorf("number %d, %d rows, the newest\n%s, want\n%s", id, len(rows), got, want)
	}
}

// A killed process leaves a row without an end: the history shows it as killed, and the next
// opening stores that.
func TestARowWithoutAnEndIsOfAKilledRun(t *testing.T) {
	w := open(t)
	id, err := BeginRun(w, row(1))
	must(t, err)
	for live, want := range map[uint64]string{id: "", 0: RunKilled} {
		rows, err := Runs(w, live, 10)
		must(t, err)
		if rows[0].End != want {
			t.Errorf("with run %d under way the row ends %q, want %q", live, rows[0].End, want)
		}
	}
	for i, want := range []int{1, 0} {
		if _, n, err := SettleRuns(w); err != nil || n != want {
			t.Errorf("settled %d rows at opening %d, %v; want %d", n, i+1, err, want)
		}
	}
	rows, err := Runs(w, id, 10)
	must(t, err)
	if r := rows[0]; r.End != RunKilled || r.Took != 60 || !strings.Contains(r.Why, "kill -9") {
		t.Errorf("after settling: %q after %v s, %q", r.End, r.Took, r.Why)
	}
}

func TestTheOldestRowsGive(t *testing.T) {
	w := open(t)
	must(t, runs.change(w, func(b rows[uint64, Run]) error {
		for i := 1; i <= MaxRuns; i++ {
			r := row(i)
			r.ID = uint64(i)
			must(t, b.put(r.ID, r))
		}
		return nil
	}))
	id, err := BeginRun(w, row(MaxRuns+1))
	must(t, err)
	rows, err := Runs(w, id, 2*MaxRuns)
	must(t, err)
	if len(rows) != MaxRuns || rows[0].ID != MaxRuns+1 || rows[MaxRuns-1].ID != 2 {
		t.Errorf("%d rows from %d to %d, want %d from %d to 2", len(rows), rows[0].ID, rows[len(rows)-1].ID, MaxRuns, MaxRuns+1)
	}
	if some, err := Runs(w, id, 3); err != nil || len(some) != 3 || some[2].ID != MaxRuns-1 {
		t.Errorf("of three: %d rows, %v", len(some), err)
	}
}

func TestADamagedRowIsLeftOut(t *testing.T) {
	w := open(t)
	for i := range 3 {
		_, err := BeginRun(w, row(i))
		must(t, err)
	}
	must(t, w.Write(func(tx sealed.Tx) error {
		b := tx.Bucket(RunsBucket)
		must(t, b.Put(idKey(2), []byte(`{"id":7,"task":"harvest"}`))) // another's number
		return b.Bucket.Put(idKey(3), []byte("no row"))
	}))
	rows, err := Runs(w, 1, 10)
	must(t, err)
	if len(rows) != 1 || rows[0].ID != 1 {
		t.Errorf("rows %+v, want number 1 alone", rows)
	}
	if w.Tally.String() == "" {
		t.Error("the damage is not told")
	}
	if id, err := BeginRun(w, row(9)); err != nil || id <= 1 {
		t.Errorf("the next run has number %d, %v", id, err)
	}
}

// A row with an impossible estimate loses only the estimate; rows of older programs have none.
func TestEstimatesOfLists(t *testing.T) {
	w := open(t)
	estimate := func(share string, lists, near, pages, waiting int) string {
		return fmt.Sprintf(`,"recall":{"at":"2026-11-20T09:00:00Z","share":%s,"lists":%d,"near":%d,"pages":%d,"waiting":%d}`,
			share, lists, near, pages, waiting)
	}
	for stored, want := range map[string]*RunRecall{
		estimate("0.96", 24, 14, 1500, 1900): {At: start, Share: .96, Lists: 24, Near: 14, Pages: 1500, Waiting: 1900},
		estimate("0", 0, 0, 1, 9):            {At: start, Pages: 1, Waiting: 9},
		"":                                   nil,
		`,"recall":null`:                     nil,
		`,"recall":{}`:                       nil,
		estimate("7", 24, 14, 1500, 1900):    nil,
		estimate("-0.1", 24, 14, 1500, 1900): nil,
		estimate("0.96", -1, 14, 1500, 1900): nil,
		estimate("0.96", 24, 9999, 1500, 1):  nil,
		estimate("0.96", 24, 14, 0, 1900):    nil,
		estimate("0.96", 24, 14, 1500, -2):   nil,
	} {
		id, err := BeginRun(w, row(1))
		must(t, err)
		must(t, w.Write(func(tx sealed.Tx) error {
			return tx.Bucket(RunsBucket).Put(idKey(id), fmt.Appendf(nil, `{"id":%d,"task":"discovery"%s}`, id, stored))
		}))
		rows, err := Runs(w, id, 1)
		must(t, err)
		if len(rows) != 1 || rows[0].ID != id || !reflect.DeepEqual(rows[0].Recall, want) {
			t.Errorf("%s: %+v", stored, rows)
		}
	}
}

// An older workspace has no bucket.
func TestWithoutABucket(t *testing.T) {
	if rows, err := Runs(open(t), 0, 10); err != nil || len(rows) != 0 {
		t.Fatalf("%d rows, %v before any run", len(rows), err)
	}
}

func TestThinKeepsBothEnds(t *testing.T) {
	for _, n := range []int{0, 1, MaxRunPoints, MaxRunPoints + 1, 5000} {
		c := make([]RunPoint, n)
		for i := range c {
			c[i].Fetched = i
		}
		got := ThinCurve(c)
		if len(got) != min(n, MaxRunPoints) || n > 0 && (got[0].Fetched != 0 || got[len(got)-1].Fetched != n-1) {
			t.Errorf("%d points become %d", n, len(got))
		}
	}
}

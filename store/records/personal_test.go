package records_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"angler/store"
	"angler/store/records"
	"angler/store/sealed"
)

var at = time.Unix(1_800_000_000, 0)

func read(t *testing.T, w *store.Workspace, person string) []uint64 {
	t.Helper()
	m, err := records.ReadBy(w, person)
	must(t, err)
	return slices.Sorted(maps.Keys(m))
}

func TestEachPersonsOwn(t *testing.T) {
	dir, w := workspace(t)
	if got := read(t, w, "wang"); len(got) != 0 {
		t.Errorf("read in a new workspace: %v", got)
	}
	must(t, records.SetRead(w, "wang", []uint64{3, 1 << 40, 2}, at))
	must(t, records.SetRead(w, "wang", []uint64{2, 9}, time.Time{}))
	must(t, records.SetRead(w, "wang2", []uint64{7}, at))
	must(t, records.SetRead(w, "a/b", []uint64{8}, at))
	must(t, records.SetScreens(w, "wang", []byte(`{"at":5}`)))
	must(t, w.Close())
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	for person, want := range map[string][]uint64{"wang": {3, 1 << 40}, "wang2": {7}, "a/b": {8}, "li": nil, "": nil} {
		if got := read(t, w, person); !slices.Equal(got, want) {
			t.Errorf("%q has read %v, want %v", person, got, want)
		}
	}
	if m, _ := records.ReadBy(w, "wang"); !m[3].Equal(at) {
		t.Errorf("read at %v", m[3])
	}
	if v, err := records.ScreensOf(w, "wang"); err != nil || string(v) != `{"at":5}` {
		t.Errorf("place %s, %v", v, err)
	}
	if v, err := records.ScreensOf(w, "li"); err != nil || v != nil {
		t.Errorf("place of nobody %s, %v", v, err)
	}
}

// A damaged row is skipped, reported by the check and removed by a repair; the others stay.
func TestDamagedRow(t *testing.T) {
	dir, w := workspace(t)
	must(t, records.SetRead(w, "wang", []uint64{1, 2}, at))
	must(t, w.Write(func(tx sealed.Tx) error {
		b := tx.Raw().Bucket(records.PersonalBucket)
		k, _ := b.Cursor().First()
		if err := tx.Bucket(records.PersonalBucket).Put([]byte("place/li/"), []byte("{")); err != nil { // sealed, and no JSON
			return err
		}
		return b.Put(slices.Clone(k), []byte("torn"))
	}))
	if got := read(t, w, "wang"); !slices.Equal(got, []uint64{2}) {
		t.Errorf("read %v beside a damaged row", got)
	}
	problems, err := store.CheckQuickly(w)
	if err != nil || len(problems) != 2 {
		t.Fatalf("the check finds %v, %v", problems, err)
	}
	_, err = store.Checker{Workspace: w}.Repair()
	must(t, err)
	must(t, w.Close())
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("after the repair %v, %v", problems, err)
	}
	if got := read(t, w, "wang"); !slices.Equal(got, []uint64{2}) {
		t.Errorf("after the repair read %v", got)
	}
}

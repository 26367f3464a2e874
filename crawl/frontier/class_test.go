package frontier

import (
	"fmt"
	"testing"

	"angler/store"
	"angler/store/config"
)

// Classes hold on disk too: whatever the priorities, a host's boosted entries come
// first, its revisits after the ordinary ones and before the buried ones.
func TestClassesOnDisk(t *testing.T) {
	f := New(Config{Backlog: newBacklog(t), Budget: 20})
	defer f.Close()
	const n = 2000
	classes := map[uint64]int8{}
	for id := uint64(1); id <= n; id++ {
		class := int8(id%4) - 2
		classes[id] = class
		// The lower the class, the higher the priorities.
		f.Push(Entry{ID: id, Host: fmt.Sprint(id % 3), Class: class, Priority: float64(id%100) - 1e9*float64(class)})
	}
	settle(f)
	if v := f.View(0, 0); v.OnDisk < n/2 {
		t.Fatalf("only %d are on disk", v.OnDisk)
	}
	// Per host: while one host's entries are read from disk, the others go on.
	last, out := map[uint64]uint64{}, drain(t, f)
	for _, id := range out {
		before, any := last[id%3]
		if any && classes[before] < classes[id] {
			t.Fatalf("class %d came before class %d", classes[before], classes[id])
		}
		last[id%3] = id
	}
	if len(out) != n {
		t.Errorf("%d entries came out, want %d", len(out), n)
	}
}

// An entry on disk that is pushed again as boosted overtakes all others, one
// that is pushed as buried comes last.
func TestClassChangesOnDisk(t *testing.T) {
	f := New(Config{Backlog: newBacklog(t), Budget: 20})
	defer f.Close()
	const n = 1000
	for id := uint64(1); id <= n; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: float64(n - id)})
	}
	settle(f)
	f.Push(Entry{ID: n - 1, Host: "a", Priority: -5, Class: Boosted}, Entry{ID: 900, Host: "a", Priority: 1e12, Class: Buried}, Entry{ID: 901, Host: "a", Priority: 1e10, Class: Revisit})
	got := drain(t, f)
	if len(got) != n || got[0] != n-1 || got[1] != 1 || got[n-2] != 901 || got[n-1] != 900 {
		t.Errorf("%d came out: %v … %v", len(got), got[:2], got[len(got)-3:])
	}
}

// The score function may move what comes back from disk into another class.
func TestScoreMovesBetweenClasses(t *testing.T) {
	const n = 1000
	f := New(Config{Backlog: newBacklog(t), Budget: 20, Score: func(id uint64, old Entry) (int8, float64, bool) {
		if id%100 == 7 {
			return Buried, old.Priority, true
		}
		return old.Class, old.Priority, true
	}})
	defer f.Close()
	for id := uint64(1); id <= n; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: float64(id)})
	}
	settle(f)
	f.Rescore(f.cfg.Score)
	got := drain(t, f)
	if len(got) != n {
		t.Fatalf("%d came out, want %d", len(got), n)
	}
	for i, id := range got {
		if last := i >= n-10; last != (id%100 == 7) {
			t.Fatalf("%d came out as number %d", id, i)
		}
	}
}

// backlog is a real one in a real workspace.
func newBacklog(t testing.TB) *store.Backlog {
	t.Helper()
	dir := t.TempDir()
	set := config.Default()
	set.Store.ExpectedURLs = 1000
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	b, err := w.NewBacklog()
	must(t, err)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// inMemory is all data that opening a workspace gathers, and the rows read through it.
type inMemory struct {
	Heads  []head
	Counts Counts
	Last   uint64
	Words  []string
	Pages  []Page
	Depths []int
	Known  []uint64 // ids found by the addresses of all URLs
	Keys   int
}

func gathered(t testing.TB, w *Workspace) (all inMemory) {
	t.Helper()
	all = inMemory{Heads: w.heads, Counts: w.Counts(), Last: w.last.Load(), Keys: w.Seen().Keys}
	var err error
	if all.Words, err = w.Words(); err != nil {
		t.Fatal(err)
	}
	for p, err := range w.Pages() {
		must(t, err)
		all.Pages = append(all.Pages, *p)
	}
	var ids []uint64
	for u, err := range w.URLs() {
		must(t, err)
		ids = append(ids, u.ID)
		id, _ := w.Lookup(u.URL)
		all.Known = append(all.Known, id)
	}
	all.Depths = Depths(w, ids)
	return all
}

// copied copies the files of a workspace as a kill would leave them.
func copied(t testing.TB, dir string, without ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "ws")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	for _, name := range append(without, holderFile) {
		if err := os.Remove(filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return to
}

// asRows fails unless the workspace in dir is equal with its checkpoint and without. It reports
// whether a checkpoint was used.
func asRows(t testing.TB, dir, what string) (used bool) {
	t.Helper()
	open := func(dir string) (*Workspace, inMemory) {
		w, err := Open(dir)
		must(t, err)
		defer w.Close()
		all := gathered(t, w)
		if problems, err := CheckQuickly(w); err != nil || len(problems) > 0 {
			t.Fatalf("%s: %q, %v", what, problems, err)
		}
		return w, all
	}
	w, with := open(copied(t, dir))
	_, without := open(copied(t, dir, checkpointFile))
	a, b := reflect.ValueOf(with), reflect.ValueOf(without)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); !reflect.DeepEqual(x, y) {
			t.Fatalf("%s, %s:\n%v\nfrom the rows:\n%v", what, a.Type().Field(i).Name, x, y)
		}
	}
	return w.Recalled == nil
}

func saveCheckpoint(t testing.TB, w *Workspace, each func(*Page)) {
	t.Helper()
	must(t, DiscardCheckpoint(w))
	if saved, err := SaveCheckpoint(w, each); err != nil || !saved {
		t.Fatalf("saved: %v, %v", saved, err)
	}
}

// life changes a workspace by a random step.
func life(t testing.TB, r *rand.Rand, w *Workspace, lexicon *words) {
	t.Helper()
	last := int(w.last.Load())
	id := uint64(1 + r.IntN(last))
	u, err := w.URL(id)
	must(t, err)
	// Milliseconds, as in the rows.
	now := time.UnixMilli(1_790_000_000_000 + int64(r.IntN(1e9)))
	page := &Page{URL: u.URL, Status: 200, Title: fmt.Sprint("标题", r.IntN(99)), Fetched: now, Changed: now, Beta: .5, Hash: KeyOf("<html>" + u.URL)}
	capture := &Capture{ID: id, State: Complete, Page: page, Body: Compress([]byte("<html>" + u.URL)), Terms: []byte(Uncounted)}
	switch r.IntN(9) {
	case 0:
		_, err = w.Seed([]string{fmt.Sprintf("http://host%d.test/", r.IntN(30))})
	case 1:
		_, err = w.Commit([]uint64{id}, nil) // a lease
	case 2:
		_, err = w.Commit(nil, []*Capture{{ID: id, State: Exception, Fails: 1, Failure: ReadFailure("HTTP status 404")}})
	case 3:
		capture.Notice = &Notice{ID: id, URL: u.URL, Title: page.Title}
		_, err = w.Commit(nil, []*Capture{capture})
	case 4:
		if old, _ := w.Page(id); old != nil {
			old.Title = "read again"
			*lexicon = append(*lexicon, fmt.Sprint("词", len(*lexicon)))
			_, err = w.PutReread([]Reread{{old, []byte(Uncounted)}})
		}
	case 5:
		_, err = Reopen(w, func(*URL) bool { return r.IntN(2) == 0 })
	case 6:
		capture.Terms = nil // a redirect
		_, err = w.Commit(nil, []*Capture{capture})
	default:
		for range 1 + r.IntN(6) {
			capture.Links = append(capture.Links, Link{URL: fmt.Sprintf("http://host%d.test/%d", r.IntN(30), r.IntN(400))})
		}
		_, err = w.Commit(nil, []*Capture{capture})
	}
	must(t, err)
}

// Random commits before, during and after a checkpoint, with kills and clean ends: opening finds
// the content of the rows.
func TestACheckpointSaysWhatTheRowsSay(t *testing.T) {
	used := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, dir := create(t)
		lexicon := &words{"招标"}
		w.UseLexicon(lexicon)
		if _, err := w.Seed([]string{"http://host0.test/"}); err != nil {
			t.Fatal(err)
		}
		for step := range 60 {
			life(t, r, w, lexicon)
			if step%20 == 7 {
				saveCheckpoint(t, w, func(*Page) {
					if r.IntN(3) == 0 {
						life(t, r, w, lexicon)
					}
				})
			}
			switch r.IntN(12) {
			case 0:
				must(t, w.Close())
			case 1:
				must(t, w.db.Close()) // as after a kill
			default:
				continue
			}
			what := fmt.Sprintf("seed %d, step %d", seed, step)
			if asRows(t, dir, what) {
				used++
			}
			w = open(t, dir)
			w.UseLexicon(lexicon)
		}
	}
	if used == 0 {
		t.Error("no checkpoint was used")
	}
}

// lived makes a workspace with a checkpoint and later commits.
func lived(t testing.TB, w *Workspace, seed uint64) {
	r, lexicon := rand.New(rand.NewPCG(seed, 2)), &words{}
	w.UseLexicon(lexicon)
	if _, err := w.Seed([]string{"http://host0.test/"}); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		life(t, r, w, lexicon)
	}
	saveCheckpoint(t, w, func(*Page) {})
	for range 10 {
		life(t, r, w, lexicon)
	}
}

// A file that is not the checkpoint of its database is ignored: that of another workspace, of an
// earlier or later moment, cut off, with a changed byte, or of another format.
func TestNoCheckpointOfThisDatabase(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 1)
	must(t, w.Close())
	path := filepath.Join(dir, checkpointFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	if !asRows(t, dir, "as it is") {
		t.Fatal("it is not used")
	}
	none := func(what string, b []byte) {
		t.Helper()
		must(t, os.WriteFile(path, b, 0o600))
		if asRows(t, dir, what) {
			t.Errorf("%s: it was used", what)
		}
	}
	w2, dir2 := create(t)
	lived(t, w2, 1)
	must(t, w2.Close())
	other, err := os.ReadFile(filepath.Join(dir2, checkpointFile))
	must(t, err)
	none("of another workspace", other)
	none("cut off", whole[:len(whole)/2])
	none("empty", nil)
	none("of another form", append([]byte("angler checkpoint 0"), whole[19:]...))
	for range 12 {
		i := rand.IntN(len(whole))
		b := bytes.Clone(whole)
		b[i] ^= 1 << rand.IntN(8)
		// The rows of pages are checked when they are read, and then replaced by those of the database.
		must(t, os.WriteFile(path, b, 0o600))
		asRows(t, dir, fmt.Sprintf("byte %d of %d changed", i, len(whole)))
	}
	must(t, os.WriteFile(path, whole, 0o600))

	before := copied(t, dir)
	w = open(t, dir)
	saveCheckpoint(t, w, func(*Page) {})
	must(t, w.Close())
	later := copied(t, dir)
	swap := func(what, db, file string) {
		t.Helper()
		mixed := copied(t, db)
		b, err := os.ReadFile(filepath.Join(file, checkpointFile))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(mixed, checkpointFile), b, 0o600))
		if asRows(t, mixed, what) {
			t.Errorf("%s: it was used", what)
		}
	}
	swap("a database that was put back", before, later)
	swap("a checkpoint that was put back", later, before)
	if !asRows(t, before, "both put back") || !asRows(t, later, "as it is") {
		t.Error("one of this database is not used")
	}
}

// A rejected checkpoint is not read again, even if its owner rejects it, and the temporary file of
// a killed process is removed.
func TestNoCheckpointIsForgotten(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 3)
	must(t, w.Close())
	begun := filepath.Join(dir, checkpointFile+".123")
	must(t, os.WriteFile(begun, []byte("angler checkpoint"), 0o600))
	w = open(t, dir)
	if _, err := os.Stat(begun); !errors.Is(err, fs.ErrNotExist) || w.Recalled != nil {
		t.Errorf("%v, %v", err, w.Recalled)
	}
	must(t, DiscardCheckpoint(w))
	if _, err := Recall(w, partSeen); !errors.Is(err, errNoCheckpoint) {
		t.Errorf("after it was given up: %v", err)
	}
	commitPage(t, w, 1)
	must(t, w.Close())
	if w = open(t, dir); w.Recalled == nil {
		t.Error("one that was given up is used")
	}
	saveCheckpoint(t, w, func(*Page) {})
	if saved, err := SaveCheckpoint(w, func(*Page) {}); saved || err != nil {
		t.Errorf("another of the same: %v, %v", saved, err)
	}
	// With too many changes it is given up.
	w.recalled.most = 2
	for _, u := range []string{"http://x.test/", "http://y.test/", "http://z.test/"} {
		seed(t, w, u)
	}
	if _, err := os.Stat(CheckpointPath(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("with too many changes: %v", err)
	}
	must(t, w.Close())
	if w = open(t, dir); w.Recalled == nil {
		t.Error("with too many changes it is used")
	}
	check(t, w)
}

// A repair, and any other change of rows without a note, discards a checkpoint.
func TestMendedRowsEndACheckpoint(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 4)
	must(t, w.mend([]Problem{{fix: func(tx sealed.Tx) error { return tx.Bucket(schema.Pages).Delete(schema.IDKey(1)) }}}))
	must(t, w.Close())
	w, err := Open(dir)
	must(t, err)
	defer w.Close()
	if w.Recalled == nil {
		t.Error("it is used")
	}
}

// A read-only workspace opens with its checkpoint.
func TestACheckpointForReading(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 5)
	want := gathered(t, w)
	must(t, w.Close())
	set := w.set
	r, err := openReader(dir, set)
	must(t, err)
	defer r.Close()
	got := gathered(t, r)
	want.Heads, got.Heads, want.Counts, got.Counts = nil, nil, Counts{}, Counts{} // leases have ended
	if r.Recalled != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v\ninstead of\n%+v", r.Recalled, got, want)
	}
	if saved, err := SaveCheckpoint(r, func(*Page) {}); saved || err != nil {
		t.Errorf("saved for reading: %v, %v", saved, err)
	}
}

// A failed write leaves the old checkpoint, and commits are noted for it.
func TestACheckpointThatCannotBeWritten(t *testing.T) {
	w, dir := create(t)
	lived(t, w, 6)
	w.recalled.later = map[uint64]struct{}{}
	for i := range fewLater {
		w.recalled.later[uint64(1)<<40+uint64(i)] = struct{}{}
	}
	full := errors.New("full")
	for range 2 {
		part := CheckpointPart{Name: "x", Write: func(*bufio.Writer) error {
			if !asRows(t, dir, "killed while it is written") {
				t.Error("killed while another is written, the one before is not used")
			}
			return full
		}}
		if saved, err := SaveCheckpoint(w, func(*Page) {}, part); saved || !errors.Is(err, full) {
			t.Fatalf("%v, %v", saved, err)
		}
		commitPage(t, w, 1, Link{URL: "http://more.test/"})
	}
	must(t, w.Close())
	if !asRows(t, dir, "the one before") {
		t.Error("the one before is not used")
	}
}

// FuzzRecall reads arbitrary parts in a file with valid checksums.
func FuzzRecall(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "ws")
	must(f, Create(dir, testSettings()))
	w, err := Open(dir)
	must(f, err)
	f.Cleanup(func() { w.Close() })
	lived(f, w, 7)
	file, _ := w.recalled.now()
	names := []string{partURLs, partSeen, partWords, partPages}
	parts := map[string][]byte{}
	for i, name := range names {
		if parts[name], err = file.part(name); err != nil {
			f.Fatal(err)
		}
		f.Add(i, parts[name])
		f.Add(i, parts[name][:len(parts[name])/2])
	}
	var name checkpointName
	err = w.db.View(func(tx sealed.Tx) error { copy(name[:], tx.Bucket(schema.Meta).Get(schema.KeyCheckpoint)); return nil })
	must(f, err)
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		var all []CheckpointPart
		for j, name := range names {
			v := parts[name]
			if j == i {
				v = b
			}
			all = append(all, CheckpointPart{Name: name, Write: func(w *bufio.Writer) error { _, err := w.Write(v); return err }})
		}
		x := &Workspace{dir: t.TempDir(), db: w.db, set: w.set, Damage: w.Damage}
		must(t, writeCheckpoint(CheckpointPath(x.dir), name, all...))
		x.Recalled = x.db.View(func(tx sealed.Tx) error { return recall(x, tx) })
		defer x.recalled.use(nil, 0, nil)
		if x.Recalled != nil {
			if !errors.Is(x.Recalled, errNoCheckpoint) || x.known != nil {
				t.Errorf("%v, words %v", x.Recalled, x.known)
			}
			return
		}
		for _, err := range x.Pages() {
			if err != nil && !strings.Contains(err.Error(), "page") {
				t.Error(err)
			}
		}
		if _, err := x.Words(); err != nil {
			t.Error(err)
		}
		if slices.ContainsFunc(x.heads, func(h head) bool { return h.state >= numStates }) {
			t.Error("a state that is none")
		}
	})
}

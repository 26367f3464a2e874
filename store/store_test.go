package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"angler/store/config"
	"angler/store/schema"
	"angler/store/sealed"
)

func testSettings() config.Settings {
	s := config.Default()
	s.Seeds = []string{"http://www.donghu.test/"}
	s.Store.ExpectedURLs = 1000
	return s
}

func create(t *testing.T) (*Workspace, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, Create(dir, testSettings()))
	return open(t, dir), dir
}

func open(t *testing.T, dir string) *Workspace {
	t.Helper()
	w, err := Open(dir)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func seed(t *testing.T, w *Workspace, urls ...string) []Admission {
	t.Helper()
	a, err := w.Seed(urls)
	must(t, err)
	return a
}

func commitPage(t *testing.T, w *Workspace, id uint64, links ...Link) []Admission {
	t.Helper()
	u, err := w.URL(id)
	if err != nil || u == nil {
		t.Fatalf("url %d: %v", id, err)
	}
	found, err := w.Commit(nil, []*Capture{{ID: id, State: Complete, Page: &Page{URL: u.URL, Status: 200}, Links: links, Body: Compress([]byte("<html>" + u.URL))}})
	must(t, err)
	return found
}

func check(t *testing.T, w *Workspace) {
	t.Helper()
	problems, err := CheckQuickly(w)
	must(t, err)
	if len(problems) > 0 {
		t.Fatalf("the database is inconsistent: %q", problems)
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	set := testSettings()
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
		is   error
		says string
	}{
		{"nothing there", func(*testing.T, string) {}, errNoWorkspace, "angler new"},
		{"database missing", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			must(t, os.Remove(filepath.Join(dir, databaseFile)))
		}, ErrDamaged, "restore"},
		{"database is no database", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			must(t, os.WriteFile(filepath.Join(dir, databaseFile), []byte(strings.Repeat("no database ", 4000)), 0o644))
		}, ErrDamaged, "restore"},
		{"newer schema", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			inRows(t, dir, ofVersion(Schema+1))
		}, ErrNewer, "update angler"},
		{"locked", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			open(t, dir)
		}, ErrLocked, fmt.Sprintf("process %d", os.Getpid())},
		{"unknown setting", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			must(t, os.WriteFile(filepath.Join(dir, config.Name), []byte("name = \"x\"\n[crawl]\ndepht = 3\n"), 0o644))
		}, nil, "line 3: unknown key crawl.depht"},
		{"setting of the wrong kind", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			must(t, os.WriteFile(filepath.Join(dir, config.Name), []byte("[crawl]\ndepth = \"deep\"\n"), 0o644))
		}, nil, "line 2"},
		{"setting out of range", func(t *testing.T, dir string) {
			must(t, Create(dir, set))
			must(t, os.WriteFile(filepath.Join(dir, config.Name), []byte("[crawl]\nworkers = 0\n"), 0o644))
		}, nil, "crawl.workers: 0 is outside"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ws")
			c.make(t, dir)
			w, err := Open(dir)
			if err == nil {
				w.Close()
				t.Fatal("opened")
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %q is not %q", err, c.is)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q does not say %q in one line", err, c.says)
			}
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCreateLeavesNothingBehind(t *testing.T) {
	bad := testSettings()
	bad.Crawl.Workers = 0
	dir := filepath.Join(t.TempDir(), "ws")
	if err := Create(dir, bad); err == nil {
		t.Fatal("created with no workers")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	if err := Create(filepath.Join(file, "ws"), testSettings()); err == nil || !strings.Contains(err.Error(), "choose a folder") {
		t.Errorf("creating below a file: %v", err)
	}
	must(t, Create(dir, testSettings()))
	if err := Create(dir, testSettings()); !errors.Is(err, ErrExists) {
		t.Errorf("creating twice: %v", err)
	}
}

// A workspace without its settings keeps all other files, in any state.
func TestCreateTouchesNoOtherWorkspace(t *testing.T) {
	database := func(t *testing.T, dir string) {
		must(t, Create(dir, testSettings()))
		must(t, os.Remove(filepath.Join(dir, config.Name)))
	}
	file := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600))
		}
	}
	for _, c := range []struct {
		name, says string
		make       func(t *testing.T, dir string)
	}{
		{"a database", databaseFile, database},
		{"a damaged one", databaseFile, file(databaseFile)},
		{"an empty one", databaseFile, func(t *testing.T, dir string) {
			database(t, dir)
			must(t, os.Truncate(filepath.Join(dir, databaseFile), 0))
		}},
		{"one that is open", databaseFile, func(t *testing.T, dir string) {
			database(t, dir)
			db, err := openDatabase(dir)
			must(t, err)
			t.Cleanup(func() { db.Close() })
		}},
		{"one of an older schema", databaseFile, func(t *testing.T, dir string) {
			database(t, dir)
			inRows(t, dir, ofVersion(schema.Oldest))
		}},
		{"settings that lead nowhere", "open it with", func(t *testing.T, dir string) {
			must(t, os.Mkdir(dir, 0o755))
			must(t, os.Symlink("gone", filepath.Join(dir, config.Name)))
		}},
		{"a copy put aside", "crawl.db.damaged", file("crawl.db.damaged")},
		{"words", DictDir, file(DictDir + "/stop.txt")},
		{"a host key", "ssh", file(HostKeyName)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ws")
			c.make(t, dir)
			before := contents(t, dir)
			if err := Create(dir, testSettings()); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("made beside it: %v", err)
			}
			if after := contents(t, dir); !maps.Equal(before, after) {
				t.Error("the files are not as they were")
			}
		})
	}
}

// contents returns the files of a folder, by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	}))
	return out
}

// Failures stored by older programs are read by their kind, and stay as they are.
func TestFailuresAreReadByTheirKind(t *testing.T) {
	for text, want := range map[string]Failure{
		"": {}, "HTTP status 404": {Kind: StatusFailure(404)}, "robots: Disallow: /a": {FailedRobots, "Disallow: /a"},
		"robots.txt forbids it (Disallow: /a)": {FailedRobots, "robots.txt forbids it (Disallow: /a)"},
		"dns: lookup a.test: no such host":     {"dns", "lookup a.test: no such host"}, "soft 404: 页面不存在": {FailedSoft404, "页面不存在"},
		"the page crashed in the browser": {Kind: "the page crashed in the browser"}, ": x": {Kind: ": x"},
	} {
		got := ReadFailure(text)
		if again := ReadFailure(got.Error()); got != want || again != got {
			t.Errorf("%q is %+v, then %+v, want %+v", text, got, again, want)
		}
	}
	if s := StatusFailure(503).Status(); s != 503 || FailedRobots.Status() != 0 {
		t.Errorf("status %d", s)
	}
}

func TestOnePageIsOneTransaction(t *testing.T) {
	w, dir := create(t)
	root := seed(t, w, "http://a.test/")[0].Row
	found := commitPage(t, w, root.ID,
		Link{URL: "http://a.test/1", Hints: Hints{Anchor: "招标公告", AnchorScore: .5}}, Link{URL: "http://a.test/2"}, Link{URL: "http://a.test/1"}, Link{URL: "http://a.test/"})
	if len(found) != 2 || !found[0].New || found[0].Row.Depth != 1 || found[0].Row.Anchor != "招标公告" {
		t.Fatalf("admitted %+v", found)
	}
	again := commitPage(t, w, found[0].Row.ID, Link{URL: "http://a.test/2"})
	if len(again) != 1 || again[0].New || len(again[0].Row.More) != 1 || again[0].Row.More[0].Source != found[0].Row.ID {
		t.Errorf("another link to a waiting URL was reported as %+v", again)
	}
	if again := commitPage(t, w, found[0].Row.ID, Link{URL: "http://a.test/2"}); len(again) != 0 {
		t.Errorf("the same link of a page visited again was reported: %+v", again)
	}
	want := Counts{Waiting: 1, Complete: 2, Pages: 2, URLs: 3}
	if got := w.Counts(); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	check(t, w)
	must(t, w.Close())
	w = open(t, dir)
	if got := w.Counts(); got != want {
		t.Errorf("counts after reopening %+v, want %+v", got, want)
	}
	u, err := w.URL(found[0].Row.ID)
	must(t, err)
	if u.Anchor != "招标公告" || u.AnchorScore < .49 || u.AnchorScore > .51 || u.Source != root.ID || u.State != Complete {
		t.Errorf("url came back as %+v", u)
	}
	body, err := w.Body(root.ID, 1<<20)
	must(t, err)
	if string(body) != "<html>http://a.test/" {
		t.Errorf("body %q", body)
	}
	ids, err := w.OutLinks(root.ID)
	must(t, err)
	if fmt.Sprint(ids) != "[2 3 2 1]" {
		t.Errorf("out links %v", ids)
	}
}

// The first four links to a waiting URL are stored; a fetched URL needs no more.
func TestInlinksOfAWaitingURL(t *testing.T) {
	w, dir := create(t)
	var hubs []string
	for i := range 6 {
		hubs = append(hubs, fmt.Sprintf("http://a.test/hub%d", i))
	}
	target := Link{URL: "http://a.test/list"}
	var id uint64
	for i, hub := range seed(t, w, hubs...) {
		target.Hints = Hints{Anchor: fmt.Sprintf("link %d", i), Block: "ul.nav", Pager: i%2 == 1, Relevant: i%2 == 0, Features: uint16(i) << 7, SourceScore: float64(i) / 5, Inherited: float64(i)}
		found := commitPage(t, w, hub.Row.ID, target)
		if want := map[bool]int{true: 1, false: 0}[i < maxInlinks]; len(found) != want {
			t.Fatalf("link %d: %d reports, want %d", i, len(found), want)
		}
		if i == 0 {
			id = found[0].Row.ID
		}
	}
	check(t, w)
	must(t, w.Close())
	w = open(t, dir)
	u, err := w.URL(id)
	must(t, err)
	i := 0
	for l := range u.Inlinks {
		if l.Anchor != fmt.Sprintf("link %d", i) || l.Pager != (i%2 == 1) || l.Relevant != (i%2 == 0) || l.Inherited != float64(i) || l.Features != uint16(i)<<7 || l.Block != "ul.nav" {
			t.Errorf("link %d came back as %+v", i, l)
		}
		i++
	}
	if i != maxInlinks {
		t.Errorf("%d inlinks, want %d", i, maxInlinks)
	}
	if found := commitPage(t, w, id); len(found) != 0 {
		t.Errorf("reports %+v", found)
	}
	late := seed(t, w, "http://a.test/late")[0].Row.ID
	if found := commitPage(t, w, late, Link{URL: "http://a.test/list"}); len(found) != 0 {
		t.Errorf("a link to a fetched page was reported: %+v", found)
	}
}

func TestFailedCommitChangesNothing(t *testing.T) {
	w, _ := create(t)
	root := seed(t, w, "http://a.test/")[0].Row
	before := w.Counts()
	_, err := w.Commit(nil, []*Capture{
		{ID: root.ID, State: Complete, Page: &Page{URL: "http://a.test/"}, Links: []Link{{URL: "http://a.test/new"}}},
		{ID: 999, State: Complete, Page: &Page{}},
	})
	if err == nil {
		t.Fatal("a capture of an unknown URL was committed")
	}
	if w.Counts() != before {
		t.Errorf("counts moved to %+v", w.Counts())
	}
	if _, known := w.Lookup("http://a.test/new"); known {
		t.Error("a link of the failed transaction is known")
	}
	if found := commitPage(t, w, root.ID, Link{URL: "http://a.test/new"}); len(found) != 1 {
		t.Errorf("after the failure the same link admits %+v", found)
	}
	check(t, w)
}

func TestShorterPathsTravelThroughStoredLinks(t *testing.T) {
	w, _ := create(t)
	s := seed(t, w, "http://a.test/")[0].Row
	// a long path first: s → l1 → l2 → l3 → leaf, then s' links straight to l3.
	l1 := commitPage(t, w, s.ID, Link{URL: "http://a.test/l1"}, Link{URL: "http://a.test/short"})
	l2 := commitPage(t, w, l1[0].Row.ID, Link{URL: "http://a.test/l2"})
	l3 := commitPage(t, w, l2[0].Row.ID, Link{URL: "http://a.test/l3"})
	leaf := commitPage(t, w, l3[0].Row.ID, Link{URL: "http://a.test/leaf"}, Link{URL: "http://a.test/l3/2", Flat: true})
	if leaf[0].Row.Depth != 4 || leaf[1].Row.Depth != 3 {
		t.Fatalf("depths along the long path: %d and %d", leaf[0].Row.Depth, leaf[1].Row.Depth)
	}
	near := commitPage(t, w, l1[1].Row.ID, Link{URL: "http://a.test/l3"})
	depths := map[string]int{}
	for _, a := range near {
		if a.New {
			t.Errorf("%s counted as new", a.Row.URL)
		}
		depths[a.Row.URL] = a.Row.Depth
	}
	want := map[string]int{"http://a.test/l3": 2, "http://a.test/leaf": 3, "http://a.test/l3/2": 2}
	if fmt.Sprint(depths) != fmt.Sprint(want) {
		t.Errorf("shortened %v, want %v", depths, want)
	}
	check(t, w)
}

func TestLeasesEndWithTheProcess(t *testing.T) {
	w, dir := create(t)
	a := seed(t, w, "http://a.test/", "http://b.test/")
	if _, err := w.Commit([]uint64{a[0].Row.ID}, nil); err != nil {
		t.Fatal(err)
	}
	if c := w.Counts(); c.Processing != 1 || c.Waiting != 1 {
		t.Fatalf("counts with a lease: %+v", c)
	}
	must(t, w.db.Close()) // as after a kill: no filter saved, lease on disk
	w = open(t, dir)
	if c := w.Counts(); c.Processing != 0 || c.Waiting != 2 {
		t.Errorf("counts after the kill: %+v", c)
	}
	if s := w.Seen(); s.Keys != 2 {
		t.Errorf("the seen filter was not rebuilt: %+v", s)
	}
	if again := seed(t, w, "http://a.test/"); len(again) != 0 {
		t.Errorf("a known URL was admitted again after the kill: %+v", again)
	}
	check(t, w)
}

func TestBloomFalsePositivesLoseNoURL(t *testing.T) {
	set := testSettings()
	set.Store.FalsePositive = 0.4 // nearly every second new URL is a "maybe"
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, Create(dir, set))
	w := open(t, dir)
	var urls []string
	for i := range 5000 {
		urls = append(urls, fmt.Sprintf("http://a.test/info/%d.htm", i))
	}
	if got := seed(t, w, urls...); len(got) != len(urls) {
		t.Errorf("%d of %d URLs admitted", len(got), len(urls))
	}
	first := w.Seen()
	if first.False == 0 || first.Maybe != first.False {
		t.Errorf("new URLs alone: %+v", first)
	}
	if got := seed(t, w, urls...); len(got) != 0 {
		t.Errorf("%d URLs admitted twice", len(got))
	}
	if s := w.Seen(); s.False != first.False || s.Fill <= 0 || s.Fill >= 1 || s.FalseRate <= 0 {
		t.Errorf("known URLs after new ones: %+v, then %+v", first, s)
	}
	must(t, w.Close())
	w = open(t, dir)
	if s := w.Seen(); s.Keys != len(urls) {
		t.Errorf("filter holds %d of %d URLs", s.Keys, len(urls))
	}
}

type words []string

func (w words) Since(n int) []string { return w[n:] }

func TestWordsOfEveryStoredTermAreStored(t *testing.T) {
	w, dir := create(t)
	a := seed(t, w, "http://a.test/")
	w.UseLexicon(words{"招标", "公告"})
	commitPage(t, w, a[0].Row.ID)
	must(t, w.Close())
	w = open(t, dir)
	w.UseLexicon(words{"招标", "公告", "中标"})
	commitPage(t, w, a[0].Row.ID)
	got, err := w.Words()
	must(t, err)
	if fmt.Sprint(got) != "[招标 公告 中标]" {
		t.Errorf("words %v", got)
	}
}

func FuzzRows(f *testing.F) {
	f.Add(appendURL(nil, &URL{URL: "http://a.test/", State: Exception, Failure: ReadFailure("404"), Fails: 2}))
	f.Add(appendPage(nil, &Page{URL: "http://a.test/", Title: "招标公告"}))
	f.Add(appendPage(nil, &Page{URL: "http://a.test/", Type: 3, Truncated: true}))
	f.Add(appendLinks(nil, []uint64{4, 2, 9}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if u, err := decodeURL(1, b); err == nil {
			v, err := decodeURL(1, appendURL(nil, u))
			if err != nil || v.URL != u.URL || v.Depth != u.Depth || v.Failure != u.Failure || v.State != u.State {
				t.Errorf("url %+v came back as %+v, %v", u, v, err)
			}
		}
		if p, err := decodePage(1, b); err == nil {
			q, err := decodePage(1, appendPage(nil, p))
			if err != nil || q.Title != p.Title || q.Hash != p.Hash || q.Records != p.Records {
				t.Errorf("page %+v came back as %+v, %v", p, q, err)
			}
		}
		n := 0
		_ = decodeLinks(b, func(uint64, bool) { n++ })
		if n > len(b) {
			t.Errorf("%d links from %d bytes", n, len(b))
		}
	})
}

// Keys wait in memory and are merged shard by shard; after a kill at any moment every URL is known
// by its id.
func TestKeysSurviveAKill(t *testing.T) {
	for _, most := range []int{0, 1, 7, 60, 1 << 20} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			w, dir := create(t)
			w.seen.Most = most
			queue := seed(t, w, "http://a.test/")
			n := 0
			for round := range 40 {
				var links []Link
				for range 5 {
					n++
					links = append(links, Link{URL: fmt.Sprintf("http://a.test/%d", n)}, Link{URL: fmt.Sprintf("http://a.test/%d", n/2)})
				}
				u := queue[0].Row
				queue = append(queue[1:], commitPage(t, w, u.ID, links...)...)
				if round%13 == 12 {
					must(t, w.db.Close()) // as after a kill
					w = open(t, dir)
					w.seen.Most = most
				}
				if w.seen.nyoung > most+10 {
					t.Fatalf("%d keys in memory, at most %d are wanted", w.seen.nyoung, most)
				}
			}
			check(t, w)
			ids := map[uint64]bool{}
			for i := 1; i <= n; i++ {
				id, ok := w.Lookup(fmt.Sprintf("http://a.test/%d", i))
				if !ok || ids[id] {
					t.Fatalf("url %d is known as %d, %v", i, id, ok)
				}
				ids[id] = true
			}
			if _, ok := w.Lookup("http://a.test/none"); ok {
				t.Error("an unknown URL is known")
			}
		})
	}
}

func repaired(w *Workspace) ([]Problem, error) {
	found, err := Checker{Workspace: w}.Repair()
	return found.Problems, err
}

// Every kind of damage to derived rows is found and repaired; other damage is reported and left
// alone.
func TestCheckFindsAndRepairs(t *testing.T) {
	w, dir := create(t)
	w.seen.Most = 1 // keys are merged at once
	root := seed(t, w, "http://a.test/")[0].Row
	commitPage(t, w, root.ID, Link{URL: "http://a.test/1"}, Link{URL: "http://a.test/2"})
	commitPage(t, w, 3, Link{URL: "http://a.test/3"}, Link{URL: "http://a.test/4"})
	check(t, w)
	key := KeyOf("http://a.test/1")
	must(t, w.db.Update(func(tx sealed.Tx) error {
		return errors.Join(
			tx.Bucket(schema.IDs).Delete(key[:]),
			setState(tx, 4, Complete),
			tx.Bucket(schema.Notices).Put(schema.IDKey(77), []byte("{}")),
			tx.Bucket(schema.Links).Put(schema.IDKey(root.ID), appendLinks(nil, []uint64{2 << 1, 99<<1 | 1})),
			tx.Bucket(schema.Decisions).Put([]byte("1/label/55"), []byte(`{"label":"yes"}`)),
			tx.Bucket(schema.Decisions).Put([]byte("label/2"), []byte(`{"label":"yes"}`)),
			tx.Bucket(schema.Decisions).Put([]byte("2/sample/http://a.test/3"), []byte(`{`)),
			tx.Bucket(schema.Decisions).Put([]byte("3/anti/http://a.test/3"), []byte(`{}`)),
			tx.Bucket(schema.Decisions).Put([]byte("1/sample/http://a.test/2"), []byte(`{}`)),
			tx.Bucket(schema.Decisions).Put([]byte("1/anti/http://a.test/2"), []byte(`{}`)),
		)
	}))
	problems, err := repaired(w)
	must(t, err)
	var all []string
	left := 0
	for _, p := range problems {
		all = append(all, p.Text)
		if p.Repairs == "" {
			left++
		}
	}
	for _, want := range []string{"not known by its key", "complete but has no page", "notices 77 is damaged: it belongs to no URL", "links to 1 unknown", "label of an unknown url 55",
		"the page of sample http://a.test/2 is missing", "the page of negative sample http://a.test/2 is missing", "http://a.test/2 is sample and negative sample",
		`decision "label/2" belongs to no topic`, "2/sample/http://a.test/3 holds no JSON", "the page of sample http://a.test/3 is missing", "the page of negative sample http://a.test/3 is missing"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("not found: %s", want)
		}
	}
	if left != 6 {
		t.Errorf("%d problems cannot be repaired, want what analysts decided alone: %q", left, all)
	}
	must(t, w.Close())
	w = open(t, dir)
	problems, err = CheckQuickly(w)
	must(t, err)
	if len(problems) != 6 || slices.ContainsFunc(problems, func(p Problem) bool { return p.Repairs != "" }) {
		t.Errorf("after the repair: %q", problems)
	}
	if id, ok := w.Lookup("http://a.test/1"); !ok || id != 2 {
		t.Errorf("url 2 is known as %d, %v", id, ok)
	}
}

// A caller of each may read and write: no transaction of the reader is open, so the file can grow.
// Otherwise bbolt would wait for ever.
func TestRowsAreGivenOutsideOfATransaction(t *testing.T) {
	w, _ := create(t)
	found, err := w.Seed([]string{"http://a.test/", "http://b.test/"})
	if err != nil || len(found) != 2 {
		t.Fatalf("%d seeds, %v", len(found), err)
	}
	n := 0
	err = w.EachURL([]uint64{1, 2}, func(u *URL) {
		n++
		if err := w.PutHosts(map[string][]byte{u.URL: make([]byte, 16<<20)}); err != nil {
			t.Error(err)
		}
		if other, err := w.URL(3 - u.ID); err != nil || other == nil {
			t.Errorf("url %d: %v, %v", 3-u.ID, other, err)
		}
	})
	if err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A caller may stop at the rows before a damaged page; one that goes on gets the error after them.
func TestScanBeforeADamagedPage(t *testing.T) {
	w, _ := create(t)
	defer w.Close()
	for i := range 3 {
		seed(t, w, fmt.Sprintf("http://a.test/%d", i))
	}
	var closed *bolt.Cursor // bbolt panics when it moves
	must(t, w.View(func(tx sealed.Tx) error { closed = tx.Raw().Bucket(schema.URLs).Cursor(); return nil }))
	rows := scanFrom(w, nil, schema.URLs, func(_ sealed.Bucket, id uint64, v []byte) (*URL, error) {
		if id == 3 {
			closed.First()
		}
		return decodeURL(id, v)
	})
	for u, err := range rows {
		if err != nil || u.ID != 1 {
			t.Fatalf("the first row is %v, %v", u, err)
		}
		break
	}
	var ids []uint64
	var failed error
	for u, err := range rows {
		if failed = err; err == nil {
			ids = append(ids, u.ID)
		}
	}
	if !slices.Equal(ids, []uint64{1, 2}) || !errors.Is(failed, ErrDamaged) {
		t.Errorf("rows %v, then %v; want two rows and ErrDamaged", ids, failed)
	}
}

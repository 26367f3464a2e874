package maintenance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// lexicon is a source of new words.
type lexicon []string

func (l lexicon) Since(n int) []string { return l[min(n, len(l)):] }

const testPages = 150

func address(i int) string { return fmt.Sprintf("http://h%d.test/page/%d.htm", i%7, i) }

// crawled makes a workspace with something in every bucket.
func crawled(t testing.TB) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{address(0)}
	set.Store.ExpectedURLs = 1000
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	words := make(lexicon, 500)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", i)
	}
	w.UseLexicon(words)
	_, err = w.Seed([]string{address(0)})
	must(t, err)
	rnd := rand.New(rand.NewPCG(3, 4))
	var again []*store.Capture // in one commit, so that packs hold their bodies
	for i := range testPages {
		id, ok := w.Lookup(address(i))
		if !ok {
			t.Fatalf("page %d is not known", i)
		}
		body := make([]byte, 200+rnd.IntN(9000))
		for j := range body {
			body[j] = "<p>abcdefgh </p>"[rnd.IntN(16)]
		}
		c := &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Terms: []byte(strings.Repeat("t", 8+rnd.IntN(200))),
			Page: &store.Page{URL: address(i), Status: 200, Title: "page", Hash: store.KeyOf(body), Fetched: time.Unix(1_700_000_000, 0)}}
		for j := i + 1; j < i+5; j++ {
			c.Links = append(c.Links, store.Link{URL: address(j), Hints: store.Hints{Anchor: "a link"}})
		}
		if i%10 == 0 {
			c.Links = append(c.Links, store.Link{URL: address(i) + "#post:page=2", Flat: true, Request: &records.Request{Method: "POST", Body: body[:200], Page: 2, Source: "form"}})
		}
		if i%3 == 0 {
			c.Notice = &store.Notice{ID: id, URL: address(i), Title: "notice", Text: string(body)}
		}
		_, err := w.Commit(nil, []*store.Capture{c})
		must(t, err)
		if i%3 != 1 {
			again = append(again, c)
		}
	}
	_, err = w.Commit(nil, again)
	must(t, err)
	for i := range 40 {
		c := store.Set(store.FirstTopic, "label", fmt.Sprint(i+1), map[string]string{"label": "yes"})
		_, err = w.Decisions.Do("wang", "label", c)
		must(t, err)
	}
	must(t, w.Decisions.PutSample(&store.Sample{URL: address(1), ContentType: "text/html", Body: store.Compress([]byte("<p>sample"))}))
	must(t, w.PutHosts(map[string][]byte{"h1.test": []byte("what repeats"), "h2.test": []byte("what repeats")}))
	must(t, w.PutState("order/1", []byte("what was learned")))
	must(t, records.SetRead(w, "wang", []uint64{1, 4, 7}, time.Unix(1_700_000_000, 0)))
	must(t, records.SetScreens(w, "wang", []byte(`{"at":5}`)))
	for i := range 5 {
		_, err := records.BeginRun(w, &records.Run{Task: "discovery", By: "wang", End: records.RunFinished, Fetched: 30 * i, Curve: make([]records.RunPoint, 40)})
		must(t, err)
	}
	told := &records.AlertState{Name: "morning", Place: records.PlaceOf("mail")}
	must(t, records.BeginPlace(w, told, []records.Mark{{MarkKey: records.MarkKey{Kind: records.MarkNotice, ID: 1}, Version: 7}}))
	for i := range 5 {
		d := &records.Delivery{Ref: fmt.Sprint("r", i), Notify: "morning", Place: told.Place, N: 1, Marks: []records.Mark{{MarkKey: records.MarkKey{Kind: records.MarkNotice, ID: uint64(4 + i)}, Version: 1}}}
		must(t, records.QueueDeliveries(w, told, []*records.Delivery{d}))
		if i%2 == 0 {
			must(t, records.Delivered(w, d, time.Unix(1_700_000_000, 0)))
		}
	}
	var rows []*records.Facts
	for n, err := range w.Notices() {
		must(t, err)
		rows = append(rows, &records.Facts{ID: n.ID, Values: []records.FactValue{{Field: "budget", Norm: "902460", Text: "90.246万元", Source: "line"}}})
	}
	must(t, records.PutFacts(w, rows))
	must(t, w.Write(func(tx sealed.Tx) error {
		for i := range 3 {
			must(t, records.KeepVersion(tx, rows[0].ID, records.NoticeVersion{Until: time.Unix(1_700_000_000, 0), Title: "公告", Text: strings.Repeat("甲", i+1)}, 20))
		}
		return nil
	}))
	must(t, w.Write(func(tx sealed.Tx) error {
		for id := range uint64(4) {
			must(t, records.PutMissing(tx, id+1, &records.MissingEntries{Seen: []records.MissingEntry{{Kind: "pager", Text: "共 30 页"}}, Since: time.Unix(1_700_000_000, 0)}))
			must(t, records.PutTraces(tx, id+1, records.PageTraces{Host: []byte{1, byte(id)}, Tables: []byte{2, byte(id)}}))
		}
		return nil
	}))
	for _, q := range []string{"显微镜", "深海钻井"} {
		must(t, records.QueryFailed(w, q, "wang", time.Unix(1_700_000_000, 0)))
	}
	must(t, w.Close())
	return dir
}

// dump returns every row except those of meta.
func dump(t testing.TB, w *store.Workspace) string {
	t.Helper()
	var out strings.Builder
	must(t, w.View(func(tx sealed.Tx) error {
		names := schema.Buckets[1:]
		for _, b := range records.All {
			names = append(names, b.Name)
		}
		for _, name := range names {
			must(t, tx.Bucket(name).ForEach(func(k, v []byte) error {
				fmt.Fprintf(&out, "%s %q %x\n", name, k, store.KeyOf(v))
				return nil
			}))
		}
		return nil
	}))
	return out.String()
}

// spoil damages a file in one of many ways and describes it.
func spoil(rnd *rand.Rand, b []byte) ([]byte, string) {
	const page = 4096
	at := func() int { return rnd.IntN(len(b)/page) * page }
	switch kind := rnd.IntN(10); kind {
	case 0:
		n := rnd.IntN(len(b))
		return b[:n], fmt.Sprintf("cut to %d bytes", n)
	case 1, 2:
		p := at()
		clear(b[p : p+page])
		return b, fmt.Sprintf("page %d zeroed", p/page)
	case 3:
		p, q := at(), at()
		c := string(b[p : p+page])
		copy(b[p:p+page], b[q:q+page])
		copy(b[q:q+page], c)
		return b, fmt.Sprintf("pages %d and %d swapped", p/page, q/page)
	case 4:
		p := at()
		for i := range page {
			b[p+i] = byte(rnd.Uint32())
		}
		return b, fmt.Sprintf("page %d random", p/page)
	case 5:
		return append(b, b...), "doubled"
	case 6: // the heads of pages of the tree
		p := at()
		i := p + rnd.IntN(96)
		b[i] ^= 1 << rnd.IntN(8)
		return b, fmt.Sprintf("byte %d of page %d", i-p, p/page)
	case 7:
		if rnd.IntN(4) == 0 {
			return nil, "empty"
		}
		p, q := at(), at()
		copy(b[p:p+page], b[q:q+page])
		return b, fmt.Sprintf("page %d copied over page %d", q/page, p/page)
	default:
		n := 1 + rnd.IntN(20)
		for range n {
			b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
		}
		return b, fmt.Sprintf("%d bytes", n)
	}
}

// copies is the number of damaged copies; with the build tag heavy, heavy_test.go makes it 200.
var copies = 40

// A damaged file is opened or refused in bounded memory. A changed row is reported, and after a
// repair the workspace is sound and works. The timeout of go test names a copy that never ends.
func TestDamagedCopies(t *testing.T) {
	dir := crawled(t)
	labelled(t, dir)
	whole, err := os.ReadFile(store.DatabasePath(dir))
	must(t, err)
	w, err := store.Open(dir)
	must(t, err)
	want := dump(t, w)
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Fatalf("before any damage: %v %q", err, problems)
	}
	must(t, w.Close())
	settings, err := os.ReadFile(filepath.Join(dir, "angler.toml"))
	must(t, err)
	backups := os.DirFS(filepath.Join(dir, store.BackupFolder))
	refused, reported, harmless := 0, 0, 0
	for i := range copies {
		rnd := rand.New(rand.NewPCG(uint64(i), 12))
		b, how := spoil(rnd, append([]byte(nil), whole...))
		t.Run(fmt.Sprintf("%d %s", i, how), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ws")
			must(t, os.CopyFS(filepath.Join(dir, store.BackupFolder), backups))
			must(t, os.WriteFile(filepath.Join(dir, "angler.toml"), settings, 0o644))
			must(t, os.WriteFile(store.DatabasePath(dir), b, 0o644))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			switch outcome, err := examine(t, dir); {
			case err != nil:
				t.Error(err)
			case outcome == "":
				harmless++
				w, err := store.Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if got := dump(t, w); got != want {
					t.Error("rows changed and nothing was said")
				}
				w.Close()
			case outcome == "refused":
				refused++
			default:
				reported++
			}
			if runtime.ReadMemStats(&after); after.Sys-before.Sys > 512<<20 { // Sys never shrinks: it is the peak
				t.Errorf("the process grew by %d MB", (after.Sys-before.Sys)>>20)
			}
			if err := mended(t.Context(), dir); err != nil {
				t.Errorf("after the repair: %v", err)
			}
		})
	}
	t.Logf("%d copies: %d refused at opening, %d reported, %d harmless", copies, refused, reported, harmless)
	if refused == 0 || reported == 0 || harmless == 0 {
		t.Error("the damage is too much of one kind")
	}
}

// labelled makes a rolling backup of a workspace, and then ten more labels, half of them on new
// URLs.
func labelled(t *testing.T, dir string) {
	t.Helper()
	w, err := store.Open(dir)
	must(t, err)
	_, err = RollBackup(t.Context(), store.SourceOf(w), 3, time.Unix(1_700_000_000, 0))
	must(t, err)
	var ids []uint64
	for i := range 5 {
		new, err := w.Seed([]string{fmt.Sprintf("http://newer.test/%d", i)})
		must(t, err)
		ids = append(ids, new[0].Row.ID, uint64(100+i))
	}
	for _, id := range ids {
		c := store.Set(store.FirstTopic, "label", fmt.Sprint(id), map[string]string{"label": "no"})
		_, err := w.Decisions.Do("li", "label", c)
		must(t, err)
	}
	must(t, w.Close())
}

// examine opens, checks and reads a whole workspace; "" means that nothing was reported.
func examine(t *testing.T, dir string) (outcome string, err error) {
	file, err := store.CheckFile(dir)
	if err != nil {
		return "", err
	}
	w, err := store.Open(dir)
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "angler workspace check") || !strings.Contains(err.Error(), "crawl.db") {
			return "", fmt.Errorf("refused with: %w", err)
		}
		return "refused", nil
	}
	defer w.Close()
	scan := func(err error) {
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("a scan ends with %v", err)
		}
	}
	for _, err := range w.URLs() {
		scan(err)
	}
	for p, err := range w.Counted() {
		if scan(err); err == nil {
			// A damaged length may exceed the reader's limit. Bodies of up to a gigabyte are allowed, so that
			// alone is not damage.
			if _, err := w.Body(p.ID, 1<<24); !errors.Is(err, store.ErrTooLong) {
				scan(err)
			}
		}
	}
	for _, err := range w.Notices() {
		scan(err)
	}
	for _, err := range w.Links() {
		scan(err)
	}
	_, err = w.Words()
	scan(err)
	_, err = w.Decisions.Values(store.FirstTopic, "label")
	scan(err)
	_, err = w.Decisions.Events(10)
	scan(err)
	problems, err := store.CheckQuickly(w)
	scan(err)
	if err != nil || len(problems) > 0 || len(file.Problems) > 0 {
		return "reported", nil
	}
	return "", nil
}

// mended repairs a workspace like the commands and reports remaining problems.
func mended(ctx context.Context, dir string) error {
	file, err := store.CheckFile(dir)
	if err != nil {
		return err
	}
	if file.Torn {
		if _, err := ReplaceWorkspace(ctx, store.Backups(dir)[0].Path, dir, false); err != nil {
			return err
		}
	}
	w, err := store.Open(dir)
	if err != nil {
		return err
	}
	labels, err := w.Decisions.Values(store.FirstTopic, "label")
	if file.Torn && (err != nil || len(labels) < 40) {
		return fmt.Errorf("%d labels are left of the 40 of the backup, %w", len(labels), err)
	}
	found, err := store.Checker{Workspace: w}.Repair()
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	if w, err = store.Open(dir); err != nil {
		return err
	}
	defer w.Close()
	left, err := store.CheckQuickly(w)
	for _, p := range left {
		if p.Repairs != "" {
			return fmt.Errorf("%q is still found, first %q", p, found.Problems)
		}
	}
	if err != nil {
		return err
	}
	new, err := w.Seed([]string{fmt.Sprintf("http://new.test/%d", w.Counts().URLs)})
	if err != nil || len(new) != 1 {
		return fmt.Errorf("a new URL: %v, %w", new, err)
	}
	return nil
}

// A bucket whose name was changed is missing, and is restored from the backup.
func TestBucketWithAnotherName(t *testing.T) {
	dir := crawled(t)
	w, err := store.Open(dir)
	must(t, err)
	want := dump(t, w)
	_, err = RollBackup(t.Context(), store.SourceOf(w), 3, time.Unix(1_700_000_000, 0))
	must(t, err)
	must(t, w.Close())
	for _, name := range []string{"pages", "bodies", "state", "urls"} {
		b, err := os.ReadFile(store.DatabasePath(dir))
		must(t, err)
		changed := strings.Replace(name, name[:1], "q", 1)
		// Only the bucket of buckets has these names at the end of its keys.
		for at := 0; at < len(b); at += os.Getpagesize() {
			page := b[at : at+os.Getpagesize()]
			if strings.Contains(string(page), "notices") && strings.Contains(string(page), "samples") {
				copy(page, strings.Replace(string(page), name, changed, 1))
			}
		}
		must(t, os.WriteFile(store.DatabasePath(dir), b, 0o600))
		if outcome, err := examine(t, dir); err != nil || outcome != "refused" {
			t.Errorf("%s: %q, %v", name, outcome, err)
		}
		_, err = ReplaceWorkspace(t.Context(), store.Backups(dir)[0].Path, dir, false)
		must(t, err)
		w, err := store.Open(dir)
		must(t, err)
		if got := dump(t, w); got != want {
			t.Errorf("%s: the rows are not those of the backup", name)
		}
		must(t, w.Close())
	}
}

// Labels newer than the backup are taken from a damaged database whose log is readable, and keep
// their URLs.
func TestNewerLabelsAreTakenOver(t *testing.T) {
	dir := crawled(t)
	labelled(t, dir)
	w, err := store.Open(dir)
	must(t, err)
	want := named(t, w)
	must(t, w.Close())
	// Every leaf that holds notices is lost.
	b, err := os.ReadFile(store.DatabasePath(dir))
	must(t, err)
	torn := 0
	for at := 2 * os.Getpagesize(); at < len(b); at += os.Getpagesize() {
		page := b[at : at+os.Getpagesize()]
		whole := binary.NativeEndian.Uint64(page) == uint64(at/os.Getpagesize()) && page[8] == 2
		if whole && strings.Contains(string(page), `"title":"notice"`) {
			clear(page)
			torn++
		}
	}
	must(t, os.WriteFile(store.DatabasePath(dir), b, 0o600))
	if torn == 0 {
		t.Fatal("no page of notices was found")
	}
	if file, err := store.CheckFile(dir); err != nil || !file.Torn {
		t.Fatalf("the file: %+v, %v", file, err)
	}
	r, err := ReplaceWorkspace(t.Context(), store.Backups(dir)[0].Path, dir, false)
	must(t, err)
	if r.Merged != (store.TakenOver{Decisions: 10, URLs: 5}) || r.Unmerged != nil || r.Old != store.DatabasePath(dir)+".damaged" {
		t.Errorf("taken over: %+v", r)
	}
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	if got := named(t, w); !maps.Equal(got, want) || len(got) != 50 {
		t.Errorf("%d labels, before %d: %v", len(got), len(want), got)
	}
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("after the restore: %v %q", err, problems)
	}
	e, err := w.Decisions.Undo("li", nil)
	must(t, err)
	if len(e.Changes) != 1 || e.Changes[0].Key != "104" {
		t.Errorf("undone: %+v", e)
	}
	if _, err := ReplaceWorkspace(t.Context(), store.Backups(dir)[0].Path, dir, false); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a workspace in use: %v", err)
	}
}

// named returns the labels by address.
func named(t *testing.T, w *store.Workspace) map[string]string {
	t.Helper()
	labels, err := w.Decisions.Values(store.FirstTopic, "label")
	must(t, err)
	out := map[string]string{}
	for key, v := range labels {
		id, err := strconv.ParseUint(key, 10, 64)
		must(t, err)
		u, err := w.URL(id)
		must(t, err)
		out[u.URL] = string(v)
	}
	return out
}

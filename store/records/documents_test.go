package records_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/store/sealed"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func workspace(t *testing.T) (string, *store.Workspace) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds, set.Store.ExpectedURLs = []string{"http://a.test/"}, 1000
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return dir, w
}

func TestDocumentsThereAndBack(t *testing.T) {
	dir, w := workspace(t)
	if rows, err := records.Documents(w); err != nil || len(rows) != 0 {
		t.Fatalf("in a new workspace %v, %v", rows, err)
	}
	hash, file, err := records.KeepDocument(dir, []byte("body"), ".pdf")
	must(t, err)
	again, same, err := records.KeepDocument(dir, []byte("body"), ".pdf")
	must(t, err)
	if again != hash || same != file {
		t.Errorf("equal bytes are kept as %s and %s", file, same)
	}
	for _, p := range []string{records.AttachmentsFolder, file} {
		st, err := os.Stat(filepath.Join(dir, p))
		must(t, err)
		if st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", p, st.Mode())
		}
	}
	row := &records.Document{URL: "http://a.test/x.pdf", State: records.DocumentKept, Hash: hash, File: file, Size: 4, Kind: "pdf", Notices: []uint64{3}}
	must(t, records.PutDocuments(w, row, &records.Document{URL: "http://a.test/y.pdf", State: records.DocumentWanted}))
	long := strings.Repeat("预算", 10_000)
	must(t, records.PutDocumentText(w, hash, &records.DocumentText{Version: 1, Text: long, Pages: 2}))
	must(t, w.Close())
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	got, err := records.DocumentOf(w, row.URL)
	must(t, err)
	if got == nil || got.Hash != hash || got.Notices[0] != 3 {
		t.Errorf("row %+v", got)
	}
	if text, err := records.DocumentTextOf(w, hash); err != nil || text == nil || text.Text != long || text.Pages != 2 {
		t.Errorf("text %v, %v", text, err)
	}
	if none, err := records.DocumentOf(w, "http://a.test/z.pdf"); err != nil || none != nil {
		t.Errorf("of an address without a request %v, %v", none, err)
	}
	b, err := records.ReadDocument(dir, got)
	if err != nil || string(b) != "body" {
		t.Errorf("file %q, %v", b, err)
	}
	must(t, os.WriteFile(records.DocumentPath(dir, file), []byte("other"), 0o600))
	if _, err := records.ReadDocument(dir, got); err == nil || errors.Is(err, records.ErrFileGone) {
		t.Errorf("of a changed file: %v", err)
	}
	must(t, os.Remove(records.DocumentPath(dir, file)))
	if _, err := records.ReadDocument(dir, got); !errors.Is(err, records.ErrFileGone) {
		t.Errorf("of a removed file: %v", err)
	}
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("the check finds %v, %v", problems, err)
	}
}

// Damaged rows are skipped, reported by the check and removed by a repair; rows with paths outside
// the folder are damaged.
func TestDamagedDocuments(t *testing.T) {
	dir, w := workspace(t)
	good := &records.Document{URL: "http://a.test/y.pdf", State: records.DocumentWanted}
	must(t, records.PutDocuments(w, good, &records.Document{URL: "http://a.test/x.pdf", State: records.DocumentKept, Hash: strings.Repeat("ab", 32), File: "attachments/../angler.toml"}))
	must(t, records.PutDocumentText(w, strings.Repeat("cd", 32), &records.DocumentText{}))
	must(t, w.Write(func(tx sealed.Tx) error {
		return tx.Bucket(records.TextsBucket).Put([]byte("short"), []byte("x"))
	}))
	if rows, err := records.Documents(w); err != nil || len(rows) != 1 || rows[0].URL != good.URL {
		t.Errorf("rows %v, %v", rows, err)
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
	if rows, err := records.Documents(w); err != nil || len(rows) != 1 {
		t.Errorf("after the repair %v, %v", rows, err)
	}
}

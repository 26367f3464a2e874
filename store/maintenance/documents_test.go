package maintenance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/store"
	"angler/store/records"
)

// withDocuments makes a workspace with two stored documents and other files.
func withDocuments(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	for i, body := range []string{"%PDF-1.7 one", strings.Repeat("two", 1<<20)} {
		hash, file, err := records.KeepDocument(w.Dir(), []byte(body), []string{".pdf", ""}[i])
		must(t, err)
		must(t, records.PutDocuments(w, &records.Document{URL: "http://a.test/" + hash, State: records.DocumentKept, Hash: hash, File: file, Size: int64(len(body))}))
		names = append(names, file)
	}
	must(t, w.Close())
	must(t, os.WriteFile(filepath.Join(dir, records.AttachmentsFolder, "notes.txt"), []byte("mine"), 0o600))
	must(t, os.Symlink("/etc/passwd", filepath.Join(dir, filepath.FromSlash(names[0]+".x"))))
	return dir, names
}

func TestDocumentsThereAndBack(t *testing.T) {
	dir, names := withDocuments(t)
	file := saved(t, archive(t, dir))
	m, err := VerifyBackup(t.Context(), file)
	must(t, err)
	if len(m.Files) != 7 || !m.Attachments || m.Bytes() < 3<<20 {
		t.Errorf("the manifest: %+v", m)
	}
	to := filepath.Join(t.TempDir(), "ws")
	_, err = Restore(t.Context(), file, to, false, now)
	must(t, err)
	w, err := store.Open(to)
	must(t, err)
	defer w.Close()
	rows, err := records.Documents(w)
	must(t, err)
	for _, r := range rows {
		if _, err := records.ReadDocument(w.Dir(), r); err != nil { // compares with the hash
			t.Errorf("%s: %v", r.File, err)
		}
		if st, err := os.Stat(records.DocumentPath(w.Dir(), r.File)); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", r.File, st, err)
		}
	}
	if is := content(t, filepath.Join(to, records.AttachmentsFolder)); len(rows) != 2 || len(is) != 2 {
		t.Errorf("%d rows, %d files", len(rows), len(is))
	}
	// A changed byte of a document is found.
	b, err := os.ReadFile(file)
	must(t, err)
	at := bytes.Index(b, []byte("twotwotwo"))
	b[at+4096] ^= 1
	if _, err := VerifyBackup(t.Context(), saved(t, b)); err == nil || !strings.Contains(err.Error(), names[1]) {
		t.Errorf("a changed document: %v", err)
	}
}

func TestWithoutDocuments(t *testing.T) {
	dir, names := withDocuments(t)
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	var b, all bytes.Buffer
	m, err := WriteBackup(t.Context(), src, &b, BackupPlan{Now: now, NoAttachments: true})
	must(t, err)
	if len(m.Files) != 4 || m.Attachments { // nor the key
		t.Errorf("the manifest: %+v", m)
	}
	// An archive from a server without documents is completed from the folder.
	m, err = CompleteBackup(t.Context(), saved(t, b.Bytes()), dir, true, &all)
	must(t, err)
	if len(m.Files) != 7 || !bytes.Contains(all.Bytes(), []byte(names[0])) {
		t.Errorf("completed: %+v", m)
	}
}

func TestNamesOfDocuments(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	for name, want := range map[string]bool{
		"attachments/ab/" + hash: true, "attachments/ab/" + hash + ".pdf": true, "attachments/ab/" + hash + ".tar.gz": true,
		"attachments/cd/" + hash: false, "attachments/ab/" + hash + "/x": false, "attachments/ab/../" + hash: false, "attachments/" + hash: false,
		"attachments/ab/" + strings.ToUpper(hash): false, "attachments/ab/" + hash + ".": false, "attachments/ab/" + hash + "..pdf": false, "x/attachments/ab/" + hash: false, "attachments/ab/" + hash + ".pdf\n": false,
	} {
		if document(name) != want || known(name) != want {
			t.Errorf("%q", name)
		}
	}
}

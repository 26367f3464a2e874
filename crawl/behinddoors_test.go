package crawl_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/records"
)

// filed is a gate that holds documents, too.
type filed struct {
	*gate
	file  []byte
	asked int // for documents
}

func (f *filed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, ".docx") {
		f.gate.ServeHTTP(w, r)
		return
	}
	f.mu.Lock()
	f.asked++
	c, err := r.Cookie("session")
	in := err == nil && f.sessions[c.Value]
	f.mu.Unlock()
	if !in {
		http.Redirect(w, r, "/door/login?from="+r.URL.Path, http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
	_, _ = w.Write(f.file)
}

// wanting notes documents as wanted by a person.
func wanting(t testing.TB, e *crawl.Engine, addresses ...string) {
	t.Helper()
	for _, a := range addresses {
		must(t, records.PutDocuments(e.Workspace(), &records.Document{URL: a, Name: "附件.docx", State: records.DocumentWanted, Asked: true, At: time.Now()}))
	}
}

func documentRow(t testing.TB, e *crawl.Engine, address string) *records.Document {
	t.Helper()
	row, err := records.DocumentOf(e.Workspace(), address)
	if err != nil || row == nil {
		t.Fatalf("%s: %v", address, err)
	}
	return row
}

// Documents stand behind the same door as pages: their host is logged in to before the
// first of them, and again when the session has ended in between; a login that fails is
// not tried for each of them, and what was wanted stays wanted.
func TestDocumentsBehindALogin(t *testing.T) {
	one, two, three := "http://a.test/f/1.docx", "http://a.test/f/2.docx", "http://a.test/f/3.docx"
	f := &filed{gate: &gate{secret: "geheim", pages: 2}, file: wordFile(t, "采购人：临江大学")}
	e, _ := site(t, f, guarded(t, "geheim"))
	wanting(t, e, one)
	if sum, err := e.Files.FetchAll(t.Context(), nil); err != nil || sum.Kept != 1 {
		t.Fatalf("%s, %v, %+v", sum, err, documentRow(t, e, one))
	}
	if logins, tries := f.count(); logins != 1 || tries != 1 {
		t.Fatalf("%d of %d logins before the first document", logins, tries)
	}
	// Pages go on with the login of the documents.
	if s := discover(t, e.Runs); s.Pages != 3 {
		t.Fatalf("%d pages", s.Pages)
	}
	if logins, _ := f.count(); logins != 1 {
		t.Errorf("%d logins", logins)
	}
	f.mu.Lock()
	f.sessions = nil
	f.mu.Unlock()
	wanting(t, e, two, three)
	if sum, err := e.Files.FetchAll(t.Context(), nil); err != nil || sum.Kept != 2 || sum.Failed != 0 {
		t.Errorf("after the session has ended: %s, %v, %+v, %+v", sum, err, documentRow(t, e, two), documentRow(t, e, three))
	}
	if logins, tries := f.count(); logins != 2 || tries != 2 {
		t.Errorf("%d of %d logins after the session has ended, want 2", logins, tries)
	}
}

func TestDocumentsBehindALoginThatFails(t *testing.T) {
	one, two := "http://a.test/f/1.docx", "http://a.test/f/2.docx"
	f := &filed{gate: &gate{secret: "geheim", pages: 2}, file: wordFile(t, "采购人：临江大学")}
	e, _ := site(t, f, guarded(t, "falsch"))
	wanting(t, e, one, two)
	for range 2 {
		if sum, err := e.Files.FetchAll(t.Context(), nil); err != nil || sum.Kept+sum.Failed != 0 {
			t.Fatalf("%s, %v", sum, err)
		}
	}
	if _, tries := f.count(); tries != 1 || f.asked != 0 {
		t.Errorf("the login was tried %d times, documents were asked for %d times", tries, f.asked)
	}
	for _, a := range []string{one, two} {
		if row := documentRow(t, e, a); row.State != records.DocumentWanted || row.Fails != 0 || !strings.Contains(row.Why, "login") || row.Retry.IsZero() {
			t.Errorf("%+v", row)
		}
	}
	if d := e.Snapshot().Doors; len(d) != 1 || d[0].Kind != view.BlockLoginFailed {
		t.Errorf("%+v", d)
	}
}

// The cookies of a file and those that a host has given open documents, too; when they do
// not any more, the host is told of with what helps.
func TestDocumentsWithCookies(t *testing.T) {
	f := &filed{gate: &gate{sessions: map[string]bool{"s9": true}}, file: wordFile(t, "采购人：临江大学")}
	jar := filepath.Join(t.TempDir(), "cookies.txt")
	must(t, os.WriteFile(jar, []byte("a.test\tFALSE\t/\tFALSE\t0\tsession\ts9\n"), 0o600))
	e, _ := site(t, f, func(s *config.Settings) { s.Host = map[string]config.Host{"a.test": {Cookies: jar}} })
	one, two := "http://a.test/f/1.docx", "http://a.test/f/2.docx"
	wanting(t, e, one)
	if sum, err := e.Files.FetchAll(t.Context(), nil); err != nil || sum.Kept != 1 {
		t.Fatalf("%s, %v, %+v", sum, err, documentRow(t, e, one))
	}
	f.mu.Lock()
	f.sessions = nil
	f.mu.Unlock()
	wanting(t, e, two)
	if sum, err := e.Files.FetchAll(t.Context(), nil); err != nil || sum.Kept+sum.Failed != 0 {
		t.Fatalf("%s, %v", sum, err)
	}
	if row := documentRow(t, e, two); row.State != records.DocumentWanted || row.Why != "asks for a login" {
		t.Errorf("%+v", row)
	}
	if d := e.Snapshot().Doors; len(d) != 1 || d[0].Kind != view.BlockAsksLogin || d[0].URL != two || d[0].Next.IsZero() {
		t.Errorf("%+v", d)
	}
	if saying(e, "asks for a login") == 0 {
		t.Error("no event tells of it")
	}
}

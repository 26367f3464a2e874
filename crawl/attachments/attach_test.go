package attachments_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/fetch"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func docx(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, s := range map[string]string{"[Content_Types].xml": "<Types/>", "word/document.xml": "<w:document><w:p><w:t>" + text + "</w:t></w:p></w:document>"} {
		w, err := z.Create(name)
		must(t, err)
		_, err = w.Write([]byte(s))
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

// site serves documents and remembers what was asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	serve map[string]http.HandlerFunc
}

func newSite(t *testing.T) *site {
	s := &site{asked: map[string]int{}, serve: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		f := s.serve[r.URL.Path]
		s.mu.Unlock()
		if f == nil {
			http.NotFound(w, r)
			return
		}
		f(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) has(path string, body []byte) {
	s.serves(path, func(w http.ResponseWriter, _ *http.Request) { w.Write(body) })
}

func (s *site) serves(path string, f http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serve[path] = f
}

func (s *site) times(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// bench is a keeper on a workspace with notices.
type bench struct {
	*attachments.Documents
	t       *testing.T
	ws      *store.Workspace
	set     config.Settings
	now     atomic.Int64 // seconds ahead of the clock
	told    sync.Map
	ctx     context.Context
	end     context.CancelFunc
	limiter *fetch.HostLimiter
}

func newBench(t *testing.T, s *site, notices ...[]string) *bench {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	b := &bench{t: t, set: config.Default()}
	b.set.Seeds, b.set.Store.ExpectedURLs = []string{s.URL + "/"}, 1000
	b.set.Crawl.Delay = config.Duration(time.Millisecond)
	must(t, store.Create(dir, b.set))
	ws, err := store.Open(dir)
	must(t, err)
	b.ws = ws
	var addresses []string
	for i := range notices {
		addresses = append(addresses, fmt.Sprintf("%s/n%d.htm", s.URL, i))
	}
	_, err = ws.Seed(addresses)
	must(t, err)
	for i, files := range notices {
		id, _ := ws.Lookup(addresses[i])
		n := &store.Notice{ID: id, URL: addresses[i], Title: "notice", Attachments: []store.Attachment{}}
		for _, f := range files {
			address := f
			if f[0] == '/' {
				address = s.URL + f
			}
			n.Attachments = append(n.Attachments, store.Attachment{Name: strings.TrimPrefix(f, "/"), URL: address, Class: "document"})
		}
		_, err := ws.Commit(nil, []*store.Capture{{ID: n.ID, State: store.Complete, Notice: n}})
		must(t, err)
	}
	b.open()
	t.Cleanup(func() { b.close(); ws.Close() })
	return b
}

// open makes a keeper as if the workspace were opened.
func (b *bench) open() {
	b.ctx, b.end = context.WithCancel(context.Background())
	b.limiter = fetch.NewHostLimiter(func(host string) fetch.Pace { return fetch.PaceOf(&b.set, host) }, nil, nil)
	b.Documents = attachments.New(attachments.Config{Store: b.ws, Settings: func() *config.Settings { return &b.set }, Jobs: &jobs.Jobs{Context: b.ctx}, Events: &view.EventLog{Now: time.Now},
		Fetcher: func(max int) (*fetch.Fetcher, error) {
			return fetch.New(fetch.Config{AllowPrivate: true, MaxBody: max})
		},
		Limiter: b.limiter,
		Select: func(_ context.Context, filter string, f func(*store.Notice) error) error {
			if filter == "broken" {
				return errors.New("a mistake")
			}
			for n, err := range b.ws.Notices() {
				if err == nil {
					err = f(n)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}, Now: func() time.Time { return time.Now().Add(time.Duration(b.now.Load()) * time.Second) }})
	b.Listen(func(ids []uint64) {
		for _, id := range ids {
			b.told.Store(id, true)
		}
	})
}

func (b *bench) close() {
	b.end()
	b.Jobs.Wait()
	b.Documents.Close()
}

func (b *bench) ids() []uint64 {
	ids, err := b.ws.NoticeIDs()
	must(b.t, err)
	return ids
}

// state is what has become of the documents of the i-th notice: "kept docx …".
func (b *bench) state(i int) []string {
	n, err := b.ws.Notice(b.ids()[i])
	must(b.t, err)
	docs, err := b.Of(n)
	must(b.t, err)
	var out []string
	for _, d := range docs {
		out = append(out, strings.Join(strings.Fields(d.State+" "+d.Kind+" "+d.Why), " "))
	}
	return out
}

func (b *bench) ask() {
	_, err := b.Ask(b.ids())
	must(b.t, err)
	b.Jobs.Wait()
}

func (b *bench) harvested() {
	b.Harvested()
	b.Jobs.Wait()
}

func (b *bench) row(address string) *records.Document {
	row, err := records.DocumentOf(b.ws, address)
	must(b.t, err)
	return row
}

func (b *bench) text(row *records.Document, text records.DocumentText) {
	must(b.t, records.PutDocumentText(b.ws, row.Hash, &text))
}

func (b *bench) fetch() attachments.FetchSummary {
	sum, err := b.FetchAll(context.Background(), nil)
	must(b.t, err)
	return sum
}

func (b *bench) expect(what string, got any, want any) {
	b.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestAsked(t *testing.T) {
	s := newSite(t)
	body := docx(t, "采购清单")
	s.has("/a.docx", body)
	s.has("/copy.docx", body)
	s.has("/login.pdf", []byte("<html><body>please log in</body></html>"))
	s.has("/page.doc", []byte("<html><body><p>a form by Word</p></body></html>"))
	s.serves("/moved.docx", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/a.docx", http.StatusFound) })
	b := newBench(t, s, []string{"/a.docx", "/copy.docx", "/gone.pdf"}, []string{"/login.pdf", "/page.doc", "/moved.docx"}, nil)
	n, err := b.WantAll(context.Background(), "")
	must(t, err)
	b.expect("wanted", n, 6)
	b.expect("before", b.state(0), "[wanted wanted wanted]")
	sum := b.fetch()
	b.expect("kept", sum.Kept, 4)
	b.expect("failed", sum.Failed, 2)
	b.expect("of the first", b.state(0), "[kept docx kept docx failed the server says that there is none (404)]")
	b.expect("of the second", b.state(1), "[failed a web page came in place of a PDF file; the site may want a login or a code kept html kept docx]")
	text, err := b.Text(b.ids()[0])
	must(t, err)
	b.expect("text", fmt.Sprintf("%q", text), `"a.docx\n采购清单"`) // one of two equal files
	files, err := filepath.Glob(filepath.Join(b.ws.Dir(), records.AttachmentsFolder, "*", "*"))
	must(t, err)
	b.expect("files", len(files), 2)
	if _, ok := b.told.Load(b.ids()[0]); !ok {
		t.Error("no listener heard of the first notice's text")
	}
	if _, ok := b.told.Load(b.ids()[2]); ok {
		t.Error("a listener heard of a notice without documents")
	}
	// Again: what is here is not asked for again, what failed is.
	_, err = b.WantAll(context.Background(), "")
	must(t, err)
	b.fetch()
	b.expect("requests for what is here", s.times("/copy.docx"), 1)
	b.expect("requests for what failed", s.times("/gone.pdf"), 2)
	n2, err := b.ws.Notice(b.ids()[0])
	must(t, err)
	rows, err := b.Export(n2)
	must(t, err)
	if rows[0].Text != "采购清单" || len(rows[0].Hash) != 64 || !strings.HasPrefix(rows[0].Path, "attachments/") || rows[2].Why == "" {
		t.Errorf("exported %+v", rows)
	}
}

// A document keeps the pause of its host to what a run or a rendered page has asked there,
// and they keep it to the document.
func TestDocumentsKeepTheHostsPause(t *testing.T) {
	s := newSite(t)
	b := newBench(t, s, []string{"/a.docx", "/b.docx"})
	host := strings.TrimPrefix(s.URL, "http://")
	var clock atomic.Int64 // it moves when there is something to wait for
	now := func() time.Time { return time.Unix(0, clock.Load()) }
	b.Limiter = fetch.NewHostLimiter(func(string) fetch.Pace { return fetch.Pace{Delay: time.Hour} }, now, func(d time.Duration, f func()) func() bool {
		clock.Add(int64(d))
		go f()
		return func() bool { return false }
	})
	ended := now()
	rests := func(who string) {
		if got := now().Sub(ended); got < time.Hour {
			t.Errorf("%s came %v after the request before it", who, got)
		}
		ended = now()
	}
	for _, name := range []string{"/a.docx", "/b.docx"} {
		s.serves(name, func(w http.ResponseWriter, _ *http.Request) {
			rests(name)
			_, _ = w.Write(docx(t, name))
		})
	}
	page := func() {
		leave, _, err := b.Limiter.Enter(t.Context(), host)
		must(t, err)
		ended = now()
		leave(0)
	}
	page()
	_, err := b.WantAll(t.Context(), "")
	must(t, err)
	b.expect("kept", b.fetch().Kept, 2)
	before := ended
	page()
	if got := ended.Sub(before); got < time.Hour {
		t.Errorf("a page came %v after a document", got)
	}
}

// A document that leads nowhere is no failure of its host, whose pauses a run shares.
func TestADocumentsOwnFailure(t *testing.T) {
	s := newSite(t)
	s.serves("/loop.pdf", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop.pdf", http.StatusFound) })
	s.serves("/down.pdf", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	b := newBench(t, s, []string{"/loop.pdf"}, []string{"/down.pdf"})
	host := b.Limiter.Host(strings.TrimPrefix(s.URL, "http://"))
	for i, fails := range []int{0, 1} {
		n, err := b.Ask(b.ids()[i : i+1])
		must(t, err)
		b.expect("wanted", n, 1)
		must(t, b.Idle(t.Context()))
		b.expect("failures of the host", host.Status().Fails, fails)
	}
}

func TestBounds(t *testing.T) {
	s := newSite(t)
	long := docx(t, "x")
	long = append(long, make([]byte, 2<<20)...)
	s.has("/long.docx", long)
	s.has("/robots.txt", []byte("User-agent: *\nDisallow: /secret"))
	s.has("/secret.docx", docx(t, "x"))
	var tries atomic.Int64
	s.serves("/later.docx", func(w http.ResponseWriter, _ *http.Request) {
		if tries.Add(1) < 3 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Write(docx(t, "late"))
	})
	b := newBench(t, s, []string{"/long.docx", "/secret.docx", "/later.docx"})
	b.set.Attachments.MaxMB = 1
	b.ask()
	b.expect("after the first try", b.state(0), "[left it is longer than 1 MB (attachments.max_mb) failed robots.txt forbids it (Disallow: /secret) wanted the server failed (502)]")
	b.fetch()
	b.expect("requests before the time", s.times("/later.docx"), 1)
	b.now.Add(3600 * 24)
	b.fetch()
	b.now.Add(3600 * 24)
	b.fetch()
	b.expect("at last", b.state(0)[2], "kept docx")
	b.expect("requests against robots.txt", s.times("/secret.docx"), 0)
}

func TestRule(t *testing.T) {
	s := newSite(t)
	for _, p := range []string{"/a.doc", "/b.doc", "/c.doc"} {
		s.has(p, []byte("<html><body>"+strings.Repeat("预算", 1<<18)+p))
	}
	s.has("/pic.exe", []byte("MZ"))
	b := newBench(t, s, []string{"/a.doc", "/pic.exe"}, []string{"/b.doc", "/c.doc"})
	b.harvested()
	b.expect("without a rule", b.state(0), "[ ]")
	b.set.Attachments.Fetch, b.set.Attachments.BudgetMB = "is:starred", 2
	b.harvested()
	all := append(b.state(0), b.state(1)...)
	slices.Sort(all)
	b.expect("within the budget of a day", all, "[ kept html kept html wanted the budget of today is spent]")
	b.fetch()
	b.expect("still the same day", s.times("/a.doc")+s.times("/b.doc")+s.times("/c.doc"), 2)
	b.now.Add(3600 * 25)
	b.fetch()
	b.expect("the next day", s.times("/a.doc")+s.times("/b.doc")+s.times("/c.doc"), 3)
	b.expect("another type", s.times("/pic.exe"), 0)
	b.set.Attachments.Fetch = "broken"
	b.harvested()
}

// A host that does not answer holds up no other: both documents are asked for before
// either comes. What both may bring is kept free in the budget.
func TestHostsDoNotWaitForEachOther(t *testing.T) {
	for _, c := range []struct {
		budget, together int // MB, documents under way at once
	}{{30, 2}, {20, 1}} {
		a, b := newSite(t), newSite(t)
		var now, most atomic.Int64
		both := make(chan struct{})
		serve := func(w http.ResponseWriter, r *http.Request) {
			if n := now.Add(1); n == 2 {
				close(both)
			}
			if c.together == 2 {
				select {
				case <-both:
				case <-time.After(5 * time.Second):
				}
			}
			most.Store(max(most.Load(), now.Load()))
			w.Write([]byte("<html><body>预算" + r.Host))
			now.Add(-1)
		}
		a.serves("/a.doc", serve)
		b.serves("/b.doc", serve)
		x := newBench(t, a, []string{"/a.doc", b.URL + "/b.doc"})
		x.set.Attachments.Fetch, x.set.Attachments.BudgetMB, x.set.Attachments.MaxMB = "is:starred", c.budget, 20
		x.harvested()
		x.expect("documents", x.state(0), "[kept html kept html]")
		x.expect(fmt.Sprintf("at once with %d MB", c.budget), most.Load(), c.together)
	}
}

// What was wanted when everything ended is fetched by the next opening, and what
// is cancelled stays wanted.
func TestResumed(t *testing.T) {
	s := newSite(t)
	begun, leave := make(chan bool), make(chan bool)
	s.serves("/slow.docx", func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		select {
		case <-leave:
		case <-r.Context().Done():
		}
	})
	b := newBench(t, s, []string{"/slow.docx"})
	_, err := b.Ask(b.ids())
	must(t, err)
	<-begun
	b.close()
	close(leave)
	b.expect("after the end", b.state(0), "[wanted]")
	s.has("/slow.docx", docx(t, "back"))
	b.open()
	b.Start()
	b.Jobs.Wait()
	b.expect("after the next opening", b.state(0), "[kept docx]")
}

// A text for which there was no converter is read again once there is one, also one that
// an older program stored.
func TestTextsWithoutAConverter(t *testing.T) {
	s := newSite(t)
	s.has("/a.docx", docx(t, "清单"))
	b := newBench(t, s, []string{"/a.docx"})
	b.ask()
	row := b.row(s.URL + "/a.docx")
	row.Kind = string(attachments.DOC)
	must(t, records.PutDocuments(b.ws, row))
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "catdoc"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for _, old := range []records.DocumentText{{Why: "nothing reads it", Unconverted: true}, {Why: "no converter for its format is installed: DOCX files take antiword"}} {
		old.Version = attachments.ReaderVersion
		b.text(row, old)
		b.expect(old.Why, b.fetch().Read, 1)
	}
	b.text(row, records.DocumentText{Version: attachments.ReaderVersion, Why: "it holds no text"})
	b.expect("a text that another converter would not give", b.fetch().Read, 0)
}

// Texts that are gone are read again from the files; a file that is gone is said.
func TestTextsAgain(t *testing.T) {
	s := newSite(t)
	s.has("/a.docx", docx(t, "清单"))
	b := newBench(t, s, []string{"/a.docx"})
	b.ask()
	row := b.row(s.URL + "/a.docx")
	b.text(row, records.DocumentText{Version: 0, Text: "old"})
	sum := b.fetch()
	b.expect("read again", sum.Texts, 1)
	if got, err := b.TextOf(row.URL); err != nil || got.Text != "清单" {
		t.Errorf("%v, %v", got, err)
	}
	must(t, os.Remove(records.DocumentPath(b.ws.Dir(), row.File)))
	b.text(row, records.DocumentText{Version: 0})
	b.fetch()
	b.expect("without its file", b.state(0), "[failed docx its file is gone from the folder attachments; fetch it again]")
}

// A file that a restored backup lacks comes again when a person asks for it.
func TestFileGone(t *testing.T) {
	s := newSite(t)
	s.has("/a.docx", docx(t, "清单"))
	b := newBench(t, s, []string{"/a.docx"})
	b.ask()
	must(t, os.RemoveAll(filepath.Join(b.ws.Dir(), records.AttachmentsFolder)))
	b.ask()
	b.expect("requests", s.times("/a.docx"), 2)
	row := b.row(s.URL + "/a.docx")
	_, err := records.ReadDocument(b.ws.Dir(), row)
	must(t, err)
}

// Names of documents are a stranger's: files stay in their folder, under names that every
// system takes, and nothing that is there is replaced or followed.
func TestSavedUnderSafeNames(t *testing.T) {
	s := newSite(t)
	names := []string{"../../../evil.docx", "/etc/passwd", `..\..\x.docx`, "CON.docx", "  ", "..", "招标文件.exe", "a\x1b[31m\nb.docx", strings.Repeat("长", 300) + ".docx", "same.docx", "same.docx", "link.docx"}
	var paths []string
	for i := range names {
		paths = append(paths, fmt.Sprintf("/%d.docx", i))
		s.has(paths[i], docx(t, fmt.Sprint(i)))
	}
	b := newBench(t, s, paths)
	n, err := b.ws.Notice(b.ids()[0])
	must(t, err)
	for i := range names {
		n.Attachments[i].Name = names[i]
	}
	_, err = b.ws.Commit(nil, []*store.Capture{{ID: n.ID, State: store.Complete, Notice: n}})
	must(t, err)
	b.ask()
	top := t.TempDir()
	folder, outside := filepath.Join(top, "a", "b"), filepath.Join(top, "outside")
	must(t, os.MkdirAll(folder, 0o700))
	must(t, os.Symlink(outside, filepath.Join(folder, "link.docx")))
	for range 2 { // the second time everything is there
		n, err := b.Save(t.Context(), "", folder)
		must(t, err)
		b.expect("documents saved", n, len(names))
	}
	var got []string
	must(t, filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	}))
	want := []string{"4.docx", "_CON.docx", "_.._.._evil.docx", "_.._x.docx", "_etc_passwd.docx", "a b.docx", "document.docx", "link (2).docx", "link.docx", "same (2).docx", "same.docx", strings.Repeat("长", 60) + ".docx", "招标文件.docx"}
	slices.Sort(got)
	slices.Sort(want)
	b.expect("the files", strings.Join(got, "\n"), strings.Join(want, "\n"))
	if _, err := os.Lstat(outside); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a link was followed: %v", err)
	}
}

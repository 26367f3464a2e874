package crawl_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/warc"
)

// takenIn makes a workspace of archives.
func takenIn(t *testing.T, opt crawl.Options, set config.Settings, archives ...[]byte) (*crawl.Engine, archive.Imported, error) {
	t.Helper()
	dir := created(t, func(s *config.Settings) { *s = set })
	e := opened(t, dir, opt)
	var from []archive.Source
	for i, b := range archives {
		from = append(from, archive.Source{Name: fmt.Sprint("archive ", i), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }})
	}
	sum, err := e.Archive.ImportAll(t.Context(), from, func(string, archive.Imported) {})
	return e, sum, err
}

// TestArchiveRoundTrip writes a crawl as an archive, makes a workspace of it and
// compares bodies, rows and scores.
func TestArchiveRoundTrip(t *testing.T) {
	alone(t)
	ctx := context.Background()
	b := crawledDemo(t, t.TempDir(), crawl.Options{}, 3, run.Options{MaxPages: 500})
	must(t, b.Words(ctx))
	var out, index bytes.Buffer
	done, err := b.Archive.Export(ctx, &out, &index, "x.warc.gz")
	if err != nil || done.Bytes != int64(out.Len()) {
		t.Fatalf("%+v of %d bytes, %v", done, out.Len(), err)
	}
	indexFinds(t, out.Bytes(), index.Bytes(), done.Pages)

	seeds, err := archive.Seeds(bytes.NewReader(out.Bytes()))
	if err != nil || len(seeds) != len(b.Set().Seeds) {
		t.Errorf("%d seeds of %d, %v", len(seeds), len(b.Set().Seeds), err)
	}
	set := *b.Set()
	again, sum, err := takenIn(t, crawl.Options{}, set, out.Bytes())
	if err != nil || sum.Pages != done.Pages || len(sum.Left) > 0 {
		t.Fatalf("%+v of %+v, %v", sum, done, err)
	}
	for _, s := range b.Topic.Samples() {
		addSample(t, again.Topic, s.URL)
	}
	must(t, again.Words(ctx))
	rows := map[string]view.PageRow{}
	for _, p := range exported[view.PageRow](t, again, "pages") {
		rows[p.URL] = p
	}
	compared := 0
	for _, want := range exported[view.PageRow](t, b.Engine, "pages") {
		got, taken := rows[want.URL]
		if !taken && strings.HasSuffix(want.URL, "/sitemap.xml") {
			continue // its body is not kept
		}
		at := want.FetchedAt
		want.FetchedAt, want.Quality, got.Quality = got.FetchedAt, nil, nil
		// Words have other numbers here, so they are summed in another order: the last of
		// the four digits may be rounded the other way.
		if apart := math.Abs(got.Score - want.Score); apart < 1.5e-4 {
			want.Score = got.Score
		}
		if got != want || got.FetchedAt.Unix() != at.Unix() {
			t.Errorf("%+v came back as %+v", want, got)
		}
		one, two := bodyOf(t, b.Workspace(), want.URL), bodyOf(t, again.Workspace(), want.URL)
		if !bytes.Equal(one, two) {
			t.Errorf("%s: the body of %d bytes came back as one of %d", want.URL, len(one), len(two))
		}
		compared++
	}
	if compared != done.Pages || compared < 150 {
		t.Errorf("%d pages were compared of %d", compared, done.Pages)
	}
	if sum, err = again.Archive.ImportAll(ctx, []archive.Source{{Name: "again", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out.Bytes())), nil }}}, func(string, archive.Imported) {}); err != nil || sum.Pages != 0 || sum.Unchanged != done.Pages {
		t.Errorf("a second import: %+v, %v", sum, err)
	}

	// Cut off: what stands before is kept, and the error says where.
	part, sum, err := takenIn(t, crawl.Options{}, set, out.Bytes()[:out.Len()/2])
	if !errors.Is(err, warc.ErrBroken) || !strings.Contains(err.Error(), "archive 0") || sum.Pages == 0 || sum.Pages != part.Workspace().Counts().Pages {
		t.Errorf("half an archive: %+v, %v", sum, err)
	}
}

// indexFinds reads every record from where the index says it stands.
func indexFinds(t *testing.T, b, index []byte, pages int) {
	t.Helper()
	n, before := 0, ""
	for line := range strings.Lines(string(index)) {
		if line < before {
			t.Fatalf("%q stands behind %q", line, before)
		}
		before = line
		var e warc.Entry
		must(t, json.Unmarshal([]byte(line[strings.Index(line, "{"):]), &e))
		at, err1 := strconv.Atoi(e.Offset)
		length, err2 := strconv.Atoi(e.Length)
		if err := errors.Join(err1, err2); err != nil || at+length > len(b) {
			t.Fatal(e, err)
		}
		r, err := warc.NewReader(bytes.NewReader(b[at : at+length]))
		must(t, err)
		rec, err := r.Next()
		if err != nil || rec.Type != warc.Response || rec.Target != e.URL || rec.Fields.Get("WARC-Payload-Digest") != e.Digest {
			t.Fatalf("%+v at %+v, %v", rec, e, err)
		}
		a, err := warc.ReadAnswer(rec.Block, 64<<20)
		if err != nil || warc.Digest(a.Body) != e.Digest || fmt.Sprint(a.Status) != e.Status {
			t.Fatalf("%+v: %d, %v", e, a.Status, err)
		}
		n++
	}
	if n != pages {
		t.Errorf("the index has %d lines for %d pages", n, pages)
	}
}

// TestArchiveOfWget takes in what another program has written: chunked and compressed
// bodies, redirects, failures, and captures that only refer to others.
func TestArchiveOfWget(t *testing.T) {
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("wget is not installed")
	}
	list := "<html><head><meta charset=utf-8><title>招标公告</title></head><body><ul>"
	for i := range 9 {
		list += fmt.Sprintf(`<li><a href="/n/%d.htm">东湖大学第%d批空调采购招标公告</a> <span>2026-11-%02d</span></li>`, i, i, i+10)
	}
	list += `</ul><p><a href="/packed.htm">x</a><a href="/old.htm">y</a><a href="/gone.htm">z</a><a href="/copy.htm">c</a><a href="/x.pdf">p</a></p></body></html>`
	notice := "<html><head><title>东湖大学空调采购招标公告</title></head><body><p>" + strings.Repeat("项目编号 A-1，预算金额 10 万元。", 30) + "</p></body></html>"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch path := r.URL.Path; {
		case path == "/":
			io.WriteString(w, list[:200])
			w.(http.Flusher).Flush() // so it goes in chunks
			io.WriteString(w, list[200:])
		case strings.HasPrefix(path, "/n/"), path == "/copy.htm":
			io.WriteString(w, notice)
		case path == "/packed.htm":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, strings.ReplaceAll(notice, "空调", "锅炉"))
			z.Close()
		case path == "/old.htm":
			http.Redirect(w, r, "/n/1.htm", http.StatusMovedPermanently)
		case path == "/x.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, "%PDF-1.4\n\x00\x01\x02 stream")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		args []string
	}{{"packed", nil}, {"plain", []string{"--no-warc-compression"}}} {
		file := filepath.Join(dir, c.name)
		cmd := exec.CommandContext(t.Context(), wget, append([]string{"-q", "-r", "-l", "3", "--warc-file=" + file, "--delete-after", "-e", "robots=off", "--header=Accept-Encoding: gzip", server.URL + "/"}, c.args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		if err != nil && !(errors.As(err, &failed) && failed.ExitCode() == 8) { // 8: a server answered with an error
			t.Fatalf("%v: %s", err, out)
		}
		made, err := filepath.Glob(file + ".warc*")
		if err != nil || len(made) != 1 {
			t.Fatal(made, err)
		}
		b, err := os.ReadFile(made[0])
		must(t, err)
		seeds, err := archive.Seeds(bytes.NewReader(b))
		if err != nil || len(seeds) != 1 || seeds[0] != server.URL+"/" {
			t.Fatalf("%s: seeds %v, %v", c.name, seeds, err)
		}
		set := config.Default()
		set.Seeds = seeds
		e, sum, err := takenIn(t, crawl.Options{}, set, b)
		if err != nil {
			t.Fatalf("%s: %+v, %v", c.name, sum, err)
		}
		for path, want := range map[string]string{"/": list, "/n/1.htm": notice, "/packed.htm": strings.ReplaceAll(notice, "空调", "锅炉"), "/copy.htm": notice} {
			if got := bodyOf(t, e.Workspace(), server.URL+path); string(got) != want {
				t.Errorf("%s: %s has %d bytes, want %d", c.name, path, len(got), len(want))
			}
		}
		types := map[string]string{}
		for _, p := range exported[view.PageRow](t, e, "pages") {
			types[strings.TrimPrefix(p.URL, server.URL)] = fmt.Sprint(p.Status, " ", p.Title)
		}
		for path, want := range map[string]string{"/": "200 招标公告", "/n/1.htm": "200 东湖大学空调采购招标公告", "/old.htm": "301 "} {
			if !strings.HasPrefix(types[path], want) {
				t.Errorf("%s: %s is %q, want %q", c.name, path, types[path], want)
			}
		}
		if sum.Left["HTTP status 404"] != 1 || types["/x.pdf"] != "" || sum.Pages != 13 {
			t.Errorf("%s: %+v", c.name, sum)
		}
	}
}

// TestArchiveWithRedirects takes in a chain of redirects: as in a crawl the first adds no
// depth, and each further one does.
func TestArchiveWithRedirects(t *testing.T) {
	var b bytes.Buffer
	w := warc.NewWriter(&b)
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	address := func(i int) string { return fmt.Sprintf("http://a.test/%d", i) }
	put := func(kind, url, block string) {
		if _, _, err := w.Write(kind, warc.NewID(), at, []byte(block), []warc.Field{{Name: "WARC-Target-URI", Value: url}}...); err != nil {
			t.Fatal(err)
		}
	}
	put(warc.Metadata, address(0), "hopsFromSeed: \r\n")
	const hops = 70 // more than are committed at once
	for i := range hops {
		put(warc.Response, address(i), "HTTP/1.1 302 Found\r\nLocation: "+address(i+1)+"\r\n\r\n")
	}
	set := config.Default()
	set.Crawl.Depth = 100
	set.Seeds = []string{address(0)}
	e, sum, err := takenIn(t, crawl.Options{}, set, b.Bytes())
	if err != nil || sum.Pages != hops {
		t.Fatalf("%+v, %v", sum, err)
	}
	for i := range hops + 1 {
		id, _ := e.Workspace().Lookup(address(i))
		u, err := e.Workspace().URL(id)
		if err != nil || u == nil || u.Depth != max(0, i-1) {
			t.Fatalf("%s: %+v, %v", address(i), u, err)
		}
	}
}

// TestArchiveWithRevisits takes in a capture whose body stands elsewhere.
func TestArchiveWithRevisits(t *testing.T) {
	var b bytes.Buffer
	w := warc.NewWriter(&b)
	page := "<html><title>招标公告</title><body>" + strings.Repeat("一则公告。", 50) + "</body></html>"
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	put := func(kind, url, block string, fields ...warc.Field) string {
		id := warc.NewID()
		if _, _, err := w.Write(kind, id, at, []byte(block), append(fields, warc.Field{Name: "WARC-Target-URI", Value: url}, warc.Field{Name: "Content-Type", Value: "application/http"})...); err != nil {
			t.Fatal(err)
		}
		return id
	}
	id := put(warc.Response, "http://a.test/1", head+page)
	put(warc.Revisit, "http://a.test/2", head, warc.Field{Name: "WARC-Refers-To-Target-URI", Value: "http://a.test/1"})
	put(warc.Revisit, "http://a.test/3", head, warc.Field{Name: "WARC-Refers-To", Value: id})
	put(warc.Revisit, "http://a.test/4", head, warc.Field{Name: "WARC-Refers-To", Value: warc.NewID()}, warc.Field{Name: "WARC-Refers-To-Target-URI", Value: "http://a.test/none"})
	put(warc.Revisit, "http://a.test/1", head, warc.Field{Name: "WARC-Profile", Value: "server-not-modified"})
	put(warc.Response, "http://elsewhere.test/", head+page)
	put(warc.Response, "file:///etc/passwd", head+page)
	put(warc.Response, "http://a.test/broken", "nonsense")
	set := config.Default()
	set.Seeds = []string{"http://a.test/1"}
	e, sum, err := takenIn(t, crawl.Options{}, set, b.Bytes())
	if err != nil || sum.Pages != 3 || sum.Unchanged != 1 || sum.Left["no http address"] != 1 || sum.Left["a revisit whose original is not in the archive"] != 1 || sum.Left["the block holds no HTTP response"] != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	for _, url := range []string{"http://a.test/1", "http://a.test/2", "http://a.test/3"} {
		if got := bodyOf(t, e.Workspace(), url); string(got) != page {
			t.Errorf("%s has %d bytes", url, len(got))
		}
	}
}

// A body that was cut at crawl.max_body_mb is marked in the archive; what other bounds a
// page hit does not mark it.
func TestArchiveMarksCutBodies(t *testing.T) {
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			io.WriteString(w, `<title>home</title><a href="/long.htm">long</a><a href="/deep.htm">deep</a>`)
		case "/long.htm":
			io.WriteString(w, "<title>long</title>"+strings.Repeat("<p>"+strings.Repeat("x", 1000)+"</p>", 1200))
		case "/deep.htm":
			io.WriteString(w, "<title>deep</title>"+strings.Repeat("<div>", 2000)+"text")
		default:
			http.NotFound(w, r)
		}
	}), func(set *config.Settings) { set.Crawl.MaxBodyMB = 1 })
	discover(t, e.Runs)
	var out bytes.Buffer
	must(t, errOf(e.Archive.Export(t.Context(), &out, nil, "x.warc.gz")))
	z, err := gzip.NewReader(&out)
	must(t, err)
	text, err := io.ReadAll(z)
	must(t, err)
	if n := bytes.Count(text, []byte("WARC-Truncated: length")); n != 1 {
		t.Errorf("%d records are marked as cut, want 1", n)
	}
}

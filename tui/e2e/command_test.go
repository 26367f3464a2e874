//go:build unix

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/tui/e2e/program"
)

// TestHeadlessFromSamplesToNotices is the README's story on the command line.
func TestHeadlessFromSamplesToNotices(t *testing.T) {
	web, server := program.Serve(t, webtest.Options{})
	dir := program.Workspace(t, web)
	proxy := server.ProxyURL().String()
	var lists []string
	other := ""
	for truth := range web.Truths() {
		switch {
		case truth.Type != "list" || len(truth.Records) < 10:
		case truth.Tender && len(lists) < 3:
			lists = append(lists, truth.URL)
		case !truth.Tender && other == "":
			other = truth.URL
		}
	}
	program.Must(t, append([]string{"sample", dir, "add", "--proxy", proxy}, lists...)...)
	if r := program.Must(t, "sample", dir, "list"); len(program.Lines[map[string]any](t, r.Out)) != 3 {
		t.Errorf("samples: %s", r.Out)
	}
	negativeSamples(t, dir, proxy, other)
	r := program.Must(t, "crawl", dir, "--proxy", proxy, "--delay", "0", "--json", "--max-pages", "900")
	pages := program.Lines[map[string]any](t, r.Out)
	if len(pages) < 500 {
		t.Errorf("%d pages reported", len(pages))
	}
	for _, key := range []string{"url", "status", "type", "title", "date", "score", "aggregation", "label", "depth", "anchor_ratio", "records", "fetched_at"} {
		if _, ok := pages[0][key]; !ok {
			t.Errorf("a page row lacks %s: %v", key, pages[0])
		}
	}
	if !strings.Contains(r.Err, "900 fetched") {
		t.Errorf("standard error does not sum up: %q", r.Err)
	}
	r = program.Must(t, "harvest", dir, "--proxy", proxy, "--delay", "0", "--json")
	if n := len(program.Lines[map[string]any](t, r.Out)); n == 0 {
		t.Error("no notice reported")
	}
	notices := program.Lines[map[string]any](t, program.Must(t, "export", dir, "notices").Out)
	if len(notices) == 0 {
		t.Fatal("no notices exported")
	}
	for _, key := range []string{"url", "title", "date", "text", "source", "attachments", "score", "quality", "first_seen"} {
		if _, ok := notices[0][key]; !ok {
			t.Errorf("a notice lacks %s: %v", key, notices[0])
		}
	}
	for _, what := range []string{"pages", "aggregations", "frontier", "links"} {
		if rows := program.Lines[map[string]any](t, program.Must(t, "export", dir, what, "--format", "jsonl").Out); len(rows) == 0 {
			t.Errorf("no %s exported", what)
		}
	}
	exportFormats(t, dir, len(notices))
	if r := program.Must(t, "features", dir, "--top", "10"); !strings.Contains(r.Out, "TF/IDF") || strings.Count(r.Out, "\n") != 11 {
		t.Errorf("features:\n%s", r.Out)
	}
	scores := program.Lines[struct{ Above bool }](t, program.Must(t, "score", dir, "--json", "--proxy", proxy, lists[0], web.Seeds()[0]).Out)
	if len(scores) != 2 || !scores[0].Above || scores[1].Above {
		t.Errorf("scores of a sample and a home page: %+v", scores)
	}
	explained := program.Must(t, "explain", dir, lists[0], "--proxy", proxy).Out
	for _, want := range []string{"TextLen", "robots", "allowed", "score", "θ", "招标"} {
		if !strings.Contains(explained, want) {
			t.Errorf("explain lacks %q:\n%s", want, explained)
		}
	}
	if r := program.Must(t, "version"); !strings.HasPrefix(r.Out, "angler ") {
		t.Errorf("version: %q", r.Out)
	}
}

func TestLabelsAndTermsOnTheCommandLine(t *testing.T) {
	web, server := program.Serve(t, webtest.Options{})
	dir := program.Workspace(t, web)
	proxy := server.ProxyURL().String()
	var tender []string
	for truth := range web.Truths() {
		if truth.Tender && truth.Type == "list" && len(truth.Records) >= 10 {
			tender = append(tender, truth.URL)
		}
	}
	program.Must(t, "sample", dir, "add", tender[0], "--proxy", proxy)
	program.Must(t, "crawl", dir, "--proxy", proxy, "--delay", "0")
	for range 12 {
		f := strings.Fields(program.Must(t, "label", dir, "--queue", "1").Out)
		if len(f) < 3 {
			t.Fatalf("queue: %q", f)
		}
		truth, _ := web.Truth(f[2])
		verdict := map[bool]string{true: "yes", false: "no"}[truth.Tender && truth.Type == "list"]
		program.Must(t, "label", dir, f[2]+"="+verdict)
	}
	rows := program.Lines[struct {
		Name string
		Yes  int
		F1   *struct{ Value, Low, High float64 }
	}](t, program.Must(t, "eval", dir, "--json").Out)
	if len(rows) < 5 || rows[0].Yes == 0 || rows[0].F1 == nil || rows[0].F1.Low > rows[0].F1.Value || rows[0].F1.High < rows[0].F1.Value {
		t.Errorf("evaluation %+v", rows)
	}
	if r := program.Must(t, "eval", dir); !strings.Contains(r.Out, "learner") || !strings.Contains(r.Out, "AUC") {
		t.Errorf("eval:\n%s", r.Out)
	}
	program.Must(t, "label", dir, "--judge", "learner")
	csv := program.Must(t, "label", dir, "--export", "csv").Out
	if strings.Count(csv, "\n") != 13 || !strings.HasPrefix(csv, "url,label,by,at\n") {
		t.Errorf("exported labels:\n%s", csv)
	}
	file := filepath.Join(t.TempDir(), "labels.csv")
	if err := os.WriteFile(file, []byte(csv+"http://unknown.test/,yes,,\nbroken\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := program.Must(t, "label", dir, "--import", file)
	if !strings.Contains(r.Err, "12 labels imported, 2 lines skipped") || !strings.Contains(r.Err, "line 15") {
		t.Errorf("import: %q", r.Err)
	}
	if r := program.Run(t, "label", dir, "http://unknown.test/=yes"); r.Status != 1 || !strings.Contains(r.Err, "not a stored page") {
		t.Errorf("a label for an unknown page: status %d, %q", r.Status, r.Err)
	}
	if r := program.Run(t, "label", dir, tender[0]+"=perhaps"); r.Status != 2 {
		t.Errorf("a label that is none: status %d, %q", r.Status, r.Err)
	}
	terms := program.Lines[struct {
		Word   string
		CValue float64 `json:"c_value"`
	}](t, program.Must(t, "terms", dir, "--json", "--top", "20").Out)
	if len(terms) != 20 || terms[0].CValue < terms[19].CValue || terms[19].CValue < 3 {
		t.Errorf("terms %+v", terms)
	}
	program.Must(t, "terms", dir, "--accept", terms[0].Word)
	if r := program.Must(t, "segment", "--dir", dir, terms[0].Word); !strings.HasPrefix(r.Out, terms[0].Word+"/") {
		t.Errorf("%s is cut into %q after it was accepted", terms[0].Word, r.Out)
	}
	if r := program.Must(t, "segment", "招标公告"); !strings.Contains(r.Out, "招标/") {
		t.Errorf("segment: %q", r.Out)
	}
	if flat, gse := program.Must(t, "segment", "东湖大学实验室设备采购项目公开招标公告").Out, program.Must(t, "segment", "--segmenter", "gse", "东湖大学实验室设备采购项目公开招标公告").Out; flat != gse {
		t.Errorf("flat cuts %q, gse %q", flat, gse)
	}
}

func TestExtract(t *testing.T) {
	web, _ := program.Serve(t, webtest.Options{})
	dir := t.TempDir()
	var list, want []string
	for truth := range web.Truths() {
		if truth.Type != "detail" || len(list) == 20 {
			continue
		}
		host, path, _ := strings.Cut(strings.TrimPrefix(truth.URL, "http://"), "/")
		file := filepath.Join(dir, fmt.Sprintf("%d.html", len(list)))
		if err := os.WriteFile(file, web.Page(host, "/"+path).Body, 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf(`{"file":%q,"url":%q}`, file, truth.URL))
		want = append(want, truth.Title)
	}
	batch := filepath.Join(dir, "list.jsonl")
	if err := os.WriteFile(batch, []byte(strings.Join(list, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	type row struct{ File, URL, Charset, Type, Title, Date, Text, Error string }
	rows := program.Lines[row](t, program.Must(t, "extract", "--batch", batch).Out)
	if len(rows) != len(want) {
		t.Fatalf("%d lines for %d documents", len(rows), len(want))
	}
	for i, r := range rows {
		if r.Title != want[i] || r.Text == "" || r.Date == "" {
			t.Errorf("document %d: title %q (want %q), date %q, %d bytes of text", i, r.Title, want[i], r.Date, len(r.Text))
		}
	}
	single := program.Lines[row](t, program.Must(t, "extract", rows[3].File, "--url", rows[3].URL).Out)
	if len(single) != 1 || single[0].Title != rows[3].Title {
		t.Errorf("a single document: %+v", single)
	}
	drawn := program.Must(t, "extract", rows[3].File, "--url", rows[3].URL, "--blocks").Out
	if !strings.Contains(drawn, "record groups") || !strings.Contains(drawn, "title by") || !strings.Contains(drawn, "[text]") {
		t.Errorf("--blocks:\n%s", drawn)
	}
	for _, method := range []string{"mass", "density", "pathratio"} {
		r := program.Lines[struct{ Method, Text string }](t, program.Must(t, "extract", rows[3].File, "--method", method).Out)
		if len(r) != 1 || r[0].Method != method || r[0].Text == "" {
			t.Errorf("method %s: %+v", method, r)
		}
	}
	gold := filepath.Join(dir, "gold.jsonl")
	if err := os.WriteFile(gold, fmt.Appendf(nil, `{"file":%q,"url":%q,"text":%q}`, filepath.Base(rows[3].File), rows[3].URL, rows[3].Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if table := program.Must(t, "extract", "--gold", gold).Out; !strings.Contains(table, "main text of 1 pages") || !strings.Contains(table, "second pass: P") || !regexp.MustCompile(`auto +1\.000 +1\.000 +1\.000`).MatchString(table) {
		t.Errorf("--gold:\n%s", table)
	}
	bad := filepath.Join(dir, "bad.jsonl")
	if err := os.WriteFile(bad, []byte(list[0]+"\nno json\n"+`{"file":"/no/such/file","url":"http://a.test/"}`+"\n"+list[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	r := program.Run(t, "extract", "--batch", bad)
	rows = program.Lines[row](t, r.Out)
	if r.Status != 1 || len(rows) != 4 || rows[0].Error != "" || rows[1].Error == "" || rows[2].Error == "" || rows[3].Title != want[1] {
		t.Errorf("a batch with bad lines: status %d, %+v", r.Status, rows)
	}
}

func TestBadInputIsOneLineAndLeavesNothing(t *testing.T) {
	web, server := program.Serve(t, webtest.Options{})
	dir := program.Workspace(t, web)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a port where nobody listens once it is closed
	if err != nil {
		t.Fatal(err)
	}
	dead := "http://" + silent.Addr().String() + "/"
	silent.Close()
	unreachable := filepath.Join(t.TempDir(), "dead")
	program.Must(t, "new", unreachable, "--seed", dead)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, []byte("# nothing yet\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, c := range []struct {
		name   string
		status int
		says   string
		args   []string
	}{
		{"unreachable host", 1, "no seed could be fetched", []string{"crawl", unreachable, "--allow-private", "--delay", "0"}},
		{"private address", 1, "allow private addresses", []string{"sample", unreachable, "add", "http://127.0.0.2:9/"}}, // not a seed
		{"bad seed", 2, "no http address", []string{"new", fresh, "--seed", "ftp://a.test/"}},
		{"no seed", 2, "--seed", []string{"new", fresh}},
		{"empty seed list", 2, "--seed", []string{"new", fresh, "--seeds", empty}},
		{"bad scope", 2, "scope", []string{"new", fresh, "--seed", "http://a.test/", "--scope", "galaxy"}},
		{"sample is no HTML", 1, "cannot be a sample", []string{"sample", dir, "add", file}},
		{"folder below a file", 1, "choose a folder", []string{"new", filepath.Join(file, "ws"), "--seed", "http://a.test/"}},
		{"no workspace", 1, "angler new", []string{"crawl", fresh}},
		{"workspace exists", 1, "already", []string{"new", dir, "--seed", "http://a.test/"}},
		{"unknown command", 1, "angler new", []string{"harbour"}},
		{"mistyped command", 2, "did you mean: angler crawl", []string{"crowl"}},
		{"unknown flag", 2, "--frob", []string{"crawl", dir, "--frob"}},
		{"missing argument", 2, "usage", []string{"crawl"}},
		{"unknown web", 1, "there are languages", []string{"demo", "--headless", "--web", "moon", "--dir", fresh}},
		{"unknown export", 2, "choose from", []string{"export", dir, "secrets"}},
		{"no feed of links", 2, "jsonl, csv", []string{"export", dir, "links", "--format", "atom"}},
		{"force without a file", 2, "--output", []string{"export", dir, "pages", "--force"}},
		{"export into nowhere", 1, "choose a folder", []string{"export", dir, "pages", "-o", filepath.Join(fresh, "pages.jsonl")}},
		{"export over a file", 1, "--force", []string{"export", dir, "pages", "-o", file}},
		{"unknown format", 2, "jsonl", []string{"export", dir, "pages", "--format", "xls"}},
		{"bad proxy", 1, "proxy", []string{"crawl", dir, "--proxy", "gopher://x"}},
		{"unknown strategy", 1, "linear", []string{"crawl", dir, "--strategy", "telepathy", "--proxy", server.ProxyURL().String()}},
		{"bad setting", 1, "crawl.workers", []string{"crawl", dir, "--workers", "-1"}},
		{"harvest without samples", 1, "angler sample", []string{"harvest", dir, "--proxy", server.ProxyURL().String()}},
		{"features without samples", 1, "angler sample", []string{"features", dir}},
		{"unknown method", 2, "choose from", []string{"extract", file, "--method", "magic"}},
		{"no link characters", 2, "less than 1", []string{"extract", file, "--link-chars", "0"}},
		{"gold and a file", 2, "leave out FILE", []string{"extract", file, "--gold", file}},
		{"gold that is none", 1, "line 1", []string{"extract", "--gold", file}},
		{"extract what is no page", 1, file, []string{"extract", file}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := program.Run(t, c.args...)
			last := strings.TrimSuffix(r.Err[strings.LastIndex(strings.TrimSuffix(r.Err, "\n"), "\n")+1:], "\n")
			if r.Status != c.status || !strings.Contains(last, c.says) || !strings.HasPrefix(last, "angler: ") {
				t.Errorf("status %d, want %d; standard error %q, want %q", r.Status, c.status, r.Err, c.says)
			}
			if r.Out != "" {
				t.Errorf("standard output %q", r.Out)
			}
		})
	}
	if _, err := os.Stat(fresh); !os.IsNotExist(err) {
		t.Errorf("a failed command left %s behind", fresh)
	}
}

// negativeSamples marks a page that is not wanted, sees it in the list and in the
// feature words, takes it out, and marks it again.
func negativeSamples(t *testing.T, dir, proxy, other string) {
	t.Helper()
	if r := program.Must(t, "sample", dir, "negative", "--proxy", proxy, other); !strings.HasPrefix(r.Out, "negative sample "+other) {
		t.Errorf("marking says %q", r.Out)
	}
	count := func(want int) {
		t.Helper()
		n := 0
		for _, row := range program.Lines[map[string]any](t, program.Must(t, "sample", dir, "list").Out) {
			if row["anti"] == true && row["url"] == other {
				n++
			}
		}
		if n != want {
			t.Errorf("%d negative samples are listed, want %d", n, want)
		}
	}
	count(1)
	took := false
	for _, row := range program.Lines[map[string]any](t, program.Must(t, "features", dir, "--json", "--top", "0").Out) {
		part, _ := row["taken"].(float64)
		took = took || part > 0
	}
	if !took {
		t.Error("the negative sample takes no weight of any word")
	}
	program.Must(t, "sample", dir, "rm", other)
	count(0)
	program.Must(t, "sample", dir, "anti", "--proxy", proxy, other)
	count(1)
}

//go:build unix

package tuitest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

func TestExtract(t *testing.T) {
	web, _ := Serve(t, webtest.Options{})
	dir := t.TempDir()
	var list, want []string
	for truth := range web.Truths() {
		if truth.Type != "detail" || len(list) == 20 {
			continue
		}
		host, path, _ := strings.Cut(strings.TrimPrefix(truth.URL, "http://"), "/")
		file := filepath.Join(dir, fmt.Sprintf("%d.html", len(list)))
		must(t, os.WriteFile(file, web.Page(host, "/"+path).Body, 0o644))
		list = append(list, fmt.Sprintf(`{"file":%q,"url":%q}`, file, truth.URL))
		want = append(want, truth.Title)
	}
	batch := filepath.Join(dir, "list.jsonl")
	must(t, os.WriteFile(batch, []byte(strings.Join(list, "\n")), 0o644))
	type row struct{ File, URL, Charset, Type, Title, Date, Text, Error string }
	rows := Lines[row](t, Must(t, "extract", "--batch", batch).Out)
	if len(rows) != len(want) {
		t.Fatalf("%d lines for %d documents", len(rows), len(want))
	}
	for i, r := range rows {
		if r.Title != want[i] || r.Text == "" || r.Date == "" {
			t.Errorf("document %d: title %q (want %q), date %q, %d bytes of text", i, r.Title, want[i], r.Date, len(r.Text))
		}
	}
	single := Lines[row](t, Must(t, "extract", rows[3].File, "--url", rows[3].URL).Out)
	if len(single) != 1 || single[0].Title != rows[3].Title {
		t.Errorf("a single document: %+v", single)
	}
	drawn := Must(t, "extract", rows[3].File, "--url", rows[3].URL, "--blocks").Out
	if !strings.Contains(drawn, "record groups") || !strings.Contains(drawn, "title by") || !strings.Contains(drawn, "[text]") {
		t.Errorf("--blocks:\n%s", drawn)
	}
	for _, method := range []string{"mass", "density", "pathratio"} {
		r := Lines[struct{ Method, Text string }](t, Must(t, "extract", rows[3].File, "--method", method).Out)
		if len(r) != 1 || r[0].Method != method || r[0].Text == "" {
			t.Errorf("method %s: %+v", method, r)
		}
	}
	gold := filepath.Join(dir, "gold.jsonl")
	must(t, os.WriteFile(gold, fmt.Appendf(nil, `{"file":%q,"url":%q,"text":%q}`, filepath.Base(rows[3].File), rows[3].URL, rows[3].Text), 0o644))
	if table := Must(t, "extract", "--gold", gold).Out; !strings.Contains(table, "main text of 1 pages") || !strings.Contains(table, "second pass: P") || !regexp.MustCompile(`auto +1\.000 +1\.000 +1\.000`).MatchString(table) {
		t.Errorf("--gold:\n%s", table)
	}
	bad := filepath.Join(dir, "bad.jsonl")
	must(t, os.WriteFile(bad, []byte(list[0]+"\nno json\n"+`{"file":"/no/such/file","url":"http://a.test/"}`+"\n"+list[1]), 0o644))
	r := Run(t, "extract", "--batch", bad)
	rows = Lines[row](t, r.Out)
	if r.Status != 1 || len(rows) != 4 || rows[0].Error != "" || rows[1].Error == "" || rows[2].Error == "" || rows[3].Title != want[1] {
		t.Errorf("a batch with bad lines: status %d, %+v", r.Status, rows)
	}
}

func TestBadInputIsOneLineAndLeavesNothing(t *testing.T) {
	web, server := Serve(t, webtest.Options{})
	dir := Workspace(t, web)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a port without a listener once it is closed
	must(t, err)
	dead := "http://" + silent.Addr().String() + "/"
	silent.Close()
	unreachable := filepath.Join(t.TempDir(), "dead")
	Must(t, "new", unreachable, "--seed", dead)
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"), 0o644))
	empty := filepath.Join(t.TempDir(), "empty.txt")
	must(t, os.WriteFile(empty, []byte("# nothing yet\n"), 0o644))
	fresh := filepath.Join(t.TempDir(), "fresh")
	for _, c := range []struct {
		name   string
		status int
		says   string
		args   []string
	}{
		{"unreachable host", 1, "no seed could be fetched", []string{"crawl", unreachable, "--allow-private", "--delay", "0"}},
		{"private address", 1, "allow private addresses", []string{"samples", "add", unreachable, "http://127.0.0.2:9/"}}, // not a seed
		{"bad seed", 2, "is not a URL; write http://HOST/PATH", []string{"new", fresh, "--seed", "ftp://a.test/"}},
		{"no seed", 2, "--seed", []string{"new", fresh}},
		{"empty seed list", 2, "--seed", []string{"new", fresh, "--seeds", empty}},
		{"bad scope", 2, "scope", []string{"new", fresh, "--seed", "http://a.test/", "--scope", "galaxy"}},
		{"sample is no HTML", 1, "cannot be a sample", []string{"samples", "add", dir, file}},
		{"folder below a file", 1, "choose a folder", []string{"new", filepath.Join(file, "ws"), "--seed", "http://a.test/"}},
		{"no workspace", 1, "angler new", []string{"crawl", fresh}},
		{"workspace exists", 1, "already", []string{"new", dir, "--seed", "http://a.test/"}},
		{"unknown command", 2, "no command or workspace named \"harbour\"; see angler --help", []string{"harbour"}},
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
		{"bad proxy", 2, "--proxy", []string{"crawl", dir, "--proxy", "gopher://x"}},
		{"unknown strategy", 2, "linear", []string{"crawl", dir, "--strategy", "telepathy", "--proxy", server.ProxyURL().String()}},
		{"bad setting", 2, "--workers", []string{"crawl", dir, "--workers", "-1"}},
		{"harvest without samples", 1, "angler samples", []string{"harvest", dir, "--proxy", server.ProxyURL().String()}},
		{"features without samples", 1, "angler samples", []string{"topic", "words", dir}},
		{"unknown method", 2, "choose from", []string{"extract", file, "--method", "magic"}},
		{"no link characters", 2, "less than 1", []string{"extract", file, "--link-chars", "0"}},
		{"gold and a file", 2, "leave out FILE", []string{"extract", file, "--gold", file}},
		{"gold that is none", 1, "line 1", []string{"extract", "--gold", file}},
		{"extract what is no page", 1, file, []string{"extract", file}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Run(t, c.args...)
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

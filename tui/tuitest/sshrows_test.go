//go:build unix && heavy

package tuitest

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
	"angler/store/warc"
)

// TestSSHRows requests rows of a served workspace with notices: search results, filtered notices
// with given fields, and the pages as a web archive.
func TestSSHRows(t *testing.T) {
	x := startServer(t)
	eventually(t, "the first round's discovery has ended", func() bool { return strings.Contains(x.state(), `"state":"idle"`) })
	must(t, x.cmd.Process.Signal(syscall.SIGTERM))
	must(t, <-x.over)
	web, err := webtest.Demo(webtest.Options{}) // the same one
	must(t, err)
	proxy := x.flags[slices.Index(x.flags, "--proxy")+1]
	Must(t, append([]string{"samples", "add", x.dir, "--proxy", proxy}, demo.TenderLists(web, 3)...)...)
	Must(t, "harvest", x.dir, "--proxy", proxy)
	must(t, os.Remove(x.log))
	x.start()
	rowsOf := func(r Result, what string) []map[string]any {
		t.Helper()
		if r.Status != 0 {
			t.Fatalf("%s: status %d, said %q", what, r.Status, r.Err)
		}
		var out []map[string]any
		for l := range strings.Lines(r.Out) {
			var row map[string]any
			if err := json.Unmarshal([]byte(l), &row); err != nil {
				t.Fatalf("%s: %q: %v", what, l, err)
			}
			out = append(out, row)
		}
		return out
	}

	found := rowsOf(x.ssh("li", "127.0.0.1", "search", "--json", "--limit", "5", "招标", "kind:招标"), "search")
	if len(found) == 0 || len(found) > 5 || found[0]["rank"] != 1. || !strings.Contains(found[0]["title"].(string)+found[0]["snippet"].(string), "招标") {
		t.Errorf("found %v", found)
	}
	if r := x.ssh("li", "127.0.0.1", "search", "招标"); r.Status != 0 || !strings.Contains(r.Out, "http://") || !strings.Contains(r.Err, " notices") {
		t.Errorf("for people: %d %q %q", r.Status, r.Out, r.Err)
	}
	for _, c := range [][]string{{"search"}, {"search", "--order", "size", "x"}, {"search", "bujet>3"}} {
		if r := x.ssh("li", append([]string{"127.0.0.1"}, c...)...); r.Status == 0 || r.Out != "" || r.Err == "" {
			t.Errorf("%v: %d %q %q", c, r.Status, r.Out, r.Err)
		}
	}

	rows := rowsOf(x.ssh("li", "127.0.0.1", "query", "--fields", "title,buyer,url", "kind:招标"), "query")
	if len(rows) == 0 || rows[0]["title"] == "" || rows[0]["url"] == "" {
		t.Errorf("queried %v", rows)
	}
	for _, r := range rows {
		if r["date"] != nil {
			t.Errorf("a field that was not named: %v", r)
		}
	}

	r := x.ssh("li", "127.0.0.1", "warc")
	if r.Status != 0 {
		t.Fatalf("warc: status %d, said %q", r.Status, r.Err)
	}
	read, err := warc.NewReader(strings.NewReader(r.Out))
	must(t, err)
	kinds := map[string]int{}
	for {
		rec, err := read.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		kinds[rec.Type]++
	}
	if kinds["response"] == 0 || kinds["request"] != kinds["response"] {
		t.Errorf("records %v", kinds)
	}

	// A backup over the line, without the files of documents.
	file := filepath.Join(t.TempDir(), "b.tar")
	over := x.ssh("zhou", "127.0.0.1", "backup", "--no-attachments")
	if over.Status != 0 {
		t.Fatalf("backup: status %d, said %q", over.Status, over.Err)
	}
	must(t, os.WriteFile(file, []byte(over.Out), 0o600))
	if r := Must(t, "workspace", "backups", file); !strings.Contains(r.Out, "  crawl.db\n") || strings.Contains(r.Out, "attachments/") {
		t.Errorf("the backup lists\n%s", r.Out)
	}
}

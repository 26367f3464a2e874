package realpages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a test that only notes how it ended.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (*recorder) Helper()                       {}
func (r *recorder) Skip(args ...any)            { r.skipped = args[0].(string); panic(r) }
func (r *recorder) Fatalf(f string, err ...any) { r.failed = f; panic(r) }

// path asks for a part of the data as a test would that stands in dir.
func path(t *testing.T, dir, named, part string) (path string, r *recorder) {
	t.Chdir(dir)
	t.Setenv("ANGLER_DATA", named)
	r = &recorder{TB: t}
	defer func() {
		if end := recover(); end != nil && end != any(r) {
			panic(end)
		}
	}()
	return Path(r, part), r
}

func TestPath(t *testing.T) {
	root := t.TempDir()
	with, without := filepath.Join(root, "with", "checkout"), filepath.Join(root, "without", "checkout")
	data := filepath.Join(root, "with", "shared", "data")
	for _, dir := range []string{filepath.Join(with, "crawl", "page"), filepath.Join(without, "topic"), filepath.Join(data, "sites")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{with, without} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, dir, named, part string
		want                   string // how it ends: a path, skip or fail
	}{
		{"beside the checkout", filepath.Join(with, "crawl", "page"), "", "sites", "path"},
		{"beside the checkout, a part is missing", filepath.Join(with, "crawl", "page"), "", "robots", "fail"},
		{"none beside the checkout", filepath.Join(without, "topic"), "", "sites", "skip"},
		{"named", filepath.Join(without, "topic"), data, "sites", "path"},
		{"named, a part is missing", filepath.Join(without, "topic"), data, "robots", "fail"},
		{"named, and not there", with, filepath.Join(root, "nowhere"), "sites", "fail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r := path(t, c.dir, c.named, c.part)
			switch {
			case c.want == "path" && (!strings.HasSuffix(got, filepath.Join("shared", "data", c.part)) || r.skipped+r.failed != ""),
				c.want == "skip" && r.skipped == "",
				c.want == "fail" && r.failed == "":
				t.Errorf("path %q, skipped %q, failed %q; want %s", got, r.skipped, r.failed, c.want)
			}
		})
	}
}

package generated

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	docLink    = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	docPath    = regexp.MustCompile("`(?:\\./)?((?:crawl|tui|store|topic|dict|docs|testdata|\\.ci)/[A-Za-z0-9_./-]*)`")
	docGoFile  = regexp.MustCompile("`([a-z0-9_]+\\.go)`")
	docTest    = regexp.MustCompile(`\b((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+)(…?)`)
	docPattern = regexp.MustCompile(`-(?:run|bench) '?([A-Z][A-Za-z0-9|]+)`)
	docCount   = regexp.MustCompile(`(?i)\b(?:[0-9][0-9,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens? of) ` +
		`(?:[a-z-]+ )?(?:packages|rooms|interfaces|commands|screens|settings|tests|fuzz targets|buckets|methods|mutexes|locks)\b`)
	docGenerated = regexp.MustCompile("(?s)<!-- \\w+: generated.*?<!-- /\\w+ -->|```.*?```") // and output of programs
	testFunc     = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+)\(`)
)

// ofWorkspaces are files of a workspace, which documents name like files of the repository.
var ofWorkspaces = map[string]bool{"dict/words.txt": true, "dict/stop.txt": true}

// counted are counts of parts of the program that other tests or the text itself verify.
var counted = map[string]bool{
	"two settings": true, // of a crawl of soak
}

// TestDocumentsNameWhatIsThere reads every document except the changelog. Files, links and tests
// that it names must exist. It must not count parts of the program, because such counts become
// outdated.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	files, tests := sources(t)
	docs, _ := filepath.Glob(root + "/*.md")
	more, _ := filepath.Glob(root + "/docs/*.md")
	for _, path := range append(docs, more...) {
		if filepath.Base(path) == "CHANGELOG.md" {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(string(b), filepath.Dir(path), files, tests) {
			t.Errorf("%s: %s", strings.TrimPrefix(path, root+"/"), fault)
		}
	}
	wrong := "[a](none.md) `crawl/none` `none_here.go` TestNoneAtAll `go test ./tui -run NoneAtAll` twelve small interfaces"
	if got := faults(wrong, root, files, tests); len(got) != 6 {
		t.Errorf("of six faults %d are found: %q", len(got), got)
	}
}

// faults returns the dead references of a document in dir, and its counts.
func faults(text, dir string, files, tests map[string]bool) []string {
	var out []string
	for _, m := range docLink.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(dir, m[1])); err != nil && !strings.Contains(m[1], "://") {
			out = append(out, "there is no "+m[1])
		}
	}
	for _, m := range docPath.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil && !ofWorkspaces[m[1]] {
			out = append(out, "there is no "+m[1])
		}
	}
	for _, m := range docGoFile.FindAllStringSubmatch(text, -1) {
		if !files[m[1]] {
			out = append(out, "there is no file "+m[1])
		}
	}
	for _, m := range docTest.FindAllStringSubmatch(text, -1) {
		if !tests[m[1]] && (m[2] == "" || !named(tests, m[1])) {
			out = append(out, "there is no "+m[1])
		}
	}
	for _, m := range docPattern.FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(m[1], "|") {
			if !named(tests, name) {
				out = append(out, "no test's name contains "+name)
			}
		}
	}
	for _, count := range docCount.FindAllString(docGenerated.ReplaceAllString(text, ""), -1) {
		if !counted[count] {
			out = append(out, "it counts "+count)
		}
	}
	return out
}

// named reports whether part is in the name of a test.
func named(tests map[string]bool, part string) bool {
	for name := range tests {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// sources returns the names of all Go files, tests, fuzz targets and benchmarks.
func sources(t *testing.T) (files, tests map[string]bool) {
	files, tests = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		files[d.Name()] = true
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(b, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil || len(tests) < 100 {
		t.Fatalf("%d tests are found: %v", len(tests), err)
	}
	return files, tests
}

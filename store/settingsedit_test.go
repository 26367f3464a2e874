package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

func TestEditTOMLKeepsComments(t *testing.T) {
	const doc = `# mine
name = "tenders" # why
seeds = [ # three
  "http://a.test/", # ] no end
  'http://b.test/x?["',
]

[crawl]
# be polite
delay = "1s"   # asked by b.test
depth = 5
[store]
expected_urls = 1000`
	cases := map[string]struct{ key, lit, was, now string }{
		"value with a comment behind": {"crawl.delay", `"2s"`, `"1s"`, `"2s"`},
		"list over lines":             {"seeds", "[]", doc[strings.Index(doc, "[ # three"):strings.Index(doc, "\n\n[crawl]")], "[]"},
		"last line without newline":   {"store.expected_urls", "2000", "1000", "2000"},
		"first":                       {"name", `"jobs"`, `"tenders"`, `"jobs"`},
		"key that is missing":         {"crawl.retries", "7", "depth = 5\n", "depth = 5\nretries = 7\n"},
		"table that is missing":       {"words.segmenter", `"gse"`, "expected_urls = 1000", "expected_urls = 1000\n\n[words]\nsegmenter = \"gse\"\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if want, got := strings.Replace(doc, c.was, c.now, 1), string(editTOML([]byte(doc), c.key, c.lit)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// edit changes one value as the settings editor does.
func edit(w *Workspace, key, value string) error {
	set, err := w.Settings().With(key, value)
	if err != nil {
		return err
	}
	return w.ChangeSettings(func(s *Settings) { *s = set })
}

func TestEditSetting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	set := DefaultSettings()
	set.Seeds = []string{"http://www.a.test/"}
	if err := Create(dir, set); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	path := filepath.Join(dir, settingsFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("# written by hand\n"), b...), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, value string }{
		{"crawl.depth", "3"}, {"crawl.delay", "250ms"}, {"crawl.sitemaps", "false"}, {"name", `a "quoted" 名字`},
		{"scope.exclude", `['\.pdf$', "x"]`}, {"store.false_positive", "0.01"},
	} {
		if err := edit(w, c.key, c.value); err != nil {
			t.Errorf("%s = %s: %v", c.key, c.value, err)
		}
	}
	if err := w.ChangeSettings(func(s *Settings) { s.AddSeeds([]string{"http://www.b.test/", "http://www.a.test/"}) }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, value, want string }{
		{"crawl.depth", "many", "number"}, {"crawl.depth", "-1", "outside"}, {"crawl.delay", "soon", "duration"},
		{"crawl.sitemaps", "maybe", "true or false"}, {"scope.exclude", "x", "list"}, {"crawl.nothing", "1", "no setting"},
		{"harvest.patterns", `["("]`, "missing closing"},
	} {
		if err := edit(w, c.key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s was answered with %v, want %q", c.key, c.value, err, c.want)
		}
	}
	got, err := ReadSettings(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Crawl.Depth != 3 || got.Crawl.Delay != Duration(250*time.Millisecond) || got.Crawl.Sitemaps || got.Name != `a "quoted" 名字` ||
		!slices.Equal(got.Scope.Exclude, []string{`\.pdf$`, "x"}) || !slices.Equal(got.Seeds, []string{"http://www.a.test/", "http://www.b.test/"}) {
		t.Errorf("the file reads %+v", got)
	}
	if b, _ = os.ReadFile(path); !strings.HasPrefix(string(b), "# written by hand\n") || strings.Count(string(b), "#") < 20 {
		t.Errorf("comments were lost:\n%s", b)
	}
}

// Whatever stands in the file, an edit changes one value and nothing else.
func FuzzEditTOML(f *testing.F) {
	f.Add("name = \"x\"\n[crawl]\ndepth = 5 # deep\n")
	f.Add("[crawl]\nproxy = '''\n[crawl]\ndepth = 1'''\n")
	f.Add("seeds = [\n\"a]\", # ]\n]")
	f.Fuzz(func(t *testing.T, doc string) {
		var was, now map[string]any
		if toml.Unmarshal([]byte(doc), &was) != nil || strings.ContainsAny(doc, ".") || strings.Contains(doc, "[[") || strings.Contains(doc, "\"crawl") || strings.Contains(doc, "'crawl") {
			return // dotted and quoted spellings are not what this program writes
		}
		table, ok := was["crawl"].(map[string]any)
		if was["crawl"] != nil && (!ok || strings.Contains(doc, "{")) {
			return
		}
		edited := editTOML([]byte(doc), "crawl.depth", "7")
		if err := toml.Unmarshal(edited, &now); err != nil {
			t.Fatalf("%v in %q from %q", err, edited, doc)
		}
		if got := now["crawl"].(map[string]any)["depth"]; got != int64(7) {
			t.Fatalf("depth is %v in %q from %q", got, edited, doc)
		}
		if n := len(now["crawl"].(map[string]any)); n != len(table) && n != len(table)+1 {
			t.Fatalf("%q became %q", doc, edited)
		}
	})
}

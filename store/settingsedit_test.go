package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

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

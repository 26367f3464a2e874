package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/store/config"
)

// edit changes one value like the settings editor.
func edit(w *Workspace, key, value string) error {
	set, err := w.Settings().With(key, value)
	if err != nil {
		return err
	}
	return w.ChangeSettings(func(s *config.Settings) { *s = set })
}

func TestEditSetting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://www.a.test/"}
	must(t, Create(dir, set))
	w, err := Open(dir)
	must(t, err)
	defer w.Close()
	path := filepath.Join(dir, config.Name)
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append([]byte("# written by hand\n"), b...), 0o644))
	for _, c := range []struct{ key, value string }{
		{"crawl.depth", "3"}, {"crawl.delay", "250ms"}, {"crawl.sitemaps", "false"}, {"name", `a "quoted" 名字`},
		{"scope.exclude", `['\.pdf$', "x"]`}, {"store.false_positive", "0.01"},
	} {
		if err := edit(w, c.key, c.value); err != nil {
			t.Errorf("%s = %s: %v", c.key, c.value, err)
		}
	}
	must(t, w.ChangeSettings(func(s *config.Settings) { s.AddSeeds([]string{"http://www.b.test/", "http://www.a.test/"}) }))
	for _, c := range []struct{ key, value, want string }{
		{"crawl.depth", "many", "number"}, {"crawl.depth", "-1", "outside"}, {"crawl.delay", "soon", "duration"},
		{"crawl.sitemaps", "maybe", "true or false"}, {"scope.exclude", "x", "list"}, {"crawl.nothing", "1", "no setting"},
		{"harvest.patterns", `["("]`, "missing closing"},
	} {
		if err := edit(w, c.key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s was answered with %v, want %q", c.key, c.value, err, c.want)
		}
	}
	got, err := config.Read(dir)
	must(t, err)
	if got.Crawl.Depth != 3 || got.Crawl.Delay != config.Duration(250*time.Millisecond) || got.Crawl.Sitemaps || got.Name != `a "quoted" 名字` ||
		!slices.Equal(got.Scope.Exclude, []string{`\.pdf$`, "x"}) || !slices.Equal(got.Seeds, []string{"http://www.a.test/", "http://www.b.test/"}) {
		t.Errorf("the file reads %+v", got)
	}
	if b, _ = os.ReadFile(path); !strings.HasPrefix(string(b), "# written by hand\n") || strings.Count(string(b), "#") < 20 {
		t.Errorf("comments were lost:\n%s", b)
	}
}

// Every way of opening refuses an empty file, and leaves the database alone.
func TestOpenWithEmptySettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, Create(dir, config.Default()))
	must(t, os.Truncate(filepath.Join(dir, config.Name), 0))
	if w, err := Open(dir); err == nil {
		w.Close()
		t.Error("a workspace without settings was opened")
	}
	if err := Create(dir, config.Default()); !errors.Is(err, ErrExists) {
		t.Errorf("making it again: %v", err)
	}
	if st, err := os.Stat(filepath.Join(dir, databaseFile)); err != nil || st.Size() == 0 {
		t.Errorf("the database: %v, %v", st, err)
	}
}

package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"angler/store/config"
)

// Keys are read as written, and stay when another setting changes.
func TestKeysAreKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, config.Name)
	s := config.Default()
	s.Seeds = []string{"http://www.x.edu.cn/"}
	must(t, s.Write(path))
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(b, "\n[keys]\npause = \"f5\" # mine\nsample = [\"s\", \"insert\"]\n"...), 0o600))
	want := map[string]any{"pause": "f5", "sample": []any{"s", "insert"}}
	now, err := config.Read(dir)
	if err != nil || !reflect.DeepEqual(now.Keys, want) {
		t.Fatalf("%v, %v", now.Keys, err)
	}
	to := now.Clone()
	to.Crawl.Depth = 3
	if _, err := now.Edit(path, &to); err != nil {
		t.Fatal(err)
	}
	now, err = config.Read(dir)
	if err != nil || now.Crawl.Depth != 3 || !reflect.DeepEqual(now.Keys, want) {
		t.Errorf("depth %d, %v, %v", now.Crawl.Depth, now.Keys, err)
	}
	delete(to.Keys, "pause")
	if len(now.Keys) != 2 || len(want) != 2 {
		t.Error("a copy shares the keys")
	}
}

// The keys of one action change without the rest of the file.
func TestKeysOfAnActionChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), config.Name)
	now := config.Default()
	now.Seeds = []string{"http://www.x.edu.cn/"}
	must(t, now.Write(path))
	for _, c := range []struct {
		value string
		want  map[string]any
	}{
		{`["f5"]`, map[string]any{"pause": "f5"}},
		{`["[", "\\"]`, map[string]any{"pause": []any{"[", `\`}}},
		{"[]", map[string]any{}},
	} {
		to, err := now.With(config.KeyOf("pause"), c.value)
		must(t, err)
		if now, err = now.Edit(path, &to); err != nil {
			t.Fatal(err)
		}
		if len(now.Keys) != len(c.want) || len(c.want) > 0 && !reflect.DeepEqual(now.Keys, c.want) {
			t.Errorf("%s: the file holds %v", c.value, now.Keys)
		}
	}
	for _, bad := range [][2]string{{"keys.a b", `["x"]`}, {"keys.", `["x"]`}, {"keys.pause", "f5"}, {"keys.pause", `["x"`}} {
		if _, err := now.With(bad[0], bad[1]); err == nil {
			t.Errorf("%s = %s is taken", bad[0], bad[1])
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

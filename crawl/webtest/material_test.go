package webtest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// files copies the repository's material, to be damaged.
func files(t testing.TB) fstest.MapFS {
	t.Helper()
	fsys, err := FindMaterial()
	must(t, err)
	out := fstest.MapFS{}
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(fsys, path)
		out[path] = &fstest.MapFile{Data: raw}
		return err
	})
	must(t, err)
	return out
}

// Errors of the material name the fault and its place.
func TestLoadSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, file, from, to string
		says                 []string
	}{
		{"no topic of that name", "universities.toml", `topic = "party"`, `topic = "partei"`, []string{"universities.toml", "partei"}},
		{"unknown key", "universities.toml", "per_page", "per_side", []string{"universities.toml", "per_side"}},
		{"no TOML", "universities.toml", "per_page = 16", "per_page = ", []string{"universities.toml"}},
		{"unknown style", "universities.toml", `style = "vsb"`, `style = "dede"`, []string{"dede"}},
		{"unknown static page", "universities.toml", `"jgjj", "xrld"`, `"jgjj", "wer"`, []string{"wer"}},
		{"two hosts of one name", "universities.toml", `label = "jsj"`, `label = "zbb"`, []string{"zbb.donghu.test", "twice"}},
		{"unknown word list", "topics/news.txt", "{{event}}", "{{evnt}}", []string{"topics/news.txt", "[evnt]"}},
		{"placeholder left open", "topics/news.txt", "{{event}}", "{{event}", []string{"topics/news.txt"}},
		{"a list within itself", "topics/common.txt", "量子材料实验室", "{{lab}}", []string{"[lab]", "itself"}},
		{"markup", "topics/party.txt", "（供稿：", "<b>（供稿：", []string{"topics/party.txt", "full-width"}},
		{"a character GBK lacks", "topics/party.txt", "供稿", "供稿🙂", []string{"GBK"}},
		{"an ending no file has", "topics/job.txt", "登记表.doc", "登记表.exe", []string{"topics/job.txt", ".exe"}},
		{"no number", "topics/job.txt", "{{n:1-12}}", "{{n:12-1}}", []string{"topics/job.txt", "12-1"}},
		{"unknown slot", "styles/vsb.html", "{{crumbs}}", "{{krumen}}", []string{"styles/vsb.html", "krumen"}},
		{"a part too few", "styles/vsb.html", "<!--part hub-->\n", "", []string{"styles/vsb.html", "hub"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := files(t)
			before := string(m[c.file].Data)
			if !strings.Contains(before, c.from) {
				t.Fatalf("%s does not hold %q", c.file, c.from)
			}
			m[c.file] = &fstest.MapFile{Data: []byte(strings.Replace(before, c.from, c.to, 1))}
			material, err := Load(m)
			if err == nil {
				_, err = New(material, Options{})
			}
			if err == nil {
				t.Fatal("accepted")
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
	if _, err := Load(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "universities.toml") {
		t.Errorf("an empty folder: %v", err)
	}
}

// No sentence occurs twice on a page, and no title twice on a list.
func TestPagesDoNotRepeatThemselves(t *testing.T) {
	w := demo(t, Options{Seed: 5})
	titles, again, sentences, said := 0, 0, 0, 0
	for truth := range w.Truths() {
		seen := map[string]bool{}
		for _, r := range truth.Records {
			titles++
			if seen[r.Title] {
				again++
			}
			seen[r.Title] = true
		}
		if truth.Type != "detail" {
			continue
		}
		clear(seen)
		for s := range strings.FieldsFuncSeq(truth.Text, func(c rune) bool { return strings.ContainsRune("。；\n\t", c) }) {
			if utf8.RuneCountInString(s) < 12 {
				continue
			}
			sentences++
			if seen[s] {
				said++
			}
			seen[s] = true
		}
		if n := utf8.RuneCountInString(truth.Text); n < 60 || n > 2500 {
			t.Errorf("%s has a text of %d characters", truth.URL, n)
		}
	}
	if again > titles/100 {
		t.Errorf("%d of %d record titles stand twice on their list", again, titles)
	}
	if said > sentences/20 {
		t.Errorf("%d of %d sentences stand twice on their page", said, sentences)
	}
	t.Logf("titles %d, repeated %d; sentences %d, repeated %d", titles, again, sentences, said)
}

func BenchmarkLoad(b *testing.B) {
	fsys := files(b)
	b.ReportAllocs()
	for b.Loop() {
		m, err := Load(fsys)
		must(b, err)
		if _, err := New(m, Options{Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

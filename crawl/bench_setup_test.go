package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestURLPattern(t *testing.T) {
	cases := map[string]struct {
		pattern, url string
		want         bool
	}{
		"host":                        {"x.test", "http://x.test/a", true},
		"subdomain":                   {"x.test", "https://www.x.test/", true},
		"not a longer name":           {"x.test", "http://yx.test/", false},
		"scheme and case are ignored": {"HTTPS://X.test", "http://x.test/", true},
		"port of the address":         {"x.test", "http://x.test:8080/", true},
		"path begins":                 {"x.test/xw", "http://x.test/xw/1.htm", true},
		"another path":                {"x.test/xw", "http://x.test/zb/xw", false},
		"star stays in a segment":     {"x.test/*/list", "http://x.test/zb/list.htm", true},
		"star does not cross":         {"x.test/*/list", "http://x.test/a/b/list.htm", false},
		"two stars cross":             {"x.test/**list", "http://x.test/a/b/list.htm", true},
		"host with a star":            {"*.x.test/zb", "http://w.x.test/zb", true},
		"slash alone is the host":     {"x.test/", "http://x.test/anything", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			match, err := URLPattern(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if match(c.url) != c.want {
				t.Errorf("%q and %q: %v", c.pattern, c.url, !c.want)
			}
		})
	}
	for _, bad := range []string{"", " ", "*", "http://", "**/", strings.Repeat("a", 600)} {
		if _, err := URLPattern(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func FuzzURLPattern(f *testing.F) {
	f.Add("x.test/*/l**", "http://x.test/a/lll")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		if len(url) > 2000 {
			return
		}
		if match, err := URLPattern(pattern); err == nil {
			match(url)
		}
	})
}

func TestCheckSeedText(t *testing.T) {
	text := "# from the ministry\nhttp://www.a.test/index.html\nb.test  c.test/x/y?z=1 # trailing\nhttp://www.a.test/index.html#top\n\nftp://d.test/\n名单\n"
	c := CheckSeedText(text, "site")
	if c.Good != 3 || c.Twice != 1 || c.Hosts != 3 || len(c.Lines) != 5 {
		t.Fatalf("%+v", c)
	}
	for i, want := range []SeedLine{{URL: "http://www.a.test/index.html", Opens: "*.a.test"}, {URL: "http://b.test/", Opens: "*.b.test"}, {URL: "http://c.test/x/y?z=1", Opens: "*.c.test"}} {
		if got := c.Lines[i]; got.URL != want.URL || got.Opens != want.Opens {
			t.Errorf("line %d is %+v", i, got)
		}
	}
	for i := 3; i < 5; i++ {
		if c.Lines[i].Wrong == "" {
			t.Errorf("%q passed", c.Lines[i].Text)
		}
	}
	for raw, want := range map[string][2]bool{"http://zb.a.test/x": {true, true}, "other.test": {false, true}, "what?": {false, false}} {
		if in, ok := c.Contains(raw); in != want[0] || ok != want[1] {
			t.Errorf("%s: in %v, ok %v", raw, in, ok)
		}
	}
	if got := CheckSeedText("c.test/x/y?z=1", "prefix").Lines[0].Opens; got != "c.test/x/*" {
		t.Errorf("prefix opens %q", got)
	}
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "http://h%d.test/\n", i)
	}
	if c := CheckSeedText(many.String(), "host"); c.Good != 10_000 {
		t.Errorf("%d of 10 000 pasted seeds", c.Good)
	}
}

func TestSetupRemembersWorkspaces(t *testing.T) {
	root := t.TempDir()
	s := Setup{Recent: filepath.Join(root, "config", "workspaces")}
	for _, name := range []string{"one", "two", "one"} {
		dir := filepath.Join(root, name)
		if s.Free(dir) == nil {
			if err := s.Create(dir, name, "site", []string{"a.test"}); err != nil {
				t.Fatal(err)
			}
		}
		s.Remember(dir)
	}
	s.Remember(filepath.Join(root, "gone"))
	got := s.Places()
	if len(got) != 2 || got[0].Name != "one" || got[1].Name != "two" || got[0].Seeds != 1 {
		t.Errorf("places %+v", got)
	}
	if err := s.Free(filepath.Join(root, "one")); err == nil {
		t.Error("a workspace counts as a free folder")
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Free(filepath.Join(root, "file")); err == nil {
		t.Error("a file counts as a free folder")
	}
}

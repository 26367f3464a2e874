package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

package seeds

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
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
			must(t, s.Create(WorkspacePlan{Dir: dir, Topic: name, Scope: "site", Seeds: []string{"a.test"}}))
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
	must(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o600))
	if err := s.Free(filepath.Join(root, "file")); err == nil {
		t.Error("a file counts as a free folder")
	}
}

// A topic's name, in either language, determines the kind of notices.
func TestNoticePatternsFollowTheName(t *testing.T) {
	for topic, want := range map[string]struct{ kind, title string }{
		"tenders": {Tenders, "实验室设备采购项目中标公告"}, "招标公告": {Tenders, "Invitation to Tender: lab equipment"}, "政府采购": {Tenders, "询价通知"},
		"jobs": {Jobs, "2026年教师招聘启事"}, "招聘信息": {Jobs, "We are hiring: two vacancies"}, "Job board": {Jobs, "拟录用人员公示"},
		"prices": {Prices, "今日水泥价格行情"}, "钢材报价": {Prices, "Price list, November"}, "water": {AllNotices, ""}, "水利": {AllNotices, ""},
	} {
		if got := KindOf(topic); got != want.kind {
			t.Errorf("%s is of kind %s, want %s", topic, got, want.kind)
		}
		list := NoticePatterns(KindOf(topic))
		if want.title == "" {
			if len(list) != 0 {
				t.Errorf("%s has patterns %q", topic, list)
			}
			continue
		}
		re := regexp.MustCompile("(?:" + strings.Join(list, ")|(?:") + ")")
		if !re.MatchString(want.title) || re.MatchString("学校召开运动会") || re.MatchString("Campus bidet mapping") {
			t.Errorf("%s: %q takes the wrong titles", topic, list)
		}
	}
	if got := NoticePatterns("水利，桥梁 c++"); len(got) != 1 || !regexp.MustCompile(got[0]).MatchString("桥梁维修") || !regexp.MustCompile(got[0]).MatchString("C++ course") {
		t.Errorf("own words became %q", got)
	}
}

// The counts of a workspace are known without opening it, if it was closed and not written since.
func TestPlacesTellWhatTheyHold(t *testing.T) {
	root := t.TempDir()
	s := Setup{Recent: filepath.Join(root, "config", "workspaces")}
	dir := filepath.Join(root, "ws")
	must(t, s.Create(WorkspacePlan{Dir: dir, Topic: "招标公告", Notices: Tenders, Scope: "site", Seeds: []string{"a.test"}}))
	s.Remember(dir)
	place := func() WorkspacePlace { return s.Places()[0] }
	db := filepath.Join(dir, "crawl.db")
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	touch := func(at time.Time) {
		must(t, os.WriteFile(db, []byte("rows"), 0o600))
		must(t, os.Chtimes(db, at, at))
	}
	touch(at)
	if p := place(); p.Counted || !p.Used.Equal(at) {
		t.Errorf("before it was ever closed: %+v", p)
	}
	RecordClosing(dir, 52, 581)
	if p := place(); !p.Counted || p.Pages != 52 || p.Notices != 581 || !p.Used.Equal(at) {
		t.Errorf("after it was closed: %+v", p)
	}
	held := filepath.Join(dir, "crawl.db.holder")
	must(t, os.WriteFile(held, nil, 0o600))
	if p := place(); p.Counted || !p.Open {
		t.Errorf("while it is open: %+v", p)
	}
	os.Remove(held)
	touch(at.Add(time.Minute))
	if p := place(); p.Counted || p.Open {
		t.Errorf("after a process wrote to it and was killed: %+v", p)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

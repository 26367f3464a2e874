package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/tui/report"
	"angler/tui/tuitest"
)

// withNotices makes a workspace with notices at http://s.example.test/n/1, 2, …
func withNotices(t *testing.T, list ...store.Notice) string {
	t.Helper()
	dir := tuitest.Waiting(t)
	w, err := store.Open(dir)
	must(t, err)
	var batch []*store.Capture
	for i, n := range list {
		n.URL = fmt.Sprintf("http://s.example.test/n/%d", i+1)
		_, err := w.Seed([]string{n.URL})
		must(t, err)
		n.ID, _ = w.Lookup(n.URL)
		batch = append(batch, &store.Capture{ID: n.ID, State: store.Complete, Page: &store.Page{URL: n.URL, Status: 200}, Notice: &n})
	}
	_, err = w.Commit(nil, batch)
	must(t, errors.Join(err, w.Close()))
	return dir
}

// spoken makes a workspace with notices on different subjects.
func spoken(t *testing.T) string {
	const title = "公告\x1b[31m"
	return withNotices(t, store.Notice{Title: title, Text: "第二十届世界石油大会会务服务采购"},
		store.Notice{Title: title, Text: "世界各地的石油学院召开大会"}, store.Notice{Title: title, Text: "显微镜采购，预算 92.28万元"})
}

func TestSearchCommand(t *testing.T) {
	dir := spoken(t)
	out, said, err := call(t, "notices search", dir, "石油大会")
	if err != nil || strings.Count(out, "http://") != 1 || !strings.Contains(out, "世界石油大会会务") || !strings.Contains(said, "1 of 1 notices") {
		t.Errorf("%s%s%v", out, said, err)
	}
	if strings.Contains(out, "\x1b[31m") {
		t.Errorf("a title reaches the terminal as it is: %q", out)
	}
	out, said, err = call(t, "notices search", dir, "石油大会", "--no-dictionary")
	if err != nil || strings.Count(out, "http://") != 2 || !strings.Contains(said, "石油 大会") {
		t.Errorf("without domain terms: %s%s%v", out, said, err)
	}
	out, _, err = call(t, "notices search", dir, "显微镜", "--json")
	var row report.FoundLine
	if err != nil || json.Unmarshal([]byte(out), &row) != nil || row.Rank != 1 || row.Score <= 0 || len(row.Lit) != 1 || string([]rune(row.Snippet)[row.Lit[0][0]:row.Lit[0][1]]) != "显微镜" {
		t.Errorf("%s %v", out, err)
	}
	if out, said, err = call(t, "notices search", dir, "深海钻井"); err != nil || out != "" || !strings.Contains(said, "0 of 0") {
		t.Errorf("%s%s%v", out, said, err)
	}
	holds(t, done(t, "notices search --failed", dir), "深海钻井")
}

// Every list marks doubtful notices, and lists the newest first.
func TestEveryListCarriesTheDoubt(t *testing.T) {
	list := []store.Notice{
		{Title: "显微镜采购公开招标公告", Text: "项目编号：DHU-2026-001\n采购人：东湖大学\n预算金额：92.28万元\n投标截止时间：2026年7月12日9时30分，欢迎供应商参加投标。", Date: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)},
		{Title: "关于举办采购业务培训班的通知", Text: "定于下周举办采购业务培训，请各单位派人参加，食宿自理。", Date: time.Date(2026, 6, 3, 0, 0, 0, 0, time.UTC)},
		{Title: "台式机采购公开招标公告", Text: "项目编号：DHU-2026-002\n采购人：东湖大学\n预算金额：12万元\n投标截止时间：2026年7月13日9时30分，欢迎供应商参加投标。", Date: time.Date(2026, 6, 2, 0, 0, 0, 0, time.UTC)},
	}
	for i := range list {
		list[i].Attachments = []store.Attachment{{URL: fmt.Sprintf("http://s.example.test/n/%d.pdf", i+1), Name: "附件"}}
	}
	dir := withNotices(t, list...)
	for line, doubted := range map[string]string{
		"notices list " + dir + " --json":                    `"url":"http://s.example.test/n/2","site":"example","doubtful":"`,
		"notices export " + dir + " --format html":           "<td>0 of ",
		"notices export " + dir + " --format html --lang zh": "<td>公告常见的 ",
		"notices list " + dir + " --fields title":            "1 notice may be false; -is:doubtful leaves them out",
		"export " + dir + " notices":                         `"doubtful":"`,
		"export " + dir + " notices --format csv":            "1 notice may be false",
		"export " + dir + " notices --format atom":           "may be no notice: ",
		"notices search " + dir + " 采购":                      "may be no notice",
		"notices search " + dir + " 采购 --json":               `"doubtful":true`,
		"notices files " + dir:                               "? 关于举办采购业务培训班的通知",
		"notices files " + dir + " --json":                   `"doubtful":true`,
	} {
		out, said, err := call(t, line)
		s := out + said
		if err != nil || strings.Count(s, doubted) != 1 {
			t.Errorf("%s: %v, %d times %q in\n%s", line, err, strings.Count(s, doubted), doubted, s)
		}
		if strings.HasPrefix(line, "notices list") &&
			!(strings.Index(s, "培训") < strings.Index(s, "台式机") && strings.Index(s, "台式机") < strings.Index(s, "显微镜")) {
			t.Errorf("%s: the newest does not stand first:\n%s", line, s)
		}
	}
}

func TestSearchMisuse(t *testing.T) {
	dir := spoken(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "missing query"},
		{[]string{`"unclosed`}, `a quote is not closed: "unclosed`},
		{[]string{`设备 title:“更正`}, "a quote is not closed"},
		{[]string{"，。！"}, "it is punctuation only"},
		{[]string{"空调 bujet>3"}, "“bujet>3” at 4: no field bujet"},
		{[]string{strings.Repeat("设", 10_000)}, "a filter has at most 2000"},
		{[]string{"x", "--order", "size"}, "is none of relevance, date"},
		{[]string{"x", "--limit", "0"}, "--limit 0"},
	} {
		if out, _, err := call(t, "notices search "+dir, c.args...); err == nil || !strings.Contains(err.Error(), c.want) || out != "" {
			t.Errorf("%.60q: %v, want %q", c.args, err, c.want)
		}
	}
}

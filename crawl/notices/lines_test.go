package notices

import (
	"strings"
	"testing"
)

func show(ls []DiffLine) string {
	var b strings.Builder
	for _, l := range ls {
		b.WriteString(l.Kind.Sign() + l.Text + "\n")
	}
	return b.String()
}

func TestOnlyWhatTheNoticeSaysCounts(t *testing.T) {
	base := NoticeText{Title: "显微镜采购公告", Text: "一、项目概况\n东湖大学拟采购显微镜一台。\n浏览次数：12\n投标截止时间：2026年3月20日9时", Files: []string{"采购文件.docx"}}
	for name, c := range map[string]struct {
		change func(*NoticeText)
		want   bool
	}{
		"a counter in a line of its own":  {func(x *NoticeText) { x.Text = strings.Replace(x.Text, "12", "3456", 1) }, false},
		"a counter behind the title":      {func(x *NoticeText) { x.Title += "  [浏览次数：77]" }, false},
		"spaces":                          {func(x *NoticeText) { x.Text = strings.ReplaceAll(x.Text, "\n", " \n\n\t") }, false},
		"the next notice":                 {func(x *NoticeText) { x.Text += "\n下一篇：离心机采购公告" }, false},
		"who entered it":                  {func(x *NoticeText) { x.Text = "发布者：管理员　发布时间：2026-03-02\n" + x.Text }, false},
		"a deadline":                      {func(x *NoticeText) { x.Text = strings.Replace(x.Text, "20日", "25日", 1) }, true},
		"a title":                         {func(x *NoticeText) { x.Title = "（已更正）" + x.Title }, true},
		"another attachment":              {func(x *NoticeText) { x.Files = append(x.Files, "答疑.pdf") }, true},
		"nothing at all":                  {func(*NoticeText) {}, false},
		"a sentence that holds a counter": {func(x *NoticeText) { x.Text += "\n网站访问量不少于1000次的平台优先" }, true},
	} {
		after := base
		after.Files = append([]string(nil), base.Files...)
		c.change(&after)
		if got := TextChanged(base, after); got != c.want {
			t.Errorf("%s: changed %v, want %v\n%s", name, got, c.want, show(CompareTexts(base, after)))
		}
		if got := CompareTexts(base, after) != nil; got != c.want {
			t.Errorf("%s: lines %v, want %v", name, got, c.want)
		}
	}
}

func TestCompareShowsChangesWithALineAround(t *testing.T) {
	before := NoticeText{Title: "公告", Text: "甲\n乙\n丙\n丁\n戊\n己\n庚"}
	after := NoticeText{Title: "公告", Text: "甲\n乙\n丙\n丁二\n戊\n己\n庚\n辛"}
	want := "…\n 丙\n-丁\n+丁二\n 戊\n…\n 庚\n+辛\n"
	ls := CompareTexts(before, after)
	if got := show(ls); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if gone, added := CountChanges(ls); gone != 1 || added != 2 {
		t.Errorf("%d gone, %d added", gone, added)
	}
	if ls[0].Skip != 3 {
		t.Errorf("the first gap stands for %d lines, want 3", ls[0].Skip)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("甲\n乙", "甲\n丙")
	f.Fuzz(func(t *testing.T, a, b string) {
		ls := CompareTexts(NoticeText{Text: a}, NoticeText{Text: b})
		if (ls != nil) != TextChanged(NoticeText{Text: a}, NoticeText{Text: b}) {
			t.Errorf("%q %q: %v", a, b, ls)
		}
	})
}

package inbox

import (
	"strings"
	"testing"
	"time"

	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/tui/screen"
	"angler/tui/widget"
)

func printed(list []widget.TextLine) string {
	var b strings.Builder
	for _, l := range list {
		for _, p := range l {
			b.WriteString(p.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The notices of a project stand below each other in narrow panes, too: what is wrapped
// goes on below its title. A single line is no "1 lines".
func TestNarrowPanesKeepAProjectReadable(t *testing.T) {
	day := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	x := kindred{&inbox.Relations{ID: 2, Thread: &notices.ProjectThread{State: notices.Corrected, Number: "DHU-2026-101"}, Steps: []inbox.StepRow{
		{NoticeRef: inbox.NoticeRef{ID: 1, Title: "东湖大学电镜中心透射电子显微镜采购项目公开招标公告", At: day.AddDate(0, 0, -3)}, Kind: notices.Tendered, Deadline: day.AddDate(0, 0, 6)},
		{NoticeRef: inbox.NoticeRef{ID: 2, Title: "更正公告", At: day}, Kind: notices.Corrected, Deadline: day.AddDate(0, 0, 9)},
	}, Versions: []inbox.Version{{Number: 1, Until: day, Lines: []notices.DiffLine{{Kind: notices.DiffGap, Skip: 1}, {Kind: notices.DiffGone, Text: "a"}, {Kind: notices.DiffAdded, Text: "b"}}}}}}
	sh := &screen.Shared{}
	got := printed(x.project(sh, 50)[1:])
	want := `project  correction  DHU-2026-101
  2026-11-19  tender      东湖大学电镜中心透射电子
                          显微镜采购项目公开招标公
                          告
                          deadline 2026-11-28 09:30
▶ 2026-11-22  correction  更正公告
                          deadline 2026-12-01 09:30
`
	if got != want {
		t.Errorf("a project in 50 cells:\n%s\nwant\n%s", got, want)
	}
	if wide := printed(x.project(sh, 120)[1:]); !strings.Contains(wide, "公开招标公告  deadline 2026-11-28") {
		t.Errorf("in 120 cells:\n%s", wide)
	}
	var said string
	for _, f := range x.fields(sh) {
		said += f.value + "\n"
	}
	said += printed(x.versions(sh, 50))
	if !strings.Contains(said, "1 line removed, 1 added") || !strings.Contains(said, "unchanged: 1 line\n") || strings.Contains(said, "1 lines") {
		t.Errorf("what changed: %s", said)
	}
}

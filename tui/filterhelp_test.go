package tui

import (
	"regexp"
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// The fields of filters are listed in Chinese for a Chinese reader, with names that the filter
// accepts.
func TestFilterHelpIsChinese(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	zh := lang(t, "zh")
	fields := screen.PartsOf(e.Engine).Inbox.FilterFields()
	if len(fields) < 12 {
		t.Fatalf("%d fields", len(fields))
	}
	for _, f := range fields {
		says := strings.TrimPrefix(zh.Line(f[1]), f[0])
		if english := regexp.MustCompile(`[a-z]{2,} [a-z]{2,}`).FindString(says); english != "" {
			t.Errorf("%s: %q of %q is left in English", f[0], english, f[1])
		}
		if err := e.Inbox.CheckFilter(f[3] + f[2] + map[string]string{":": "未读", ">=": "2026-01-01", "<": "7天"}[f[2]]); err != nil && strings.Contains(err.Error(), "no field") {
			t.Errorf("%s is called %s, which a filter does not know: %v", f[0], f[3], err)
		}
	}
	d := driveIn(t, "zh", screen.PartsOf(e.Engine), 120, 40)
	d.press("5")
	d.press("/")
	d.press("nofield:1", "enter")
	if s := d.screen(); strings.Contains(s, "site title") {
		t.Errorf("the fields are called by English names:\n%s", s)
	}
}

// Enter on the line of the day lists the due notices, nearest deadline first; the next filter is
// ordered by date again.
func TestHomeLeadsToWhatIsDue(t *testing.T) {
	c := can(harvested())
	p := c.parts()
	c.publish(func(s *view.Snapshot) { s.Story.Due = 5 })
	d := drive(t, p, 160, 45)
	d.press("0")
	d.until("what is due is counted", func() bool { return d.a.shared.Snap.Story.Due == 5 })
	d.shows("5 due within 3 days", "go to notices due soon")
	d.press("enter")
	d.shows("/ due<3d -is:done", "deadline▲")
	d.press("/")
	d.press("ctrl+u", "enter")
	d.shows("date▼")
}

package tui

import (
	"testing"

	"angler/crawl/view"
	"angler/tui/uitest"
)

// The list of what is wrong follows what becomes known while it is open; the cursor
// stays on its item, and what was typed counts.
func TestWhatIsWrongFillsItself(t *testing.T) {
	c := can(taught())
	_, p := uitest.Count(c.parts()) // knows of no [[notify]]
	d := drive(t, p, 120, 40)
	d.press("&")
	d.shows("no list is broken")
	d.press("down") // tell somebody else
	c.publish(func(s *view.Snapshot) {
		s.Alarms = []view.ListAlarm{{ID: 7, URL: "http://ztb.yunxi.test/cggg.htm", Host: "ztb.yunxi.test", Title: "采购公告", Kind: view.ListEmpty}}
	})
	d.comes("ztb.yunxi.test 采购公告")
	d.press("enter")
	if d.a.over.chooser == nil || d.a.over.chooser.Title == "lists that broke, and who is told" {
		t.Errorf("the cursor has left its item:\n%s", d.screen())
	}
	d.press("esc", "&", "yunxi")
	c.publish(func(s *view.Snapshot) { s.Alarms = nil })
	d.comes("nothing matches")
}

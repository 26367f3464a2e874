package tui

import (
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/store/config"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// The open list of faults is updated; the cursor stays on its item, and the typed text stays.
func TestWhatIsWrongFillsItself(t *testing.T) {
	c := can(taught())
	_, p := Count(c.parts()) // knows of no [[notify]]
	d := drive(t, p, 120, 40)
	d.press("&")
	d.shows("no list is broken")
	d.press("down") // add a recipient
	c.publish(func(s *view.Snapshot) {
		s.Alarms = []view.ListAlarm{{ID: 7, URL: "http://ztb.yunxi.test/cggg.htm", Host: "ztb.yunxi.test", Title: "采购公告", Kind: view.ListEmpty}}
	})
	d.comes("ztb.yunxi.test 采购公告")
	d.press("enter")
	if d.a.over.chooser == nil || d.a.over.chooser.Title == "broken lists, and alerts" {
		t.Errorf("the cursor has left its item:\n%s", d.screen())
	}
	d.press("esc", "&", "yunxi")
	c.publish(func(s *view.Snapshot) { s.Alarms = nil })
	d.comes("nothing matches")
}

// Undo restores a removed row with its whole address, which no screen shows, for the person who
// removed it.
func TestARemovedRowComesBack(t *testing.T) {
	const address = "http://127.0.0.1:9/robot?token=abc"
	e := tuitest.Open(t, tuitest.Sampled)
	p, key := screen.PartsOf(e.Engine), config.NotifyOf("morning")
	shown, row := "", config.Notify{Name: "morning", Way: config.WayDingTalk, URL: address}
	for _, text := range []string{row.Text(), "", "back"} {
		if text == "back" {
			text = shown
		}
		_, err := p.Settings.ChangeSetting(key, text)
		must(t, err)
		if rows := p.Settings.NotifyRows(); len(rows) == 1 {
			shown = rows[0].Text()
		}
	}
	if strings.Contains(shown, "token") {
		t.Errorf("the whole address is shown: %s", shown)
	}
	if rows := e.Set().Notify; len(rows) != 1 || rows[0].URL != address {
		t.Errorf("what came back: %+v", rows)
	}
}

package tui

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/uitest"
)

func TestSettingsAreCheckedAndSaved(t *testing.T) {
	e := uitest.Open(t, uitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	was := e.Set().Crawl.Depth
	d.press(",")
	d.press("crawl.depth", "enter")
	d.send(tea.KeyMsg{Type: tea.KeyBackspace})
	d.press("9999", "enter")
	d.shows("9999 is outside 0 … 1000")
	if calls.Of("ChangeSetting") != 0 || e.Set().Crawl.Depth != was {
		t.Fatal("a wrong value was saved")
	}
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("3", "enter")
	if got := e.Set().Crawl.Depth; got != 3 {
		t.Errorf("depth is %d", got)
	}
	d.shows("crawl.depth set to 3", "settings · angler.toml")
	d.press("ignore_robots", "enter") // typed on, the list is back by itself
	if !e.Set().Crawl.IgnoreRobots {
		t.Error("a switch did not switch")
	}
	d.press("esc")
	calls.Fail("ChangeSetting", errors.New("the disk is full"))
	d.press(",")
	d.press("crawl.depth", "enter", "enter")
	d.shows("failed: the disk is full")
}

func TestWorkspaceSwitchAsksWhileACrawlRuns(t *testing.T) {
	d := workbench(t, uitest.Running(t, uitest.Sampled), 120, 40)
	d.press("ctrl+o", "招标")
	d.press("enter")
	d.shows("Quit and stop it?")
	d.press("n")
	if d.quit || d.a.next != nil {
		t.Fatal("the workspace was left")
	}
	d.press("ctrl+o")
	d.press("jobs", "enter", "y")
	d.until("the program ends", func() bool { return d.quit })
	if d.a.next == nil || d.a.next.Dir != "/data/jobs" {
		t.Errorf("quit %v, next %+v", d.quit, d.a.next)
	}
}

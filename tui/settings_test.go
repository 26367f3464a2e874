package tui

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// A list names the item that was removed or restored.
func TestAListNamesItsItem(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	seeds := e.Set().Seeds
	d.press(",", "/", "seeds", "enter", "enter", "down", "backspace")
	d.shows("seeds without " + seeds[1] + " · u undoes it")
	d.press("u")
	d.shows("seeds with " + seeds[1])
	if got := e.Set().Seeds; !slices.Equal(got, seeds) {
		t.Errorf("the seeds are %v, they were %v", got, seeds)
	}
}

func TestSettingsAreCheckedAndSaved(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	was := e.Set().Crawl.Depth
	d.press(",", "/", "crawl.depth", "enter", "enter")
	d.press("9999", "enter")
	d.shows("✗ 9999 is outside 0 … 1000", " 9999") // the reason, and the typed text
	if calls.Of("ChangeSetting") != 0 || e.Set().Crawl.Depth != was {
		t.Fatal("a wrong value was saved")
	}
	d.press("ctrl+u", "3", "enter")
	is(t, "depth", e.Set().Crawl.Depth, 3)
	d.shows("crawl.depth set to 3", "settings · angler.toml", "● depth", "default 5", "applies at once")
	d.press("u")
	is(t, "depth after undo", e.Set().Crawl.Depth, was)
	d.press("esc", "/", "ignore_robots", "enter", "space")
	if !e.Set().Crawl.IgnoreRobots {
		t.Error("a switch did not switch")
	}
	d.shows("applies when the workspace is opened again")
	d.press("backspace")
	if e.Set().Crawl.IgnoreRobots {
		t.Error("the default did not come back")
	}
	d.press("esc", "/", "strategy", "enter", "enter", "shark", "enter")
	is(t, "the link order", e.Set().Crawl.Strategy, "shark")
	d.press("esc", "esc")
	calls.Fail("ChangeSetting", errors.New("the disk is full"))
	d.press(",", "/", "crawl.depth", "enter", "enter", "2", "enter")
	d.shows("failed: the disk is full")
}

// A list is edited item by item: an invalid item shows the reason and keeps its text.
func TestAListOfSettingsIsEditedByItem(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 80, 24)
	d.press(",", "/", "exclude", "enter", "enter", "a")
	d.press("(", "enter")
	d.shows("✗ ")
	if len(e.Set().Scope.Exclude) != 0 {
		t.Fatal("a wrong expression was saved")
	}
	d.press("foto)", "enter")
	if got := e.Set().Scope.Exclude; len(got) != 1 || got[0] != "(foto)" {
		t.Fatalf("the list is %q", got)
	}
	d.press("a", "two", "enter", "k", "enter", "one", "enter")
	if got := e.Set().Scope.Exclude; len(got) != 2 || got[0] != "one" || got[1] != "two" {
		t.Errorf("the list is %q", got)
	}
	d.press("j", "backspace")
	if got := e.Set().Scope.Exclude; len(got) != 1 || got[0] != "one" {
		t.Errorf("the list is %q", got)
	}
	d.press("u", "u", "u", "u")
	if got := e.Set().Scope.Exclude; len(got) != 0 {
		t.Errorf("the list is %q after all was undone", got)
	}
}

// The form takes the mouse, and fits a small screen.
func TestTheSettingsTakeTheMouse(t *testing.T) {
	_, d := opened(t, tuitest.Sampled, 60, 20)
	d.press(",")
	x, y := d.find("include")
	d.click(x, y)
	d.shows("scope.include: regular expressions")
	d.click(x, y)
	d.shows("The list is empty")
	d.press("esc")
	d.mouse(x, y, tea.MouseButtonWheelDown, tea.MouseActionPress)
	d.shows("crawl.workers")
	checkFrame(t, d.a.View(), 60, 20)
}

func TestWorkspaceSwitchAsksWhileACrawlRuns(t *testing.T) {
	d := workbench(t, tuitest.Running(t, tuitest.Sampled), 120, 40)
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

// A key is changed by pressing it: a taken one names its action, and a new one is in force at once,
// including texts.
func TestKeysAreChangedInTheForm(t *testing.T) {
	e, d := opened(t, tuitest.Crawled, 120, 40)
	d.press(",", "/", "keys.pause", "enter")
	d.shows("keys · Everywhere", "pause", "press another key")
	d.press("enter")
	d.shows("press the key")
	d.press("y")
	d.shows("✗ y is taken: label the page: yes", "press the key") // the form waits for the next key
	d.pressKey("f5")
	d.until("the key is in force", func() bool { return d.a.keymap.Keys(keymap.Pause)[0] == "f5" })
	d.comes("pause stands on f5")
	d.shows("default P")
	if got := e.Set().Keys; !reflect.DeepEqual(got, map[string]any{"pause": "f5"}) {
		t.Errorf("the file holds %v", got)
	}
	d.press("+")
	d.pressKey("f6")
	d.until("two keys are in force", func() bool { return len(d.a.keymap.Keys(keymap.Pause)) == 2 })
	d.press("u")
	d.until("undo takes the second back", func() bool { return len(d.a.keymap.Keys(keymap.Pause)) == 1 })
	d.press("esc", "esc", "P")
	d.shows("P does nothing here")
	d.press("T")
	d.press(",", "/", "keys.pause", "enter", "backspace")
	d.until("the key is its own again", func() bool { return d.a.keymap.Keys(keymap.Pause)[0] == "P" })
	if got := e.Set().Keys; len(got) != 0 {
		t.Errorf("the file holds %v", got)
	}
}

// Every table of settings has a title.
func TestTablesOfSettingsHaveTitles(t *testing.T) {
	seen := map[string]string{}
	for _, r := range screen.PartsOf(tuitest.Open(t, tuitest.Sampled).Engine).Settings.SettingRows() {
		table, _, ok := strings.Cut(r.Key, ".")
		if !ok {
			table = ""
		}
		if groups[table] == "" {
			t.Errorf("%s stands under no title", r.Key)
		}
		if other, ok := seen[groups[table]]; ok && other != table {
			t.Errorf("%s and %s stand under the same title", table, other)
		}
		seen[groups[table]] = table
	}
}

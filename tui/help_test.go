package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// The help is filtered by key, by name and by effect, in both languages, at the smallest size.
func TestHelpIsSearched(t *testing.T) {
	for _, c := range []struct {
		lang, words string
		shows       []string
		hides       string
	}{
		{"en", "pause run", []string{"P ", "pause the run for everyone", "pause"}, "zoom this pane"},
		{"en", "trl+r", []string{"redo the last undone change"}, "pause the run"},
		{"en", "mark_range", []string{"mark from here on", "mark_range"}, "pause the run"},
		{"zh", "暂停", []string{"为所有人暂停运行"}, "放大本窗格"},
		{"zh", "pause", []string{"为所有人暂停运行"}, "放大本窗格"},
		{"en", "no such thing", []string{"No key matches “no such thing”"}, "pause"},
	} {
		t.Run(c.words, func(t *testing.T) {
			d := driveIn(t, c.lang, can(sampled()).parts(), 60, 20)
			d.press("?", "/", c.words)
			d.shows(c.shows...)
			if d.sees(c.hides) {
				t.Errorf("%q leaves %q:\n%s", c.words, c.hides, d.screen())
			}
			checkFrame(t, d.a.View(), 60, 20)
			d.press("enter", "esc") // back to all
			if d.a.over.help == nil || d.a.over.book.query.Active() {
				t.Fatal("the first esc does not show all again")
			}
			d.press("esc")
			if d.a.over.help != nil {
				t.Error("the second esc does not close")
			}
		})
	}
}

func TestHelpLightsWhatWasTyped(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Empty), 120, 40)
	d.press("?", "x")
	d.shows("x does nothing here; esc closes")
	d.press("/", "otsu")
	d.shows("help · 1 key · /otsu")
	if n := d.a.over.book.rows; n != 1 || d.a.over.help.Hits() == 0 {
		t.Errorf("otsu: %d rows, %d lines lit", n, d.a.over.help.Hits())
	}
}

// Keys work while a Chinese input method turns their punctuation and digits into its own characters.
func TestKeysOfChineseInputMethods(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Empty), 120, 40)
	d.press("？", "、", "？")
	d.shows("help · ", " · /？")
	d.press("esc", "esc", "１")
	d.shows("[1 Samples]")
}

// Changed keys show in footer, help and palette, work, and free their old keys.
func TestChangedKeys(t *testing.T) {
	e := tuitest.Open(t, tuitest.Crawled)
	for key, value := range map[string]string{"keys.sample": `["ctrl+s", "insert"]`, "keys.pause": `["f5"]`, "keys.help": `["f2"]`} {
		_, err := e.Settings.ChangeSetting(key, value)
		must(t, err)
	}
	d := drive(t, screen.PartsOf(e.Engine), 120, 40)
	id := d.current()
	d.press("s")
	d.shows("s does nothing here")
	d.press("ctrl+s")
	if !tuitest.Row(t, e, id).Sample {
		t.Fatal("ctrl+s did not make the page a sample")
	}
	d.press("insert")
	if tuitest.Row(t, e, id).Sample {
		t.Error("insert did not take the sample back")
	}
	d.shows("ctrl+s insert sample", "f2 help")
	d.press("P")
	d.shows("P does nothing here")
	d.pressKey("f5")
	d.shows("f5 pause: nothing runs")
	d.pressKey("f2")
	d.shows("ctrl+s insert  make the page a sample")
	d.press("esc", ":", "pause the run")
	d.shows("f5")
}

// An invalid table of keys is reported in a line, and in the help, and changes nothing.
func TestBadKeysAreTold(t *testing.T) {
	for set, says := range map[string]string{
		"paus":  "angler.toml: [keys] paus: no action is called that; did you mean pause?; the keys are as they were",
		"pause": `angler.toml: [keys] pause = "y": y is yes's already`,
	} {
		c := can(sampled())
		c.publish(func(s *view.Snapshot) { s.Keys = map[string]any{set: "y", "help": "f2"} })
		open := begin(t, "en", c.parts(), 160, 40)
		open.settle()
		a := open.a
		if !strings.Contains(a.flash, says) {
			t.Errorf("%s: says %q", set, a.flash)
		}
		open.press("?")
		open.shows(says[:50])
	}
}

// Every text of help, at 60×20 and in both languages, fits its frame.
func TestHelpFitsTheSmallestScreen(t *testing.T) {
	for _, code := range []string{"en", "zh"} {
		for at := range screenNames {
			d := driveIn(t, code, can(labelled()).parts(), 60, 20)
			d.press(fmt.Sprint(at), "?")
			for range 40 {
				checkFrame(t, d.a.View(), 60, 20)
				d.press("pgdown")
			}
			if top := d.a.over.help.At(); top == 0 {
				t.Errorf("%s %d: the help does not scroll", code, at)
			}
		}
	}
}

// Help, palette and the table of keys in docs/keys.md name every action.
func TestHelpNamesEveryAction(t *testing.T) {
	theme, err := widget.Pick("mono", false, env(nil))
	must(t, err)
	named := map[*keymap.Entry]bool{}
	for _, s := range newApp(t.Context(), nil, theme, Options{}).sections() {
		for _, b := range s.keys {
			named[b.Entry()] = true
		}
	}
	for _, e := range keymap.All() {
		if !named[e] {
			t.Errorf("%s (%s) stands nowhere in the help", e.ID, e.Keys[0])
		}
	}
}

// The first section of the help holds the keys of the screen's mode: those of the list, of the
// reader or of the recipes.
func TestHelpFollowsTheMode(t *testing.T) {
	d := drive(t, can(sampled()).parts(), 160, 45)
	of := func(keys ...string) string {
		d.press(append(keys, "?")...)
		first := d.a.over.book.sections[0]
		var ids []string
		for _, k := range first.keys {
			ids = append(ids, k.Entry().ID)
		}
		for _, at := range d.a.screens[d.a.at].Keys() { // none is lost
			if !at.Entry().Place.Shared() && !slices.ContainsFunc(d.a.over.book.sections, func(s section) bool {
				return slices.ContainsFunc(s.keys, func(k screen.Binding) bool { return k.Is(at.Entry()) })
			}) {
				t.Errorf("%s stands nowhere in the help", at.Entry().ID)
			}
		}
		d.press("esc")
		return " " + strings.Join(ids, " ") + " "
	}
	list := of("5")
	recipes := of(keymap.Printed(keymap.Recipes.Keys[:1]))
	for _, id := range []string{"recipe_accept", "recipe_paste"} {
		if strings.Contains(list, " "+id+" ") || !strings.Contains(recipes, " "+id+" ") {
			t.Errorf("%s: the list's help has %s, the recipes' %s", id, list, recipes)
		}
	}
	if strings.Contains(recipes, " quality_save ") || !strings.Contains(list, " quality_save ") {
		t.Errorf("quality_save: the list's help has %s, the recipes' %s", list, recipes)
	}
}

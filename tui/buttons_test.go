package tui

import (
	"errors"
	"fmt"
	"testing"

	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// clickOn presses the left button on the first cell of a text on the screen.
func (d *driver) clickOn(text string) {
	d.t.Helper()
	x, y := d.find(text)
	d.click(x, y)
}

// Everything that looks like a button is one: tabs, keys in the footer and in hints, the names of
// views.
func TestWhatLooksLikeAButtonIsClicked(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 140, 40)
	d.clickOn("3 Threshold")
	d.shows("[3 Threshold]", "in force θ")
	d.clickOn("1 Samples")
	d.clickOn("text score")
	d.shows("records [text] score")
	d.clickOn("blocks HTML")
	d.shows("score [blocks] HTML")
	id := d.current()
	was := tuitest.Row(t, e, id).Sample
	d.clickOn("s sample")
	if tuitest.Row(t, e, id).Sample == was {
		t.Error("a click on the footer's s did nothing")
	}
	d.clickOn("sample  !") // the word as well as the key
	if tuitest.Row(t, e, id).Sample != was {
		t.Error("a click on the footer's word did nothing")
	}
	d.clickOn("? help")
	d.shows("j k scroll")
	d.clickOn("/ search")
	if d.a.over.prompt == nil {
		t.Fatal("a click on the help's / asks nothing")
	}
	d.press("esc")
	d.clickOn("esc close")
	if d.a.over.help != nil {
		t.Error("a click on esc does not close the help")
	}
	d.clickOn(": palette")
	d.shows("every action")
	d.clickOn("? help") // it is under the list, so the click only closes the list
	if d.a.over.chooser != nil || d.a.over.help != nil {
		t.Error("a click beside the palette does not close it, or does more")
	}
	d.clickOn(": palette")
	d.clickOn("esc close")
	if d.a.over.chooser != nil {
		t.Error("a click on esc does not close the palette")
	}
}

// A button does its action under any key: here yes and no, and sample and the filter, have swapped
// theirs.
func TestAButtonDoesWhatItSaysUnderChangedKeys(t *testing.T) {
	c := can(sampled())
	c.publish(func(s *view.Snapshot) {
		s.Keys = map[string]any{"yes": "x", "no": "y", "sample": "f9", "help": "\u1e00", "palette": "ctrl+g", "open": "insert", "last_view": "f3", "next_view": "f4"}
	})
	counted, p := Count(c.parts())
	for _, method := range []string{"SetLabel", "ToggleSample"} {
		counted.Fail(method, errors.New("not in this test"))
	}
	d := drive(t, p, 160, 45)
	d.settle()
	d.press("1")
	for _, button := range []struct {
		text  string
		calls string
		sees  string
	}{
		{"yes  y", "SetLabel", ""}, {"f9 sample", "ToggleSample", ""}, {"sample  !", "ToggleSample", ""}, {"filter", "", "words · ! hides"},
		{"\u1e00 help", "", "next row"}, {"palette", "", "every action"},
	} {
		before := counted.Of("SetLabel") + counted.Of("ToggleSample")
		d.clickOn(button.text)
		d.settle()
		if button.calls != "" && (counted.Of("SetLabel")+counted.Of("ToggleSample") != before+1) {
			t.Errorf("%q: no call of %s", button.text, button.calls)
		}
		if button.sees != "" && !d.sees(button.sees) {
			t.Errorf("%q does not show %q:\n%s", button.text, button.sees, d.screen())
		}
		d.press("esc")
	}
	for i := range d.a.screens {
		d.press(fmt.Sprint(i))
		d.screen()
		for _, b := range d.a.buttons {
			if b.does == nil {
				t.Fatalf("screen %d: a button in row %d names no action:\n%s", i, b.Y, d.screen())
			}
		}
	}
}

// A double click opens like enter; two clicks on two rows do not.
func TestDoubleClickOpens(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 140, 40)
	x, y := d.find("› ")
	first := func() { d.click(x+6, y) }
	next := func() { d.click(x+6, y+1) }
	list := func() bool { return d.sees("candidates ") }
	first()
	next()
	if !list() {
		t.Fatalf("clicks on two rows opened a page:\n%s", d.screen())
	}
	next()
	d.until("the page is open", func() bool { return !list() })
	d.shows("preview [records]")
	d.press("esc")
	if !list() {
		t.Fatal("esc does not go back")
	}
	d.press("enter")
	if list() {
		t.Error("enter does not open")
	}
}

// A double click opens a notice in the reader, and only that.
func TestDoubleClickReads(t *testing.T) {
	d := drive(t, can(harvested()).parts(), 140, 40)
	d.press("5", "j")
	x, y := d.find("› ")
	reads := func() bool { return !d.sees("aggregation pages") }
	d.click(x+14, y+1)
	if reads() {
		t.Fatalf("one click reads:\n%s", d.screen())
	}
	d.click(x+14, y+1)
	d.until("the notice is read", reads)
	if d.a.over.open() {
		t.Error("something opened over the reader")
	}
}

// The next step of Home is a button.
func TestTheNextStepIsClicked(t *testing.T) {
	d := drive(t, can(unjudged()).parts(), 120, 40)
	d.press("0")
	x, y := d.find("enter: ")
	d.click(x, y)
	d.shows("[1 Samples]")
}

// The footer shows a key once, at its effective action.
func TestFooterNamesAKeyOnce(t *testing.T) {
	back, close := screen.Bind(keymap.Close, "", nil), screen.Bind(keymap.Unmark, "", nil)
	off := screen.Bind(keymap.Clear, "no filter", nil)
	got := reached([]screen.Binding{off, back, close, screen.Bind(keymap.Down, "", nil)})
	if len(got) != 2 || !got[0].Is(keymap.Close) || !got[1].Is(keymap.Down) {
		t.Errorf("%d bindings, the first %q", len(got), got[0].Name())
	}
}

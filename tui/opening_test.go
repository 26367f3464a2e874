package tui

import (
	"context"
	"testing"

	"angler/tui/screen"
)

// A connection that breaks before the first frame ends the program before its first Cmds: nothing
// waits for an opener that is never called, and a late Cmd does not call it.
func TestOpeningThatNeverBegins(t *testing.T) {
	o := opening{ctx: t.Context(), progress: make(chan string, 1)}
	o.open = func(context.Context, func(string)) (screen.Parts, error) {
		t.Error("the workspace is opened after the session ended")
		return screen.Parts{}, nil
	}
	late := o.begin()
	o.close()
	is(t, "a late opening brings", late(), nil)
}

// Keys pressed before the workspace is open, or while a screen loads their data, are pressed again
// in order when it is ready.
func TestKeysWaitForTheScreen(t *testing.T) {
	c := can(sampled())
	p := c.parts()
	d := begin(t, "en", p, 120, 40)
	d.settle()
	opened := openedMsg{p}
	d.a.ready = false // as it was before
	d.pressKey("5", "/")
	d.send(runes("采购")) // typed fast: several in one message
	d.send(pasted("公告"))
	d.shows("waits until the screen is ready")
	d.send(opened)
	d.settle()
	if d.a.at != 5 || d.a.over.prompt == nil || !d.sees("/ 采购公告") {
		t.Errorf("5 / 采购公告 typed before the workspace was open shows\n%s", d.screen())
	}
	d.press("esc", "esc")

	// The scores are loading.
	d.pressKey("3")
	if len(d.a.work.list) == 0 {
		t.Fatal("nothing is read for screen 3")
	}
	d.pressKey("]", "]")
	d.settle()
	d.shows("goes back") // θ has moved
	if len(d.a.held.keys) > 0 || !d.sees("preview θ .0") {
		t.Errorf("%d keys are kept still:\n%s", len(d.a.held.keys), d.screen())
	}

	// esc drops the stored keys; ctrl+c is not stored.
	d.a.ready = false
	d.pressKey("x", "esc")
	if len(d.a.held.keys) > 0 {
		t.Errorf("esc keeps %v", d.a.held.keys)
	}
	for range mostHeld + 1 {
		d.pressKey("x")
	}
	d.shows("x is dropped: 64 keys wait already")
}

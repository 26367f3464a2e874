package tui

import (
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file draws the status line: a blocking question, or the slots of figures, covered for a
// while by messages.

// hintFrom is the least width at which the status line names the keys of help and palette; the
// footer of a narrower screen names help.
const hintFrom = 130

// statusLine is the status line of the workbench.
type statusLine struct{ *app }

// leastState is the width of the state beside a message.
const leastState = 13

func (a statusLine) draw(c *widget.Canvas, y int) {
	question := ""
	switch {
	case a.asking:
		question = a.shared.T("A crawl is running. Quit and stop it? y quits, any other key stays.")
	case a.undoing != nil:
		question = undoQuestion(a.undoing, a.shared.Lang, a.o.Now(), a.w-2)
	}
	if question != "" {
		c.Fill(widget.Rect{Y: y, W: a.w, H: 1}, widget.Warn|widget.Invert, " ")
		c.Text(1, y, widget.Warn|widget.Invert|widget.Bold, question)
		return
	}
	room := a.w - 2 - a.drawHint(c, y)
	in := c.Sub(widget.Rect{X: 1, Y: y, W: room, H: 1})
	slots := screen.Slots(0, room)
	said, state := a.said(slots), slots[0]
	first := len(slots) // the first visible slot
	for i := len(slots) - 1; i > 0; i-- {
		if len(slots[i].Tell(a.shared)) > 0 {
			first = i
		}
	}
	switch need := said.Width(); {
	case need == 0: // a slot alone may exceed its width
		state.W = room
		if first < len(slots) {
			state.W = slots[first].X - screen.Gap
		}
	default:
		at := room
		if len(slots) > 1 {
			at = slots[1].X
		}
		if need > room-at { // more important than the progress of the run
			at = max(min(leastState+screen.Gap, room), room-need)
		}
		state.W = max(1, at-screen.Gap)
		end := at + min(need, room-at)
		a.sayAt(in, at, room-at, said)
		for first = 1; first < len(slots) && slots[first].X-screen.Gap < end; {
			first++
		}
	}
	if !a.ready {
		in.Text(0, 0, widget.Accent, widget.Fit(a.shared.Line(a.opening.line)+" …", state.W))
	} else {
		x := 0
		if a.o.Role == auth.Viewer || a.o.Role == auth.Reading {
			x = in.Line(0, 0, state.W, widget.TextLine{{Style: widget.Warn, Text: a.shared.T("read only")}}) + 1
			state.W = max(1, state.W-x)
		}
		in.Line(x, 0, state.W, state.Tell(a.shared))
	}
	for _, s := range slots[min(first, len(slots)):] {
		if line := s.Tell(a.shared); len(line) > 0 {
			a.sayAt(in, s.X, s.W, line)
		}
	}
}

// drawLong draws a message that does not fit beside the state: over the whole line, and over the
// footer if that is free. It reports whether it used the footer.
func (a statusLine) drawLong(c *widget.Canvas, y int) (footer bool) {
	if !a.ready || a.flash == "" || a.asking || a.undoing != nil ||
		widget.Width(a.flash) <= a.w-2-leastState-screen.Gap {
		return false
	}
	rows := widget.Either(a.h < 4 || a.over.open(), 1, 2)
	lines := widget.Wrap(a.flash, max(1, a.w-2), rows)
	for i, l := range lines {
		c.Fill(widget.Rect{Y: y + i, W: a.w, H: 1}, widget.Plain, " ")
		c.Text(1, y+i, a.flashSt|widget.Bold, l)
	}
	return len(lines) > 1
}

// sayAt draws a part of the status line after a separator.
func (a statusLine) sayAt(c *widget.Canvas, x, w int, line widget.TextLine) {
	c.Text(x-2, 0, widget.Line, "·")
	c.Line(x, 0, w, line)
}

// drawExplained explains a number in the last rows; false without a request.
func (a statusLine) drawExplained(c *widget.Canvas) bool {
	f, ok := a.shared.Explain.Shown()
	if !ok {
		return false
	}
	head := strings.TrimSpace(a.shared.T(f.Name) + " " + widget.Fit(widget.Clean(strings.TrimSpace(f.Value)), 24))
	says := a.shared.T(f.Says)
	if head != "" {
		says = head + a.shared.T(": ") + says
	}
	lines := widget.Wrap(says, max(1, a.w-2), max(1, min(4, a.h-1)))
	y := a.h - len(lines)
	for i, l := range lines {
		c.Fill(widget.Rect{Y: y + i, W: a.w, H: 1}, widget.Plain, " ")
		x := c.Text(1, y+i, widget.Plain, l)
		if left := a.w - x - 3; i == len(lines)-1 && left > 0 {
			c.Block(x+3, y+i,
				c.Theme().Hints([]widget.Hint{{Key: a.keymap.Printed(keymap.Explain), Does: "another"},
					{Key: "esc", Does: "close"}}, left))
		}
	}
	if w := widget.Width(head); w < a.w-2 {
		c.Paint(widget.Rect{X: 1, Y: y, W: w, H: 1}, widget.Bold)
	}
	return true
}

// explainAt explains the slot of the status line at cell x.
func (a statusLine) explainAt(x int) {
	for _, s := range screen.Slots(1, a.slotRoom()) {
		if x >= s.X && x < s.X+s.W {
			a.shared.Explain.Only(s.Figure(a.shared))
		}
	}
}

// slotRoom returns the width of the slots.
func (a statusLine) slotRoom() int {
	if a.w < hintFrom {
		return a.w - 2
	}
	right, _, _ := a.hint()
	return a.w - 2 - widget.Width(right) - screen.Gap
}

// hint returns the text about help and palette, and their keys.
func (a statusLine) hint() (text, help, palette string) {
	help, palette = a.keymap.Printed(keymap.Help), a.keymap.Printed(keymap.Palette)
	return help + " " + a.shared.T("help") + "  " + palette + " " + a.shared.T("palette"), help, palette
}

// drawHint names the keys of help and palette at the right end if there is room, and returns the
// width used.
func (a statusLine) drawHint(c *widget.Canvas, y int) int {
	if a.w < hintFrom {
		return 0
	}
	right, ask, find := a.hint()
	x, split := a.w-1-widget.Width(right), widget.Width(find+" "+a.shared.T("palette"))
	if !a.over.open() {
		a.buttons.names(x, y, widget.Width(right)-split-2, keymap.Help)
		a.buttons.names(a.w-1-split, y, split, keymap.Palette)
	}
	c.Text(x, y, widget.Dim, right)
	c.Text(x, y, widget.Key, ask)
	c.Text(a.w-1-split, y, widget.Key, find)
	return widget.Width(right) + screen.Gap
}

// said returns the message over the figures: the outcome of an action, slow work, another person's
// action, or a message of the figures.
func (a statusLine) said(slots []screen.Slot) widget.TextLine {
	line := a.work.shown()
	switch {
	case a.flash != "":
		return widget.TextLine{{Style: a.flashSt | widget.Bold, Text: a.flash}}
	case !a.ready:
		return nil
	// the state shows the progress of the job
	case line != "" && a.shared.Snap.Job.Name != "" && a.shared.Snap.State == view.Idle:
		return widget.TextLine{{Style: widget.Accent, Text: a.shared.T("{cancel} cancels")}}
	case line != "" && a.shared.Snap.Job.Name != "": // the job says more than a spinner
		return widget.TextLine{{Style: widget.Accent,
			Text: screen.JobLine(a.shared) + " · " + a.shared.T("{cancel} cancels")}}
	case line != "":
		return widget.TextLine{{Style: widget.Accent, Text: line}}
	}
	if news := a.news(); news != "" {
		return widget.TextLine{{Style: widget.Accent | widget.Bold, Text: news}}
	}
	return screen.Note(a.shared, slots, a.frozen, a.age())
}

// age returns the age of the shown snapshot.
func (a statusLine) age() time.Duration {
	s := a.shared.Snap
	if s.At.IsZero() || s.State == view.Idle && !a.frozen {
		return 0
	}
	return max(0, a.o.Now().Sub(s.At))
}

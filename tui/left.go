package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/screen"
	"angler/tui/widget"
)

// This file keeps how the reader left the screens, and finds them so again: which is
// visible, and of each its focus, its order, its filter, its cursor and its columns.
// It is kept by person and workspace, and never waited for but at the end, when it is
// waited for a second at most.
//
// Home is what a start shows while there is something to tell: the first time, on
// another day, and when notices came since. Else the screen that was left is shown.

// place is how the screens were left.
type place struct {
	At      int                        `json:"at"`
	Day     string                     `json:"day,omitempty"`     // when, by the clock of the reader
	Notices int                        `json:"notices,omitempty"` // how many there were
	Screens map[string]json.RawMessage `json:"screens"`           // by name: what a screen keeps itself
	Panes   map[string]json.RawMessage `json:"panes,omitempty"`   // by name: screen.PanesState
}

// leaving is what the program keeps of it.
type leaving struct {
	*app
	kept    []byte    // what was kept last
	last    time.Time // when
	writing bool
	touched bool // a key was pressed: nothing is moved under the reader's hand
}

type (
	placeMsg struct{ v json.RawMessage }
	keptMsg  struct{ err error }
)

// keepEvery is how often what moved is kept.
const keepEvery = 5 * time.Second

// comeBack asks how the screens were left.
func (l *leaving) comeBack() tea.Cmd {
	inbox := l.parts.Inbox
	if inbox == nil {
		return nil
	}
	return l.ui.Run("looking where you were", func(context.Context) tea.Msg {
		v, err := inbox.Place()
		if err != nil {
			return nil // everything begins anew
		}
		return placeMsg{v}
	})
}

// takePlace makes the screens as they were left, unless the reader has begun.
func (l *leaving) takePlace(v json.RawMessage) tea.Cmd {
	var p place
	if l.touched || len(v) == 0 || json.Unmarshal(v, &p) != nil {
		return nil
	}
	l.kept = v
	var cmds []tea.Cmd
	for _, s := range l.screens {
		if l, ok := s.(screen.Leaver); ok && p.Screens[s.Name()] != nil {
			cmds = append(cmds, l.Return(p.Screens[s.Name()]))
		}
		var panes screen.PanesState
		if f := screen.PanesOf(s); f != nil && json.Unmarshal(p.Panes[s.Name()], &panes) == nil {
			cmds = append(cmds, f.Return(panes))
		}
	}
	switch {
	case p.At < 0 || p.At >= len(l.screens):
	case p.At > 0 && l.news(&p):
		l.say(widget.Dim,
			l.shared.F("%s goes to where you were: %s", l.number(p.At), l.shared.T(l.screens[p.At].Name())))
	default:
		cmds = append(cmds, l.goTo(p.At))
	}
	return tea.Batch(cmds...)
}

// news tells that Home has something to tell that the reader does not know.
func (l *leaving) news(p *place) bool {
	return p.Day != "" && (p.Day != l.today() || l.shared.Snap.Counts.Notices > p.Notices)
}

func (l *leaving) today() string { return l.o.Now().Format(time.DateOnly) }

// place is how the screens are now.
func (l *leaving) place() []byte {
	p := place{At: l.at, Day: l.today(), Notices: l.shared.Snap.Counts.Notices, Screens: map[string]json.RawMessage{},
		Panes: map[string]json.RawMessage{}}
	for _, s := range l.screens {
		if l, ok := s.(screen.Leaver); ok {
			p.Screens[s.Name()], _ = json.Marshal(l.Left()) // plain data
		}
		if f := screen.PanesOf(s); f != nil {
			p.Panes[s.Name()], _ = json.Marshal(f.Left())
		}
	}
	v, _ := json.Marshal(p)
	return v
}

// keep keeps how the screens are now, if that is something else than before and some
// time has passed.
func (l *leaving) keep() tea.Cmd {
	inbox := l.parts.Inbox
	if !l.ready || inbox == nil || l.writing || !l.touched || l.o.Now().Sub(l.last) < keepEvery {
		return nil
	}
	v := l.place()
	l.last = l.o.Now()
	if bytes.Equal(v, l.kept) {
		return nil
	}
	l.kept, l.writing = v, true
	return func() tea.Msg { return keptMsg{inbox.SetPlace(v)} }
}

// keptIt tells once that the screens cannot be kept.
func (l *leaving) keptIt(err error) {
	l.writing = false
	if err != nil {
		l.say(widget.Warn, l.shared.F("how the screens stand is not kept: %s", l.shared.Reason(err)))
	}
}

// parting is how long leaving waits for the screens to be kept.
const parting = time.Second

// part keeps how the screens are and quits.
func (l *leaving) part() tea.Cmd {
	inbox := l.parts.Inbox
	if !l.ready || inbox == nil || !l.touched {
		return tea.Quit
	}
	v, after := l.place(), l.shared.After
	if bytes.Equal(v, l.kept) && !l.writing { // what is being written may come too late
		return tea.Quit
	}
	return func() tea.Msg {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = inbox.SetPlace(v) // the session has ended: no screen shows the error
		}()
		select {
		case <-done:
		case <-after(parting):
		}
		return tea.QuitMsg{}
	}
}

// rowNumber is what the palette makes of a number: the row of the list in focus.
func (l *leaving) rowNumber(typed string) []widget.Item {
	n, err := strconv.Atoi(typed)
	f := screen.PanesOf(l.screens[l.at])
	if err != nil || n < 1 || f == nil || !l.ready {
		return nil
	}
	off, do := f.GoTo(n)
	return []widget.Item{{Name: l.shared.F("go to row %s", widget.Count(n)), Raw: true,
		Note: l.shared.T(l.screens[l.at].Name()), Off: off, Do: do}}
}

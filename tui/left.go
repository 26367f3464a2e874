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

// This file saves and restores the state of the screens: the visible screen, and the focus, order,
// filter, cursor and columns of each. The state belongs to person and workspace. Nothing waits for
// saving, except the end, for at most a second.
//
// A start shows Home if Home has news: the first time, on another day, and after new notices.
// Otherwise it shows the last screen.

// place is the state of the screens.
type place struct {
	At      int                        `json:"at"`
	Day     string                     `json:"day,omitempty"`     // day of the state, by the reader's clock
	Notices int                        `json:"notices,omitempty"` // number of notices then
	Screens map[string]json.RawMessage `json:"screens"`           // by name: the state of a screen
	Panes   map[string]json.RawMessage `json:"panes,omitempty"`   // by name: screen.PanesState
}

// leaving saves and restores a place.
type leaving struct {
	*app
	kept    []byte    // the last saved state
	last    time.Time // time of the last save
	writing bool
	touched bool // a key was pressed: restoring must not move anything
}

// keepEvery is the least time between two saves.
const keepEvery = 5 * time.Second

// comeBack asks for the stored state.
func (l *leaving) comeBack() tea.Cmd {
	inbox := l.parts.Inbox
	if inbox == nil {
		return nil
	}
	return screen.Load(l.ui, "looking where you were",
		func(context.Context) (json.RawMessage, error) { return inbox.Place() }, l.takePlace)
}

// takePlace restores the screens unless the reader has pressed a key; after an error they start with
// defaults.
func (l *leaving) takePlace(v json.RawMessage, err error) tea.Cmd {
	var p place
	if err != nil || l.touched || len(v) == 0 || json.Unmarshal(v, &p) != nil {
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

// news reports whether Home has news for the reader.
func (l *leaving) news(p *place) bool {
	return p.Day != "" && (p.Day != l.today() || l.shared.Snap.Counts.Notices > p.Notices)
}

func (l *leaving) today() string { return l.o.Now().Format(time.DateOnly) }

// place returns the current state of the screens.
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

// keep saves the state of the screens if it changed and some time has passed.
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
	return func() tea.Msg {
		err := inbox.SetPlace(v)
		return screen.Reply{Progress: true, Take: func() tea.Cmd {
			if l.writing = false; err != nil {
				l.say(widget.Warn, l.shared.F("how the screens stand is not kept: %s", l.shared.Reason(err)))
			}
			return nil
		}}
	}
}

// parting is how long quitting waits for the save.
const parting = time.Second

// part saves the state of the screens and quits.
func (l *leaving) part() tea.Cmd {
	inbox := l.parts.Inbox
	if !l.ready || inbox == nil || !l.touched {
		return tea.Quit
	}
	v, after := l.place(), l.shared.After
	if bytes.Equal(v, l.kept) && !l.writing { // a running save may finish too late
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

// rowNumber offers the row of the focused list with a typed number.
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

package screen

import (
	"encoding/json"

	"angler/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// This file saves and restores the state of screens.

// Leaver is a screen with more state than its panes: Left returns it, Return restores it.
type Leaver interface {
	Left() any
	Return(json.RawMessage) tea.Cmd
}

// stateful is a list whose state can be restored.
type stateful interface {
	State() widget.TableState
	Restore(widget.TableState) tea.Cmd
}

// PanesState is the state of panes.
type PanesState struct {
	Focus  int                 `json:"focus"`
	Tables []widget.TableState `json:"tables"` // of the panes; empty for a pane without a list
}

// Left returns the state of the panes.
func (p *Panes) Left() PanesState {
	s := PanesState{Focus: p.Focus, Tables: make([]widget.TableState, len(p.all))}
	if p.opened > 0 {
		s.Focus = p.from
	}
	for i, pn := range p.all {
		if l, ok := pn.List.(stateful); ok {
			s.Tables[i] = l.State()
		}
	}
	return s
}

// Return restores the state of the panes.
func (p *Panes) Return(s PanesState) tea.Cmd {
	if len(s.Tables) != len(p.all) {
		return nil // saved by another version
	}
	var cmds []tea.Cmd
	for i, pn := range p.all {
		if l, ok := pn.List.(stateful); ok {
			cmds = append(cmds, l.Restore(s.Tables[i]))
		}
	}
	if s.Focus >= 0 && s.Focus < len(p.all) {
		p.Focus = s.Focus
		p.Again()
	}
	return tea.Batch(cmds...)
}

// GoTo moves the cursor of the focused pane to row n, counted from 1; off says why it cannot.
func (p *Panes) GoTo(n int) (off string, do func() tea.Cmd) {
	pn := p.focused()
	l := pn.List
	if l == nil || pn.Rows == nil {
		return "there are no rows in this pane", nil
	}
	if p.Rows() == 0 {
		return "the list is empty", nil
	}
	return "", func() tea.Cmd {
		if pn.Enter != nil {
			pn.Enter()
		}
		l.Home()
		l.Move(n - 1)
		return pn.moved()
	}
}

// Rows returns the number of rows of the focused pane.
func (p *Panes) Rows() int {
	if rows := p.focused().Rows; rows != nil {
		return rows()
	}
	return 0
}

// Len returns the number of panes; 0 for a screen without panes.
func (p *Panes) Len() int {
	if p == nil {
		return 0
	}
	return len(p.all)
}

// Layout returns the panes, also of a screen that embeds them.
func (p *Panes) Layout() *Panes { return p }

// PanesOf returns the panes of a screen, or nil.
func PanesOf(s Screen) *Panes {
	if s, ok := s.(interface{ Layout() *Panes }); ok {
		return s.Layout()
	}
	return nil
}

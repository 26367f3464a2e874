package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"
)

// Display is a terminal that is not the process's own. Its methods must not
// wait for it: they are called while keys wait to be answered. Write takes
// control sequences that draw nothing.
type Display interface {
	Show(frame string) // every cell of the screen, lines joined by '\n'
	Resize(w, h int)
	Redraw()       // what was shown may be gone
	Mouse(on bool) // ask for clicks, wheel and drags, or no longer
	io.Writer
}

// Size is a terminal's, in cells.
type Size struct{ Width, Height int }

// sizeMsg is a new size of the Display.
type sizeMsg tea.WindowSizeMsg

// waitSize waits for the next size of a Display.
func (a *app) waitSize() tea.Msg {
	select {
	case s, ok := <-a.o.Sizes: // for ever, when there is none
		if ok {
			return sizeMsg(s)
		}
	case <-a.ctx.Done():
	}
	return nil
}

// displayed is the program over a Display: Bubble Tea's own renderer, which
// sends each changed row whole and holds up the program while the client does
// not read, is switched off.
type displayed struct {
	*app
	d Display
}

// Update implements tea.Model.
func (m displayed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch {
	case msg == tea.ClearScreen():
		m.d.Redraw()
	case msg == tea.EnableMouseCellMotion():
		m.d.Mouse(true)
	case msg == tea.DisableMouse():
		m.d.Mouse(false)
	}
	if size, ok := msg.(sizeMsg); ok {
		m.d.Resize(size.Width, size.Height)
	}
	_, cmd := m.app.Update(msg)
	return m, cmd
}

// View implements tea.Model.
func (m displayed) View() string {
	m.d.Show(m.app.View())
	return ""
}

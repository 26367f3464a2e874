package tui

import (
	"context"
	"io"
	"os"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/terminal"
)

// display shows frames: terminal.Screen, or a test's display. Its methods must not wait for a
// terminal, because they run while keys wait. Write takes control sequences that draw nothing.
type display interface {
	Show(frame string)    // every cell of the screen, lines joined by '\n'
	Resize(terminal.Size) // the next frame has another size
	Redraw()              // the terminal may have lost its content
	Mouse(on bool)        // turn reports of clicks, wheel and drags on or off
	io.Writer
}

// stage is the display and the input of a program: those of Options, or the terminal of the
// process, taken over until close.
type stage struct {
	display
	sizes <-chan terminal.Size
	keys  io.Reader
	close func() error
	gone  atomic.Bool // the terminal disappeared

	suspend func() error // stops the process until it is continued; nil: impossible
}

// newStage makes the stage for o. end is called when the terminal disappears.
func newStage(o *Options, end func()) (*stage, error) {
	if o.Display != nil {
		return &stage{display: o.Display, sizes: o.Sizes, keys: o.Input, close: func() error { return nil }}, nil
	}
	s := &stage{}
	gone := func() { s.gone.Store(true); end() }
	in, out := o.Input, o.Output
	if in == nil {
		in = keyboard{os.Stdin, gone}
	}
	if out == nil {
		out = os.Stdout
	}
	t, err := terminal.Take(in, out, gone)
	if err != nil {
		return nil, err
	}
	s.display, s.sizes, s.keys, s.close = t, t.Sizes, t.Input, t.Close
	if terminal.CanSuspend {
		s.suspend = t.Suspend
	}
	return s, nil
}

// program makes a program on the stage. Bubble Tea's own renderer is switched off: it checks for
// changes thirty times a second, sends each changed row whole, and blocks the program while the
// terminal does not read.
func (s *stage) program(ctx context.Context, m tea.Model, mouse bool) *tea.Program {
	if mouse {
		s.Mouse(true)
	}
	// Signals end ctx, which is up to the caller. Bubble Tea's own handler would wait for ever to
	// deliver one to a program that ctx has just ended.
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithoutRenderer(),
		tea.WithInput(s.keys), tea.WithOutput(io.Discard))
	go func() {
		for {
			select {
			case size, ok := <-s.sizes:
				if !ok {
					return
				}
				p.Send(tea.WindowSizeMsg(size))
			case <-ctx.Done():
				return
			}
		}
	}()
	return p
}

// displayed is a model over a display.
type displayed struct {
	tea.Model
	d display
}

// Update implements tea.Model.
func (m displayed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg {
	case tea.ClearScreen():
		m.d.Redraw()
	case tea.EnableMouseCellMotion():
		m.d.Mouse(true)
	case tea.DisableMouse():
		m.d.Mouse(false)
	}
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		m.d.Resize(terminal.Size(size))
	}
	_, cmd := m.Model.Update(msg)
	return m, cmd
}

// View implements tea.Model.
func (m displayed) View() string {
	m.d.Show(m.Model.View())
	return ""
}

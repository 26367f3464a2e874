package tui

import (
	"angler/tui/terminal"
	"context"
	"io"
	"os"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"
)

// Display shows frames: terminal.Screen, or a test's. Its methods must not wait for a
// terminal: they are called while keys wait to be answered. Write takes control
// sequences that draw nothing.
type Display interface {
	Show(frame string)    // every cell of the screen, lines joined by '\n'
	Resize(terminal.Size) // the next frame has another size
	Redraw()              // what was shown may be gone
	Mouse(on bool)        // ask for clicks, wheel and drags, or no longer
	io.Writer
}

// stage is what a program plays on: the display and the keys of Options, or the
// terminal of the process, taken over until close.
type stage struct {
	Display
	sizes <-chan terminal.Size
	keys  io.Reader
	close func() error
	gone  atomic.Bool // the terminal went away

	suspend func() error // stops the process until it goes on; nil = it cannot be
}

// newStage takes the stage that o names. When a terminal goes away, end is called.
func newStage(o *Options, end func()) (*stage, error) {
	if o.Display != nil {
		return &stage{Display: o.Display, sizes: o.Sizes, keys: o.Input, close: func() error { return nil }}, nil
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
	s.Display, s.sizes, s.keys, s.close = t, t.Sizes, t.Input, t.Close
	if terminal.CanSuspend {
		s.suspend = t.Suspend
	}
	return s, nil
}

// program makes a program that plays on the stage. Bubble Tea's own renderer, which
// looks thirty times a second for something to draw, sends each changed row whole and
// holds up the program while the terminal does not read, is switched off.
func (s *stage) program(ctx context.Context, m tea.Model, mouse bool) *tea.Program {
	if mouse {
		s.Mouse(true)
	}
	// Signals end ctx, which is the caller's business. Bubble Tea's own handler
	// would wait for ever to deliver one to a program that ctx has just ended.
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

// displayed is a model over a Display.
type displayed struct {
	tea.Model
	d Display
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

// Package tui is the workbench: a terminal program with numbered tabs in which an analyst picks
// samples, reads feature words, moves the threshold, labels pages and watches crawl and harvest.
//
// Rules of the interface: the first frame appears before anything is loaded. Every key is in one
// table (screen.Binding), from which footer, help, palette and README are made. Every change can be
// undone with u. Work of over 150 ms shows its age and can be cancelled with esc. The cursor stays
// on its row while data change. An empty pane says what to do next. A frame of 160×45 costs well
// under a millisecond. The danger is waiting: Update and View never call the engine in a way that
// can block. They start Cmds and drop late answers.
package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-runewidth"

	"angler/crawl/auth"
	"angler/crawl/seeds"
	_ "angler/tui/early" // before Bubble Tea: no package may query the terminal
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/terminal"
	"angler/tui/widget"
)

// opener opens the workspace and its engine while the workbench is already on the screen; progress
// shows one line. It must end soon after ctx does. Run waits for it, so the caller may close the
// workspace after Run.
type opener func(ctx context.Context, progress func(line string)) (screen.Parts, error)

// Options control the look and the terminal of the workbench. The zero value means the process's
// own terminal and automatic settings.
type Options struct {
	Name    string // shown in the tab bar until the workspace is open
	Theme   string // one of widget.ThemeNames; "" is auto
	Lang    string // one of i18n.Names; "" follows the locale
	ASCII   bool   // borders, bars and curves in ASCII
	NoMouse bool   // start with the mouse left to the terminal

	// Browse opens an address in the reader's browser; nil if there is none.
	Browse func(url string) error
	// Places lists the recently used workspaces; nil means that the workbench cannot switch to another
	// one.
	Places func() []seeds.WorkspacePlace
	// Report saves a crash for developers and returns the place and the consequences.
	Report func(*Crash) string

	Getenv func(string) string // nil: the process's environment
	Input  io.Reader           // nil: standard input
	Output io.Writer           // nil: standard output
	Now    func() time.Time    // nil: time.Now

	// Display, if set, takes the frames instead of Output, and Sizes reports its size, the first at
	// once: a remote workbench.
	Display display
	Sizes   <-chan terminal.Size
	Role    auth.Role // role of this person; "": auth.Owner
	Who     string    // name of this person; the status line shows actions of others
	Shared  bool      // the run belongs to all viewers: quitting neither asks nor stops it
}

// Under a Chinese locale go-runewidth would count … │ █ ● as two cells.
func init() { runewidth.DefaultCondition.EastAsianWidth = false }

// look returns the theme with the language.
func (o *Options) look() (*widget.Theme, error) {
	l, err := i18n.Pick(o.Lang, o.Getenv)
	if err != nil {
		return nil, err
	}
	theme, err := widget.Pick(o.Theme, o.ASCII, o.Getenv)
	if err != nil {
		return nil, err
	}
	return theme.In(l), nil
}

// Run shows the workbench until the reader quits, ctx ends or the terminal disappears, and restores
// the terminal. It returns the error of opening the workspace or of the terminal, a *Switch if the
// reader wants another workspace, or a *Crash after a panic.
func Run(ctx context.Context, open opener, o Options) error {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	theme, err := o.look()
	if err != nil {
		return err
	}
	parent := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := newApp(ctx, open, theme, o)
	on, err := newStage(&o, cancel)
	if err != nil {
		return err
	}
	a.o.Output = on
	program := on.program(ctx, guarded{a, displayed{a, on}}, !o.NoMouse)
	a.kill, a.suspend = program.Quit, on.suspend
	_, err = program.Run()
	cancel()
	closed := on.close() // first, so that the terminal is usable while the rest ends
	a.close()
	switch {
	case parent.Err() != nil, on.gone.Load():
		return nil // asked to end, or the terminal is gone
	case a.err != nil:
		var crash *Crash
		if errors.As(a.err, &crash) && o.Report != nil {
			return fmt.Errorf("%w; the report is in %s", a.err, o.Report(crash))
		}
		return a.err
	case a.quit && a.next != nil:
		return a.next
	case a.quit:
		return closed
	}
	return cmp.Or(err, closed)
}

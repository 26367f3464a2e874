// Package tui is the workbench: a terminal program with numbered tabs in which
// an analyst picks samples, reads feature words, moves the threshold, labels
// pages and watches crawl and harvest.
//
// Rules of the interface: the first frame comes before anything is loaded;
// every key is in one table (screen.Binding), from which footer, help, palette
// and README are made; every change can be undone with u; whatever takes over
// 150 ms shows itself and can be cancelled with esc; the cursor stays on its
// row while data move; an empty pane says what to do next.
// A frame of 160×45 costs well under a millisecond. The danger is waiting:
// Update and View never call the engine for anything that can block, they
// start Cmds and drop answers that come too late.
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
	_ "angler/tui/early" // before Bubble Tea: nothing may ask the terminal
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/terminal"
	"angler/tui/widget"
)

// Opener opens the workspace and its engine while the workbench is already on
// the screen; progress shows one line. It must end soon after ctx does. Run
// waits for it, so what it opened can be closed by the caller after Run.
type Opener func(ctx context.Context, progress func(line string)) (screen.Parts, error)

// Options say how the workbench looks and where it runs. The zero value is the
// process's own terminal with everything automatic.
type Options struct {
	Name    string // shown in the tab bar until the workspace says its own
	Theme   string // one of widget.ThemeNames; "" is auto
	Lang    string // one of i18n.Names; "" follows the locale
	ASCII   bool   // borders, bars and curves in ASCII
	NoMouse bool   // start with the mouse left to the terminal

	// Browse opens an address in the reader's browser; nil where there is none.
	Browse func(url string) error
	// Places lists the workspaces used lately; nil means that the workbench
	// cannot be left for another one.
	Places func() []seeds.WorkspacePlace
	// Report keeps a crash for those who mend it and returns where, and what it
	// has cost.
	Report func(*Crash) string

	Getenv func(string) string // nil: the process's environment
	Input  io.Reader           // nil: standard input
	Output io.Writer           // nil: standard output
	Now    func() time.Time    // nil: time.Now

	// Display, when set, takes the frames instead of Output, and Sizes tells
	// its size, the first time at once: a workbench at the other end of a line.
	Display Display
	Sizes   <-chan terminal.Size
	Role    auth.Role // what this person may do; "" is auth.Owner
	Who     string    // whose workbench it is; what others do is told in the status line
	Shared  bool      // the run belongs to everyone: leaving does not ask and stops nothing
}

// Themes lists the names that Options.Theme takes.
func Themes() []string { return widget.ThemeNames }

// Under a Chinese locale go-runewidth would count … │ █ ● as two cells.
func init() { runewidth.DefaultCondition.EastAsianWidth = false }

// Langs lists the names that Options.Lang takes.
func Langs() []string { return i18n.Names }

// look is the theme with the language.
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

// Run shows the workbench until the reader quits, ctx ends or the terminal goes
// away. It returns the
// error that kept the workspace from opening, the terminal's, a *Switch when the
// reader wants another workspace, or a *Crash after a panic, with the terminal as
// it was.
func Run(ctx context.Context, open Opener, o Options) error {
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
	closed := on.close() // first: the terminal is of use again while the rest ends
	a.close()
	switch {
	case parent.Err() != nil, on.gone.Load():
		return nil // told to end, or the terminal is gone
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

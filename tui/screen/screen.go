// Package screen holds the shared parts of the workbench's screens; the screens themselves are in
// the packages home, topic, crawl and inbox.
//
// The way of a key press: Bubble Tea passes a tea.KeyMsg to the program, which gives it to the
// prompt, list or help that covers the screen. Without one, the program takes the Bindings of the
// visible screen, adds those of every screen, and switches off those that the role denies; Find
// looks the key up. The binding's Do changes the screen at once and returns a Cmd made by UI.Run or
// UI.Act. The Cmd calls the engine outside the update loop, where the engine checks the action
// again. The end of an action is an ActMsg to every screen, loaded data are a Reply to the one that
// asked; the engine's next snapshot (SnapMsg) brings the rest.
//
// A screen reads immutable snapshots and draws. Work that takes time or can fail runs in a Cmd, see
// Loader and Request: a late reply changes nothing. The danger is state kept in two places: a screen
// caches data and loads them again when the snapshot's revisions change. It never edits the model
// itself.
package screen

import (
	"context"
	"errors"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// Screen is one numbered tab. All methods are called from the program's update loop, one at a time.
type Screen interface {
	Name() string
	// SetSize gives the screen w×h cells below the tab bar.
	SetSize(w, h int)
	// Update handles SnapMsg, TickMsg, ActMsg and ShowMsg.
	Update(msg tea.Msg) tea.Cmd
	// Mouse handles the mouse, at a place relative to the screen.
	Mouse(m tea.MouseMsg) tea.Cmd
	// View draws into a canvas of the given size.
	View(c *widget.Canvas)
	// Bindings lists the bindings in force, the focused pane's first; Find selects the one for a key.
	Bindings() []Binding
	// Keys lists the bindings of all panes, for help and palette.
	Keys() []Binding
}

// SnapMsg reports that Shared.Snap is a newer snapshot.
type SnapMsg struct{}

// ShowMsg reports that the screen has become visible.
type ShowMsg struct{}

// TickMsg comes once a second for delayed work and ages.
type TickMsg struct{}

// ActMsg reports the end of an action on the engine: its name, and the error.
type ActMsg struct {
	What string
	Err  error
	Page uint64 // the labelled page; 0 for other actions
	Back bool   // an undo or redo
	Warn bool   // it succeeded but does harm: What says which, and how to undo it

	Undo func() error // undoes it if the log of decisions does not hold it; nil: the log does, or nothing can

	Then func() tea.Cmd // takes further data in the update loop, before the end is told; nil: none
}

// AskMsg reports that an action asks first, because it would undo an old action or another
// person's. Agreed runs it after a yes.
type AskMsg struct {
	*decisions.UndoQuestion
	Page   uint64 // the page of the label; 0 for other actions
	Agreed func() tea.Cmd
}

// Ended returns the message of a finished action: an AskMsg if it asks first.
func Ended(m ActMsg, agreed func() tea.Cmd) tea.Msg {
	if q, asks := errors.AsType[*decisions.UndoQuestion](m.Err); asks {
		return AskMsg{q, m.Page, agreed}
	}
	return m
}

// UI gives a screen access to the program. It belongs to the update loop; all screens of a viewer
// share it.
type UI struct {
	// Ask opens a prompt in place of the footer; nil closes the open one.
	Ask func(widget.Prompter)
	// Choose opens a list over the screen.
	Choose func(*widget.Chooser)
	// Say explains in the status line, dimmed, why a key changed nothing.
	Say func(text string)
	// Run makes a Cmd of work. A slow Cmd shows the label, and esc ends its context; its message goes
	// to Update.
	Run func(label string, work func(context.Context) tea.Msg) tea.Cmd

	turn chan struct{} // closed when the last started action has ended
}

// AskPreset asks p with a text that typing replaces.
func (u *UI) AskPreset(text string, p widget.Prompter) { p.Preset(text); u.Ask(p) }

// AskFilled asks p with a text to edit.
func (u *UI) AskFilled(text string, p widget.Prompter) { p.Fill(text); u.Ask(p) }

// Offer opens a list of items over the screen.
func (u *UI) Offer(title string, items []widget.Item) { u.Choose(widget.NewChooser(title, items)) }

// Scroll moves a text by n lines, and reports the end of the text.
func (u *UI) Scroll(t *widget.Text, n int) {
	was := t.At()
	if t.Scroll(n); t.At() != was {
		return
	}
	if n < 0 {
		u.Say("this is the top")
	} else {
		u.Say("this is the end")
	}
}

// Act runs an action on the engine; an ActMsg reports its end.
func (u *UI) Act(what string, do func() error) tea.Cmd {
	return u.Run(what, u.InOrder(func() tea.Msg { return ActMsg{What: what, Err: do()} }))
}

// ActBack is Act for actions outside the log of decisions, such as settings. While it is this
// viewer's last action, the undo key calls undo.
func (u *UI) ActBack(what string, do, undo func() error) tea.Cmd {
	return u.Run(what, u.InOrder(func() tea.Msg { return ActMsg{What: what, Err: do(), Undo: undo} }))
}

// SettingOf returns the current value of a setting.
func SettingOf(set Settings, key string) (value string, ok bool) {
	for _, r := range set.SettingRows() {
		if r.Key == key {
			return r.Value, true
		}
	}
	return "", false
}

// SettingBack restores the current value of a setting; nil if it has none.
func SettingBack(set Settings, key string) func() error {
	was, ok := SettingOf(set, key)
	if !ok {
		return nil
	}
	return func() error {
		if now, _ := SettingOf(set, key); now == was {
			return errHidden
		}
		_, err := set.ChangeSetting(key, was)
		return err
	}
}

// errHidden is why a replaced password cannot be restored: both look alike on screen.
var errHidden = errors.New("the changed value is a secret and not shown: set it again")

// InOrder makes an action wait for the previous one. Cmds run concurrently, and of two keys typed
// quickly undo must take back the second first.
func (u *UI) InOrder(do func() tea.Msg) func(context.Context) tea.Msg {
	before, done := u.turn, make(chan struct{})
	u.turn = done
	return func(context.Context) tea.Msg {
		defer close(done)
		if before != nil {
			<-before
		}
		return do()
	}
}

// Shared is the common state of one viewer's screens. It belongs to the update loop.
type Shared struct {
	*i18n.Lang                // language of this viewer
	ASCII      bool           // signs in ASCII only
	Snap       *view.Snapshot // the current snapshot; never nil
	Now        func() time.Time
	After      func(time.Duration) <-chan time.Time // time.After, or a test's

	Shown   Screen   // the visible screen; only it loads data
	Acts    int      // number of finished actions; data they may have changed are loaded again
	Filters []string // texts typed after '/', oldest first

	Explain explanations // explanations of figures
	All     []*Pane      // the panes of all screens

	TermsTold int // number of the newest proposal of terms announced in the status line
	TermsSeen int // number of the newest proposal of terms that was viewed
	SeedsSeen int // number of the newest search for seeds whose proposals were viewed
}

// When renders a moment in the past in at most five cells, see widget.When.
func (sh *Shared) When(at time.Time) string { return widget.When(at, sh.Snap.At) }

// Until renders the time until an event in the reader's language, see widget.Until.
func (sh *Shared) Until(at time.Time) string { return sh.Span(widget.Until(at, sh.Snap.At)) }

// Undoable adds how to restore what was removed.
func (sh *Shared) Undoable(what string) string { return what + " · " + sh.T("{undo} undoes it") }

// Says returns a text of the engine, a server or the system, cleaned and in the reader's language.
func (sh *Shared) Says(text string) string { return sh.Line(widget.Clean(text)) }

// Refused refuses the input of a form with the error's text; nil stays nil.
func (sh *Shared) Refused(err error) error {
	if err == nil {
		return nil
	}
	return widget.Refusal(sh.Says(err.Error()))
}

// Reason returns the text of an error.
func (sh *Shared) Reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return sh.T("it was cancelled")
	}
	return widget.Clean(sh.Error(err))
}

// Number checks a typed number of lo … hi.
func (sh *Shared) Number(lo, hi int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < lo || n > hi {
			return 0, widget.Refusal(sh.F("a number from %d to %d", lo, hi))
		}
		return n, nil
	}
}

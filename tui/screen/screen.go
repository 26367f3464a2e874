// Package screen holds what the screens of the workbench share; the screens
// themselves stand in groups by idea, in the packages home, topic, crawl and inbox.
//
// A key press travels so: Bubble Tea hands a tea.KeyMsg to the program, which
// gives it to the prompt, the list or the help that lies over the screen. When
// none does, the program asks the visible screen for its Bindings, adds those
// of every screen, switches off the ones that this person's role denies, and
// Find looks the key up. The binding's Do changes what the screen shows at once
// and returns a Cmd made by UI.Run or UI.Act, which calls a part of the engine
// outside the update loop, where the engine checks the same
// action again. What comes back is a typed message to every screen, ActMsg for
// an action; the engine's next snapshot (SnapMsg) tells the rest.
//
// A screen reads immutable snapshots and draws; everything that may take time
// or can fail runs in a Cmd and comes back as a typed message, tagged with the
// request or revision it answers, so that a late answer changes nothing. The
// danger is state that two places keep: a screen caches what it shows and asks
// again when the snapshot's revisions move, it never edits the model itself.
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

// Screen is one numbered tab. All methods are called from the program's
// update loop, one at a time.
type Screen interface {
	Name() string
	// SetSize gives the screen w×h cells below the tab bar.
	SetSize(w, h int)
	// Update takes every message that is no key: data, mouse (relative to
	// the screen), and SnapMsg, TickMsg, ActMsg, ShowMsg.
	Update(msg tea.Msg) tea.Cmd
	// View draws into a canvas of the given size.
	View(c *widget.Canvas)
	// Bindings lists the keys that mean something here, the focused pane's
	// first; Find says which one gets a key.
	Bindings() []Binding
	// Keys lists the bindings of all panes, for help and palette.
	Keys() []Binding
}

// SnapMsg says that Shared.Snap is a newer snapshot.
type SnapMsg struct{}

// ShowMsg says that the screen has just become the visible one.
type ShowMsg struct{}

// TickMsg comes once a second, so that work put off is done and ages grow.
type TickMsg struct{}

// ActMsg is the end of an action on the engine: what it was, and why it failed.
type ActMsg struct {
	What string
	Err  error
	Page uint64 // the page that was labelled; 0 for every other action
	Back bool   // something was undone or done again
	Warn bool   // it was done, and harms something: What says what, and how to take it back

	Undo func() error // takes it back, where the log of decisions does not hold it; nil = it does, or nothing can
}

// Act is the message itself; of a message that brings more it is what came of the action.
func (m ActMsg) Act() ActMsg { return m }

// Acting is a message that tells the end of an action besides what it brings.
type Acting interface{ Act() ActMsg }

// AskMsg is the end of an action that asks first: what it would take back is another
// person's, or not of now. Agreed does it after a yes.
type AskMsg struct {
	*decisions.UndoQuestion
	Page   uint64 // the page whose label it is; 0 for every other action
	Agreed func() tea.Cmd
}

// Ended is the message of an action that has ended: an AskMsg where it asks first.
func Ended(m ActMsg, agreed func() tea.Cmd) tea.Msg {
	if q, asks := errors.AsType[*decisions.UndoQuestion](m.Err); asks {
		return AskMsg{q, m.Page, agreed}
	}
	return m
}

// UI is what a screen asks of the program around it. It belongs to the update
// loop; all screens of a viewer have the same one.
type UI struct {
	// Ask opens a prompt in place of the footer; nil closes the one open.
	Ask func(widget.Prompter)
	// Choose opens a list over the screen.
	Choose func(*widget.Chooser)
	// Say tells softly, in the status line, why a key changed nothing.
	Say func(text string)
	// Run makes a Cmd of work. The reader sees the label when it takes long, and
	// esc ends its context; its message comes back through Update.
	Run func(label string, work func(context.Context) tea.Msg) tea.Cmd

	turn chan struct{} // closed when the action begun last has ended
}

// RunUntil is Run for work that another context ends, too: a screen's own, when
// it no longer waits for the answer.
func (u *UI) RunUntil(mine context.Context, label string, work func(context.Context) tea.Msg) tea.Cmd {
	return u.Run(label, func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(mine, stop)()
		return work(ctx)
	})
}

// Scroll moves a text by n lines, and says when it stands at its end.
func (u *UI) Scroll(t *widget.Text, n int) {
	was := t.Top()
	if t.Scroll(n); t.Top() != was {
		return
	}
	if n < 0 {
		u.Say("this is the top")
	} else {
		u.Say("this is the end")
	}
}

// Act runs an action on the engine; an ActMsg tells its end.
func (u *UI) Act(what string, do func() error) tea.Cmd {
	return u.Run(what, u.InOrder(func() tea.Msg { return ActMsg{What: what, Err: do()} }))
}

// ActBack is Act for what the log of decisions does not hold, settings for one: as long as
// it is the last thing this viewer did, the key of undo takes it back by undo.
func (u *UI) ActBack(what string, do, undo func() error) tea.Cmd {
	return u.Run(what, u.InOrder(func() tea.Msg { return ActMsg{What: what, Err: do(), Undo: undo} }))
}

// SettingBack gives a setting the value that it has now; nil where it has none.
func SettingBack(set Settings, key string) func() error {
	is := func() (value string, ok bool) {
		for _, r := range set.SettingRows() {
			if r.Key == key {
				return r.Value, true
			}
		}
		return "", false
	}
	was, ok := is()
	if !ok {
		return nil
	}
	return func() error {
		if now, _ := is(); now == was {
			return errHidden
		}
		_, err := set.ChangeSetting(key, was)
		return err
	}
}

// errHidden is why a password that another took the place of does not come back: both
// look alike.
var errHidden = errors.New("what was changed is a secret and not shown: set it again")

// InOrder makes an action wait for the one begun before it: Cmds run side by
// side, and of two keys typed quickly the second must be what undo takes back
// first.
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

// Shared is what the screens of one viewer read. It belongs to the update loop.
type Shared struct {
	*i18n.Lang                // of this viewer
	ASCII      bool           // signs in ASCII only
	Snap       *view.Snapshot // the one shown; never nil
	Now        func() time.Time
	After      func(time.Duration) <-chan time.Time // time.After, or a test's

	Shown   Screen   // the visible one; only it loads data
	Acts    int      // actions finished; what they may have changed is loaded again
	Filters []string // what was typed after '/', oldest first

	Explain Explaining // what i explains
	All     []*Pane    // the panes of all screens

	TermsTold int // the number of the newest proposal of terms that the status line told of
	TermsSeen int // the number of the newest proposal of terms that was looked at
	SeedsSeen int // the number of the newest look for seeds whose proposals were looked at
}

// Undoable says how what was removed comes back.
func (sh *Shared) Undoable(what string) string { return what + " · " + sh.T("{undo} undoes it") }

// Reason is an error in the words of the one who caused it.
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

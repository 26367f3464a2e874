// Package screen holds the screens of the workbench, one file each, and what
// they share: the engine as they see it (Bench), the table of keys (Binding),
// the panes and the environment.
//
// A screen reads immutable snapshots and draws; everything that may take time
// or can fail runs in a Cmd and comes back as a typed message, tagged with the
// request or revision it answers, so that a late answer changes nothing. The
// danger is state that two places keep: a screen caches what it shows and asks
// again when the snapshot's revisions move, it never edits the model itself.
package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/lang"
	"angler/tui/ui"
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
	View(c *ui.Canvas)
	// Bindings lists the keys that mean something here, the focused pane's
	// first; Find says which one gets a key.
	Bindings() []Binding
	// Keys lists the bindings of all panes, for help and palette.
	Keys() []Binding
}

// SnapMsg says that Env.Snap is a newer snapshot.
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
}

// Env is what the screens share with the program around them. It belongs to
// the update loop.
type Env struct {
	*lang.Lang      // of this viewer
	ASCII      bool // signs in ASCII only

	Bench Bench
	Snap  *view.Snapshot // the one shown; never nil
	Now   func() time.Time

	// Ask opens a prompt (nil closes the one open), Choose a list, in place of the footer or over the
	// screen; Flash shows one line until the next key.
	Ask    func(*ui.Prompt)
	Choose func(*ui.Chooser)
	Flash  func(st ui.Style, text string)
	// Run starts work as a Cmd that the reader sees when it takes long and
	// can cancel; the message comes back through Update.
	Run func(label string, work func(context.Context) tea.Msg) tea.Cmd

	// Settings opens the settings editor at a key.
	Settings func(key string) tea.Cmd

	// Browse opens an address in the reader's browser; nil where there is none.
	Browse func(url string) error

	Shown Screen // the visible one; only it loads data
	Acts  int    // actions finished; what they may have changed is loaded again

	Filters []string // what was typed after '/', oldest first
	samples []uint64 // ids of the sample pages, as the candidates told
	eval    evaluation
	turn    chan struct{} // closed when the action begun last has ended
}

// Act runs an action on the engine; an ActMsg tells its end.
func (e *Env) Act(what string, do func() error) tea.Cmd {
	return e.Run(what, e.InOrder(func() tea.Msg { return ActMsg{What: what, Err: do()} }))
}

// InOrder makes an action wait for the one begun before it: Cmds run side by
// side, and of two keys typed quickly the second must be what undo takes back
// first.
func (e *Env) InOrder(do func() tea.Msg) func(context.Context) tea.Msg {
	before, done := e.turn, make(chan struct{})
	e.turn = done
	return func(context.Context) tea.Msg {
		defer close(done)
		if before != nil {
			<-before
		}
		return do()
	}
}

// All returns the screens in the order of their numbers.
func All(e *Env) []Screen {
	return []Screen{NewSamples(e), NewFeatures(e), NewThreshold(e), NewCrawl(e), NewHarvest(e), NewLabel(e), NewLab(e)}
}

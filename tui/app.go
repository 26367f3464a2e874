package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/view"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/screen/crawling"
	"angler/tui/screen/home"
	"angler/tui/screen/judging"
	"angler/tui/ui"
)

// app is the program's model: the screens, what lies over them, and the way of
// messages. Keys go to the overlay, else to the bindings of the screen, else to
// the global ones; data go to every screen.
type app struct {
	ctx    context.Context
	o      Options
	theme  *ui.Theme
	ui     *screen.UI
	shared *screen.Shared

	opening opening
	ready   bool // the parts are there
	parts   parts.All

	screens []screen.Screen
	at      int
	w, h    int
	canvas  *ui.Canvas

	over     overlay
	settings *settingsEditor
	asking   bool               // whether to quit although a crawl runs
	undoing  *view.UndoQuestion // what is asked before an undo; nil = nothing
	torn     torn

	flash    string // the outcome of the last action
	flashSt  ui.Style
	flashEnd time.Time // zero: until the next key

	work work

	snaps  <-chan *view.Snapshot
	end    func() // of the subscription
	latest *view.Snapshot
	frozen bool
	mouse  bool

	err  error
	quit bool
	next *Switch // the workspace that is wanted instead
	kill func()  // ends the program from outside its loop
}

type (
	snapshotMsg struct{ snap *view.Snapshot }
	clockMsg    struct{}
)

func newApp(ctx context.Context, open Opener, theme *ui.Theme, o Options) *app {
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &app{
		ctx: ctx, o: o, theme: theme, mouse: !o.NoMouse,
		opening: opening{ctx: ctx, open: open, progress: make(chan string, 1), line: "opening the workspace"},
		shared:  &screen.Shared{Lang: theme.Lang, ASCII: theme.ASCII(), Snap: &view.Snapshot{Workspace: o.Name}, Now: o.Now, After: time.After},
		work:    work{ctx: ctx, now: o.Now, lang: theme.Lang},
	}
	a.ui = &screen.UI{
		Ask:    func(p ui.Prompter) { a.over.prompt = p },
		Choose: func(c *ui.Chooser) { a.over.chooser = c.In(theme.Lang) },
		Run:    a.work.run,
	}
	a.canvas = ui.NewCanvas(theme, 80, 24)
	a.w, a.h = 80, 24
	a.equip(parts.All{})
	return a
}

// equip makes the screens over the parts of an engine. Before the workspace is
// open there are none: the screens are drawn, and get no message.
func (a *app) equip(p parts.All) {
	a.parts = p
	a.settings = &settingsEditor{a.ui, a.shared, p.Settings, &a.over}
	keys := screen.NewPageKeys(a.ui, a.shared, p.Labels, a.o.Browse)
	drive := crawling.NewRunKeys(a.ui, a.shared, p.Runs, p.Settings, a.settings.edit)
	ids, eval := &judging.SampleIDs{}, judging.NewEvaluation(a.ui, a.shared, p.Labels)
	notices := crawling.NewHarvest(a.ui, a.shared, keys, drive, p.Notices, p.Backups, p.Pages)
	read := func() tea.Cmd { notices.Read(); return a.goTo(5) }
	a.screens = []screen.Screen{ // each stands at the place of its key
		home.New(a.ui, a.shared, p.Runs, a.o.Role, home.Ways{To: a.goTo, Read: read}),
		judging.NewSamples(a.ui, a.shared, keys, ids, p.Topic, p.Pages, p.Runs),
		judging.NewFeatures(a.ui, a.shared, eval, ids, p.Topic, p.Terms, p.Settings, p.Pages, p.Runs),
		judging.NewThreshold(a.ui, a.shared, keys, p.Topic, p.Labels, p.Pages),
		crawling.NewCrawl(a.ui, a.shared, keys, drive, p.Runs),
		notices,
		judging.NewLabel(a.ui, a.shared, keys, eval, p.Labels, p.Pages),
		crawling.NewLab(a.ui, a.shared, p.Lab, p.Settings),
	}
	a.shared.Shown = a.screens[a.at]
	a.resize(a.w, a.h)
}

// Init starts the opening and the clock.
func (a *app) Init() tea.Cmd {
	return tea.Batch(a.opening.begin(), a.opening.wait, a.waitSize, clock())
}

func clock() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return clockMsg{} }) }

func (a *app) waitSnapshot() tea.Msg {
	select {
	case s, ok := <-a.snaps:
		if ok && s != nil {
			return snapshotMsg{s}
		}
	case <-a.ctx.Done():
	}
	return nil
}

// close ends what the program started. It waits for the opener.
func (a *app) close() {
	a.work.cancelAll()
	a.opening.close()
	if a.end != nil {
		a.end()
	}
}

// Update implements tea.Model.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case sizeMsg:
		_, cmd := a.Update(tea.WindowSizeMsg(msg))
		return a, tea.Batch(cmd, a.waitSize)
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
		// The alternate screen keeps stale cells across a resize.
		return a, tea.Batch(tea.ClearScreen, a.tell(screen.ShowMsg{}))
	case tea.KeyMsg:
		return a, a.keys(msg)
	case tea.MouseMsg:
		return a, a.click(msg)
	case openedMsg:
		a.equip(msg.parts)
		a.ready, a.opening.line = true, ""
		a.snaps, a.end = a.parts.Live.Subscribe()
		a.show(a.parts.Live.Snapshot())
		return a, tea.Batch(a.waitSnapshot, a.tell(screen.SnapMsg{}), a.tell(screen.ShowMsg{}))
	case failedMsg:
		a.err = msg.err
		return a, tea.Quit
	case progressMsg:
		a.opening.line = ui.Clean(string(msg))
		return a, a.opening.wait
	case snapshotMsg:
		a.latest = msg.snap
		cmd := tea.Cmd(a.waitSnapshot)
		if !a.frozen {
			a.show(msg.snap)
			cmd = tea.Batch(cmd, a.tell(screen.SnapMsg{}))
		}
		return a, cmd
	case clockMsg:
		if !a.flashEnd.IsZero() && a.o.Now().After(a.flashEnd) {
			a.flash, a.flashEnd = "", time.Time{}
		}
		return a, tea.Batch(clock(), a.tell(screen.TickMsg{}))
	case decidedMsg:
		if msg.err != nil {
			a.say(ui.Bad, a.shared.Reason(msg.err))
		}
		a.over.showDecided(msg, a.shared)
		return a, nil
	case settingsMsg:
		a.settings.show(msg)
		return a, nil
	case savedMsg:
		a.settings.show(msg.list)
		return a.Update(msg.ActMsg)
	case undoMsg:
		a.askUndo(msg.UndoQuestion)
		return a, nil
	case placesMsg:
		a.showPlaces(msg)
		return a, nil
	case spinMsg:
		return a, a.work.spin()
	case workMsg:
		a.work.done(msg.id)
		if msg.msg == nil {
			return a, nil
		}
		return a.Update(msg.msg)
	case screen.ActMsg:
		a.shared.Acts++
		if msg.Err != nil {
			a.say(ui.Bad, a.shared.F("%s failed: %s", msg.What, a.shared.Line(ui.Clean(msg.Err.Error()))))
		} else {
			a.say(ui.Good, msg.What)
		}
	case screen.CopyMsg:
		a.say(ui.Good, a.shared.F("copied %s", msg.Text))
		return a, func() tea.Msg {
			// One Write: frames and this never mix within a sequence.
			io.WriteString(a.o.Output, ansi.SetSystemClipboard(msg.Text))
			return nil
		}
	}
	return a, a.tell(msg)
}

// tell hands a message to every screen, once there is an engine behind them.
func (a *app) tell(msg tea.Msg) tea.Cmd {
	if !a.ready {
		return nil
	}
	var cmds []tea.Cmd
	for _, s := range a.screens {
		if cmd := s.Update(msg); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// show makes snap the one the screens see.
func (a *app) show(snap *view.Snapshot) {
	if snap == nil {
		return
	}
	if was := a.shared.Snap; snap.Err != "" && snap.Err != was.Err {
		a.say(ui.Bad, a.shared.F("the run stopped: %s", a.shared.Line(ui.Clean(snap.Err))))
	}
	a.shared.Snap = snap
	if a.latest == nil || !a.frozen {
		a.latest = snap
	}
}

// flashFor is how long a good outcome is shown; a bad one stays until a key.
const flashFor = 4 * time.Second

func (a *app) say(st ui.Style, text string) {
	a.flashSt, a.flash, a.flashEnd = st, ui.Clean(text), time.Time{}
	if st != ui.Bad {
		a.flashEnd = a.o.Now().Add(flashFor)
	}
}

// keys finds what a key means.
func (a *app) keys(k tea.KeyMsg) tea.Cmd {
	if k = a.torn.rest(k); k.Type == tea.KeyRunes && len(k.Runes) == 0 {
		return nil
	}
	// Fast typing, or a held key over a slow line, comes as several runes in
	// one message, a key and what belongs into its prompt among them: b for the
	// budget and then 150. A torn mouse sequence does too, and must label nothing.
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 && !a.over.typing() {
		if k.Paste || k.Alt || tornRunes(k.Runes) {
			return nil
		}
		var cmds []tea.Cmd
		for _, r := range k.Runes {
			cmds = append(cmds, a.keys(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
		}
		return tea.Batch(cmds...)
	}
	if k.Alt && !k.Paste && escaped(k) {
		k.Alt = false
		return tea.Batch(a.keys(tea.KeyMsg{Type: tea.KeyEsc}), a.keys(k))
	}
	a.flash = ""
	if a.asking {
		a.asking = false
		if s := k.String(); s == "y" || s == "enter" {
			a.quit = true
			return tea.Quit
		}
		a.next = nil
		a.say(ui.Plain, a.shared.T("the crawl goes on"))
		return nil
	}
	if a.undoing != nil {
		return a.answerUndo(k)
	}
	if cmd, took := a.over.key(k); took {
		return cmd
	}
	b, ok := screen.Find(a.bindings(), k.String())
	switch {
	case !ok && k.Alt: // the head of a torn sequence, not a key
		return nil
	case !ok:
		a.say(ui.Dim, a.shared.F("%s does nothing here; ? lists the keys", ui.Clean(k.String())))
		return nil
	case b.Off != "":
		a.refuse(b, b.Off)
		return nil
	}
	return b.Do()
}

// click sends the mouse to the overlay, the tabs or the screen.
func (a *app) click(m tea.MouseMsg) tea.Cmd {
	if a.asking || a.undoing != nil {
		return nil
	}
	if cmd, took := a.over.click(m); took {
		return cmd
	}
	if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft && m.Y == 0 {
		for i, t := range a.tabs() {
			if t.Contains(m.X, 0) {
				return a.goTo(i)
			}
		}
		return nil
	}
	if !a.ready {
		return nil
	}
	m.Y--
	return a.screens[a.at].Update(m)
}

// goTo makes screen i the visible one.
func (a *app) goTo(i int) tea.Cmd {
	a.at = i
	a.shared.Shown = a.screens[i]
	if !a.ready {
		return nil
	}
	return a.screens[i].Update(screen.ShowMsg{})
}

func (a *app) resize(w, h int) {
	a.w, a.h = max(1, w), max(1, h)
	a.canvas = ui.NewCanvas(a.theme, a.w, a.h)
	for _, s := range a.screens {
		s.SetSize(a.w, a.body())
	}
}

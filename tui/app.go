package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/ui"
)

// app is the program's model: the screens, what lies over them, and the way of
// messages. Keys go to the prompt or the overlay, else to the bindings of the
// screen, else to the global ones; data go to every screen.
type app struct {
	ctx   context.Context
	o     Options
	theme *ui.Theme
	env   *screen.Env
	open  Opener

	screens []screen.Screen
	at      int
	w, h    int
	canvas  *ui.Canvas

	prompt  *ui.Prompt
	chooser *ui.Chooser
	help    *ui.Text
	asking  bool // whether to quit although a crawl runs
	headed  bool // the last key was alt+[, the head of a torn control sequence

	flash    string // the outcome of the last action
	flashSt  ui.Style
	flashEnd time.Time // zero: until the next key

	tasks tasks

	progress chan string // newest line of the opener
	line     string
	opened   chan struct{} // closed when the opener has returned
	snaps    <-chan *view.Snapshot
	end      func() // of the subscription
	latest   *view.Snapshot
	frozen   bool
	mouse    bool

	err  error
	quit bool
	next *Switch // the workspace that is wanted instead
	kill func()  // ends the program from outside its loop
}

type (
	openedMsg   struct{ bench Bench }
	failedMsg   struct{ err error }
	progressMsg string
	snapshotMsg struct{ snap *view.Snapshot }
	clockMsg    struct{}
)

func newApp(ctx context.Context, open Opener, theme *ui.Theme, o Options) *app {
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &app{
		ctx: ctx, o: o, theme: theme, open: open, mouse: !o.NoMouse,
		progress: make(chan string, 1), line: "opening the workspace",
	}
	a.env = &screen.Env{
		Lang: theme.Lang, ASCII: theme.ASCII(), Snap: &view.Snapshot{Workspace: o.Name}, Now: o.Now,
		Ask:      func(p *ui.Prompt) { a.prompt = p },
		Choose:   func(c *ui.Chooser) { a.chooser = c.In(theme.Lang) },
		Run:      a.run,
		Browse:   o.Browse,
		Settings: func(key string) tea.Cmd { return a.editSettings(key) },
	}
	a.tasks.now, a.tasks.lang = o.Now, theme.Lang
	a.screens = screen.All(a.env)
	a.env.Shown = a.screens[0]
	a.resize(80, 24)
	return a
}

// Init starts the opening and the clock.
func (a *app) Init() tea.Cmd {
	a.opened = make(chan struct{})
	open := func() tea.Msg {
		defer close(a.opened)
		bench, err := a.open(a.ctx, func(line string) {
			select { // the newest line wins
			case <-a.progress:
			default:
			}
			select {
			case a.progress <- line:
			default:
			}
		})
		if err != nil {
			return failedMsg{err}
		}
		return openedMsg{bench}
	}
	return tea.Batch(open, a.waitProgress, a.waitSize, clock())
}

func clock() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return clockMsg{} }) }

func (a *app) waitProgress() tea.Msg {
	select {
	case line := <-a.progress:
		return progressMsg(line)
	case <-a.opened:
	case <-a.ctx.Done():
	}
	return nil
}

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
	a.tasks.cancelAll()
	if a.opened != nil {
		<-a.opened
	}
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
		a.env.Bench, a.line = msg.bench, ""
		a.snaps, a.end = msg.bench.Subscribe()
		a.show(msg.bench.Snapshot())
		return a, tea.Batch(a.waitSnapshot, a.tell(screen.SnapMsg{}), a.tell(screen.ShowMsg{}))
	case failedMsg:
		a.err = msg.err
		return a, tea.Quit
	case progressMsg:
		a.line = ui.Clean(string(msg))
		return a, a.waitProgress
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
	case settingsMsg:
		a.showSettings(msg)
		return a, nil
	case savedMsg:
		a.showSettings(msg.list)
		return a.Update(msg.ActMsg)
	case placesMsg:
		a.showPlaces(msg)
		return a, nil
	case spinMsg:
		return a, a.tasks.spin()
	case taskMsg:
		a.tasks.done(msg.id)
		if msg.msg == nil {
			return a, nil
		}
		return a.Update(msg.msg)
	case screen.ActMsg:
		a.env.Acts++
		if msg.Err != nil {
			a.say(ui.Bad, a.env.F("%s failed: %s", msg.What, a.env.Line(ui.Clean(msg.Err.Error()))))
		} else {
			a.say(ui.Good, msg.What)
		}
	case screen.CopyMsg:
		a.say(ui.Good, a.env.F("copied %s", msg.Text))
		return a, func() tea.Msg {
			// One Write: frames and this never mix within a sequence.
			io.WriteString(a.o.Output, ansi.SetSystemClipboard(msg.Text))
			return nil
		}
	}
	return a, a.tell(msg)
}

// tell hands a message to every screen.
func (a *app) tell(msg tea.Msg) tea.Cmd {
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
	if was := a.env.Snap; snap.Err != "" && snap.Err != was.Err {
		a.say(ui.Bad, a.env.F("the run stopped: %s", a.env.Line(ui.Clean(snap.Err))))
	}
	a.env.Snap = snap
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
	if k = a.rest(k); k.Type == tea.KeyRunes && len(k.Runes) == 0 {
		return nil
	}
	// Fast typing, or a held key over a slow line, comes as several runes in
	// one message, a key and what belongs into its prompt among them (b150). A
	// torn mouse sequence does too, and must label nothing.
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 && a.prompt == nil && a.chooser == nil {
		if k.Paste || k.Alt || torn(k.Runes) {
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
	switch {
	case a.asking:
		a.asking = false
		if s := k.String(); s == "y" || s == "enter" {
			a.quit = true
			return tea.Quit
		}
		a.next = nil
		a.say(ui.Plain, a.env.T("the crawl goes on"))
		return nil
	case a.prompt != nil:
		p := a.prompt
		closed, cmd := p.Key(k)
		if closed && a.prompt == p {
			a.prompt = nil
		}
		return cmd
	case a.chooser != nil:
		c := a.chooser
		closed, cmd := c.Key(k)
		if closed && a.chooser == c {
			a.chooser = nil
		}
		return cmd
	case a.help != nil:
		a.helpKey(k.String())
		return nil
	}
	b, ok := screen.Find(a.bindings(), k.String())
	switch {
	case !ok:
		return nil
	case b.Off != "":
		a.refuse(b, b.Off)
		return nil
	}
	return b.Do()
}

// click sends the mouse to the overlay, the tabs or the screen.
func (a *app) click(m tea.MouseMsg) tea.Cmd {
	press := m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft
	switch {
	case a.asking || a.prompt != nil:
		return nil
	case a.chooser != nil:
		if press {
			c := a.chooser
			closed, cmd := c.Click(m.X, m.Y)
			if closed && a.chooser == c {
				a.chooser = nil
			}
			return cmd
		}
		return nil
	case a.help != nil:
		switch m.Button {
		case tea.MouseButtonWheelDown:
			a.help.Scroll(3)
		case tea.MouseButtonWheelUp:
			a.help.Scroll(-3)
		}
		return nil
	case press && m.Y == 0:
		for i, t := range a.tabs() {
			if t.Contains(m.X, 0) {
				return a.goTo(i)
			}
		}
		return nil
	}
	m.Y--
	return a.screens[a.at].Update(m)
}

// goTo makes screen i the visible one.
func (a *app) goTo(i int) tea.Cmd {
	a.at = i
	a.env.Shown = a.screens[i]
	return a.screens[i].Update(screen.ShowMsg{})
}

func (a *app) resize(w, h int) {
	a.w, a.h = max(1, w), max(1, h)
	a.canvas = ui.NewCanvas(a.theme, a.w, a.h)
	for _, s := range a.screens {
		s.SetSize(a.w, a.body())
	}
}

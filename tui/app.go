package tui

import (
	"cmp"
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	crawlscreen "angler/tui/screen/crawl"
	"angler/tui/screen/home"
	inboxscreen "angler/tui/screen/inbox"
	topicscreen "angler/tui/screen/topic"
	"angler/tui/widget"
)

// app is the program's model: the screens, the overlays, and the routing of messages. Keys go to
// the overlay, then to the bindings of the screen, then to the global ones; data go to every
// screen.
type app struct {
	ctx    context.Context
	o      Options
	theme  *widget.Theme
	ui     *screen.UI
	shared *screen.Shared

	opening opening
	ready   bool // the screens have an engine
	parts   screen.Parts

	screens []screen.Screen
	at      int
	w, h    int
	canvas  *widget.Canvas

	over     overlay
	settings *settingsEditor
	keymap   *keymap.Force           // the keys of this workspace
	keysOf   map[string]any          // the settings they come from
	badKeys  string                  // why the settings could not change them
	buttons  buttons                 // buttons of the last frame
	asking   bool                    // asking whether to quit during a crawl
	undoing  *decisions.UndoQuestion // the question before an undo; nil: none
	agreed   func() tea.Cmd          // the undo to run if the answer is yes
	last     screen.ActMsg           // this viewer's last action; Undo takes it back
	asked    asked
	torn     tornKeys
	left     leaving
	held     held

	flash    string // the outcome of the last action
	flashSt  widget.Style
	flashEnd time.Time // zero: shown until the next key

	work  work
	clock clock
	calm  throttle
	told  *alertsView

	recipes func(page string) tea.Cmd // shows the recipes at the list of a page

	snaps  <-chan *view.Snapshot
	end    func() // ends the subscription
	latest *view.Snapshot
	frozen bool
	mouse  bool

	err  error
	quit bool
	next *Switch // the workspace to open instead
	kill func()  // ends the program from outside its loop

	suspend func() error // stops the process until it is continued; nil: no terminal of its own
}

type snapshotMsg struct{ snap *view.Snapshot }

func newApp(ctx context.Context, open opener, theme *widget.Theme, o Options) *app {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Role = cmp.Or(o.Role, auth.Owner)
	inForce := new(keymap.Force)
	var a *app
	theme = theme.In(theme.Lang.Naming(inForce.Named).Without(func(action string) bool {
		return a != nil && keymap.Denied(a.o.Role, action)
	}))
	a = &app{
		ctx: ctx, o: o, theme: theme, keymap: inForce, over: overlay{keys: inForce}, mouse: !o.NoMouse,
		opening: opening{ctx: ctx, open: open, progress: make(chan string, 1), line: "opening the workspace"},
		shared: &screen.Shared{Lang: theme.Lang, ASCII: theme.ASCII(), Snap: &view.Snapshot{Workspace: o.Name},
			Now: o.Now, After: time.After},
		work: work{ctx: ctx, now: o.Now, lang: theme.Lang},
	}
	a.ui = &screen.UI{
		Ask:    func(p widget.Prompter) { a.over.prompt = p },
		Choose: func(c *widget.Chooser) { a.over.chooser = c.In(theme.Lang) },
		Say:    func(text string) { a.say(widget.Dim, a.shared.T(text)) },
		Run:    a.work.run,
	}
	a.left.app = a
	a.w, a.h = 80, 24
	a.equip(screen.Parts{})
	return a
}

// equip gives the screens the parts of an engine. Before the workspace is open the screens are
// drawn without parts and get no messages.
func (a *app) equip(p screen.Parts) {
	a.parts, a.shared.All = p, nil
	a.settings = &settingsEditor{ui: a.ui, shared: a.shared, settings: p.Settings, over: &a.over,
		told: func() *alertsView { return a.told }}
	keys := screen.NewPageKeys(a.ui, a.shared, p.Labels, a.o.Browse)
	samples, features, threshold, label := topicscreen.New(a.ui, a.shared, keys, p, a.o.Role)
	notices := inboxscreen.New(a.ui, a.shared, keys, p, a.o.Role, a.o.Browse)
	read := func() tea.Cmd { return tea.Batch(a.goTo(5), inboxscreen.Read(notices)) }
	due := func() tea.Cmd { return tea.Batch(a.goTo(5), inboxscreen.Due(notices)) }
	crawl, lab := crawlscreen.New(a.ui, a.shared, keys, p, a.o.Role, a.settings.edit)
	a.recipes = func(page string) tea.Cmd { return tea.Batch(inboxscreen.ShowRecipes(notices, page), a.goTo(5)) }
	seeds := func() tea.Cmd { return tea.Batch(a.goTo(4), crawlscreen.ShowSeeds(crawl)) }
	a.screens = []screen.Screen{ // each has the index of its key
		home.New(a.ui, a.shared, p.Runs, p.Inbox, a.o.Role,
			home.Ways{To: a.goTo, Read: read, Due: due, Seeds: seeds,
				Judge: topicscreen.Take(a.ui, a.shared, p.Topic, p.Labels)}),
		samples, features, threshold, crawl, notices, label, lab,
	}
	a.told = &alertsView{UI: a.ui, Shared: a.shared, Telling: p.Telling, Settings: p.Settings, Role: a.o.Role,
		Show: func(f *widget.Form) { a.over.form = f }, Recipes: a.recipes,
		List: func(id uint64) tea.Cmd { return tea.Batch(a.goTo(5), inboxscreen.ShowList(notices, id)) }}
	a.shared.Shown = a.screens[a.at]
	a.shared.Explain.Always = func() []screen.Figure { return screen.Figures(a.shared, statusLine{a}.slotRoom()) }
	a.resize(a.w, a.h)
}

// Init starts the opening and the clock.
func (a *app) Init() tea.Cmd {
	return tea.Batch(a.opening.begin(), a.opening.wait, a.clock.stir(nil))
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

// close stops everything the program started. It waits for the opener.
func (a *app) close() {
	a.work.cancelAll()
	a.opening.close()
	if a.end != nil {
		a.end()
	}
}

// Update implements tea.Model.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	stirred := a.clock.stir(msg)
	hear(a, msg)
	_, cmd := a.handle(msg)
	if len(a.held.keys) > 0 {
		cmd = tea.Batch(cmd, a.replay())
	}
	return a, tea.Batch(stirred, cmd)
}

func (a *app) handle(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
		return a, a.tell(screen.ShowMsg{})
	case tea.KeyMsg: // stored with its text: a line may be cut at any time
		cmd := a.keys(msg)
		return a, tea.Batch(cmd, a.left.keep())
	case tea.MouseMsg:
		cmd := a.click(msg)
		return a, tea.Batch(cmd, a.left.keep())
	case openedMsg:
		a.equip(msg.parts)
		a.ready, a.opening.line = true, ""
		a.snaps, a.end = a.parts.Live.Subscribe()
		a.show(a.parts.Live.Snapshot())
		return a, a.awaits(func() tea.Cmd {
			return tea.Batch(a.waitSnapshot, a.left.comeBack(), a.tell(screen.SnapMsg{}), a.tell(screen.ShowMsg{}))
		})
	case failedMsg:
		a.err = msg.err
		return a, tea.Quit
	case progressMsg:
		a.opening.line = widget.Clean(string(msg))
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
		return a, tea.Batch(a.clock.next(), a.left.keep(), a.tell(screen.TickMsg{}))
	case screen.Reply:
		return a, msg.Take()
	case widget.Arranged:
		return a, msg.Show()
	case screen.AskMsg: // data read before the engine had them are read again
		a.shared.Acts++
		a.askUndo(msg.UndoQuestion, msg.Agreed)
		return a, a.tell(screen.ActMsg{Page: msg.Page})
	case spinMsg:
		return a, a.work.spin()
	case workMsg:
		a.work.done(msg.id)
		var cmd tea.Cmd
		if msg.msg != nil {
			a.asked.ended = msg.id == a.asked.work
			_, cmd = a.Update(msg.msg)
			a.asked.ended = false
		}
		return a, tea.Batch(cmd, a.tell(screen.TickMsg{})) // a list loaded meanwhile may be outdated
	case screen.ActMsg:
		if msg.Then != nil { // first the data, then the end of the action
			then := msg.Then
			msg.Then = nil
			taken := then()
			_, told := a.Update(msg)
			return a, tea.Batch(taken, told)
		}
		a.shared.Acts++
		if msg.Err != nil {
			why := a.shared.Says(msg.Err.Error())
			a.say(widget.Bad, a.shared.F("%s failed: %s", msg.What, why))
			askAgain(a, why)
		} else if a.last = msg; msg.Warn {
			a.say(widget.Bad, msg.What)
		} else if msg.Undo != nil {
			a.say(widget.Good, a.shared.Undoable(msg.What))
		} else {
			a.say(widget.Good, msg.What)
		}
	case screen.OpenMsg:
		return a, openHere(a)
	case screen.CopyMsg:
		a.say(widget.Good, a.shared.F("copied %s", msg.Text))
		return a, func() tea.Msg {
			// One Write, so that no frame splits the sequence.
			io.WriteString(a.o.Output, ansi.SetSystemClipboard(msg.Text))
			return nil
		}
	}
	return a, a.tell(msg)
}

// tell sends a message to every screen if there is an engine.
func (a *app) tell(msg tea.Msg) tea.Cmd {
	if !a.ready {
		return nil
	}
	return tea.Batch(widget.Map(a.screens, func(s screen.Screen) tea.Cmd { return s.Update(msg) })...)
}

// show makes snap the current snapshot.
func (a *app) show(snap *view.Snapshot) {
	if snap == nil {
		return
	}
	if was := a.shared.Snap; snap.Err != "" && snap.Err != was.Err {
		a.say(widget.Bad, a.shared.F("the run stopped: %s", a.shared.Says(snap.Err)))
	}
	a.shared.Snap = a.calm.follow(snap, a.o.Now())
	if t := &snap.Terms; t.New > 0 && t.Proposal > max(a.shared.TermsSeen, a.shared.TermsTold) &&
		snap.State == view.Idle && a.flash == "" {
		a.shared.TermsTold = t.Proposal
		a.say(widget.Accent, a.shared.F("%s: press {screen_features}, then {terms}", a.shared.N(t.New, "new term")))
	}
	a.told.follow(a.over.chooser)
	rekey(a, snap.Keys)
	if a.latest == nil || !a.frozen {
		a.latest = snap
	}
}

// flashFor is how long a success is shown; a failure stays until a key.
const flashFor = 4 * time.Second

func (a *app) say(st widget.Style, text string) {
	a.flashSt, a.flash, a.flashEnd = st, widget.Clean(text), time.Time{}
	if st != widget.Bad {
		a.flashEnd = a.o.Now().Add(flashFor)
	}
}

// goTo makes screen i the visible one.
func (a *app) goTo(i int) tea.Cmd {
	a.at = i
	a.shared.Shown = a.screens[i]
	if !a.ready {
		return nil
	}
	return a.awaits(func() tea.Cmd { return a.screens[i].Update(screen.ShowMsg{}) })
}

func (a *app) resize(w, h int) {
	a.w, a.h = max(1, w), max(1, h)
	a.canvas = widget.NewCanvas(a.theme, a.w, a.h)
	for _, s := range a.screens {
		s.SetSize(a.w, a.body())
	}
}

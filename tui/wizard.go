package tui

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-runewidth"

	"angler/crawl/seeds"
	"angler/tui/widget"
)

// setup makes workspaces; seeds.Setup is one.
type setup interface {
	// ReadSeeds reads a seed file.
	ReadSeeds(path string) (string, error)
	// Free says why a workspace cannot be made in dir, or nil.
	Free(dir string) error
	Create(seeds.WorkspacePlan) error
	// Places lists the recently used workspaces.
	Places() []seeds.WorkspacePlace
}

// Setup asks a reader who has named no workspace what to open: the demo, a recent workspace, or a
// new one, which it makes. preset holds given answers; fresh starts with the questions of a new
// workspace. The zero Switch means that the reader quit.
func Setup(ctx context.Context, m setup, preset seeds.WorkspacePlan, fresh bool, o Options) (Switch, error) {
	runewidth.DefaultCondition.EastAsianWidth = false
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	theme, err := o.look()
	if err != nil {
		return Switch{}, err
	}
	w := newWizard(m, theme, o.Now)
	w.plan, w.fresh = preset, fresh
	w.begin(stepMenu)
	if preset.Notices != "" { // given before
		w.decide(preset.Notices)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	on, err := newStage(&o, cancel)
	if err != nil {
		return Switch{}, err
	}
	_, err = on.program(ctx, displayed{w, on}, !o.NoMouse).Run()
	ended := ctx.Err() != nil
	cancel()
	err = cmp.Or(err, on.close())
	if ended {
		return Switch{}, nil
	}
	return w.choice, err
}

// The steps of the wizard, in order. Words is skipped for a known kind of notices; in the last
// three, tab changes the answer.
const (
	stepMenu = iota
	stepWords
	stepSeeds
	stepName
	stepDir
	stepScope
)

// wizard is the model of a first run. Each step except the menu has one prompt; esc returns to the
// step before.
type wizard struct {
	maker  setup
	theme  *widget.Theme
	canvas *widget.Canvas
	w, h   int

	now    func() time.Time
	fresh  bool                // only a new workspace is wanted
	plan   seeds.WorkspacePlan // the answers; scope and seeds are completed at the end
	own    bool                // the reader chose own words
	named  string              // the generated name; a name by the reader stays
	placed string              // the generated folder

	step   int
	menu   *widget.Chooser
	prompt *widget.Prompt[string]
	text   string // the seed list as entered
	kind   int    // index of the scope
	check  *seeds.SeedCheck
	rev    int // number of the last check
	busy   bool
	top    int // first visible line
	flash  string
	torn   tornKeys
	choice Switch
}

var scopes = []struct{ kind, help string }{
	{"site", "everything under a seed's domain: from www.x.edu.cn all of *.x.edu.cn"},
	{"host", "the seed's own host only"},
	{"prefix", "the seed's folder and all below it"},
}

type (
	checkedMsg struct {
		rev   int
		check *seeds.SeedCheck
	}
	readMsg struct {
		text string
		err  error
	}
	madeMsg struct{ err error }
)

func newWizard(m setup, theme *widget.Theme, now func() time.Time) *wizard {
	if now == nil {
		now = time.Now
	}
	w := &wizard{maker: m, theme: theme, now: now, check: &seeds.SeedCheck{}}
	w.resize(80, 24)
	w.begin(stepMenu)
	return w
}

// Init implements tea.Model.
func (w *wizard) Init() tea.Cmd { return nil }

func (w *wizard) resize(width, height int) {
	w.w, w.h = max(1, width), max(1, height)
	w.canvas = widget.NewCanvas(w.theme, w.w, w.h)
}

// Update implements tea.Model.
func (w *wizard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.resize(msg.Width, msg.Height)
		return w, nil
	case checkedMsg:
		if msg.rev == w.rev {
			w.check, w.busy = msg.check, false
			w.top = min(w.top, max(0, len(w.check.Lines)-1))
		}
	case readMsg:
		if msg.err != nil {
			w.flash = w.theme.Lang.Line(widget.Clean(msg.err.Error()))
			return w, nil
		}
		return w, w.add(msg.text)
	case madeMsg:
		if w.busy = false; msg.err != nil {
			w.flash = w.theme.Lang.Line(widget.Clean(msg.err.Error()))
			return w, nil
		}
		w.choice.Dir = w.plan.Dir
		return w, tea.Quit
	case tea.KeyMsg:
		return w, w.key(msg)
	case tea.MouseMsg:
		return w, w.mouse(msg)
	}
	return w, nil
}

// mouse selects in the list, and scrolls the seeds.
func (w *wizard) mouse(m tea.MouseMsg) tea.Cmd {
	switch {
	case m.Action != tea.MouseActionPress:
	case m.Button == tea.MouseButtonWheelDown:
		w.scroll(3)
	case m.Button == tea.MouseButtonWheelUp:
		w.scroll(-3)
	case m.Button == tea.MouseButtonLeft && w.step == stepMenu:
		_, cmd := w.menu.Click(m.X, m.Y)
		return cmd
	}
	return nil
}

func (w *wizard) key(k tea.KeyMsg) tea.Cmd {
	if k = w.torn.rest(k); k.Type == tea.KeyRunes && len(k.Runes) == 0 || w.torn.headed {
		return nil
	}
	if k.Alt && !k.Paste && escaped(k) {
		k.Alt = false
		return tea.Batch(w.key(tea.KeyMsg{Type: tea.KeyEsc}), w.key(k))
	}
	w.flash = ""
	s := k.String()
	if s == "ctrl+c" || s == "esc" && w.step == stepMenu {
		return tea.Quit
	}
	if w.step == stepMenu {
		_, cmd := w.menu.Key(k)
		return cmd
	}
	switch s {
	case "esc":
		w.begin(w.before())
		return nil
	case "pgdown":
		w.scroll(w.h / 2)
		return nil
	case "pgup":
		w.scroll(-w.h / 2)
		return nil
	}
	switch w.step {
	case stepName, stepDir:
		if s == "tab" { // continue, like enter
			k = tea.KeyMsg{Type: tea.KeyEnter}
		}
	case stepSeeds:
		if cmd, took := w.seedKey(k, s); took {
			return cmd
		}
	case stepScope:
		switch s {
		case "tab", "down":
			w.kind = (w.kind + 1) % len(scopes)
			return w.recheck()
		case "shift+tab", "up":
			w.kind = (w.kind + len(scopes) - 1) % len(scopes)
			return w.recheck()
		}
	}
	_, cmd := w.prompt.Key(k)
	return cmd
}

// before returns the step to which esc returns.
func (w *wizard) before() int {
	switch {
	case w.step == stepSeeds && w.own:
		return stepWords
	case w.step <= stepSeeds:
		return stepMenu
	}
	return w.step - 1
}

// pastedAddress tells an address from other text.
func pastedAddress(s string) bool { return strings.Contains(s, ".") && !strings.HasPrefix(s, "@") }

// seedKey takes a pasted list of any length; one pasted address is a list, too.
func (w *wizard) seedKey(k tea.KeyMsg, s string) (tea.Cmd, bool) {
	switch {
	case k.Type == tea.KeyRunes &&
		(k.Paste && pastedAddress(string(k.Runes)) && w.prompt.Text() == "" ||
			(k.Paste || len(k.Runes) > 1) && strings.ContainsAny(string(k.Runes), "\r\n")):
		text := w.prompt.Text() + string(k.Runes)
		w.prompt.Preset("")
		return w.add(text), true
	case s == "tab":
		w.begin(stepName)
	case s == "ctrl+x":
		w.text, w.top = "", 0
		return w.recheck(), true
	default:
		return nil, false
	}
	return nil, true
}

func (w *wizard) scroll(n int) { w.top = max(0, min(w.top+n, len(w.check.Lines)-1)) }

// add appends lines to the seed list.
func (w *wizard) add(text string) tea.Cmd {
	w.text += strings.ReplaceAll(text, "\r", "\n") + "\n"
	return w.recheck()
}

// recheck checks the seed list again, in the background: 10 000 lines take a tenth of a second.
func (w *wizard) recheck() tea.Cmd {
	w.rev++
	w.busy = true
	rev, text, kind := w.rev, w.text, scopes[w.kind].kind
	return func() tea.Msg { return checkedMsg{rev, seeds.CheckSeedText(text, kind)} }
}

// begin starts a step.
func (w *wizard) begin(step int) {
	w.step, w.top = step, 0
	l := w.theme.Lang
	switch step {
	case stepMenu:
		w.menu = widget.NewChooser(w.menuTitle(), w.items()).In(l)
	case stepWords:
		w.prompt = &widget.Prompt[string]{
			Editor: widget.Editor{Label: "words:", Hint: "between spaces; none takes every notice"},
			Check:  widget.AnyText,
			Do:     func(v string) tea.Cmd { w.decide(cmp.Or(strings.TrimSpace(v), seeds.AllNotices)); return nil },
		}
	case stepName:
		w.prompt = &widget.Prompt[string]{
			Editor: widget.Editor{Label: "name:", Hint: "what you look for"},
			Check:  widget.SomeText("type a name"),
			Do:     func(v string) tea.Cmd { w.plan.Topic = v; w.begin(stepDir); return nil },
		}
		w.prompt.Preset(w.plan.Topic)
	case stepDir:
		w.prompt = &widget.Prompt[string]{
			Editor: widget.Editor{Label: "folder:", Hint: "it is made new"},
			Check: func(v string) (string, error) {
				if err := w.maker.Free(v); err != nil {
					return "", widget.Refusal(l.Line(widget.Clean(err.Error())))
				}
				return v, nil
			},
			Do: func(v string) tea.Cmd { w.plan.Dir = v; w.begin(stepScope); return w.recheck() },
		}
		w.prompt.Preset(w.plan.Dir)
	case stepSeeds:
		w.prompt = &widget.Prompt[string]{
			Editor: widget.Editor{Label: "seed:", Hint: "an address, @FILE, or paste a list; words are searched for"},
			Check:  widget.AnyText,
			Do:     w.seed,
		}
	case stepScope:
		w.prompt = &widget.Prompt[string]{
			Editor: widget.Editor{Label: "try a URL:", Hint: "is it in or out? · enter makes the workspace"},
			Check:  widget.AnyText,
			Do:     func(string) tea.Cmd { return w.make() },
		}
	}
}

// seed adds one typed line.
func (w *wizard) seed(v string) tea.Cmd {
	path, file := strings.CutPrefix(v, "@")
	switch {
	case v == "" && w.check.Good == 0 && len(w.check.Words) == 0:
		w.flash = w.theme.Lang.T("give at least one address where the crawl begins, or words to look for some")
		return nil
	case v == "":
		return w.make()
	}
	w.prompt.Preset("")
	if file {
		maker := w.maker
		return func() tea.Msg {
			text, err := maker.ReadSeeds(strings.TrimSpace(path))
			return readMsg{text, err}
		}
	}
	return w.add(v)
}

func (w *wizard) make() tea.Cmd {
	if w.busy {
		return nil
	}
	w.busy = true
	maker, plan := w.maker, w.plan
	plan.Scope, plan.Seeds, plan.Words = scopes[w.kind].kind, w.check.Seeds(), w.check.Words
	return func() tea.Msg { return madeMsg{maker.Create(plan)} }
}

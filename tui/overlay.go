package tui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/widget"
)

// overlay covers the screen and takes keys first: a prompt in place of the footer, a list, or the
// help. A prompt is above a list, a list above the help.
type overlay struct {
	prompt  widget.Prompter
	chooser *widget.Chooser
	form    *widget.Form   // a form over the screen, below a list
	help    *widget.Text   // a text over the screen: the help, or a text with a title
	title   string         // title of that text; "": the help
	book    *book          // the help, if the text is the help
	past    []string       // past searches in texts, oldest first
	chosen  map[string]int // chosen actions of the palette, by name: number of the choice
	choices int

	keys *keymap.Force // keys of the screens
}

// asked is the prompt that the last key answered, and the work that its answer started.
type asked struct {
	prompt widget.Prompter // nil: the last key answered no prompt
	work   int
	ended  bool // the current message ends that work
}

// askAgain reopens a prompt after its answer failed, with its text and the reason, unless a key was
// pressed since.
func askAgain(a *app, why string) {
	if a.asked.ended && a.asked.prompt != nil && !a.over.open() {
		a.over.prompt = a.asked.prompt
		a.over.prompt.Refuse(why)
	}
}

// typing reports whether keys are text input.
func (o *overlay) typing() bool {
	return o.prompt != nil || o.chooser != nil || o.form != nil && o.form.Typing()
}

// open reports whether an overlay covers the screen.
func (o *overlay) open() bool { return o.typing() || o.form != nil || o.help != nil }

// key passes a key to the top overlay; took is false if there is none. An overlay that the key
// opened stays open.
func (o *overlay) key(k tea.KeyMsg) (cmd tea.Cmd, took bool) {
	closed := false
	switch {
	case o.prompt != nil:
		p := o.prompt
		if closed, cmd = p.Key(k); closed && o.prompt == p {
			o.prompt = nil
		}
	case o.chooser != nil:
		c := o.chooser
		closed, cmd = c.Key(k)
		o.done(c, closed)
	case o.form != nil:
		f := o.form
		if closed, cmd = f.Key(k); closed && o.form == f {
			o.form = nil
		}
	case o.help != nil:
		o.helpKey(k.String())
	default:
		return nil, false
	}
	return cmd, true
}

// shown is the top overlay and its state that keys can change.
type shown struct {
	prompt  widget.Prompter
	chooser *widget.Chooser
	form    *widget.Form
	help    *widget.Text
	top     widget.Moment
}

func (o *overlay) shown() shown {
	s := shown{prompt: o.prompt, chooser: o.chooser, form: o.form, help: o.help}
	switch {
	case o.prompt != nil:
		s.top = o.prompt.Moment()
	case o.chooser != nil:
		s.top = o.chooser.Moment()
	case o.form != nil:
		s.top = o.form.Moment()
	case o.help != nil:
		s.top = o.help.Moment()
	}
	return s
}

// still says why a key has not changed the top overlay; "" if the key has no meaning there.
func (o *overlay) still(key string) string {
	switch {
	case o.prompt != nil && (key == "up" || key == "down"):
		return "there is no other entry to recall"
	case o.prompt != nil:
	case o.chooser != nil && key == "enter":
		return cmp.Or(o.chooser.Refused(), "nothing is chosen")
	case o.chooser == nil && o.form != nil && !o.form.Typing() && (key == "backspace" || key == "delete"):
		return "it has its default"
	}
	return ended(key)
}

// done closes a finished list, unless another has replaced it.
func (o *overlay) done(c *widget.Chooser, closed bool) {
	if closed && o.chooser == c {
		o.chooser = nil
	}
}

// click passes a mouse event to the top overlay; took is false if there is none.
func (o *overlay) click(m tea.MouseMsg) (cmd tea.Cmd, took bool) {
	switch {
	case o.prompt != nil:
	case o.chooser != nil:
		if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
			c := o.chooser
			var closed bool
			closed, cmd = c.Click(m.X, m.Y)
			o.done(c, closed)
		}
	case o.form != nil:
		cmd = o.clickForm(m)
	case o.help != nil:
		switch m.Button {
		case tea.MouseButtonWheelDown:
			o.help.Scroll(3)
		case tea.MouseButtonWheelUp:
			o.help.Scroll(-3)
		}
	default:
		return nil, false
	}
	return cmd, true
}

// clickForm passes a mouse event to the form.
func (o *overlay) clickForm(m tea.MouseMsg) (cmd tea.Cmd) {
	switch {
	case m.Button == tea.MouseButtonWheelDown:
		o.form.Scroll(3)
	case m.Button == tea.MouseButtonWheelUp:
		o.form.Scroll(-3)
	case m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft:
		var closed bool
		if closed, cmd = o.form.Click(m.X, m.Y); closed {
			o.form = nil
		}
	}
	return cmd
}

func (o *overlay) helpKey(key string) {
	switch key {
	case "j", "down":
		o.help.Scroll(1)
	case "k", "up":
		o.help.Scroll(-1)
	case "pgdown", "ctrl+d", " ":
		o.help.Scroll(o.help.Page())
	case "pgup", "ctrl+u":
		o.help.Scroll(-o.help.Page())
	case "g", "home":
		o.help.Home()
	case "G", "end":
		o.help.End()
	case "/":
		o.search()
	case "n":
		o.help.Next(1)
	case "N":
		o.help.Next(-1)
	case "esc":
		if o.help.Filter().Active() {
			o.find(widget.Filter{})
			return
		}
		o.closeHelp()
	case "q", "enter", "ctrl+c":
		o.closeHelp()
	default:
		if slices.Contains(o.keys.Keys(keymap.Help), key) {
			o.closeHelp()
		}
	}
}

func (o *overlay) closeHelp() { o.help, o.title, o.book = nil, "", nil }

// find filters the help, or searches the open text.
func (o *overlay) find(f widget.Filter) {
	switch {
	case o.book != nil:
		o.book.find(f)
	case o.help != nil:
		o.help.Search(f)
	}
}

// search asks for the words to search.
func (o *overlay) search() {
	find := func(f widget.Filter) tea.Cmd { o.find(f); return nil }
	p := &widget.Prompt[widget.Filter]{
		Editor: widget.Editor{
			Label: "/", Hint: "a key, or words of its action · esc shows all", Past: &o.past,
			Live:   func(text string) tea.Cmd { return find(widget.NewFilter(text)) },
			Cancel: func() tea.Cmd { return find(widget.Filter{}) },
		},
		Check: func(text string) (widget.Filter, error) { return widget.NewFilter(text), nil },
		Do:    find,
	}
	if o.book == nil {
		p.Hint = "words of the text · esc clears"
	}
	p.Preset(o.help.Filter().Text)
	o.prompt = p
}

// fill sets the items of a list that was opened before they were known, unless it was closed.
func (o *overlay) fill(in *widget.Chooser, items []widget.Item) {
	if o.chooser == in {
		in.Fill(items)
	}
}

// hints are the keys of the top overlay. They are nil if there is none, or for a prompt, which is
// in the footer itself.
func (o *overlay) hints() []widget.Hint {
	switch {
	case o.prompt != nil:
	case o.chooser != nil:
		return o.chooser.Hints()
	case o.form != nil:
		return o.form.Hints()
	case o.help != nil:
		return []widget.Hint{{Key: "j k", Does: "scroll"}, {Key: "space", Does: "a page"},
			{Key: "g G", Does: "top, end"}, {Key: "/", Does: "search"}, {Key: "esc", Does: "close"}}
	}
	return nil
}

// draw draws the help and the list; the footer shows the prompt.
func (o *overlay) draw(c *widget.Canvas) {
	if o.help != nil {
		w, h := c.Size()
		title := cmp.Or(o.title, "help")
		if o.book != nil {
			title = o.book.title()
		}
		in := widget.Dialog(c, min(w, 92), min(h, max(8, h-2)), title)
		o.help.Draw(in)
	}
	if o.form != nil {
		o.form.Draw(c)
	}
	if o.chooser != nil {
		o.chooser.Draw(c)
	}
}

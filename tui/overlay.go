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

// layer is a part of the overlay: a prompt, a list, a form or the help. Some also have Click, Scroll
// and Hints.
type layer interface {
	Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd)
	Moment() string
}

// top is the layer that takes keys; nil if none is open.
func (o *overlay) top() layer {
	switch {
	case o.prompt != nil:
		return o.prompt
	case o.chooser != nil:
		return o.chooser
	case o.form != nil:
		return o.form
	case o.help != nil:
		return helpLayer{o.help, o}
	}
	return nil
}

// close closes a layer, unless another has replaced it.
func (o *overlay) close(l layer) {
	switch l {
	case o.prompt:
		o.prompt = nil
	case o.chooser:
		o.chooser = nil
	case o.form:
		o.form = nil
	case helpLayer{o.help, o}:
		o.help, o.title, o.book = nil, "", nil
	}
}

// key passes a key to the top layer; took is false if there is none. A layer that the key opened
// stays open.
func (o *overlay) key(k tea.KeyMsg) (cmd tea.Cmd, took bool) {
	top := o.top()
	if top == nil {
		return nil, false
	}
	closed, cmd := top.Key(k)
	if closed {
		o.close(top)
	}
	return cmd, true
}

// shown is the top layer and its state that keys can change.
type shown struct {
	top    layer
	moment string
}

func (o *overlay) shown() (s shown) {
	if s.top = o.top(); s.top != nil {
		s.moment = s.top.Moment()
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

// click passes a mouse event to the top layer; took is false if there is none.
func (o *overlay) click(m tea.MouseMsg) (cmd tea.Cmd, took bool) {
	top := o.top()
	scroll, scrolls := top.(interface{ Scroll(n int) })
	click, clicks := top.(interface {
		Click(x, y int) (closed bool, cmd tea.Cmd)
	})
	switch {
	case scrolls && m.Button == tea.MouseButtonWheelDown:
		scroll.Scroll(3)
	case scrolls && m.Button == tea.MouseButtonWheelUp:
		scroll.Scroll(-3)
	case clicks && m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft:
		var closed bool
		if closed, cmd = click.Click(m.X, m.Y); closed {
			o.close(top)
		}
	}
	return cmd, top != nil
}

// helpLayer is the help, or a text with a title.
type helpLayer struct {
	*widget.Text
	o *overlay
}

// Key scrolls, searches or closes the text.
func (h helpLayer) Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	switch key := k.String(); key {
	case "j", "down":
		h.Scroll(1)
	case "k", "up":
		h.Scroll(-1)
	case "pgdown", "ctrl+d", " ":
		h.Scroll(h.Page())
	case "pgup", "ctrl+u":
		h.Scroll(-h.Page())
	case "g", "home":
		h.Home()
	case "G", "end":
		h.End()
	case "/":
		h.o.search()
	case "n":
		h.Again(1)
	case "N":
		h.Again(-1)
	case "esc":
		if !h.Filter().Active() {
			return true, nil
		}
		h.o.find(widget.Filter{})
	case "q", "enter", "ctrl+c":
		return true, nil
	default:
		return slices.Contains(h.o.keys.Keys(keymap.Help), key), nil
	}
	return false, nil
}

// Hints are the keys of the text.
func (helpLayer) Hints() []widget.Hint {
	return []widget.Hint{{Key: "j k", Does: "scroll"}, {Key: "space", Does: "a page"},
		{Key: "g G", Does: "top, end"}, {Key: "/", Does: "search"}, {Key: "esc", Does: "close"}}
}

// find filters the help, or searches the open text.
func (o *overlay) find(f widget.Filter) {
	switch {
	case o.book != nil:
		o.book.find(f)
	case o.help != nil:
		o.help.SetFilter(f)
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

// hints are the keys of the top layer. They are nil if there is none, or for a prompt, which is in
// the footer itself.
func (o *overlay) hints() []widget.Hint {
	if top, ok := o.top().(interface{ Hints() []widget.Hint }); ok {
		return top.Hints()
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

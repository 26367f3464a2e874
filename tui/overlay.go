package tui

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/ui"
)

// overlay is what lies over the screen and takes the keys before it: a prompt in
// place of the footer, a list, or the help. A prompt comes before a list, a list
// before the help.
type overlay struct {
	prompt  ui.Prompter
	chooser *ui.Chooser
	help    *ui.Text // a text over the screen: the help, or what its title says
	title   string   // of that text; "" = help

	chosen  map[string]int // actions chosen in the palette, by name: the number of the choice
	choices int
}

// typing reports that what is typed is text, not keys.
func (o *overlay) typing() bool { return o.prompt != nil || o.chooser != nil }

// key gives a key to what lies on top; took is false when nothing does. What the
// key opened in its place stays open.
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
	case o.help != nil:
		o.helpKey(k.String())
	default:
		return nil, false
	}
	return cmd, true
}

// done closes a list that is finished, unless another has taken its place.
func (o *overlay) done(c *ui.Chooser, closed bool) {
	if closed && o.chooser == c {
		o.chooser = nil
	}
}

// click gives the mouse to what lies on top; took is false when nothing does.
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
	case "esc", "q", "?", "enter", "ctrl+c", "f1":
		o.help, o.title = nil, ""
	}
}

// fill gives a list that was opened before its items were known what it offers,
// if it was not closed meanwhile.
func (o *overlay) fill(in *ui.Chooser, items []ui.Item) {
	if o.chooser == in {
		in.Fill(items)
	}
}

// hints are the keys of what lies on top; nil when nothing does, or a prompt, which
// stands in the footer itself.
func (o *overlay) hints() []ui.Hint {
	switch {
	case o.prompt != nil:
	case o.chooser != nil:
		return o.chooser.Hints()
	case o.help != nil:
		return []ui.Hint{{Key: "j k", Does: "scroll"}, {Key: "space", Does: "a page"}, {Key: "g G", Does: "top, end"}, {Key: "esc", Does: "close"}}
	}
	return nil
}

// draw draws the help and the list; the prompt stands in the footer.
func (o *overlay) draw(c *ui.Canvas) {
	if o.help != nil {
		w, h := c.Size()
		in := ui.Dialog(c, min(w, 92), min(h, max(8, h-2)), cmp.Or(o.title, "help"))
		o.help.Draw(in)
	}
	if o.chooser != nil {
		o.chooser.Draw(c)
	}
}

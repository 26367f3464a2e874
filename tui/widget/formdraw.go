package widget

import (
	"slices"
	"strconv"
	"strings"
)

// This file draws a Form: the fields in groups, and below them the purpose of the field under the
// cursor.

// lines returns the lines of the body: an index into found, or -1 for the title of the following
// group.
func (f *Form) lines() []int {
	var out []int
	group := ""
	for i, k := range f.found {
		if g := f.fields[k].Group; i == 0 || g != group {
			out = append(out, -1)
			group = g
		}
		out = append(out, i)
	}
	return out
}

// told is the number of lines below the fields.
const told = 4

// Draw renders the form over c.
func (f *Form) Draw(c *Canvas) {
	cw, ch := c.Size()
	w := min(cw, max(56, min(108, cw-8)))
	in := Dialog(c, w, max(min(ch, 12), ch-2), f.Title)
	w, h := in.Size()
	if f.waiting {
		in.Say(1, 0, Dim, "one moment …")
		return
	}
	below := min(told, max(0, h-3))
	body := in.Sub(Rect{W: w, H: h - below})
	if f.finding || f.query.Text() != "" {
		f.query.Label = "/"
		if f.finding {
			f.query.Draw(body, 0)
		} else {
			body.Text(0, 0, Accent|Bold, "/ "+f.query.Text())
		}
		body = body.Sub(Rect{Y: 1, W: w, H: h - below - 1})
	}
	f.body = Rect{body.x, body.y, body.w, body.h}
	if f.list != nil {
		f.drawList(body)
	} else {
		f.drawFields(body)
	}
	if below > 0 {
		f.drawTold(in.Sub(Rect{Y: h - below, W: w, H: below}))
	}
}

func (f *Form) drawFields(c *Canvas) {
	w, h := c.Size()
	lines := f.lines()
	if len(lines) == 0 {
		DrawNote(c, "No setting matches. Press esc to see all.")
		return
	}
	at := slices.Index(lines, f.cur)
	if at < f.top || at == 1 {
		f.top = max(0, at-1) // including the title of its group
	}
	f.top = max(0, min(inWindow(f.top, at, h), len(lines)-h))
	named := f.named(w)
	for y := 0; y < h && f.top+y < len(lines); y++ {
		k := lines[f.top+y]
		if k < 0 {
			c.Text(0, y, Head|Bold, c.T(f.fields[f.found[lines[f.top+y+1]]].Group))
			continue
		}
		x := &f.fields[f.found[k]]
		name := x.called()
		if x.changed() {
			c.Text(1, y, Accent, "●")
		}
		c.Fitted(3, y, named-4, Plain, name, false)
		if k == f.cur && f.editing != nil {
			f.editing.Draw(c.Sub(Rect{X: named - 1, Y: y, W: w - named + 1, H: 1}), 0)
			c.Text(0, y, Accent, "›")
			continue
		}
		value, st := f.shown(c, x)
		if k == f.cur && f.pressed != nil {
			value, st = c.T("press the key"), Accent|Bold
		}
		c.Fitted(named, y, w-named-1, st, value, false)
		if k == f.cur {
			c.Text(0, y, Accent, "›")
			c.Paint(Rect{0, y, w, 1}, Sel)
		}
	}
}

// named returns the width of the name column in a form of w cells: the longest name, bounded to
// leave room for values.
func (f *Form) named(w int) int {
	n := 26
	for i := range f.fields {
		n = max(n, Width(f.fields[i].called())+5)
	}
	return min(n, max(26, w/3), w/2)
}

// called returns the display name of a field: the last part of its name if it has no title.
func (x *Field) called() string {
	if x.Title == "" || x.Title == x.Name {
		return x.Name[strings.IndexByte(x.Name, '.')+1:]
	}
	return x.Title
}

// word returns a value of the field, translated if it is a word.
func (x *Field) word(c *Canvas, value string) string {
	if x.Words {
		return c.T(value)
	}
	return Clean(c.theme.Lang.Value(x.Name, value))
}

// shown returns a value as displayed.
func (f *Form) shown(c *Canvas, x *Field) (string, Style) {
	switch {
	case x.Open != nil && x.Value == "":
		return "›", Dim
	case x.Press:
		return Clean(strings.Join(x.Items, "  ")), Key
	case x.List && len(x.Items) == 0:
		return "–", Dim
	case x.List:
		return strconv.Itoa(len(x.Items)) + " · " + Clean(strings.Join(x.Items, " · ")), Plain
	case x.Toggle && x.Value == "true":
		return "✓ " + c.T("yes"), Good
	case x.Toggle:
		return "· " + c.T("no"), Dim
	case x.Value == "":
		return "–", Dim
	case x.Choices != nil:
		return x.word(c, x.Value) + " ▾", Plain
	}
	return Clean(x.Value), Plain
}

func (f *Form) drawList(c *Canvas) {
	w, h := c.Size()
	l := f.list
	n := len(l.all)
	if f.editing != nil && l.edit == n {
		n++
	}
	cur := Either(f.editing != nil, l.edit, l.cur)
	f.top = inWindow(0, cur, h)
	if n == 0 {
		DrawNote(c, "The list is empty. Press a to add to it.")
		return
	}
	for y := 0; y < h && f.top+y < n; y++ {
		i := f.top + y
		if i == cur {
			c.Text(0, y, Accent, "›")
		}
		if i == cur && f.editing != nil {
			f.editing.Draw(c.Sub(Rect{X: 1, Y: y, W: w - 1, H: 1}), 0)
			continue
		}
		c.Fitted(2, y, w-3, Plain, Clean(l.all[i]), false)
		if i == cur {
			c.Paint(Rect{0, y, w, 1}, Sel)
		}
	}
}

// drawTold shows the fault of the typed text, or the purpose of the field, and when a change takes
// effect.
func (f *Form) drawTold(c *Canvas) {
	w, h := c.Size()
	c.Fill(Rect{W: w, H: 1}, Line, c.theme.border.Top)
	x := f.field()
	if x == nil {
		return
	}
	y := 1
	if f.wrong != "" {
		for _, l := range Wrap("✗ "+c.theme.Lang.Line(c.T(f.wrong)), w, 2) {
			c.Text(0, y, Bad, l)
			y++
		}
	}
	rest := x.Name
	if x.Choices != nil && !x.Words && x.Value != "" && x.word(c, x.Value) != x.Value {
		rest += " = " + Clean(x.Value) // as in the file
	}
	if x.Note != "" {
		rest += c.T(": ") + c.T(x.Note)
	}
	for _, l := range Wrap(rest, w, max(0, h-1-y)) {
		c.Text(0, y, Plain, l)
		y++
	}
	usual := Either(x.Press, x.Usual, x.Default)
	if usual == "" || usual == "[]" {
		usual = "–"
	}
	if x.Open != nil {
		return
	}
	c.Text(0, h-1, Dim, Fit(c.T(x.Later)+" · "+c.theme.Lang.F("default %s", x.word(c, usual)), w))
}

// Hints returns the available keys.
func (f *Form) Hints() []Hint {
	switch {
	case f.finding:
		return []Hint{{"enter", "to the settings"}, {"esc", "clear"}}
	case f.pressed != nil:
		return []Hint{{"esc", "leave"}}
	case f.editing != nil:
		return []Hint{{"enter", "save"}, {"ctrl+u", "clear"}, {"esc", "leave"}}
	case f.list != nil:
		return []Hint{{"a", "add"}, {"enter", "change"}, {"backspace", "remove"}, {"u", "undo"}, {"esc", "back"}}
	}
	if x := f.field(); x != nil && x.Press {
		return []Hint{{"enter", "press another key"}, {"+", "one more key"}, {"/", "search"}, {"backspace", "default"},
			{"u", "undo"}, {"esc", "close"}}
	}
	if x := f.field(); x != nil && x.Open != nil {
		return []Hint{{"enter", "open"}, {"/", "search"}, {"u", "undo"}, {"esc", "close"}}
	}
	return []Hint{{"enter", "change"}, {"/", "search"}, {"backspace", "default"}, {"u", "undo"}, {"esc", "close"}}
}

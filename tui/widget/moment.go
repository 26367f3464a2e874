package widget

// Moment is the state of a widget that keys can change: equal moments look the same.
type Moment struct {
	text, wrong, of                             string
	at, recall, cur, most, list, item, of2, num int
	finding, filled, typing, pressing, more     bool
}

// Moment returns the visible state of the editor.
func (e *Editor) Moment() Moment {
	return Moment{text: e.Text(), wrong: e.wrong, at: e.at, recall: e.recall, filled: e.filled}
}

// Moment returns the visible state of the list.
func (c *Chooser) Moment() Moment {
	m := c.query.Moment()
	m.cur, m.most = c.cur, len(c.found)
	return m
}

// Moment returns the visible state of the form, except values that are being saved.
func (f *Form) Moment() Moment {
	m := f.query.Moment()
	if f.editing != nil {
		m = f.editing.Moment()
		m.typing = true
	}
	m.wrong, m.finding, m.cur, m.most, m.num = m.wrong+f.wrong, f.finding, f.cur, len(f.found), len(f.ahead)
	if f.pressed != nil {
		m.pressing, m.more = true, f.pressed.more
	}
	if l := f.list; l != nil {
		m.of, m.list, m.item, m.of2 = l.name, 1+len(l.all), l.cur, l.edit
	}
	return m
}

// Moment returns the visible state of the text.
func (t *Text) Moment() Moment { return Moment{text: t.query.Text, cur: t.top, most: len(t.lines)} }

// Refused says why enter does not choose the item under the cursor; "" if it does or there is none.
func (c *Chooser) Refused() string {
	if c.cur < len(c.found) {
		return c.items[c.found[c.cur]].Off
	}
	return ""
}

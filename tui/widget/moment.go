package widget

import "fmt"

// The moment of a widget is its state that keys can change: equal moments look the same.

// Moment returns the visible state of the editor.
func (e *Editor) Moment() string { return fmt.Sprintln(e.Text(), e.wrong, e.at, e.recall, e.filled) }

// Moment returns the visible state of the list.
func (c *Chooser) Moment() string { return fmt.Sprintln(c.query.Moment(), c.cur, len(c.found)) }

// Moment returns the visible state of the form, except values that are being saved.
func (f *Form) Moment() string {
	m := fmt.Sprintln(f.query.Moment(), f.wrong, f.finding, f.cur, len(f.found), len(f.ahead), f.pressed, f.list)
	if f.editing != nil {
		m += f.editing.Moment()
	}
	return m
}

// Moment returns the visible state of the text.
func (t *Text) Moment() string { return fmt.Sprintln(t.query.Text, t.top, len(t.lines)) }

// Refused says why enter does not choose the item under the cursor; "" if it does or there is none.
func (c *Chooser) Refused() string {
	if c.cur < len(c.found) {
		return c.items[c.found[c.cur]].Off
	}
	return ""
}

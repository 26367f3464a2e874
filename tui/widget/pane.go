package widget

// Frame draws a border with a title in its top edge and a note in the bottom edge, and returns the
// canvas inside. A focused pane has a border in the accent colour and a bold, marked title, so that
// the focus shows without colour too.
func Frame(c *Canvas, title, note string, focus bool) *Canvas {
	w, h := c.Size()
	title, note = c.T(title), c.T(note)
	if w < 2 || h < 2 {
		return c.Sub(Rect{})
	}
	st, tst := Line, Plain
	if focus {
		st, tst = Accent, Accent|Bold
		title = "▸" + title
	} else {
		title = " " + title
	}
	b := &c.theme.border
	c.Fill(Rect{0, 0, w, 1}, st, b.Top)
	c.Fill(Rect{0, h - 1, w, 1}, st, b.Bottom)
	c.Fill(Rect{0, 0, 1, h}, st, b.Left)
	c.Fill(Rect{w - 1, 0, 1, h}, st, b.Right)
	c.Text(0, 0, st, b.TopLeft)
	c.Text(w-1, 0, st, b.TopRight)
	c.Text(0, h-1, st, b.BottomLeft)
	c.Text(w-1, h-1, st, b.BottomRight)
	if w > 6 {
		c.Text(2, 0, tst, Fit(title, w-5)+" ")
	}
	if note != "" && w > 10 {
		note = " " + Fit(note, w-8) + " "
		c.Text(max(2, w-2-Width(note)), h-1, Dim, note)
	}
	return c.Sub(Rect{1, 1, w - 2, h - 2})
}

package widget

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Dialog draws an empty frame of w×h cells in the middle of c and dims the background. It returns
// the canvas inside, with a cell of padding on each side.
func Dialog(c *Canvas, w, h int, title string) *Canvas {
	cw, ch := c.Size()
	w, h = min(w, cw), min(h, ch)
	c.fade()
	if w < 8 || h < 3 { // no room for a frame
		in := c.Sub(Rect{0, 0, w, h})
		in.Clear()
		return in
	}
	x, y := (cw-w)/2, max(0, (ch-h)/3)
	c.Sub(Rect{x, y, w, h}).Clear()
	c.Block(x, y, c.theme.frame(w, h, c.T(title)))
	return c.Sub(Rect{x + 2, y + 1, w - 4, h - 2})
}

// frame lays out a frame of w×h cells with a title in its top edge.
func (t *Theme) frame(w, h int, title string) string {
	edge, b := t.Style(Accent), t.border
	title = t.Style(Accent | Bold).Render(" " + Fit(title, w-6) + " ")
	top := edge.Render(b.TopLeft+b.Top) + title +
		edge.Render(strings.Repeat(b.Top, max(0, w-3-lipgloss.Width(title)))+b.TopRight)
	box := t.renderer.NewStyle().Border(b, false, true,
		true).BorderForeground(edge.GetForeground()).Width(w - 2).Height(h - 2)
	return lipgloss.JoinVertical(lipgloss.Left, top, box.Render(""))
}

// fade dims the whole canvas.
func (c *Canvas) fade() {
	for y := range c.h {
		row := c.row(y)
		for x := range row {
			row[x].st = Line
		}
	}
}

// Hint is a key of a dialogue and its effect; the help of bubbles knows one language.
type Hint struct{ Key, Does string }

// Hints lays out the keys of a dialogue in one line of at most w cells; the last ones are dropped
// if they do not fit.
func (t *Theme) Hints(hints []Hint, w int) string {
	var out []string
	for _, h := range hints {
		one := t.Style(Key).Render(h.Key) + " " + t.Style(Dim).Render(t.Lang.T(h.Does)) + "  "
		if w -= lipgloss.Width(one); w < 0 {
			break
		}
		out = append(out, one)
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, out...)
}

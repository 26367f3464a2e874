package widget

import (
	"strings"
)

// Style is a role of the theme (low byte) with flags above it. As an integer it keeps a cell small,
// and comparing two styles costs nothing.
type Style uint16

// The roles. A theme gives each a colour; the screens only name roles.
const (
	Plain  Style = iota
	Dim          // minor text: units, hosts, hints
	Line         // borders
	Head         // column heads
	Accent       // the program's own colour: focus, current value
	Good         // above the threshold, gained, yes
	Warn         // paused, unsure, slow
	Bad          // errors, lost, no
	Key          // a key to press
	Bar          // bars and curves
	barLow       // bars below the threshold
	Mark         // a search hit
	roles
)

// The flags. Sel paints the row under the cursor of the focused pane, Soft that of another pane.
const (
	Bold Style = 1 << (8 + iota)
	Sel
	soft
	Invert
	flagEnd
)

const blank = " "

type cell struct {
	s  string // text of one or two cells
	st Style
	w  int8 // 1 or 2; 0: the right half of a wide cell
}

type grid struct {
	w, h  int
	cells []cell
	out   strings.Builder
}

// Canvas is a rectangle of a screen's grid. Drawing outside of it does nothing, so widgets need no
// checks. It is for one goroutine.
type Canvas struct {
	g          *grid
	x, y, w, h int
	theme      *Theme
}

// NewCanvas returns a canvas of w×h cells with its own grid.
func NewCanvas(t *Theme, w, h int) *Canvas {
	w, h = max(0, w), max(0, h)
	c := &Canvas{g: &grid{w: w, h: h, cells: make([]cell, w*h)}, w: w, h: h, theme: t}
	c.Clear()
	return c
}

// Clear empties every cell of c.
func (c *Canvas) Clear() {
	for y := 0; y < c.h && c.w > 0; y++ {
		c.put(0, y, blank, 1, Plain) // clears wide cells cut by the edges
		c.put(c.w-1, y, blank, 1, Plain)
		row := c.row(y)
		for x := range row {
			row[x] = cell{blank, Plain, 1}
		}
	}
}

// Size returns width and height in cells.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Theme returns the theme of the canvas.
func (c *Canvas) Theme() *Theme { return c.theme }

// Sub returns the part r of c, clipped to c.
func (c *Canvas) Sub(r Rect) *Canvas {
	x, y := min(max(r.X, 0), c.w), min(max(r.Y, 0), c.h)
	w := min(max(r.W-(x-r.X), 0), c.w-x)
	h := min(max(r.H-(y-r.Y), 0), c.h-y)
	return &Canvas{g: c.g, x: c.x + x, y: c.y + y, w: w, h: h, theme: c.theme}
}

func (c *Canvas) row(y int) []cell {
	at := (c.y+y)*c.g.w + c.x
	return c.g.cells[at : at+c.w]
}

// put writes one cell and clears a wide neighbour that it cuts in half.
func (c *Canvas) put(x, y int, s string, w int, st Style) {
	at := (c.y+y)*c.g.w + c.x + x
	cells := c.g.cells
	line := (c.y + y) * c.g.w
	if cells[at].w == 0 && at > line {
		cells[at-1].s, cells[at-1].w = blank, 1
	}
	end := at + w
	if end < line+c.g.w && cells[end].w == 0 {
		cells[end].s, cells[end].w = blank, 1
	}
	cells[at] = cell{s, st, int8(w)}
	if w == 2 {
		cells[at+1] = cell{"", st, 0}
	}
}

// Text draws s from x on row y and returns the x after it. It cuts text that does not fit, and
// drops characters that must not reach a terminal.
func (c *Canvas) Text(x, y int, st Style, s string) int {
	if y < 0 || y >= c.h {
		return x + Width(s)
	}
	for len(s) > 0 {
		n, w := next(s)
		if w > 0 {
			switch {
			case x >= c.w:
				return x
			case x+w > c.w: // only half of a wide cell fits
				c.put(x, y, blank, 1, st)
			case x >= 0:
				c.put(x, y, s[:n], w, st)
			}
			x += w
		}
		s = s[n:]
	}
	return x
}

// T returns s in the language of the screen.
func (c *Canvas) T(s string) string { return c.theme.Lang.T(s) }

// Say draws a text of the catalogue in the language of the screen, and returns the x after it.
func (c *Canvas) Say(x, y int, st Style, s string) int { return c.Text(x, y, st, c.T(s)) }

// Fitted draws s into w cells from x, with "…" if it is cut, and returns x+w. right aligns it to
// the right edge.
func (c *Canvas) Fitted(x, y, w int, st Style, s string, right bool) int {
	if w <= 0 {
		return x
	}
	s = Fit(s, w)
	at := x
	if right {
		at = x + w - Width(s)
	}
	c.Sub(Rect{x, y, w, 1}).Text(at-x, 0, st, s)
	return x + w
}

// Fill paints the cells of r with s, which must be one cell wide.
func (c *Canvas) Fill(r Rect, st Style, s string) {
	sub := c.Sub(r)
	for y := 0; y < sub.h; y++ {
		for x := 0; x < sub.w; x++ {
			sub.put(x, y, s, 1, st)
		}
	}
}

// Paint adds flags to the style of every cell of r, keeping what is drawn.
func (c *Canvas) Paint(r Rect, flags Style) {
	sub := c.Sub(r)
	for y := 0; y < sub.h; y++ {
		row := sub.row(y)
		for x := range row {
			row[x].st |= flags
		}
	}
}

// String returns the frame: h lines of exactly w cells, joined by '\n', each
// ending in the plain style.
func (c *Canvas) String() string {
	b := &c.g.out
	b.Reset()
	b.Grow(c.w*c.h*3 + 1024)
	for y := 0; y < c.h; y++ {
		if y > 0 {
			b.WriteByte('\n')
		}
		cur := Plain
		row := c.row(y)
		for i := range row {
			cl := &row[i]
			if cl.w == 0 {
				continue
			}
			if cl.st != cur && c.theme.styles[cl.st] != c.theme.styles[cur] {
				b.WriteString(c.theme.change(cur, cl.st))
				cur = cl.st
			}
			if c.theme.ascii && len(cl.s) > 1 && cl.w == 1 {
				b.WriteString(asciiSign(cl.s))
				continue
			}
			b.WriteString(cl.s)
		}
		if c.theme.styles[cur] != "" {
			b.WriteString(c.theme.change(cur, Plain))
		}
	}
	return b.String()
}

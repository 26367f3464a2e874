package widget

import "unicode/utf8"

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

// cell is what one place of the screen shows. It holds no pointer, so that clearing a screen is a
// copy and the garbage collector skips the grid.
type cell struct {
	r  rune // a negative rune -n is the cluster n-1 of the grid
	st Style
	w  int8 // 1 or 2; 0: the right half of a wide cell
}

const blank = " "

var empty = cell{' ', Plain, 1}

type grid struct {
	w, h     int
	cells    []cell
	clusters []string // cells of more than one rune
	out      []byte
}

// sign returns what a cell stores for s: its rune, or the number of its cluster.
func (g *grid) sign(s string) rune {
	if r, n := utf8.DecodeRuneInString(s); n == len(s) {
		return r
	}
	g.clusters = append(g.clusters, s)
	return rune(-len(g.clusters))
}

// write appends the text of a cell to the frame. With ascii it is one byte.
func (g *grid) write(cl cell, ascii bool) {
	switch {
	case cl.r >= 0 && cl.r < utf8.RuneSelf:
		g.out = append(g.out, byte(cl.r))
	case ascii && cl.w == 1:
		g.out = append(g.out, asciiSign(g.text(cl))...)
	case cl.r < 0:
		g.out = append(g.out, g.clusters[-cl.r-1]...)
	default:
		g.out = utf8.AppendRune(g.out, cl.r)
	}
}

// text returns what a cell shows: nothing for the right half of a wide cell.
func (g *grid) text(cl cell) string {
	switch {
	case cl.w == 0:
		return ""
	case cl.r < 0:
		return g.clusters[-cl.r-1]
	}
	return string(cl.r)
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
	if c.w == c.g.w && c.h == c.g.h {
		c.g.clusters = c.g.clusters[:0]
	}
	for y := 0; y < c.h && c.w > 0; y++ {
		c.put(0, y, empty) // clears wide cells cut by the edges
		c.put(c.w-1, y, empty)
		row := c.row(y)
		for x := range row {
			row[x] = empty
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
func (c *Canvas) put(x, y int, now cell) {
	at := (c.y+y)*c.g.w + c.x + x
	cells := c.g.cells
	line := (c.y + y) * c.g.w
	if cells[at].w == 0 && at > line {
		cells[at-1].r, cells[at-1].w = ' ', 1
	}
	end := at + int(now.w)
	if end < line+c.g.w && cells[end].w == 0 {
		cells[end].r, cells[end].w = ' ', 1
	}
	cells[at] = now
	if now.w == 2 {
		cells[at+1] = cell{st: now.st}
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
				c.put(x, y, cell{' ', st, 1})
			case x >= 0:
				c.put(x, y, cell{c.g.sign(s[:n]), st, int8(w)})
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
	sub, now := c.Sub(r), cell{c.g.sign(s), st, 1}
	for y := 0; y < sub.h; y++ {
		for x := 0; x < sub.w; x++ {
			sub.put(x, y, now)
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
	g := c.g
	g.out = g.out[:0]
	for y := 0; y < c.h; y++ {
		if y > 0 {
			g.out = append(g.out, '\n')
		}
		cur := Plain
		for _, cl := range c.row(y) {
			if cl.w == 0 {
				continue
			}
			if cl.st != cur && c.theme.styles[cl.st] != c.theme.styles[cur] {
				g.out = c.theme.change(g.out, cur, cl.st)
				cur = cl.st
			}
			g.write(cl, c.theme.ascii)
		}
		if c.theme.styles[cur] != "" {
			g.out = c.theme.change(g.out, cur, Plain)
		}
	}
	return string(g.out)
}

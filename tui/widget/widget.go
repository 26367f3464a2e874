// Package widget draws the workbench: a grid of cells, the theme that colours it and the widgets
// that fill it.
//
// Everything is drawn into one grid (Canvas) and leaves it as one string, so a line is exactly as
// wide as the screen. The grid is the only way to the terminal: a control character, an escape
// sequence or a bidi override from the web has no cell and cannot pass. A full 160×45 frame costs
// about 100 µs. The danger is width: measure with Width, never with len, and let the canvas cut; a
// limit may fall inside a wide Chinese cell. The package does not know the engine or the domain.
package widget

// Rect is a region in cells. X and Y count from 0 at the top left.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell x,y lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && y >= r.Y && x < r.X+r.W && y < r.Y+r.H
}

// Inset returns r without a border of n cells; it is never negative.
func (r Rect) Inset(n int) Rect {
	return Rect{r.X + n, r.Y + n, max(0, r.W-2*n), max(0, r.H-2*n)}
}

// Empty reports whether r has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

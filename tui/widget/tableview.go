package widget

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// layout places the columns in w cells; a dropped column has W 0. The first two cells are for the
// cursor.
func (t *Table[T]) layout(w int) []Rect {
	show := make([]bool, len(t.Cols))
	for i := range show {
		show[i] = !t.Cols[i].hidden()
	}
	// drop drops the least needed column; false if all are needed.
	drop := func(spare bool) bool {
		worst := -1
		for i, c := range t.Cols {
			if show[i] && c.Drop > 0 && (!spare || c.Spare && i != t.sort) &&
				(worst < 0 || c.Drop > t.Cols[worst].Drop) {
				worst = i
			}
		}
		if worst >= 0 {
			show[worst] = false
		}
		return worst >= 0
	}
	for least(t, show) > w && drop(false) {
	}
	out := share(t, w, show)
	for wishing(t, out) && drop(true) {
		out = share(t, w, show)
	}
	return out
}

// least returns the width that the shown columns need.
func least[T any](t *Table[T], show []bool) int {
	n := 2
	for i, c := range t.Cols {
		if show[i] {
			n += c.Width + c.gap()
		}
	}
	return n
}

// wishing reports whether a column has fewer cells than its wish.
func wishing[T any](t *Table[T], places []Rect) bool {
	known := len(t.asks) == len(t.Cols)
	for i, c := range t.Cols {
		if w := places[i].W; w > 0 && w < c.Wish && (!known || w < t.asks[i]) {
			return true
		}
	}
	return false
}

// share distributes cells to the shown columns: what they need, then the width of the texts of
// those with Flex, then the rest.
func share[T any](t *Table[T], w int, show []bool) []Rect {
	n := len(t.Cols)
	out, width, most, flex := make([]Rect, n), make([]int, n), make([]int, n), make([]int, n)
	spare, known := max(0, w-least(t, show)), len(t.asks) == n
	if i := t.signed - 1; i >= 0 && show[i] && spare > 0 {
		width[i]++
		spare--
	}
	for i, c := range t.Cols {
		if show[i] {
			flex[i], most[i] = c.Flex, cmp.Or(c.Max, math.MaxInt)
			if known && c.Flex > 0 && t.asks[i] < c.Width { // other columns may need the cells
				spare += c.Width - t.asks[i]
				width[i] -= c.Width - t.asks[i]
			}
		}
		width[i] += c.Width
	}
	if known {
		asked, even, alike := make([]int, n), make([]int, n), slices.Clone(width)
		for i := range asked {
			asked[i], even[i] = min(t.asks[i], most[i]), min(flex[i], 1)
		}
		growWidths(alike, asked, even, spare)
		for i := range asked { // columns with short texts are not cut for long ones
			if even[i] > 0 && width[i] < asked[i] && alike[i] == asked[i] {
				spare -= asked[i] - width[i]
				width[i] = asked[i]
			}
		}
		spare = growWidths(width, asked, flex, spare)
	}
	growWidths(width, most, flex, spare)
	x := 2
	for i, c := range t.Cols {
		if show[i] {
			out[i] = Rect{X: x, W: max(0, min(width[i], w-x))}
			x += out[i].W + c.gap()
		}
	}
	return out
}

// askStep is the step in which columns grow, so that the columns of a changing list seldom move.
const askStep = 2

// ask measures the texts of the visible rows; a width only grows until the table answers another
// question. The sort column needs one more cell for its sign.
func ask[T any](t *Table[T], c *Canvas) {
	if len(t.asks) != len(t.Cols) {
		t.asks = make([]int, len(t.Cols))
	}
	w, _ := c.Size()
	t.signed = 0
	if by, _ := sortedBy(t); by >= 0 && Width(head(t, c, by)) == t.Cols[by].Width {
		t.signed = by + 1
	}
	for i := range t.Cols {
		col := &t.Cols[i]
		if col.Flex == 0 || col.hidden() || t.asks[i] >= w {
			continue
		}
		t.asks[i] = max(t.asks[i], Width(head(t, c, i))+1) // with the sign of the order
		for y := t.top; y < min(t.top+t.height, len(t.view)); y++ {
			row := &t.rows[t.view[y]]
			text, _ := col.Cell(row)
			n := Width(text)
			if col.Tail != nil {
				rest, _ := col.Tail(row)
				n += Width(rest)
			}
			if n > t.asks[i] {
				t.asks[i] = (n + askStep - 1) / askStep * askStep
			}
		}
	}
}

// head returns the heading of column i.
func head[T any](t *Table[T], c *Canvas, i int) string {
	return cmp.Or(t.Cols[i].Head, c.T(t.Cols[i].Title))
}

// gap returns the cells between a column and the next.
func (c *Column[T]) gap() int {
	return Either(c.Join, 0, 1)
}

// Draw renders the head and the visible rows. focus means that keys go to this table. If there are
// no rows it writes empty, wrapped.
func (t *Table[T]) Draw(c *Canvas, focus bool, empty string) {
	w, h := c.Size()
	if w == 0 || h == 0 {
		return
	}
	t.SetHeight(h - 1)
	if len(t.view) == 0 {
		if t.query.Active() && len(t.rows) > 0 {
			l := c.theme.Lang
			empty = l.F("Nothing matches %s in %s. Press {clear_filter} to clear the filter.", quote(t.query.Text),
				l.N(len(t.rows), "row"))
		}
		DrawNote(c, empty)
		return
	}
	t.width = w
	ask(t, c)
	cols := t.layout(w)
	by, desc := sortedBy(t)
	for i, col := range t.Cols {
		if cols[i].W == 0 {
			continue
		}
		title, st := head(t, c, i), Head
		switch {
		case t.lit == i+1:
			st = Accent | Bold | Invert
		case t.sort == i:
			st = Head | Bold
		}
		if by == i {
			arrow := Either(desc, "▼", "▲")
			title = Fit(title, cols[i].W-1) + arrow
		}
		c.Fitted(cols[i].X, 0, cols[i].W, st, title, col.Right)
	}
	words := t.query.shown()
	if len(t.Lit) > 0 {
		words = append(words[:len(words):len(words)], t.Lit...)
	}
	for y := 0; y < t.height && t.top+y < len(t.view); y++ {
		row := &t.rows[t.view[t.top+y]]
		for i := range t.Cols {
			if cols[i].W == 0 {
				continue
			}
			text, st := t.Cols[i].Cell(row)
			if t.Cols[i].Ends {
				text = fitEnds(text, cols[i].W)
			}
			c.Fitted(cols[i].X, y+1, cols[i].W, st, text, t.Cols[i].Right)
			if t.Cols[i].Tail != nil {
				if room := cols[i].W - Width(text); room > 2 {
					rest, st := t.Cols[i].Tail(row)
					c.Fitted(cols[i].X+cols[i].W-room, y+1, room, st, rest, false)
				}
			}
		}
		if len(words) > 0 {
			c.mark(y+1, words)
		}
		key := t.Key(row)
		delete(t.fresh, key) // it has been seen
		if isMarked(t, t.top+y, key) {
			c.Text(1, y+1, Accent|Bold, markSign)
		}
		if t.top+y == t.cur {
			flag := Either(focus, Sel, soft)
			c.Text(0, y+1, Accent, "›")
			c.Paint(Rect{0, y + 1, w, 1}, flag)
		}
	}
}

// mark highlights the words of a filter on row y.
func (c *Canvas) mark(y int, words []string) {
	if y >= c.h {
		return
	}
	row := c.row(y)
	var b strings.Builder
	at := make([]int, 0, len(row)*3+1) // byte → cell
	for i := range row {
		s := strings.ToLower(c.g.text(row[i]))
		for range len(s) {
			at = append(at, i)
		}
		b.WriteString(s)
	}
	text := b.String()
	for _, word := range words {
		for from := 0; ; {
			k := strings.Index(text[from:], word)
			if k < 0 {
				break
			}
			k += from
			for i := at[k]; i <= at[k+len(word)-1]; i++ {
				row[i].st = row[i].st&^0xff | Mark | Bold
			}
			from = k + len(word)
		}
	}
}

// DrawNote writes a hint into the middle of an empty pane.
func DrawNote(c *Canvas, text string) {
	w, h := c.Size()
	lines := Wrap(c.T(text), max(1, min(w-2, 64)), max(1, h))
	y := max(0, (h-len(lines))/2)
	for i, l := range lines {
		c.Text(max(0, (w-Width(l))/2), y+i, Dim, l)
	}
}

// quote shortens text and puts it in quotation marks.
func quote(s string) string { return "“" + Fit(Clean(s), 24) + "”" }

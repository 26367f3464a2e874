package ui

import "strings"

// layout gives every column its place in w cells; a dropped column has W 0.
// The first two cells belong to the cursor.
func (t *Table[T]) layout(w int) []Rect {
	out := make([]Rect, len(t.Cols))
	show := make([]bool, len(t.Cols))
	for i := range show {
		show[i] = !t.Cols[i].hidden()
	}
	need := func() (fixed, flex int) {
		fixed = 2
		for i, c := range t.Cols {
			if show[i] {
				fixed += c.Width + 1
				flex += c.Flex
			}
		}
		return fixed, flex
	}
	fixed, flex := need()
	for fixed > w {
		worst := -1
		for i, c := range t.Cols {
			if show[i] && c.Drop > 0 && (worst < 0 || c.Drop > t.Cols[worst].Drop) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		show[worst] = false
		fixed, flex = need()
	}
	x, spare := 2, max(0, w-fixed)
	for i, c := range t.Cols {
		if !show[i] {
			continue
		}
		cw := c.Width
		if c.Flex > 0 {
			part := spare * c.Flex / flex
			if c.Max > 0 {
				part = min(part, c.Max-c.Width)
			}
			cw += part
			spare -= part
			flex -= c.Flex
		}
		cw = max(0, min(cw, w-x))
		out[i] = Rect{X: x, W: cw}
		x += cw + 1
	}
	return out
}

// Draw renders the head and the visible rows. focus says whether keys go to
// this table. When there is nothing to show it writes empty, wrapped.
func (t *Table[T]) Draw(c *Canvas, focus bool, empty string) {
	w, h := c.Size()
	if w == 0 || h == 0 {
		return
	}
	t.SetHeight(h - 1)
	if len(t.view) == 0 {
		if t.query.Active() && len(t.rows) > 0 {
			l := c.theme.Lang
			empty = l.F("Nothing matches %s in %s. Press esc to clear the filter.", quote(t.query.Text), l.N(len(t.rows), "row"))
		}
		DrawNote(c, empty)
		return
	}
	cols := t.layout(w)
	for i, col := range t.Cols {
		if cols[i].W == 0 {
			continue
		}
		title, st := c.T(col.Title), Head
		if t.sort == i {
			st = Head | Bold
			arrow := "▲"
			if t.desc {
				arrow = "▼"
			}
			title = Fit(title, cols[i].W-1) + arrow
		}
		c.Fitted(cols[i].X, 0, cols[i].W, st, title, col.Right)
	}
	words := t.query.Words()
	for y := 0; y < t.height && t.top+y < len(t.view); y++ {
		row := &t.rows[t.view[t.top+y]]
		for i := range t.Cols {
			if cols[i].W == 0 {
				continue
			}
			text, st := t.Cols[i].Cell(row)
			if t.Cols[i].Ends {
				text = FitEnds(text, cols[i].W)
			}
			c.Fitted(cols[i].X, y+1, cols[i].W, st, text, t.Cols[i].Right)
		}
		if len(words) > 0 {
			c.mark(y+1, words)
		}
		key := t.Key(row)
		delete(t.fresh, key) // it has been seen
		if t.top+y == t.cur {
			flag := Soft
			if focus {
				flag = Sel
			}
			c.Text(0, y+1, Accent, "›")
			c.Paint(Rect{0, y + 1, w, 1}, flag)
		}
	}
}

// mark shows where the words of a filter occur on row y.
func (c *Canvas) mark(y int, words []string) {
	if y >= c.h {
		return
	}
	row := c.row(y)
	var b strings.Builder
	at := make([]int, 0, len(row)*3+1) // byte → cell
	for i := range row {
		s := strings.ToLower(row[i].s)
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

// quote puts text in marks and keeps it short.
func quote(s string) string { return "“" + Fit(Clean(s), 24) + "”" }

package widget

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Part is text in one style; a TextLine is a list of them.
type Part struct {
	Style Style
	Text  string
}

// Text returns text in the style.
func (st Style) Text(text string) Part { return Part{st, text} }

// TextLine is one line before wrapping.
type TextLine []Part

// Width returns the number of cells of a line.
func (l TextLine) Width() (n int) {
	for _, p := range l {
		n += Width(p.Text)
	}
	return n
}

// text returns a line without its styles.
func (l TextLine) text() (s string) {
	for _, p := range l {
		s += p.Text
	}
	return s
}

// Line draws a line into w cells from x, with "…" if it is cut, and returns the x after it.
func (c *Canvas) Line(x, y, w int, l TextLine) int {
	end := x + w
	for _, p := range l {
		if room := end - x; room <= 0 || Width(p.Text) > room {
			return c.Text(x, y, p.Style, Fit(p.Text, max(0, room)))
		}
		x = c.Text(x, y, p.Style, p.Text)
	}
	return x
}

// slice returns the bytes from … to of a line with their styles.
func (l TextLine) slice(from, to int) TextLine {
	var out TextLine
	at := 0
	for _, p := range l {
		a, b := max(from-at, 0), min(to-at, len(p.Text))
		if a < b {
			out = append(out, Part{p.Style, p.Text[a:b]})
		}
		at += len(p.Text)
	}
	return out
}

// Lines makes plain lines of an untrusted text.
func Lines(text string) []TextLine {
	return Map(strings.Split(cleanText(text), "\n"), func(l string) TextLine { return TextLine{{Plain, l}} })
}

// Text is a scrollable text, wrapped by cell, with search; bubbles' viewport cuts strings with
// their own colours. It wraps once for each text and width, at most maxLines. It is for one
// goroutine.
type Text struct {
	Indent int      // indentation of continuation lines
	Lit    []string // words to highlight besides those of the search, lower case

	src   []TextLine
	lines []TextLine
	width int
	top   int
	h     int
	query Filter
	hits  []int
}

const maxLines = 20000

// Set replaces the lines and scrolls to the top.
func (t *Text) Set(src []TextLine) { t.src, t.top, t.width = src, 0, -1 }

// Scroll and Move move the window by n lines; Home and End go to the ends.
func (t *Text) Scroll(n int) { t.top = max(0, min(t.top+n, len(t.lines)-t.h)) }
func (t *Text) Move(n int)   { t.Scroll(n) }
func (t *Text) Home()        { t.top = 0 }
func (t *Text) End()         { t.Scroll(len(t.lines)) }

// At returns the first visible line.
func (t *Text) At() int { return t.top }

// Page returns how far PgDn scrolls.
func (t *Text) Page() int { return max(1, t.h-1) }

// SetFilter highlights the words of f and scrolls to the first hit at or below the top; it needs no
// Cmd.
func (t *Text) SetFilter(f Filter) tea.Cmd {
	t.query = f
	t.find()
	t.jump(t.top, 1)
	return nil
}

// Filter returns the search in force.
func (t *Text) Filter() Filter { return t.query }

// Hits counts the lines with hits.
func (t *Text) Hits() int { return len(t.hits) }

// Again scrolls to the next line with a hit, or the previous one for step -1, wrapping around.
func (t *Text) Again(step int) { t.jump(t.top+step, step) }

// jump scrolls to the first hit at or after a line, or at or before it for step -1.
func (t *Text) jump(from, step int) {
	if len(t.hits) == 0 {
		return
	}
	i, hit := slices.BinarySearch(t.hits, from)
	if step < 0 && !hit {
		i--
	}
	t.top = t.hits[(i+len(t.hits))%len(t.hits)]
}

func (t *Text) find() {
	t.hits = t.hits[:0]
	words := t.query.shown()
	if len(words) == 0 {
		return
	}
	for i, l := range t.lines {
		s := strings.ToLower(l.text())
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) }) {
			t.hits = append(t.hits, i)
		}
	}
}

func (t *Text) wrap(w int) {
	t.width = w
	t.lines = t.lines[:0]
	for _, l := range t.src {
		if len(t.lines) >= maxLines {
			break
		}
		if l.Width() <= w {
			t.lines = append(t.lines, l)
			continue
		}
		at, all := 0, l.text()
		room, margin := w, TextLine(nil)
		for at < len(all) && len(t.lines) < maxLines {
			most := maxLines - len(t.lines)
			if at == 0 && t.Indent > 0 && t.Indent < w/2 {
				most = 1 // the first line is wider
			}
			pieces := Wrap(all[at:], room, most)
			for _, s := range pieces {
				at += max(0, strings.Index(all[at:], s)) // spaces around a break are dropped
				t.lines = append(t.lines, append(margin[:len(margin):len(margin)], l.slice(at, at+len(s))...))
				at += len(s)
			}
			if most > 1 || len(pieces) == 0 {
				break
			}
			room, margin = w-t.Indent, TextLine{{Text: strings.Repeat(" ", t.Indent)}}
			at += len(all[at:]) - len(strings.TrimLeft(all[at:], " "))
		}
	}
	t.find()
}

// Draw renders the visible lines. The pane's note announces lines below (see Note).
func (t *Text) Draw(c *Canvas) {
	w, h := c.Size()
	if w != t.width {
		t.wrap(w)
	}
	t.h = h
	t.top = max(0, min(t.top, len(t.lines)-1))
	for y := 0; y < h && t.top+y < len(t.lines); y++ {
		x := 0
		for _, p := range t.lines[t.top+y] {
			x = c.Text(x, y, p.Style, p.Text)
		}
		if words := t.query.shown(); len(words)+len(t.Lit) > 0 {
			c.mark(y, append(words[:len(words):len(words)], t.Lit...))
		}
	}
}

// Note returns the visible range: "34–60 / 210", "" if all is visible.
func (t *Text) Note() string {
	if len(t.lines) <= t.h || t.h == 0 {
		return ""
	}
	return Count(t.top+1) + "–" + Count(min(t.top+t.h, len(t.lines))) + " / " + Count(len(t.lines))
}

// Replace replaces the lines and keeps the scroll position, for newer data of the same page.
func (t *Text) Replace(src []TextLine) {
	t.src = src
	if t.width > 0 {
		t.wrap(t.width)
	}
}

// AtEnd reports whether the last line is visible.
func (t *Text) AtEnd() bool { return t.top+t.h >= len(t.lines) }

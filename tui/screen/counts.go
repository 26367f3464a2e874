package screen

import "angler/tui/ui"

// Counts is a column of counts; it sorts by them.
func Counts[T any](title string, width, drop int, count func(*T) int) ui.Column[T] {
	return ui.Column[T]{Title: title, Width: width, Right: true, Drop: drop,
		Cell:   func(r *T) (string, ui.Style) { return ui.Count(count(r)), ui.Plain },
		Number: func(r *T) float64 { return float64(count(r)) }}
}

// Lists is how many aggregation pages there are, "…" until pages are judged after the
// opening.
func (sh *Shared) Lists() string {
	if sh.Snap.Unjudged() {
		return "…"
	}
	return ui.Count(sh.Snap.Counts.Aggregations)
}

// Reading says that what follows from scores is not known yet.
func (sh *Shared) Reading() string { return sh.T("reading scores") + " …" }

// Score is a page's score to three digits, "…" until pages are judged after the
// opening.
func (sh *Shared) Score(v float64) string {
	if sh.Snap.Unjudged() {
		return "…"
	}
	return ui.Score(v, 3)
}

// Found is a column of counts in a style, for lists of which many rows have none: a dot
// stands for it.
func Found[T any](title string, width, drop int, st ui.Style, count func(*T) int) ui.Column[T] {
	c := Counts(title, width, drop, count)
	c.Cell = func(r *T) (string, ui.Style) {
		if n := count(r); n != 0 {
			return ui.Count(n), st
		}
		return "·", ui.Dim
	}
	return c
}

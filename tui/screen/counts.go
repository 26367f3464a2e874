package screen

import (
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/widget"
)

// Counts is a column of counts; it sorts by them.
func Counts[T any](title string, width, drop int, count func(*T) int) widget.Column[T] {
	return widget.Column[T]{Title: title, Width: width, Right: true, Drop: drop,
		Number: func(r *T) float64 { return float64(count(r)) }}
}

// Lists returns the number of aggregation pages, "…" until pages are judged after opening.
func (sh *Shared) Lists() string {
	return widget.Either(sh.Snap.Unjudged(), "…", widget.Count(sh.Snap.Counts.Aggregations))
}

// Reading says that scores are not known yet.
func (sh *Shared) Reading() string { return sh.T("reading scores") + " …" }

// NoLists says why there is no aggregation page, and how to get some.
func (sh *Shared) NoLists() string {
	switch s := sh.Snap; {
	case s.Unjudged():
		return sh.Reading()
	case s.Counts.Samples == 0:
		return "No page lies above θ yet. Mark samples on screen {screen_samples}, press {discovery} to start a " +
			"discovery, tune θ on screen {screen_threshold}."
	case s.State != view.Idle:
		return "No list is found yet. A page that scores θ or more is one."
	case s.Counts.Pages == 0:
		return "No page is fetched yet. Press {discovery} to start a discovery."
	}
	return "No page scores θ or more. Lower θ on screen {screen_threshold}, or press {discovery} to bring more pages."
}

// Score returns a page's score to three digits, "…" until pages are judged after opening.
func (sh *Shared) Score(v float64) string {
	return widget.Either(sh.Snap.Unjudged(), "…", widget.Score(v, 3))
}

// Found is a column of counts in a style, for lists with many zeros, which it shows as a dot.
func Found[T any](title string, width, drop int, st widget.Style, count func(*T) int) widget.Column[T] {
	c := Counts(title, width, drop, count)
	c.Cell = func(r *T) (string, widget.Style) {
		if n := count(r); n != 0 {
			return widget.Count(n), st
		}
		return "·", widget.Dim
	}
	return c
}

// Advice says what the samples lack.
func Advice(sh *Shared) string {
	switch sh.Snap.Advice {
	case decisions.AdviceOne:
		return sh.T("one sample so far; add 1 or 2 from other sites")
	case decisions.AdviceKinds:
		return sh.T("the samples are of two unlike kinds")
	}
	return ""
}

package topic

import (
	"angler/crawl/decisions"
	"angler/tui/widget"
)

// This file draws precision, recall and F1 of the rule "score ≥ θ" on the
// labels, for every θ at once.

const (
	curvePoints = 400 // number of thresholds on the curve
	curveH      = 10  // height of the pane with its frame
)

// curves returns precision, recall and F1 at n evenly spaced thresholds of 0 … 1; NaN if undefined.
func curves(marks []decisions.LabelMark, n int) (out [3][]float64) {
	for k := range out {
		out[k] = make([]float64, n)
	}
	for i := range n {
		out[0][i], out[1][i], out[2][i] = agreement(marks, float64(i)/float64(n-1))
	}
	return out
}

func (s *threshold) drawCurves(c *widget.Canvas, _ bool) {
	w, h := c.Size()
	yes, no, _ := counted(s.data.marks)
	if yes == 0 || no == 0 {
		widget.DrawNote(c, s.load.State("The curves need a page labelled yes and one labelled no."))
		return
	}
	plot := c.Sub(widget.Rect{X: 4, Y: 0, W: w - 4, H: h - 1})
	pw, ph := plot.Size()
	here, now := s.column(s.here, pw), s.column(s.now(), pw)
	if now != here {
		plot.Fill(widget.Rect{X: now, W: 1, H: ph}, widget.Dim, "┊")
	}
	plot.Fill(widget.Rect{X: here, W: 1, H: ph}, widget.Accent, "┃")
	// F1 last, so that it is visible where the lines cross.
	for k, st := range []widget.Style{widget.Key, widget.Bar, widget.Warn | widget.Bold} {
		widget.Curve(plot, st, s.data.curves[k])
	}
	c.Text(0, 0, widget.Dim, "1.0")
	c.Text(1, h-2, widget.Dim, "0")
	x := 4
	p, r, f1 := agreement(s.data.marks, s.here)
	for _, l := range []struct {
		name  string
		value float64
		st    widget.Style
	}{{"P", p, widget.Key}, {"R", r, widget.Bar}, {"F1", f1, widget.Warn | widget.Bold}} {
		x = c.Text(x, h-1, l.st, l.name+" "+widget.Score(l.value, 2)) + 2
	}
	x = c.Text(x, h-1, widget.Dim, c.Theme().Lang.F("at θ %s", widget.Score(s.here, 3))) + 2
	if s.data.bestF1 > 0 {
		c.Text(x, h-1, widget.Dim,
			c.Theme().Lang.F("best %s at %s", widget.Score(s.data.bestF1, 2), widget.Score(s.data.best, 3)))
	}
}

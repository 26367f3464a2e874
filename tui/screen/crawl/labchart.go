package crawl

import (
	"cmp"
	"math"
	"slices"

	"angler/crawl/lab"
	"angler/tui/widget"
)

// This file draws the recall curves of the lab: fetched pages on the x axis, found targets on the y
// axis, a mark for each link order.

// RecallCurves returns the curves of a comparison for widget.PlotMarks, best on top.
func RecallCurves(rows []*lab.Summary) []widget.Series {
	return widget.Map(rows, func(s *lab.Summary) widget.Series {
		return widget.Series{Rank: s.Position.Mean, At: func(share float64) float64 {
			n := int(share*float64(s.Pages) + 1e-9)
			return s.Mean(func(c lab.Curve) float64 { return c.Recall(n) })
		}}
	})
}

// curveStyle colours a curve; its mark identifies it without colour.
func curveStyle(i int) widget.Style {
	return []widget.Style{widget.Accent, widget.Good, widget.Key, widget.Bad, widget.Bar, widget.Warn, widget.Plain,
		widget.Head}[i%8]
}

func (s *labScreen) chartTitle() string {
	if s.result == nil {
		return "targets found over pages fetched"
	}
	r := s.result
	return s.F("%s found over %s fetched · finds %s", s.N(r.Targets, "target"),
		s.N(r.Pages, "page"), s.T(widget.Fit(widget.Clean(r.Target), 30)))
}

func (s *labScreen) chartNote() string {
	switch r := s.result; {
	case r == nil:
		return ""
	case r.Unreached > 0:
		return s.F("%s cannot be reached from the seeds", s.N(r.Unreached, "target"))
	case r.Unknown > 0:
		return s.F("%s: no such page is stored", s.N(r.Unknown, "target"))
	}
	return ""
}

func (s *labScreen) drawChart(c *widget.Canvas, _ bool) {
	sh := s.Shared
	w, h := c.Size()
	switch {
	case s.err != nil:
		widget.DrawNote(c, sh.F("Nothing was compared: %s", sh.Reason(s.err)))
		return
	case s.asked.Busy() && s.result == nil:
		job := sh.Snap.Job
		if job.Total == 0 {
			widget.DrawNote(c, "the replay begins … {cancel} cancels")
			return
		}
		widget.DrawNote(c,
			sh.F("%s: %s of %s · {cancel} cancels", sh.T(widget.Clean(job.Name)), job.Done,
				job.Total))
		return
	case s.result == nil && sh.Snap.Counts.Pages == 0:
		widget.DrawNote(c, "Nothing is stored yet. Press {discovery} to crawl; the lab replays stored crawls.")
		return
	case s.result == nil:
		widget.DrawNote(c,
			"Mark link orders with {mark}, choose a target with {lab_target}, and press {replay}: "+
				"the stored crawl is replayed under each order, without the network.")
		return
	}
	rows := s.result.Rows
	legend := s.drawLegend(c, rows)
	in := c.Sub(widget.Rect{X: 6, W: w - 6, H: h - legend - 1})
	pw, ph := in.Size()
	for y := 0; y < ph; y++ {
		c.Text(5, y, widget.Line, "│")
	}
	for quarter := range 4 {
		if y := quarter * ph / 4; quarter == 0 || y > 0 && ph >= 8 {
			c.Fitted(0, y, 5, widget.Dim, widget.Count(100-25*quarter)+" %", true)
		}
	}
	c.Fill(widget.Rect{X: 5, Y: ph, W: w - 5, H: 1}, widget.Line, "─")
	end := " " + sh.N(s.result.Pages, "page") + " "
	c.Text(max(6, w-widget.Width(end)), ph, widget.Dim, end)
	if sh.ASCII {
		for i, k := range widget.PlotMarks(pw, ph, RecallCurves(rows)) {
			if k >= 0 {
				in.Text(i%pw, i/pw, curveStyle(k), widget.CurveMark(k, true))
			}
		}
		return
	}
	drawCurves(in, RecallCurves(rows))
}

// drawCurves draws fine curves, best on top. Marks along each curve identify it without colour.
func drawCurves(c *widget.Canvas, curves []widget.Series) {
	w, h := c.Size()
	if w == 0 || h == 0 {
		return
	}
	order := make([]int, len(curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(curves[a].Rank, curves[b].Rank) })
	for _, i := range order {
		ys := make([]float64, 2*w)
		for x := range ys {
			ys[x] = curves[i].At(float64(x+1) / float64(len(ys)))
		}
		widget.Curve(c, curveStyle(i), ys)
	}
	every := max(12, 3*len(curves))
	for _, i := range order {
		for x := every * (i + 1) / (len(curves) + 1); x < w; x += every {
			y := int(math.Round((1-curves[i].At((float64(x)+1)/float64(w)))*float64(4*h-1))) / 4
			c.Text(x, max(0, min(h-1, y)), curveStyle(i)|widget.Bold, widget.CurveMark(i, false))
		}
	}
}

// drawLegend draws the legend of the marks along the bottom and returns its rows.
func (s *labScreen) drawLegend(c *widget.Canvas, rows []*lab.Summary) int {
	w, h := c.Size()
	type place struct{ x, y int }
	at := make([]place, len(rows))
	x, y := 1, 0
	name := func(r *lab.Summary) string { return s.Value("", r.Strategy) }
	for i, r := range rows {
		if n := widget.Width(name(r)) + 4; x+n > w && x > 1 {
			x, y = 1, y+1
		}
		at[i] = place{x, y}
		x += widget.Width(name(r)) + 4
	}
	if y+1 > h/2 { // the curves are more important
		return 0
	}
	how := s.T("right: pages fetched; up: targets found; the curve that rises first is best")
	end, told := x, true
	if end+widget.Width(how) > w {
		if end, told = 1, y+2 <= h/2 && 1+widget.Width(how) <= w; told {
			y++
		}
	}
	if told {
		c.Text(end, h-1, widget.Dim, how)
	}
	for i, r := range rows {
		x := c.Text(at[i].x, h-1-y+at[i].y, curveStyle(i)|widget.Bold, widget.CurveMark(i, s.ASCII))
		c.Text(x+1, h-1-y+at[i].y, widget.Plain, name(r))
	}
	return y + 1
}

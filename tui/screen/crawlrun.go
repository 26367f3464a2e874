package screen

import (
	"strconv"

	"angler/crawl"
	"angler/tui/ui"
)

// This file draws the two panes of the crawl screen that are no tables.

func itoa(n int) string { return strconv.Itoa(n) }

// drawCurve draws the harvest rate (relevant fetched ÷ fetched) over the pages
// fetched in this run.
func drawCurve(c *ui.Canvas, e *Env) {
	w, h := c.Size()
	pts := e.Snap.Curve
	if len(pts) < 2 {
		ui.DrawNote(c, "The curve begins with the first pages. Press S to scout.")
		return
	}
	peak := 0.0
	for _, p := range pts {
		if p.Fetched > 0 {
			peak = max(peak, float64(p.Found)/float64(p.Fetched))
		}
	}
	if peak == 0 {
		peak = 1
	}
	// Resample by the number fetched, so that the x axis is even though the
	// points need not be.
	n := max(2, (w-5)*2)
	ys := make([]float64, n)
	last, k := pts[len(pts)-1].Fetched, 0
	for i := range ys {
		at := max(1, last*i/(n-1))
		for k < len(pts)-1 && pts[k+1].Fetched <= at {
			k++
		}
		ys[i] = float64(pts[k].Found) / float64(max(1, pts[k].Fetched)) / peak
	}
	c.Text(0, 0, ui.Dim, ui.Score(peak, 2))
	if h > 2 {
		c.Text(0, h-2, ui.Dim, "0")
	}
	for y := 0; y < h-1; y++ {
		c.Text(4, y, ui.Line, "│")
	}
	c.Fill(ui.Rect{X: 4, Y: h - 1, W: w - 4, H: 1}, ui.Line, "─")
	end := e.F(" %s fetched · %s found ", ui.Count(last), ui.Count(pts[len(pts)-1].Found))
	c.Text(max(5, w-ui.Width(end)), h-1, ui.Dim, end)
	ui.Curve(c.Sub(ui.Rect{X: 5, Y: 0, W: w - 5, H: h - 1}), ui.Bar, ys)
}

// drawCounts says what the run does, why it does not, and the four states.
func (s *Crawl) drawCounts(c *ui.Canvas) {
	e, snap := s.env, s.env.Snap
	w, h := c.Size()
	n := snap.Counts
	type fact struct {
		name, val string
		st        ui.Style
	}
	idle := fact{"idle?", e.F("no: %d of %d workers busy", snap.Busy, snap.Workers), ui.Good}
	if snap.Why != "" {
		idle = fact{"idle?", e.F("yes: %s", e.Line(ui.Clean(snap.Why))), ui.Warn}
	} else if snap.State == crawl.Paused {
		idle = fact{"idle?", "yes: paused; space lets it go on", ui.Warn}
	} else if snap.State == crawl.Idle {
		idle = fact{"idle?", "yes: no run; S scouts, H harvests", ui.Dim}
	}
	bad := ui.Plain
	if n.Exception > 0 {
		bad = ui.Bad
	}
	facts := []fact{idle,
		{"waiting", ui.Count(n.Waiting), ui.Plain}, {"processing", ui.Count(n.Processing), ui.Plain},
		{"complete", ui.Count(n.Complete), ui.Plain}, {"exception", ui.Count(n.Exception), bad},
		{"beyond depth", ui.Count(n.Beyond), ui.Plain}, {"strategy", snap.Strategy, ui.Plain},
		{"workers", ui.Count(snap.Workers), ui.Plain}, {"labels", ui.Count(n.Labels), ui.Plain},
	}
	if snap.Err != "" {
		facts = append([]fact{{"stopped by", e.Line(ui.Clean(snap.Err)), ui.Bad}}, facts...)
	}
	for _, f := range snap.Filtered {
		facts = append(facts, fact{e.F("filtered: %s", e.T(ui.Clean(f.Reason))), ui.Count(f.N), ui.Dim})
	}
	// The first facts take a line each, then two or three columns of the rest.
	y := 0
	for len(facts) > 0 && (facts[0].name == "idle?" || facts[0].name == "stopped by") {
		x := c.Text(1, y, ui.Dim, e.T(facts[0].name)+" ")
		c.Text(x, y, facts[0].st, ui.Fit(e.T(facts[0].val), w-x))
		facts, y = facts[1:], y+1
	}
	cols := max(1, min(3, w/24))
	for i, f := range facts {
		row, col := y+i/cols, i%cols
		if row >= h {
			break
		}
		cw := w / cols
		sub := c.Sub(ui.Rect{X: col*cw + 1, Y: row, W: cw - 2, H: 1})
		vw := ui.Width(f.val)
		sub.Text(0, 0, ui.Dim, ui.Fit(e.T(f.name), cw-3-vw))
		sub.Fitted(cw-2-vw, 0, vw, f.st, f.val, true)
	}
}

package crawl

import (
	"math"
	"math/bits"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file draws the two panes of the crawl screen that are not tables.

// drawCurve draws the harvest rate (relevant fetched ÷ fetched) over the pages
// fetched in this run.
func drawCurve(c *widget.Canvas, sh *screen.Shared) {
	w, h := c.Size()
	pts := sh.Snap.Curve
	if len(pts) < 2 {
		widget.DrawNote(c, "The curve begins with the first pages. Press {discovery} to start a discovery.")
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
	// Resample by the number fetched, so that the x axis is even. It ends at a round number, so that
	// the curve stays in place while some pages arrive.
	n := max(2, (w-5)*2)
	ys := make([]float64, n)
	last, k := pts[len(pts)-1].Fetched, 0
	step := max(1, 1<<bits.Len(uint(last))>>4) // an eighth to a sixteenth
	end := (last + step - 1) / step * step
	for i := range ys {
		at := max(1, end*i/(n-1))
		if at > last {
			ys[i] = math.NaN()
			continue
		}
		for k < len(pts)-1 && pts[k+1].Fetched <= at {
			k++
		}
		ys[i] = float64(pts[k].Found) / float64(max(1, pts[k].Fetched)) / peak
	}
	c.Text(0, 0, widget.Dim, widget.Score(peak, 2))
	if h > 2 {
		c.Text(0, h-2, widget.Dim, "0")
	}
	for y := 0; y < h-1; y++ {
		c.Text(4, y, widget.Line, "│")
	}
	c.Fill(widget.Rect{X: 4, Y: h - 1, W: w - 4, H: 1}, widget.Line, "─")
	found := sh.F(" %s found ", pts[len(pts)-1].Found)
	c.Text(max(5, w-widget.Width(found)), h-1, widget.Dim, found)
	widget.Curve(c.Sub(widget.Rect{X: 5, Y: 0, W: w - 5, H: h - 1}), widget.Bar, ys)
}

// fact is one named figure of the run.
type fact struct {
	name, val string
	st        widget.Style
}

// idle says whether the run makes progress, and why not.
func idle(sh *screen.Shared) fact {
	snap := sh.Snap
	switch {
	case snap.WhyIdle() != "" && (snap.State != view.Paused || snap.Pressing):
		st := widget.Either(snap.Pressing, widget.Warn, widget.Dim)
		return fact{"idle?", sh.F("yes: %s", sh.Says(snap.WhyIdle())), st}
	case snap.State == view.Paused:
		return fact{"idle?", sh.T("yes: paused; {pause} lets it go on"), widget.Warn}
	case snap.State == view.Idle:
		return fact{"idle?", sh.T("yes: no run; {discovery} starts a discovery, {harvest} a harvest"), widget.Dim}
	}
	if snap.Busy == 0 && snap.Patient {
		return fact{"idle?", sh.T("no: waiting for the delay of each host"), widget.Good}
	}
	return fact{"idle?", sh.F("no: %d of %d workers busy", snap.Busy, snap.Workers), widget.Good}
}

// noRequest says why nothing is being fetched.
func (s *crawl) noRequest() string {
	i := idle(s.Shared)
	switch {
	case i.st == widget.Good && s.Snap.Patient:
		return "Nothing at this moment: waiting for the delay of each host."
	case i.st == widget.Good:
		return "Every page is on its way home."
	case s.Snap.State == view.Idle:
		return "Nothing is being fetched: no run."
	}
	return i.val
}

// drawCounts shows the run's activity, why it waits, and the four states.
func (s *crawl) drawCounts(c *widget.Canvas) {
	sh, snap := s.Shared, s.Snap
	w, h := c.Size()
	lines := []fact{idle(sh)}
	if last := snap.Last; last != nil && s.idle() {
		_, st := runEnd(sh, last)
		if st == widget.Plain {
			st = widget.Good
		}
		lines = append([]fact{{"", brought(sh, last), st}}, lines...)
	}
	if snap.Err != "" {
		lines = append([]fact{{"stopped by", sh.Says(snap.Err), widget.Bad}}, lines...)
	}
	y := 0
	for _, f := range lines {
		x := 0
		if f.name != "" {
			x = c.Text(0, y, widget.Dim, sh.T(f.name)+" ")
		}
		rows := 1 // a fixed number, so that lower rows stay in place
		switch {
		case h >= 16:
			rows = 3
		case h >= 9:
			rows = 2
		}
		for i, l := range widget.Wrap(f.val, max(8, w-x), rows) {
			c.Text(x, y+i, f.st, l)
		}
		y += rows
	}
	if f, ok := rendering(sh); ok {
		x := c.Text(0, y, widget.Dim, sh.T(f.name)+" ")
		for i, l := range widget.Wrap(f.val, max(8, w-x), 2) {
			c.Text(x, y, f.st, l)
			y += min(1, i+1)
		}
	}
	facts := s.facts()
	y = drawFacts(c.Sub(widget.Rect{Y: y, W: w, H: h - y}), sh, facts, 16) + y
	y += s.drawSeen(c.Sub(widget.Rect{Y: y, W: w, H: h - y}))
	filtered := widget.Map(snap.Filtered, func(f view.FilterCount) fact {
		return fact{sh.F("filtered: %s", sh.T(widget.Clean(f.Reason))), widget.Count(f.N), widget.Dim}
	})
	drawFacts(c.Sub(widget.Rect{Y: y, W: w, H: h - y}), sh, filtered, 28)
}

// facts are the figures of the pane.
func (s *crawl) facts() []fact {
	snap := s.Snap
	n := snap.Counts
	bound := widget.Either(snap.Bound > 0, widget.Count(snap.Bound), "–")
	beyond := widget.Count(n.Beyond)
	if q := s.waiting.queue; s.idle() { // without a run the store knows it
		beyond = "–"
		if q != nil {
			beyond = widget.Count(q.Beyond)
		}
	}
	return []fact{
		// a fetched page changes one row
		{"waiting", widget.Count(n.Waiting), widget.Plain}, {"complete", widget.Count(n.Complete), widget.Plain},
		{"processing", widget.Count(n.Processing), widget.Plain},
		{"exception", widget.Count(n.Exception), widget.Plain},
		{"beyond", beyond, widget.Plain}, {"on disk", widget.Count(snap.OnDisk), widget.Plain},
		{"workers", widget.Count(snap.Workers), widget.Plain}, {"delay", widget.Span(snap.Delay), widget.Plain},
		{"depth", widget.Count(snap.Depth), widget.Plain}, {"budget", bound, widget.Plain},
	}
}

// figures returns the facts as explainable figures.
func (s *crawl) figures() (out []screen.Figure) {
	for _, f := range s.facts() {
		out = append(out, screen.Named("", f.name, f.val))
	}
	snap := s.Snap
	return append(out, screen.Named("", "busy", widget.Count(snap.Busy)),
		screen.Named("", "in flight", widget.Count(len(snap.InFlight))))
}

// drawSeen shows the figures of the Bloom filter in front of the known URLs: in one line, in two if
// there is height, or shortened. It returns the number of lines.
func (s *crawl) drawSeen(c *widget.Canvas) int {
	f := s.Snap.Seen
	w, h := c.Size()
	if f.Bits == 0 || h <= 0 {
		return 0
	}
	maybe, wrong, fill := widget.Count(int(f.Maybe)), widget.Count(int(f.False)), widget.Percent(f.Fill)
	rate := strconv.FormatFloat(f.FalseRate, 'g', 1, 64)
	sh := s.Shared
	says := []string{
		sh.F("Bloom m %s · k %d · fill %s · error %s · maybe %s, false %s", int(f.Bits), f.Hashes, fill,
			rate, maybe, wrong),
		sh.F("Bloom k %d · fill %s · maybe %s, false %s", f.Hashes, fill, maybe, wrong),
		sh.F("Bloom maybe %s, false %s", maybe, wrong),
	}
	var lines []string
	for _, text := range says {
		if lines = widget.Wrap(text, max(8, w), 3); len(lines) == 1 || len(lines) == 2 && h >= 5 {
			break
		}
	}
	for y, l := range lines {
		c.Text(0, y, widget.Dim, l)
	}
	return len(lines)
}

// drawFacts draws facts in two to four columns of at least least cells, and returns the number of
// rows.
func drawFacts(c *widget.Canvas, sh *screen.Shared, facts []fact, least int) int {
	w, _ := c.Size()
	cols := max(1, min(4, w/least))
	if cols == 3 {
		cols = 2 // the four states form a square
	}
	cw := w / cols
	for i, f := range facts {
		fw := cw
		if i%cols < cols-1 {
			fw -= 2 // between two columns
		}
		sub := c.Sub(widget.Rect{X: i % cols * cw, Y: i / cols, W: fw, H: 1})
		vw := widget.Width(f.val)
		sub.Text(0, 0, widget.Dim, widget.Fit(sh.T(f.name), fw-1-vw))
		sub.Fitted(fw-vw, 0, vw, f.st, f.val, true)
	}
	return (len(facts) + cols - 1) / cols
}

// eventKeys select the listed events.
func (s *crawl) eventKeys() []screen.Binding {
	return []screen.Binding{screen.Bind(keymap.Trouble, "", func() tea.Cmd {
		s.least = (s.least + 1) % 3
		if s.least == 0 {
			return s.events.SetOnly(nil)
		}
		least := s.least
		return s.events.SetOnly(func(k *kindRow) bool { return ranks[k.Newest.Kind] >= least })
	})}
}

package topic

import (
	"strconv"

	"slices"

	"angler/tui/screen"
	"angler/tui/widget"
)

// This file draws the threshold screen: the histogram, its axes, the marks of the samples, and the
// cost of θ.

func (s *threshold) title() string {
	n := 0
	if s.data.scores != nil {
		n = s.data.scores.N
	}
	return s.F("similarity of %s · scheme %s · %s", s.N(n, "page"),
		s.Value("", s.Snap.Scheme), judgedBy(s.Shared))
}

// unread reports whether pages were unjudged when the scores were read, or are now.
func unread(s *threshold) bool {
	snap := s.Snap
	return snap.Unjudged() || s.data.scores != nil && s.data.scores.ModelRev == 0 && snap.ModelRev != 0
}

func (s *threshold) hint() string {
	if s.moving {
		return s.T("{theta_apply} applies · {theta_back} goes back")
	}
	if !noNegative(s.Shared) {
		return s.F("● %s · %s %s", s.T("samples"), screen.NegativeSign, s.T("negative samples"))
	}
	return ""
}

func (s *threshold) draw(c *widget.Canvas) {
	w, h := c.Size()
	sc := s.data.scores
	if sc == nil || sc.N == 0 {
		hint := "No page has a score yet. Mark sample pages on screen {screen_samples} (press {screen_samples}, " +
			"then {sample})."
		if s.Snap.Counts.Samples > 0 {
			hint = "No page has a score yet. Press {discovery} to start a discovery."
		}
		if s.Snap.Counts.Samples > 0 && !s.Snap.DictReady {
			hint = "Scores come after the dictionary, which is being loaded."
		}
		widget.DrawNote(c, s.load.State(hint))
		return
	}
	if noTopic(s.Shared) {
		widget.DrawNote(c, "No topic yet: make pages samples with {sample} on screen {screen_samples}.")
		return
	}
	if unread(s) {
		widget.DrawNote(c, s.Reading())
		return
	}
	if s.Snap.TopicErr != "" {
		widget.DrawNote(c, s.F("There are no scores: %s.", s.Line(s.Snap.TopicErr)))
		return
	}
	legend := []below{{0, s.drawAxis}, {3, s.drawSamples}, {4, s.drawLeave}}
	legend = append(legend, s.labelRows(h)...)
	if s.Snap.Learner.InUse {
		legend = append(legend, below{0, s.drawJudge})
	}
	hand := 3 // keeps the place of the preview while it equals θ
	if s.moving {
		hand = 0
	}
	legend = append(legend, below{1, s.drawNow}, below{hand, s.drawHere})
	legend = append(append(legend, ruleRows(s, w)...), below{1, s.drawTicks})
	legend = fewer(legend, max(1, h-4))
	plotH := h - len(legend)
	plot := widget.Rect{X: axisW, Y: 0, W: max(0, w-axisW-1), H: max(0, plotH)}
	s.drawPlot(c, plot)
	for i, row := range legend {
		row.draw(c, plotH+i)
	}
}

// below is one row under the plot; a low pane drops rows from the highest rank down.
type below struct {
	rank int
	draw func(c *widget.Canvas, y int)
}

func fewer(rows []below, n int) []below {
	for len(rows) > n {
		worst := 0
		for i, r := range rows {
			if r.rank >= rows[worst].rank {
				worst = i
			}
		}
		rows = slices.Delete(rows, worst, worst+1)
	}
	return rows
}

// column returns the plot's column of score v.
func (s *threshold) column(v float64, w int) int {
	return max(0, min(w-1, int(v*float64(w))))
}

func (s *threshold) drawPlot(c *widget.Canvas, r widget.Rect) {
	if r.Empty() {
		return
	}
	bins := s.data.bins
	if len(bins) != r.W { // the histogram of the new size has not arrived
		fit := make([]int, r.W)
		for i, n := range bins {
			fit[i*r.W/len(bins)] += n
		}
		bins = fit
	}
	log := widget.NeedsLog(bins)
	here, now := s.column(s.here, r.W), s.column(s.now(), r.W)
	sub := c.Sub(r)
	widget.Histogram(sub, bins, here, log)
	peak := 0
	for _, n := range bins {
		peak = max(peak, n)
	}
	if now != here {
		sub.Fill(widget.Rect{X: now, Y: 0, W: 1, H: r.H}, widget.Dim, "┊")
	}
	sub.Fill(widget.Rect{X: here, Y: 0, W: 1, H: r.H}, widget.Accent, "┃")
	unit := widget.Either(log, "log", "pages")
	c.Text(0, 0, widget.Dim, shortCount(peak))
	if r.H > 3 {
		c.Say(0, 1, widget.Dim, unit)
	}
	if r.H > 5 {
		c.Text(0, r.H/2, widget.Dim, shortCount(widget.Unscale(.5, peak, log)))
	}
	c.Text(0, r.H-1, widget.Dim, "0")
}

// shortCount renders a count in five cells: 412, 3 119, 18k.
func shortCount(n int) string {
	switch {
	case n < 10000:
		return widget.Count(n)
	case n < 1000000:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n/1000000) + "M"
}

func (s *threshold) drawAxis(c *widget.Canvas, y int) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	here := axisW + s.column(s.here, pw)
	step := widget.Either(pw < 50, 2, 1)
	// The keys of the suggested thresholds stand at their values.
	ticks := s.suggestions()
	ticked := func(x, w int) bool {
		return slices.ContainsFunc(ticks,
			func(t suggestion) bool { at := axisW + s.column(t.at, pw); return x <= at && at < x+w })
	}
	for i := 0; i <= 10; i += step {
		label := widget.Either(i == 0, "0", widget.Score(float64(i)/10, 1))
		x := axisW + i*pw/10
		x = min(x, w-widget.Width(label))
		if x-1 <= here && here <= x+widget.Width(label) || ticked(x, widget.Width(label)) {
			continue // the preview or another key is there
		}
		c.Text(x, y, widget.Dim, label)
	}
	for _, tick := range ticks {
		if x := axisW + s.column(tick.at, pw); x != here {
			c.Text(x, y, widget.Key, s.T(tickKeys[tick.key]))
		}
	}
	c.Text(here, y, widget.Accent|widget.Bold, "▲")
}

// suggestion is a threshold with a key.
type suggestion struct {
	key string
	at  float64
}

// suggestions returns the available suggestions, Otsu's first.
func (s *threshold) suggestions() (out []suggestion) {
	sc := s.data.scores
	if sc.Otsu > 0 {
		out = append(out, suggestion{"o", sc.Otsu})
	}
	if len(sc.LeaveOneOut) > 0 {
		out = append(out, suggestion{"l", slices.Min(sc.LeaveOneOut)})
	}
	if s.data.bestF1 > 0 {
		out = append(out, suggestion{"b", s.data.best})
	}
	return out
}

// cutOff counts samples below a threshold.
func cutOff(samples []float64, theta float64) (n int) {
	for _, v := range samples {
		if v < theta {
			n++
		}
	}
	return n
}

// drawSamples marks both kinds on one line; in a shared cell the sample is visible. A red band
// connects the previewed θ with a sample that it rejects.
func (s *threshold) drawSamples(c *widget.Canvas, y int) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	if cutOff(s.data.scores.Samples, s.here) > 0 {
		from, to := s.column(slices.Min(s.data.scores.Samples), pw), s.column(s.here, pw)
		c.Fill(widget.Rect{X: axisW + from, Y: y, W: to - from + 1, H: 1}, widget.Bad, "━")
	}
	s.drawMarks(c, y, "samples", s.data.scores.Negative, screen.NegativeSign, widget.Bad)
	for _, v := range s.data.scores.Samples {
		st := widget.Either(v < s.here, widget.Bad, widget.Good)
		s.drawSigns(c, y, []float64{v}, "●", st)
	}
}

// warning says that a threshold rejects samples, or "".
func (s *threshold) warning(theta float64) string {
	n, all := cutOff(s.data.scores.Samples, theta), len(s.data.scores.Samples)
	switch {
	case n == 0:
		return ""
	case n == all:
		return s.T("above every sample: pages like them are not found")
	}
	return rejects(s.Shared, n, all)
}

// rejects says how many samples a threshold rejects.
func rejects(sh *screen.Shared, n, all int) string {
	return sh.F("rejects %s of your %s", n, sh.N(all, "sample"))
}

func (s *threshold) drawLeave(c *widget.Canvas, y int) {
	s.drawMarks(c, y, "one out", s.data.scores.LeaveOneOut, "○", widget.Accent)
}

func (s *threshold) drawMarks(c *widget.Canvas, y int, name string, at []float64, sign string, st widget.Style) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	c.Text(0, y, widget.Dim, widget.Fit(c.T(name), axisW-1))
	c.Text(axisW+s.column(s.here, pw), y, widget.Accent, "┃")
	s.drawSigns(c, y, at, sign, st)
}

func (s *threshold) drawSigns(c *widget.Canvas, y int, at []float64, sign string, st widget.Style) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	for _, v := range at {
		if v == v {
			c.Text(axisW+s.column(v, pw), y, st, sign)
		}
	}
}

func (s *threshold) betweenTitle() string {
	listed := ""
	if n := s.between.Total(); n < s.total {
		listed = " · " + s.F("first %s", n)
	}
	switch {
	case !s.moving:
		return s.F("around θ ±.05 · %s", s.N(s.total, "page")) + listed
	case s.total == 0:
		return "no change"
	case s.Snap.Learner.InUse:
		return s.F("between the two · %s", s.N(s.total, "page")) + listed
	case s.here < s.now():
		return s.F("would gain +%s", s.total) + listed
	}
	return s.F("would lose −%s", s.total) + listed
}

func (s *threshold) betweenEmpty() string {
	switch {
	case s.err != nil:
		return s.F("The pages cannot be listed: %s", s.Reason(s.err))
	case s.data.scores == nil || s.data.scores.N == 0:
		return "Pages that a move of θ lets in or out stand here."
	case unread(s):
		return s.Reading()
	case s.asked.Busy():
		return "looking …"
	case s.moving:
		return "No page lies between the two thresholds."
	}
	return "No pages near θ; small moves change nothing. {theta_lower} and {theta_raise} move it."
}

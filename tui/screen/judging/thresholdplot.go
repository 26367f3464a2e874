package judging

import (
	"strconv"

	"math"
	"slices"

	"angler/tui/screen"
	"angler/tui/ui"
)

// This file draws the threshold screen: the histogram, its axes, the marks of
// the samples, and the lines that say what θ costs.

func (s *Threshold) title() string {
	n := 0
	if s.data.scores != nil {
		n = s.data.scores.N
	}
	return s.shared.F("similarity of %s · scheme %s · %s", s.shared.N(n, "page"), s.shared.Snap.Scheme, judgedBy(s.shared))
}

func (s *Threshold) hint() string {
	if s.moving {
		return "enter applies · esc goes back"
	}
	if !noNegative(s.shared) {
		return s.shared.F("● %s · %s %s", s.shared.T("samples"), screen.NegativeSign, s.shared.T("negative samples"))
	}
	return ""
}

func (s *Threshold) draw(c *ui.Canvas) {
	w, h := c.Size()
	sc := s.data.scores
	if sc == nil || sc.N == 0 {
		hint := "No page has a score yet. Mark sample pages on screen 1 (press 1, then space)."
		if s.shared.Snap.Counts.Samples > 0 {
			hint = "No page has a score yet. Press S to start a discovery."
		}
		if s.shared.Snap.Counts.Samples > 0 && !s.shared.Snap.DictReady {
			hint = "Scores come after the dictionary, which is being loaded."
		}
		ui.DrawNote(c, s.load.State(hint))
		return
	}
	if noTopic(s.shared) {
		ui.DrawNote(c, "No topic yet: mark sample pages with space on screen 1.")
		return
	}
	if s.shared.Snap.TopicErr != "" {
		ui.DrawNote(c, s.shared.F("There are no scores: %s.", s.shared.Line(s.shared.Snap.TopicErr)))
		return
	}
	legend := []below{{0, s.drawAxis}, {3, s.drawSamples}, {4, s.drawLeave}}
	legend = append(legend, s.labelRows(h)...)
	if s.shared.Snap.Learner.InUse {
		legend = append(legend, below{0, s.drawJudge})
	}
	legend = fewer(append(legend, below{1, s.drawCounts}, below{2, s.drawRule}, below{1, s.drawSuggest}), max(1, h-4))
	plotH := h - len(legend)
	plot := ui.Rect{X: axisW, Y: 0, W: max(0, w-axisW-1), H: max(0, plotH)}
	s.drawPlot(c, plot)
	for i, row := range legend {
		row.draw(c, plotH+i)
	}
}

// below is one row under the plot; what a low pane has no room for goes from
// the highest rank down.
type below struct {
	rank int
	draw func(c *ui.Canvas, y int)
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
func (s *Threshold) column(v float64, w int) int {
	return max(0, min(w-1, int(v*float64(w))))
}

func (s *Threshold) drawPlot(c *ui.Canvas, r ui.Rect) {
	if r.Empty() {
		return
	}
	bins := s.data.bins
	if len(bins) != r.W { // a resize has not been answered yet
		fit := make([]int, r.W)
		for i, n := range bins {
			fit[i*r.W/len(bins)] += n
		}
		bins = fit
	}
	log := ui.NeedsLog(bins)
	here, now := s.column(s.here, r.W), s.column(s.now(), r.W)
	sub := c.Sub(r)
	ui.Histogram(sub, bins, here, log)
	peak := 0
	for _, n := range bins {
		peak = max(peak, n)
	}
	if now != here {
		sub.Fill(ui.Rect{X: now, Y: 0, W: 1, H: r.H}, ui.Dim, "┊")
	}
	sub.Fill(ui.Rect{X: here, Y: 0, W: 1, H: r.H}, ui.Accent, "┃")
	unit := "pages"
	if log {
		unit = "log"
	}
	c.Text(0, 0, ui.Dim, short4(peak))
	if r.H > 3 {
		c.Say(0, 1, ui.Dim, unit)
	}
	if r.H > 5 {
		c.Text(0, r.H/2, ui.Dim, short4(ui.Unscale(.5, peak, log)))
	}
	c.Text(0, r.H-1, ui.Dim, "0")
}

// short4 renders a count in four cells: 412, 18k, 1.2M.
func short4(n int) string {
	switch {
	case n < 10000:
		return ui.Fit(strconv.Itoa(n), 4)
	case n < 1000000:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n/1000000) + "M"
}

func (s *Threshold) drawAxis(c *ui.Canvas, y int) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	here, step := axisW+s.column(s.here, pw), 1
	if pw < 50 {
		step = 2
	}
	for i := 0; i <= 10; i += step {
		label := ui.Score(float64(i)/10, 1)
		if i == 0 {
			label = "0"
		}
		x := axisW + i*pw/10
		x = min(x, w-ui.Width(label))
		if x-1 <= here && here <= x+ui.Width(label) {
			continue // the hand stands here
		}
		c.Text(x, y, ui.Dim, label)
	}
	// The keys that take the hand to a suggestion stand where it lies.
	for _, tick := range s.suggestions() {
		if x := axisW + s.column(tick.at, pw); x != here {
			c.Text(x, y, ui.Key, tick.key)
		}
	}
	c.Text(here, y, ui.Accent|ui.Bold, "▲")
}

// suggestion is a threshold that a key takes the hand to.
type suggestion struct {
	key string
	at  float64
}

// suggestions are the thresholds there are, Otsu's first.
func (s *Threshold) suggestions() (out []suggestion) {
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

// cutOff counts the scores of samples that lie below a threshold.
func cutOff(samples []float64, theta float64) (n int) {
	for _, v := range samples {
		if v < theta {
			n++
		}
	}
	return n
}

// drawSamples marks both kinds on one line; where they share a cell, the sample
// shows. From a sample that the hand would cut off to the hand goes a red band.
func (s *Threshold) drawSamples(c *ui.Canvas, y int) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	if cutOff(s.data.scores.Samples, s.here) > 0 {
		from, to := s.column(slices.Min(s.data.scores.Samples), pw), s.column(s.here, pw)
		c.Fill(ui.Rect{X: axisW + from, Y: y, W: to - from + 1, H: 1}, ui.Bad, "━")
	}
	s.drawMarks(c, y, "samples", s.data.scores.Negative, screen.NegativeSign, ui.Bad)
	for _, v := range s.data.scores.Samples {
		st := ui.Good
		if v < s.here {
			st = ui.Bad
		}
		s.drawSigns(c, y, []float64{v}, "●", st)
	}
}

// warning says that a threshold cuts off samples; "" while it does not.
func (s *Threshold) warning(theta float64) string {
	n, all := cutOff(s.data.scores.Samples, theta), len(s.data.scores.Samples)
	switch {
	case n == 0:
		return ""
	case n == all:
		return s.shared.T("above every sample: what is like them is not found")
	}
	return s.shared.F("cuts off %s of %s samples", strconv.Itoa(n), strconv.Itoa(all))
}

func (s *Threshold) drawLeave(c *ui.Canvas, y int) {
	s.drawMarks(c, y, "one out", s.data.scores.LeaveOneOut, "○", ui.Accent)
}

func (s *Threshold) drawMarks(c *ui.Canvas, y int, name string, at []float64, sign string, st ui.Style) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	c.Text(0, y, ui.Dim, ui.Fit(c.T(name), axisW-1))
	c.Text(axisW+s.column(s.here, pw), y, ui.Accent, "┃")
	s.drawSigns(c, y, at, sign, st)
}

func (s *Threshold) drawSigns(c *ui.Canvas, y int, at []float64, sign string, st ui.Style) {
	w, _ := c.Size()
	pw := max(1, w-axisW-1)
	for _, v := range at {
		if v == v {
			c.Text(axisW+s.column(v, pw), y, st, sign)
		}
	}
}

func (s *Threshold) drawCounts(c *ui.Canvas, y int) {
	now, here := s.above[0], s.above[1]
	x := c.Say(1, y, ui.Dim, "now θ ")
	x = c.Text(x, y, ui.Plain|ui.Bold, ui.Score(s.now(), 3))
	if s.shared.Snap.ThetaAuto {
		x = c.Say(x, y, ui.Dim, " auto")
	}
	x = c.Text(x, y, ui.Dim, " → ")
	x = c.Text(x, y, ui.Plain, s.shared.N(now, "page"))
	x = c.Say(x, y, ui.Dim, "   here θ ")
	x = c.Text(x, y, ui.Accent|ui.Bold, ui.Score(s.here, 3))
	x = c.Text(x, y, ui.Dim, " → ")
	x = c.Text(x, y, ui.Plain, s.shared.N(here, "page"))
	switch {
	case here > now:
		x = c.Text(x+2, y, ui.Good|ui.Bold, "+"+ui.Count(here-now))
	case here < now:
		x = c.Text(x+2, y, ui.Bad|ui.Bold, "−"+ui.Count(now-here))
	}
	if warning := s.warning(s.here); warning != "" {
		c.Text(x+2, y, ui.Bad|ui.Bold, warning)
	}
}

// drawRule says why the threshold in force is what it is.
func (s *Threshold) drawRule(c *ui.Canvas, y int) {
	x := c.Say(1, y, ui.Dim, string(s.data.scores.Rule))
	if s.data.scores.NoValley() {
		c.Say(x, y, ui.Warn, "   no valley in the scores: labels would help (6)")
	}
}

func (s *Threshold) drawSuggest(c *ui.Canvas, y int) {
	sc := s.data.scores
	x := c.Say(1, y, ui.Dim, "suggest: otsu ")
	otsu := "–"
	if sc.Otsu > 0 {
		otsu = ui.Score(sc.Otsu, 3)
	}
	x = c.Text(x, y, ui.Plain, otsu)
	x = c.Say(x, y, ui.Dim, "   leave-one-out ")
	low := math.NaN()
	for _, v := range sc.LeaveOneOut {
		if !(low <= v) {
			low = v
		}
	}
	x = c.Text(x, y, ui.Plain, ui.Score(low, 3))
	if s.data.bestF1 > 0 {
		x = c.Say(x, y, ui.Dim, "   best F1 ")
		x = c.Text(x, y, ui.Plain, ui.Score(s.data.best, 3))
		c.Text(x, y, ui.Dim, " (F1 "+ui.Score(s.data.bestF1, 2)+")")
	}
}

func (s *Threshold) betweenTitle() string {
	listed := ""
	if n := s.between.Total(); n < s.total {
		listed = " · " + s.shared.F("first %s", ui.Count(n))
	}
	switch {
	case !s.moving:
		return s.shared.F("around θ ±.05 · %s", s.shared.N(s.total, "page")) + listed
	case s.total == 0:
		return "no change"
	case s.here < s.now():
		return s.shared.F("would gain +%s", ui.Count(s.total)) + listed
	}
	return s.shared.F("would lose −%s", ui.Count(s.total)) + listed
}

func (s *Threshold) betweenEmpty() string {
	switch {
	case s.err != nil:
		return s.shared.F("The pages cannot be listed: %s", s.shared.Reason(s.err))
	case s.data.scores == nil || s.data.scores.N == 0:
		return "Pages that a move of θ lets in or out stand here."
	case s.busy:
		return "looking …"
	case s.moving:
		return "No page lies between the two thresholds."
	}
	return "No page lies near θ: moving it a little changes nothing. [ and ] move it."
}

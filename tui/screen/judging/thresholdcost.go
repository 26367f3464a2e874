package judging

import (
	"context"
	"slices"
	"sort"
	"strings"

	"angler/crawl/decisions"
	"angler/tui/parts"
	"angler/tui/ui"
)

// This file says what a threshold costs in the analyst's words: how many lists it lets
// in, and how many notices those announce.

// worth are the records of the lists that any threshold lets in, and of the best pages
// on which it decides, by their scores.
type worth struct {
	sure   int       // records of the confirmed lists
	scores []float64 // of the others, best first
	sums   []int     // records of the pages up to each
}

// mostWorth pages are looked at; beyond them their mean counts.
const mostWorth = 1000

// worthOf reads how many records the lists hold that a threshold lets in.
func worthOf(ctx context.Context, passing *decisions.Passing, pages parts.Pages) (w worth, err error) {
	sure := passing.Confirmed[:min(len(passing.Confirmed), mostWorth)]
	rows, err := pages.Pages(ctx, sure)
	if err != nil {
		return worth{}, err
	}
	for i := range rows {
		w.sure += rows[i].Records
	}
	w.sure = scaled(w.sure, len(passing.Confirmed), len(sure))
	if rows, err = pages.Pages(ctx, passing.Open.Between(.001, 2, mostWorth)); err != nil {
		return worth{}, err
	}
	slices.SortStableFunc(rows, byScore)
	sum := 0
	for i := range rows {
		sum += rows[i].Records
		w.scores, w.sums = append(w.scores, rows[i].Score), append(w.sums, sum)
	}
	return w, nil
}

// scaled is what n hold of which some hold sum.
func scaled(sum, n, some int) int {
	if some == 0 {
		return 0
	}
	return sum * n / some
}

// notices is about how many notices the lists announce that a threshold lets in, when
// it lets in so many of the pages on which it decides; -1 = that is not known.
func (w *worth) notices(theta float64, open int) int {
	n := sort.Search(len(w.scores), func(i int) bool { return w.scores[i] < theta })
	switch {
	case len(w.scores) == 0 && w.sure == 0:
		return -1
	case n == 0:
		return w.sure
	}
	return w.sure + scaled(w.sums[n-1], open, n)
}

// about rounds a number of which only the size is known: to two digits.
func about(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// consequence is what a threshold means that lets in so many lists: "31 lists, some
// 1 600 notices".
func consequence(s *Threshold, theta float64, lists int) string {
	text := s.shared.N(lists, "list")
	if k := s.data.worth.notices(theta, lists-len(s.data.passing.Confirmed)); k >= 0 {
		text = s.shared.F("%s, some %s", text, s.shared.N(about(k), "notice"))
	}
	return text
}

// moves is what the hand's threshold gains or loses against the one in force; "" while
// it changes nothing, as where the learner decides.
func moves(s *Threshold) (string, ui.Style) {
	switch by := s.lists[1] - s.lists[0]; {
	case s.shared.Snap.Learner.InUse:
	case by > 0:
		return s.shared.F("gains %s", s.shared.N(by, "list")), ui.Good | ui.Bold
	case by < 0:
		return s.shared.F("loses %s", s.shared.N(-by, "list")), ui.Bad | ui.Bold
	}
	return "", ui.Plain
}

// drawNow says what the threshold in force lets in.
func drawNow(s *Threshold) func(c *ui.Canvas, y int) {
	return func(c *ui.Canvas, y int) {
		x := c.Say(0, y, ui.Dim, "now θ ")
		x = c.Text(x, y, ui.Plain|ui.Bold, ui.Score(s.now(), 3))
		if s.shared.Snap.ThetaAuto {
			x = c.Say(x, y, ui.Dim, " auto")
		}
		c.Text(x, y, ui.Plain, c.T(": ")+consequence(s, s.now(), s.lists[0]))
	}
}

// drawHere says what the hand's threshold lets in, and what that changes.
func drawHere(s *Threshold) func(c *ui.Canvas, y int) {
	return func(c *ui.Canvas, y int) {
		x := c.Say(0, y, ui.Dim, "here θ ")
		x = c.Text(x, y, ui.Accent|ui.Bold, ui.Score(s.here, 3))
		x = c.Text(x, y, ui.Plain, c.T(": ")+consequence(s, s.here, s.lists[1]))
		if text, st := moves(s); text != "" {
			x = c.Say(x, y, ui.Plain, "; ")
			x = c.Text(x, y, st, text)
		}
		if warning := s.warning(s.here); warning != "" {
			if w, _ := c.Size(); x+2+ui.Width(warning) > w {
				warning, _, _ = strings.Cut(warning, s.shared.T(": ")) // what it means is said when it is applied
			}
			c.Text(x+2, y, ui.Bad|ui.Bold, warning)
		}
	}
}

// ruleRows say why the threshold in force is what it is, on as many rows as it takes.
func ruleRows(s *Threshold, w int) []below {
	text := s.shared.T(string(s.data.scores.Rule))
	lines := ui.Wrap(text, max(1, w-2), 2)
	var out []below
	for i, l := range lines {
		indent := 0
		if i > 0 {
			indent = 2
		}
		out = append(out, below{2, func(c *ui.Canvas, y int) {
			x := c.Text(indent, y, ui.Dim, l)
			if more := s.shared.T("   no valley in the scores: labels would help ({screen_label})"); i == len(lines)-1 && s.data.scores.NoValley() && x+ui.Width(more) <= w {
				c.Text(x, y, ui.Warn, more)
			}
		}})
	}
	return out
}

// tickWords say what a tick on the axis stands for, in short; i says it in a sentence.
var tickWords = map[string]string{"o": "two groups", "l": "one left out", "b": "best F1"}

// tickKeys name the keys of the ticks.
var tickKeys = map[string]string{"o": "{theta_otsu}", "l": "{theta_leave_one_out}", "b": "{theta_best}"}

// drawTicks names the ticks on the axis: key, place and what it stands for.
func drawTicks(s *Threshold) func(c *ui.Canvas, y int) {
	return func(c *ui.Canvas, y int) {
		w, _ := c.Size()
		ticks := s.suggestions()
		if len(ticks) == 0 {
			c.Text(0, y, ui.Dim, ui.Fit(s.shared.T("no suggestion: the scores do not part, and no page is labelled yes"), w-2))
			return
		}
		x := 0
		for i, tick := range ticks {
			text := " " + ui.Score(tick.at, 3) + " " + s.shared.T(tickWords[tick.key])
			if tick.key == "b" {
				text += " " + ui.Score(s.data.bestF1, 2)
			}
			if i > 0 && x+ui.Width(text)+4 > w {
				text = " " + ui.Score(tick.at, 3)
			}
			x = c.Text(x, y, ui.Key, s.shared.T(tickKeys[tick.key]))
			x = c.Text(x, y, ui.Dim, text) + 3
		}
	}
}

// applied is what is said when the hand's threshold is put in force.
func applied(s *Threshold) string {
	by, _ := moves(s)
	if warning := s.warning(s.here); warning != "" {
		what := "θ " + ui.Score(s.here, 3) + " · " + warning + " · " + s.shared.T("{undo} undoes it")
		if by != "" {
			what += " · " + by
		}
		return what
	}
	if s.shared.Snap.Learner.InUse {
		return "θ " + ui.Score(s.here, 3) + " · " + s.shared.T("the learner decides, θ does not")
	}
	what := "θ " + ui.Score(s.here, 3) + s.shared.T(": ") + consequence(s, s.here, s.lists[1])
	if by != "" {
		what += s.shared.T("; ") + by
	}
	return what
}

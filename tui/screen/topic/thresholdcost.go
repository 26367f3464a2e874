package topic

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"

	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the cost of a threshold: how many lists it accepts, and how many notices those
// yield.

// yieldEstimate estimates the notices of the lists that a threshold accepts. It holds the lists
// that any threshold accepts, and the best pages on which it decides, by score. A harvested list
// counts its notices. Another list counts its records times the share that harvested lists yielded,
// or all records before any harvest. Notices of further pages of a list count for the first
// accepted page.
type yieldEstimate struct {
	sure   listYield   // of confirmed lists
	scores []float64   // of the others, best first
	sums   []listYield // of the pages up to each
	share  float64     // share of records that became notices; 0: no harvest yet
}

// listYield counts notices of lists.
type listYield struct {
	known   int // harvested notices
	records int // records of lists without harvested notices
}

// add adds the yield of a page and its further pages.
func (h listYield) add(r *query.CandidateRow, yields map[uint64]inbox.ListYield, known map[uint64]int) listYield {
	h.known += known[r.ID]
	if yields[r.ID].Notices == 0 {
		h.records += r.Records
	}
	return h
}

// firsts sums harvested notices by the page that first makes them accepted while θ falls: the page
// with the notices, or one that leads to it.
func firsts(yields map[uint64]inbox.ListYield, scores map[uint64]float64) map[uint64]int {
	known := map[uint64]int{}
	for id, y := range yields {
		if y.Notices == 0 {
			continue
		}
		first := id
		for at, steps := y.Behind, 0; at != 0 && steps < longestChain; at, steps = yields[at].Behind, steps+1 {
			if scores[at] > scores[first] {
				first = at
			}
		}
		known[first] += y.Notices
	}
	return known
}

// longestChain bounds the pages of a list: pagers may form loops.
const longestChain = 1000

// mostWorth is the number of pages measured; further ones count as their mean.
const mostWorth = 1000

// estimateYield loads the yields of the lists that a threshold accepts.
func estimateYield(ctx context.Context, passing *decisions.Passing, pages screen.Pages,
	inbox screen.Inbox) (w yieldEstimate, err error) {
	yields, err := inbox.Yields(ctx)
	if err != nil {
		return yieldEstimate{}, err
	}
	sure := passing.Confirmed[:min(len(passing.Confirmed), mostWorth)]
	rows, err := pages.Pages(ctx, sure)
	if err != nil {
		return yieldEstimate{}, err
	}
	came, of := 0, 0
	count := func(rows []query.CandidateRow) {
		for i := range rows {
			if n := yields[rows[i].ID].Notices; n > 0 {
				came, of = came+min(n, rows[i].Records), of+rows[i].Records
			}
		}
	}
	confirmed := rows
	if rows, err = pages.Pages(ctx, passing.Open.Between(.001, 2, mostWorth)); err != nil {
		return yieldEstimate{}, err
	}
	scores := map[uint64]float64{}
	for i := range rows {
		scores[rows[i].ID] = rows[i].Score
	}
	for i := range confirmed {
		scores[confirmed[i].ID] = math.Inf(1)
	}
	known := firsts(yields, scores)
	count(confirmed)
	for i := range confirmed {
		w.sure = w.sure.add(&confirmed[i], yields, known)
	}
	w.sure = scaled(w.sure, len(passing.Confirmed), len(sure))
	count(rows)
	slices.SortStableFunc(rows, byScore)
	var sum listYield
	for i := range rows {
		sum = sum.add(&rows[i], yields, known)
		w.scores, w.sums = append(w.scores, rows[i].Score), append(w.sums, sum)
	}
	if of > 0 {
		w.share = float64(came) / float64(of)
	}
	return w, nil
}

// scaled extrapolates the yield of some pages to n pages.
func scaled(h listYield, n, some int) listYield {
	if some == 0 {
		return listYield{}
	}
	return listYield{h.known * n / some, h.records * n / some}
}

// notices returns the number of notices for a threshold that accepts open of the undecided pages.
// how is its certainty: "%s" if all were harvested, "some %s", "up to %s" before any harvest; ""
// means unknown.
func (w *yieldEstimate) notices(theta float64, open int) (n int, how string) {
	k := sort.Search(len(w.scores), func(i int) bool { return w.scores[i] < theta })
	h := w.sure
	if k > 0 {
		more := scaled(w.sums[k-1], open, k)
		h.known, h.records = h.known+more.known, h.records+more.records
	}
	switch {
	case len(w.scores) == 0 && w.sure == listYield{}:
		return 0, ""
	case h.records == 0 && open <= mostWorth:
		return h.known, "%s"
	case w.share == 0:
		return about(h.known + h.records), "up to %s"
	}
	return about(h.known + int(float64(h.records)*w.share+.5)), "some %s"
}

// about rounds an estimate to two digits.
func about(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// consequence describes a threshold that accepts lists lists: "31 lists, some 1 600 notices".
func consequence(s *threshold, theta float64, lists int) string {
	text := s.N(lists, "list")
	if k, how := s.data.worth.notices(theta, lists-len(s.data.passing.Confirmed)); how != "" {
		text += s.T(", ") + s.F(how, s.N(k, "notice"))
	}
	return text
}

// moves describes the gain or loss of the previewed threshold; "" if nothing changes or the learner
// decides.
func moves(s *threshold) (string, widget.Style) {
	switch by := s.lists[1] - s.lists[0]; {
	case s.Snap.Learner.InUse:
	case by > 0:
		return s.F("gains %s", s.N(by, "list")), widget.Good | widget.Bold
	case by < 0:
		return s.F("loses %s", s.N(-by, "list")), widget.Bad | widget.Bold
	}
	return "", widget.Plain
}

// drawNow describes the threshold in force.
func (s *threshold) drawNow(c *widget.Canvas, y int) {
	x := c.Say(0, y, widget.Dim, "in force θ ")
	x = c.Text(x, y, widget.Bold, widget.Score(s.now(), 3))
	if s.Snap.ThetaAuto {
		x = c.Say(x, y, widget.Dim, " auto")
	}
	c.Text(x, y, widget.Plain, c.T(": ")+consequence(s, s.now(), s.lists[0]))
}

// drawHere describes the previewed threshold and its difference.
func (s *threshold) drawHere(c *widget.Canvas, y int) {
	x := c.Say(0, y, widget.Dim, "preview θ ")
	x = c.Text(x, y, widget.Accent|widget.Bold, widget.Score(s.here, 3))
	x = c.Text(x, y, widget.Plain, c.T(": ")+consequence(s, s.here, s.lists[1]))
	if text, st := moves(s); text != "" {
		x = c.Say(x, y, widget.Plain, "; ")
		x = c.Text(x, y, st, text)
	}
	if warning := s.warning(s.here); warning != "" {
		if w, _ := c.Size(); x+2+widget.Width(warning) > w {
			warning, _, _ = strings.Cut(warning, s.T(": ")) // the meaning is shown when it is applied
		}
		c.Text(x+2, y, widget.Bad|widget.Bold, warning)
	}
}

// ruleRows give the reason of the threshold in force, in as many rows as needed.
func ruleRows(s *threshold, w int) []below {
	text := s.Line(string(s.data.scores.Rule))
	lines := widget.Wrap(text, max(1, w-2), 2)
	var out []below
	for i, l := range lines {
		indent := widget.Either(i > 0, 2, 0)
		out = append(out, below{2, func(c *widget.Canvas, y int) {
			x := c.Text(indent, y, widget.Dim, l)
			if more := s.T("   no valley in the scores: labels would help ({screen_label})"); i == len(lines)-
				1 && s.data.scores.NoValley() && x+widget.Width(more) <= w {
				c.Text(x, y, widget.Warn, more)
			}
		}})
	}
	return out
}

// tickWords name the ticks on the axis briefly; i explains them in a sentence.
var tickWords = map[string]string{"o": "two groups", "l": "leave-one-out", "b": "best F1"}

// tickKeys name the keys of the ticks.
var tickKeys = map[string]string{"o": "{theta_otsu}", "l": "{theta_leave_one_out}", "b": "{theta_best}"}

// drawTicks labels the ticks on the axis: key, value and meaning.
func (s *threshold) drawTicks(c *widget.Canvas, y int) {
	w, _ := c.Size()
	ticks := s.suggestions()
	if len(ticks) == 0 {
		c.Text(0, y, widget.Dim,
			widget.Fit(s.T("no suggestion: the scores do not part, and no page is labelled yes"), w-2))
		return
	}
	x := 0
	for i, tick := range ticks {
		text := " " + widget.Score(tick.at, 3) + " " + s.T(tickWords[tick.key])
		if tick.key == "b" {
			text += " " + widget.Score(s.data.bestF1, 2)
		}
		if i > 0 && x+widget.Width(text)+4 > w {
			text = " " + widget.Score(tick.at, 3)
		}
		x = c.Text(x, y, widget.Key, s.T(tickKeys[tick.key]))
		x = c.Text(x, y, widget.Dim, text) + 3
	}
}

// applied is the message after the previewed threshold is set.
func applied(s *threshold) string {
	by, _ := moves(s)
	if warning := s.warning(s.here); warning != "" {
		what := "θ " + widget.Score(s.here, 3) + " · " + warning + " · " + s.T("{undo} undoes it")
		if by != "" {
			what += " · " + by
		}
		return what
	}
	if s.Snap.Learner.InUse {
		return "θ " + widget.Score(s.here, 3) + " · " + s.T("the learner decides, θ does not")
	}
	what := "θ " + widget.Score(s.here, 3) + s.T(": ") + consequence(s, s.here, s.lists[1])
	if by != "" {
		what += s.T("; ") + by
	}
	return what
}

package screen

import (
	"strconv"
	"strings"

	"angler/crawl/view"
	"angler/tui/widget"
)

// The width of the screen alone decides the place of a slot of the status bar, so that nothing
// moves while text changes. A narrow line drops the least important slots. view.Tally alone defines
// each figure. The danger is a figure that another place counts in its own way.

// Slot is a fixed part of the status bar.
type Slot struct {
	Name string // key of its explanation
	X, W int    // cells of the line
	rank int    // the highest is dropped first from a narrow line

	least, good, max int // width in a narrow, a usual and a wide line

	tell func(sh *Shared, w int) widget.TextLine
}

// The names of the slots.
const (
	state = "state"
	rate  = "rate"
	pace  = "pace"
	home  = "collected"
	wrong = "errors"
	theta = "θ"
)

var all = []Slot{
	{Name: state, least: 20, good: 26, max: 54, rank: 0, tell: tellState},
	{Name: rate, least: 9, good: 9, max: 9, rank: spare, tell: tellRate},
	{Name: pace, least: 10, good: 10, max: 20, rank: spare + 1, tell: tellPace},
	{Name: home, least: 9, good: 14, max: 34, rank: 1, tell: tellHome},
	{Name: theta, least: 6, good: 11, max: 12, rank: 2, tell: tellTheta},
	{Name: wrong, least: 9, good: 12, max: 40, rank: 3, tell: tellErrors},
}

// spare is the rank from which a slot is dropped before another one is narrowed.
const spare = 4

// Gap is the space between two slots, in cells.
const Gap = 3

// Slots places the slots on room cells from x on.
func Slots(x, room int) []Slot {
	out := append([]Slot(nil), all...)
	for len(out) > 1 {
		worst, need, least := 0, -Gap, -Gap
		for i, s := range out {
			if s.rank > out[worst].rank {
				worst = i
			}
			need, least = need+s.good+Gap, least+s.least+Gap
		}
		if out[worst].rank < spare {
			need = least
		}
		if need <= room {
			break
		}
		out = append(out[:worst], out[worst+1:]...)
	}
	if len(out) == 1 {
		out[0].X, out[0].W = x, room
		return out
	}
	left := room + Gap
	for i := range out {
		out[i].W = out[i].least
		left -= out[i].W + Gap
	}
	grow := func(s *Slot, to int) {
		more := max(0, min(left, to-s.W))
		s.W, left = s.W+more, left-more
	}
	for i := range out { // the state comes last, because it has many forms
		grow(&out[len(out)-1-i], out[len(out)-1-i].good)
	}
	for i := range out {
		grow(&out[i], out[i].max)
		out[i].X = x
		x += out[i].W + Gap
	}
	return out
}

// Tell returns the text of a slot.
func (s *Slot) Tell(sh *Shared) widget.TextLine { return s.tell(sh, s.W) }

func plain(st widget.Style, text string) widget.TextLine {
	if text == "" {
		return nil
	}
	return widget.TextLine{st.Text(text)}
}

// fitting returns the first of several texts that fits into w cells, or the last one, cut.
func fitting(w int, ways ...string) string {
	for _, s := range ways {
		if widget.Width(s) <= w {
			return s
		}
	}
	return widget.Fit(ways[len(ways)-1], w)
}

func tellRate(sh *Shared, w int) widget.TextLine {
	if t := &sh.Snap.Run; t.Task == "" || t.End != "" { // the result of a run includes its duration
		return nil
	}
	return plain(widget.Plain, widget.Fit(rateText(sh), w))
}

// rateText returns the rate of the run: "812 p/s", "3.3 p/s".
func rateText(sh *Shared) string {
	rate := sh.Snap.Run.Rate()
	digits := widget.Either(rate < 9.95 && rate > 0, 1, 0)
	return sh.F("%s p/s", strconv.FormatFloat(rate, 'f', digits, 64))
}

// live dims figures of a run that has ended.
func live(sh *Shared, st widget.Style) widget.Style {
	return widget.Either(sh.Snap.Run.End != "", widget.Dim, st)
}

// tellPace draws the fetches of the last minute.
func tellPace(sh *Shared, w int) widget.TextLine {
	pace := sh.Snap.Run.Pace
	if len(pace) == 0 || sh.Snap.Run.End != "" {
		return nil
	}
	bars, peak := make([]float64, w), 0.0
	for i := range bars {
		from, to := i*view.PaceSeconds/w, (i+1)*view.PaceSeconds/w
		for k := from; k < to; k++ {
			if at := k - (view.PaceSeconds - len(pace)); at >= 0 {
				bars[i] += float64(pace[at]) / float64(to-from)
			}
		}
		peak = max(peak, bars[i])
	}
	if peak == 0 {
		peak = 1
	}
	for i := range bars {
		bars[i] /= peak
	}
	known := min(w, (len(pace)*w+view.PaceSeconds-1)/view.PaceSeconds)
	return widget.TextLine{widget.Plain.Text(strings.Repeat(" ", w-known)),
		widget.Bar.Text(widget.Spark(bars, known))}
}

func tellHome(sh *Shared, w int) widget.TextLine {
	t := &sh.Snap.Run
	st := live(sh, widget.Plain)
	notices, few := "+"+sh.N(t.Notices-t.Copies, "notice"), "+"+widget.Count(t.Notices-t.Copies)
	if t.Withdrawn > 0 {
		notices, few = notices+" −"+widget.Count(t.Withdrawn), few+" −"+widget.Count(t.Withdrawn)
	}
	lists, fewLists := sh.N(t.Lists, "list"), widget.Count(t.Lists)
	if t.Unlisted > 0 {
		lists, fewLists = lists+" −"+widget.Count(t.Unlisted), fewLists+" −"+widget.Count(t.Unlisted)
	}
	switch {
	case t.Task == "":
		return nil
	case t.Task != view.Harvest && (t.Blind || sh.Snap.Counts.Samples == 0): // nothing was judged
		return plain(st, fitting(w, sh.N(t.Pages, "page"), widget.Count(t.Pages)))
	case t.Task == view.Harvest, t.Lists == 0 && t.Notices+t.Withdrawn > 0: // its lists were known
		return plain(st, fitting(w, notices, few))
	case t.Notices+t.Withdrawn > 0:
		whole := newLists(sh.Lang, t) + sh.T(", ") + NewNotices(sh.Lang, t.Notices, t.Copies, t.Withdrawn)
		return plain(st, fitting(w, whole, lists+" "+notices, lists+" "+few, notices, few))
	}
	return plain(st, fitting(w, lists, fewLists))
}

// tellErrors lists the errors by kind; those that need a person come first.
func tellErrors(sh *Shared, w int) widget.TextLine {
	t := &sh.Snap.Run
	switch {
	case t.Task == "":
		return nil
	case t.Failed() == 0:
		return plain(widget.Dim, fitting(w, sh.T("no errors"), "0"))
	}
	kinds := make([]view.FailureGroup, 0, len(t.Errors))
	for _, urgent := range []bool{true, false} {
		for _, e := range t.Errors {
			if view.Urgent(e.Reason) == urgent {
				kinds = append(kinds, e)
			}
		}
	}
	var out widget.TextLine
	room, left := w, t.Failed()
	if all := sh.F("failed %s", left) + sh.T(": "); len(kinds) > 1 &&
		widget.Width(all)+len("!unreachable 10000 +10000") <= w {
		out, room = widget.TextLine{live(sh, widget.Plain).Text(all)}, w-widget.Width(all)
	}
	for i, e := range kinds {
		text := sh.T(e.Reason) + " " + widget.Count(e.N)
		if view.Urgent(e.Reason) {
			text = "!" + text // colour alone must not carry the meaning
		}
		if i > 0 {
			text = " " + text
		}
		more := If(left > e.N, " +"+widget.Count(left-e.N))
		if widget.Width(text)+widget.Width(more) > room {
			break
		}
		st := widget.Either(view.Urgent(e.Reason), widget.Bad, live(sh, widget.Plain))
		out = append(out, st.Text(text))
		room, left = room-widget.Width(text), left-e.N
	}
	if left > 0 {
		text := " +" + widget.Count(left)
		if len(out) == 0 {
			text = fitting(w, sh.F("failed %s", left), widget.Count(left))
		}
		out = append(out, live(sh, widget.Plain).Text(text))
		room -= widget.Width(text)
	}
	if text := " · " + sh.F("%s to retry", t.Retries); t.Retries > 0 && widget.Width(text) <= room {
		out = append(out, widget.Dim.Text(text))
	}
	return out
}

func tellTheta(sh *Shared, w int) widget.TextLine {
	s := sh.Snap
	switch {
	case s.Learner.InUse:
		return plain(widget.Accent, fitting(w, sh.T("learner decides"), sh.T("learner")))
	case s.Counts.Samples == 0: // nothing is judged yet
		return plain(widget.Dim, "θ –")
	}
	return plain(widget.Plain, fitting(w, thetaText(sh), "θ "+sh.Score(s.Theta)))
}

// thetaText returns the threshold in force: "θ .340 auto".
func thetaText(sh *Shared) string {
	theta := "θ " + sh.Score(sh.Snap.Theta)
	if sh.Snap.ThetaAuto {
		theta += sh.T(" auto")
	}
	return theta
}

// Figures returns the slots of the status line as explainable figures.
func Figures(sh *Shared, room int) []Figure {
	return widget.Map(Slots(0, room), func(s Slot) Figure { return s.Figure(sh) })
}

// Figure returns a slot as an explainable figure.
func (s *Slot) Figure(sh *Shared) Figure {
	value := ""
	for _, p := range s.Tell(sh) {
		value += p.Text
	}
	return Named("", s.Name, strings.TrimSpace(value))
}

// Package figures shows the figures of a run (view.Tally) in words of the reader: the
// slots of the status line, what a run has brought, and a sentence on every number.
//
// A slot of the status line stands where the width of the screen puts it, whatever it
// says, so that nothing moves under a reader's eyes; a line too narrow for all loses the
// least important ones. What a figure is stands in view.Tally and nowhere else. The
// danger is a number that another place counts anew.
package figures

import (
	"strconv"
	"strings"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/ui"
)

// Slot is a fixed part of the status line.
type Slot struct {
	Name string // explained by Explain
	X, W int    // cells of the line
	rank int    // the highest goes first from a narrow line

	least, good, max int // in a narrow line, in a usual one, in a wide one

	tell func(sh *screen.Shared, w int) ui.TextLine
}

// The names of the slots.
const (
	state = "state"
	rate  = "rate"
	pace  = "pace"
	home  = "came home"
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

// spare is the rank from which a slot gives way before another one is made narrower.
const spare = 4

// Gap are the cells between two slots.
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
	for i := range out { // the state, which says a thing in many ways, comes last
		grow(&out[len(out)-1-i], out[len(out)-1-i].good)
	}
	for i := range out {
		grow(&out[i], out[i].max)
		out[i].X = x
		x += out[i].W + Gap
	}
	return out
}

// Tell is what stands in a slot.
func (s *Slot) Tell(sh *screen.Shared) ui.TextLine { return s.tell(sh, s.W) }

func plain(st ui.Style, text string) ui.TextLine {
	if text == "" {
		return nil
	}
	return ui.TextLine{{Style: st, Text: text}}
}

// fitting is the first of several ways to say a thing that fits into w cells, or the
// last one, cut.
func fitting(w int, ways ...string) string {
	for _, s := range ways {
		if ui.Width(s) <= w {
			return s
		}
	}
	return ui.Fit(ways[len(ways)-1], w)
}

func tellRate(sh *screen.Shared, w int) ui.TextLine {
	if t := &sh.Snap.Run; t.Task == "" || t.End != "" { // what came of a run tells how long it took
		return nil
	}
	return plain(ui.Plain, ui.Fit(rateText(sh), w))
}

// rateText is the rate of the run: "812 p/s", "3.3 p/s".
func rateText(sh *screen.Shared) string {
	rate := sh.Snap.Run.Rate()
	digits := 0
	if rate < 9.95 && rate > 0 {
		digits = 1
	}
	return sh.F("%s p/s", strconv.FormatFloat(rate, 'f', digits, 64))
}

// live dims what belongs to a run that has ended.
func live(sh *screen.Shared, st ui.Style) ui.Style {
	if sh.Snap.Run.End != "" {
		return ui.Dim
	}
	return st
}

// tellPace draws the fetches of the last minute.
func tellPace(sh *screen.Shared, w int) ui.TextLine {
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
	return ui.TextLine{{Style: ui.Plain, Text: strings.Repeat(" ", w-known)}, {Style: ui.Bar, Text: ui.Spark(bars, known)}}
}

func tellHome(sh *screen.Shared, w int) ui.TextLine {
	t := &sh.Snap.Run
	st := live(sh, ui.Plain)
	notices, few := "+"+sh.N(t.Notices-t.Copies, "notice"), "+"+ui.Count(t.Notices-t.Copies)
	if t.Withdrawn > 0 {
		notices, few = notices+" −"+ui.Count(t.Withdrawn), few+" −"+ui.Count(t.Withdrawn)
	}
	lists, fewLists := sh.N(t.Lists, "list"), ui.Count(t.Lists)
	if t.Unlisted > 0 {
		lists, fewLists = lists+" −"+ui.Count(t.Unlisted), fewLists+" −"+ui.Count(t.Unlisted)
	}
	switch {
	case t.Task == "":
		return nil
	case t.Task != view.Harvest && (t.Blind || sh.Snap.Counts.Samples == 0): // nothing was judged
		return plain(st, fitting(w, sh.N(t.Pages, "page"), ui.Count(t.Pages)))
	case t.Task == view.Harvest, t.Lists == 0 && t.Notices+t.Withdrawn > 0: // its lists were known
		return plain(st, fitting(w, notices, few))
	case t.Notices+t.Withdrawn > 0:
		whole := screen.NewLists(sh.Lang, t) + sh.T(", ") + screen.NewNotices(sh.Lang, t.Notices, t.Copies, t.Withdrawn)
		return plain(st, fitting(w, whole, lists+" "+notices, lists+" "+few, notices, few))
	}
	return plain(st, fitting(w, lists, fewLists))
}

// tellErrors names the errors by kind, those first that need a person.
func tellErrors(sh *screen.Shared, w int) ui.TextLine {
	t := &sh.Snap.Run
	switch {
	case t.Task == "":
		return nil
	case t.Failed() == 0:
		return plain(ui.Dim, fitting(w, sh.T("no errors"), "0"))
	}
	kinds := make([]view.FailureGroup, 0, len(t.Errors))
	for _, urgent := range []bool{true, false} {
		for _, e := range t.Errors {
			if view.Urgent(e.Reason) == urgent {
				kinds = append(kinds, e)
			}
		}
	}
	var out ui.TextLine
	room, left := w, t.Failed()
	if all := sh.F("failed %s", ui.Count(left)) + sh.T(": "); len(kinds) > 1 && ui.Width(all)+len("!unreachable 10000 +10000") <= w {
		out, room = ui.TextLine{{Style: live(sh, ui.Plain), Text: all}}, w-ui.Width(all)
	}
	for i, e := range kinds {
		text := sh.T(e.Reason) + " " + ui.Count(e.N)
		if view.Urgent(e.Reason) {
			text = "!" + text // red is no sign of its own
		}
		if i > 0 {
			text = " " + text
		}
		more := ""
		if left > e.N {
			more = " +" + ui.Count(left-e.N)
		}
		if ui.Width(text)+ui.Width(more) > room {
			break
		}
		st := live(sh, ui.Plain)
		if view.Urgent(e.Reason) {
			st = ui.Bad
		}
		out = append(out, ui.Part{Style: st, Text: text})
		room, left = room-ui.Width(text), left-e.N
	}
	if left > 0 {
		text := " +" + ui.Count(left)
		if len(out) == 0 {
			text = fitting(w, sh.F("failed %s", ui.Count(left)), ui.Count(left))
		}
		out = append(out, ui.Part{Style: live(sh, ui.Plain), Text: text})
		room -= ui.Width(text)
	}
	if text := " · " + sh.F("%s to retry", ui.Count(t.Retries)); t.Retries > 0 && ui.Width(text) <= room {
		out = append(out, ui.Part{Style: ui.Dim, Text: text})
	}
	return out
}

func tellTheta(sh *screen.Shared, w int) ui.TextLine {
	s := sh.Snap
	switch {
	case s.Learner.InUse:
		return plain(ui.Accent, fitting(w, sh.T("learner decides"), sh.T("learner")))
	case s.Counts.Samples == 0: // nothing is judged yet
		return plain(ui.Dim, "θ –")
	}
	return plain(ui.Plain, fitting(w, thetaText(sh), "θ "+sh.Score(s.Theta)))
}

// thetaText is the threshold in force: "θ .340 auto".
func thetaText(sh *screen.Shared) string {
	theta := "θ " + sh.Score(sh.Snap.Theta)
	if sh.Snap.ThetaAuto {
		theta += sh.T(" auto")
	}
	return theta
}

// Figures are the slots of the status line as figures that can be explained.
func Figures(sh *screen.Shared, room int) []screen.Figure {
	var out []screen.Figure
	for _, s := range Slots(0, room) {
		out = append(out, s.Figure(sh))
	}
	return out
}

// Figure is a slot as a figure that can be explained.
func (s *Slot) Figure(sh *screen.Shared) screen.Figure {
	value := ""
	for _, p := range s.Tell(sh) {
		value += p.Text
	}
	return screen.Named("", s.Name, strings.TrimSpace(value))
}

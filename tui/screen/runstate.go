package screen

import (
	"slices"
	"time"

	"angler/crawl/view"
	"angler/tui/widget"
)

// This file describes current work, its progress and its result.

func tellState(sh *Shared, w int) widget.TextLine {
	s := sh.Snap
	switch s.State {
	case view.Running:
		with := workers(sh)
		if w-2-widget.Width(with) < leastTask {
			with = ""
		}
		return plain(widget.Good|widget.Bold, "▶ "+under(sh, w-2-widget.Width(with))+with)
	case view.Paused:
		mark := sh.T(" ‖ PAUSED ")
		return widget.TextLine{(widget.Warn | widget.Invert | widget.Bold).Text(mark),
			widget.Plain.Text(" " + under(sh, w-widget.Width(mark)-1))}
	case view.Draining:
		return plain(widget.Warn, fitting(w, sh.F("▶ %s stops", task(sh)), "▶"))
	}
	if p, ok := jobProgress(sh); ok {
		return plain(widget.Accent, fitting(w, "▶ "+JobLine(sh), "▶ "+far(sh, w-2, sh.T(widget.Clean(s.Job.Name)), p)))
	}
	if !s.DictReady && s.DictErr == "" && s.Workspace != "" {
		text := "▶ " + sh.T("dictionary loads")
		if s.DictWords == 0 {
			return plain(widget.Warn, fitting(w, text, "▶"))
		}
		left := sh.T("any moment")
		if d := s.DictUntil.Sub(sh.Now()); d >= time.Second {
			left = "≈" + sh.F("%s left", widget.Left(d))
		}
		return plain(widget.Warn,
			fitting(w, text+" · "+sh.N(s.DictWords, "word")+" · "+left, text+" · "+left, text, "▶"))
	}
	return ended(sh, w)
}

// leastTask is the width of the task beside the workers.
const leastTask = 12

// workers returns the number of workers on other machines with its sign; "" if none are expected.
func workers(sh *Shared) string {
	switch m := sh.Snap.Machines; {
	case m == nil:
		return ""
	case m.Workers == 1:
		return " · " + sh.T("1 worker")
	default:
		return " · " + sh.F("%s workers", m.Workers)
	}
}

func task(sh *Shared) string {
	if sh.Snap.Task == "" {
		return sh.T("crawl")
	}
	return TaskName(sh.Lang, sh.Snap.Task)
}

// under describes the current run: task, progress and remaining time.
func under(sh *Shared, w int) string {
	p, ok := sh.Snap.Progress()
	if !ok {
		return widget.Fit(task(sh), w)
	}
	return far(sh, w, task(sh), p)
}

// Probing shows the progress of sampling with a bar.
func Probing(sh *Shared) string {
	p, _ := sh.Snap.Progress()
	share := 0.0
	if p.Total > 0 {
		share = float64(p.Done) / float64(p.Total)
	}
	return sh.F("sampling the sites %s %s", widget.Meter(share, 8), outOf(p))
}

// outOf formats progress, "21/40+" if the total may grow.
func outOf(p view.Progress) string {
	done := widget.Count(p.Done)
	if p.Total > 0 {
		done += "/" + widget.Count(p.Total)
		if p.Open {
			done += "+"
		}
	}
	return done
}

// far describes work and its progress as fully as fits.
func far(sh *Shared, w int, what string, p view.Progress) string {
	done, left, whole := outOf(p), "", ""
	if p.Left > 0 {
		left = widget.Left(p.Left)
		whole = sh.F("%s left", sh.Span(left))
		if p.Open {
			whole, left = sh.F("≥%s left", sh.Span(left)), "≥"+left
		}
	}
	if left == "" {
		ways := []string{what + " " + done, what}
		if p.Lists {
			ways = append([]string{what + " " + sh.F("%s lists", done)}, ways...)
		}
		return fitting(w, ways...)
	}
	ways := []string{what + " " + done + " · " + whole, what + " " + done + " · " + left, what + " · " + left, what}
	if p.Lists {
		ways = append([]string{what + " " + sh.F("%s lists", done) + " · " + whole}, ways...)
	}
	return fitting(w, ways...)
}

// ended describes the result of the last run as fully as fits, or that nothing runs.
func ended(sh *Shared, w int) widget.TextLine {
	s := sh.Snap
	var out widget.TextLine
	switch end := s.Run.End; {
	case end == view.Killed:
		out = plain(widget.Warn,
			fitting(w, "■ "+sh.F("killed: %s", RunOutcome(sh)), "■ "+sh.F("killed: %s", brought(sh))))
	case end == "" || s.Run.Earlier:
		text := sh.T("■ idle")
		if at := s.Story.Next; !at.IsZero() {
			text += " · " + sh.F("next round %s", sh.When(at))
		}
		text += workers(sh)
		out = plain(widget.Dim, text)
	case end == view.Failed:
		out = plain(widget.Bad, "✗ "+sh.F("%s failed", TaskName(sh.Lang, s.Run.Task)))
	case end == view.Stopped:
		out = plain(widget.Plain,
			fitting(w, "■ "+sh.F("stopped: %s", RunOutcome(sh)), "■ "+sh.F("stopped: %s", brought(sh))))
	default:
		text := "✓ " + RunOutcome(sh)
		ways := []string{text, "✓ " + brought(sh)}
		if out := Unmatched(sh.Lang, s.Run.Unmatched, s.Run.Patterns); out != "" {
			ways = append([]string{text + " · " + out}, ways...)
		}
		out = plain(widget.Good, fitting(w, ways...))
	}
	return out
}

// RunOutcome describes the result of the last run: "351 new notices from 49 lists in 2 s".
func RunOutcome(sh *Shared) string {
	t := &sh.Snap.Run
	if t.Blind && t.Task == view.Discovery {
		return Outcome(sh.Lang, t)
	}
	if (t.Blind || sh.Snap.Counts.Samples == 0) && t.Task != view.Harvest { // nothing was judged
		return sh.F("%s in %s", sh.N(t.Pages, "page"), took(t))
	}
	if t.Task == view.Harvest && t.Visited+t.GaveUp < t.ToVisit {
		return sh.F("%s from %s in %s", NewNotices(sh.Lang, t.Notices, t.Copies, t.Withdrawn),
			sh.F("%s of %s", t.Visited+t.GaveUp, sh.N(t.ToVisit, "list")), took(t))
	}
	return Outcome(sh.Lang, t)
}

// brought is Outcome in a few words.
func brought(sh *Shared) string {
	t := &sh.Snap.Run
	switch {
	case t.Task == view.Harvest:
		return NewNotices(sh.Lang, t.Notices, t.Copies, t.Withdrawn)
	case t.Blind || sh.Snap.Counts.Samples == 0:
		return sh.N(t.Pages, "page")
	case t.Notices+t.Withdrawn > 0:
		return newLists(sh.Lang, t) + " · " + NewNotices(sh.Lang, t.Notices, t.Copies, t.Withdrawn)
	}
	return newLists(sh.Lang, t)
}

// Note is a lasting message beside the state: why nothing moves, background work beside a run, a
// fault. It covers slots from the second on. If there is room, work beside a run leaves the slot of
// results or of errors visible. Empty means no message.
func Note(sh *Shared, slots []Slot, frozen bool, age time.Duration) widget.TextLine {
	s := sh.Snap
	if why := s.WhyIdle(); why != "" && (s.State == view.Running || s.Pressing) {
		text := sh.Says(why)
		if s.Patient && s.Until.After(s.At) {
			text += " (" + widget.Left(s.Until.Sub(s.At)) + ")"
		}
		st := widget.Dim
		if s.Pressing {
			st, text = widget.Warn, "▲ "+text
		}
		return plain(st, text)
	}
	if s.Job.Name != "" && s.State != view.Idle {
		return plain(widget.Accent, jobBeside(sh, slots))
	}
	if s.DictErr != "" {
		return plain(widget.Bad, sh.F("dictionary: %s", widget.Clean(s.DictErr)))
	}
	if !s.At.IsZero() && (frozen || s.State != view.Idle && age >= staleAfter) {
		return plain(widget.Warn, sh.F("snapshot %s", widget.Left(age)))
	}
	return nil
}

// leastNote is the least width of a useful note about work.
const leastNote = 24

// jobBeside describes the progress of background work in the cells before the slots that stay
// visible.
func jobBeside(sh *Shared, slots []Slot) string {
	for _, name := range []string{home, theta, wrong} {
		i := slices.IndexFunc(slots, func(s Slot) bool { return s.Name == name })
		if i < 2 {
			continue
		}
		if room := slots[i].X - Gap - slots[1].X; room >= leastNote {
			p, _ := jobProgress(sh)
			return fitting(room, JobLine(sh), far(sh, room, sh.T(widget.Clean(sh.Snap.Job.Name)), p))
		}
	}
	return JobLine(sh)
}

// staleAfter is the age from which the figures of a run may be wrong.
const staleAfter = 3 * time.Second

// jobProgress returns the progress of background work; false if there is none.
func jobProgress(sh *Shared) (view.Progress, bool) {
	j := sh.Snap.Job
	if j.Name == "" {
		return view.Progress{}, false
	}
	return j.Progress(sh.Snap.At), true
}

// JobLine describes the progress of background work with a bar.
func JobLine(sh *Shared) string {
	j := sh.Snap.Job
	name := sh.T(widget.Clean(j.Name)) + " "
	if j.Total == 0 { // the total is unknown
		return name + widget.Count(j.Done)
	}
	p, _ := jobProgress(sh)
	out := name + widget.Meter(float64(j.Done)/float64(j.Total), 8) + " " +
		sh.F("%s of %s", j.Done, j.Total)
	if p.Left > 0 {
		out += " · " + sh.F("%s left", widget.Left(p.Left))
	}
	return out
}

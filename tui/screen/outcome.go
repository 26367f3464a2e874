package screen

import (
	"time"

	"angler/crawl/view"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// Outcome describes the result of a run in a sentence: "351 new notices from 49 lists in 2.0 s".
func Outcome(l *i18n.Lang, t *view.Tally) string {
	took, notices := took(t), NewNotices(l, t.Notices, t.Copies, t.Withdrawn)
	switch {
	case t.Task == view.Harvest && t.Visited+t.GaveUp == 0 && t.NotDue.N > 0 && t.NotDue.Next.IsZero():
		return l.F("%s not due", l.N(t.NotDue.N, "list"))
	case t.Task == view.Harvest && t.Visited+t.GaveUp == 0 && t.NotDue.N > 0:
		return l.F("%s not due, next %s", l.N(t.NotDue.N, "list"), t.NotDue.Next.Local().Format("01-02 15:04"))
	case t.Task == view.Harvest && t.Lists > 0:
		return l.F("%s from %s, and %s in %s", notices, l.N(t.Visited, "list"), newLists(l, t), took)
	case t.Task == view.Harvest:
		return l.F("%s from %s in %s", notices, l.N(t.Visited, "list"), took)
	case t.Blind && t.Task == view.Discovery:
		return l.F("%s, not judged without samples (%s)", l.N(t.Pages, "new page"), took)
	case t.Blind:
		return l.F("%s (%s)", l.N(t.Pages, "new page"), took)
	}
	lists := widget.Either(t.Lists+t.Unlisted > 0, newLists(l, t), l.T("no new lists"))
	if t.Notices+t.Withdrawn > 0 {
		lists += l.T(", ") + notices
	}
	return l.F("%s, %s (%s)", l.N(t.Pages, "new page"), lists, took)
}

// newLists counts the new lists and those that no longer qualify: "10 new lists (1 no longer
// qualifies)".
func newLists(l *i18n.Lang, t *view.Tally) string {
	n := l.N(t.Lists, "new list")
	switch t.Unlisted {
	case 0:
		return n
	case 1:
		return l.F("%s (1 no longer qualifies)", n)
	}
	return l.F("%s (%s no longer qualify)", n, t.Unlisted)
}

// NewNotices counts new notices, some with copies at further addresses, and withdrawn ones: "70 new
// notices (82 addresses) (15 withdrawn: their list no longer qualifies)".
func NewNotices(l *i18n.Lang, addresses, copies, withdrawn int) string {
	n := Notices(l, "new notice", addresses, copies)
	switch withdrawn {
	case 0:
		return n
	case 1:
		return l.F("%s (1 withdrawn: its list no longer qualifies)", n)
	}
	return l.F("%s (%s withdrawn: their list no longer qualifies)", n, withdrawn)
}

// Notices counts notices, some with copies at further addresses: "21 notices (25 addresses)".
func Notices(l *i18n.Lang, noun string, addresses, copies int) string {
	n := l.N(addresses-copies, noun)
	if copies == 0 {
		return n
	}
	return l.F("%s (%s addresses)", n, addresses)
}

// Unmatched says how many entries the title patterns excluded, with the kind of notices; "" if
// none.
func Unmatched(l *i18n.Lang, n int, kind string) string {
	out := ""
	switch n {
	case 0:
		return ""
	case 1:
		out = l.T("1 entry does not match the title patterns")
	default:
		out = l.F("%s entries do not match the title patterns", n)
	}
	if kind != "" {
		out += l.F(" (%s)", l.T(kind))
	}
	return out
}

// TaskName returns the name of a run's task, as on its start key.
func TaskName(l *i18n.Lang, task string) string {
	return l.T(widget.Either(task == view.Look, "sample the sites", task))
}

// took returns the duration of a run.
func took(t *view.Tally) string {
	if t.Took < time.Second {
		return "<1 s"
	}
	return widget.Whole(t.Took.Round(time.Second))
}

package screen

import (
	"time"

	"angler/crawl/view"
	"angler/tui/lang"
	"angler/tui/ui"
)

// Outcome says in a sentence what a run brought: "351 new notices from 49 lists in
// 2.0 s".
func Outcome(l *lang.Lang, t *view.Tally) string {
	took := Took(t)
	switch {
	case t.Task == view.Harvest && t.Visited+t.GaveUp == 0 && t.NotDue.N > 0 && t.NotDue.Next.IsZero():
		return l.F("%s not due", l.N(t.NotDue.N, "list"))
	case t.Task == view.Harvest && t.Visited+t.GaveUp == 0 && t.NotDue.N > 0:
		return l.F("%s not due, next %s", l.N(t.NotDue.N, "list"), t.NotDue.Next.Local().Format("01-02 15:04"))
	case t.Task == view.Harvest && t.Lists > 0:
		return l.F("%s from %s, and %s in %s", l.N(t.Notices, "new notice"), l.N(t.Visited, "list"), l.N(t.Lists, "new list"), took)
	case t.Task == view.Harvest:
		return l.F("%s from %s in %s", l.N(t.Notices, "new notice"), l.N(t.Visited, "list"), took)
	case t.Blind:
		return l.F("%s in %s", l.N(t.Pages, "new page"), took)
	case t.Notices > 0:
		return l.F("%s among %s, and %s in %s", l.N(t.Lists, "new list"), l.N(t.Pages, "new page"), l.N(t.Notices, "new notice"), took)
	}
	return l.F("%s among %s in %s", l.N(t.Lists, "new list"), l.N(t.Pages, "new page"), took)
}

// Took is how long a run took.
func Took(t *view.Tally) string {
	if t.Took < time.Second {
		return "<1 s"
	}
	return ui.Whole(t.Took.Round(time.Second))
}

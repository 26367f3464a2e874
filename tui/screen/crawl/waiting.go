package crawl

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the stored frontier while no run is active. A Cmd sorts it once; the table holds
// a window of its rows that follows the cursor, so that a key costs the same for any size.

// Sizes of the window.
const (
	windowRows = 1000
	windowEdge = 150 // rows from its end at which the next window is loaded
)

// waiting is the stored frontier as a list.
type waiting struct {
	*screen.UI
	*screen.Shared
	store  screen.Survey
	table  *widget.Table[view.FrontierRow]
	load   screen.Loader[*query.FrontierQueue]
	queue  *query.FrontierQueue // nil before it is loaded
	filter widget.Filter
	extra  int            // changes with the filter
	from   int            // place of the window's first row in the queue
	asked  screen.Request // for a window
}

func newWaiting(u *screen.UI, sh *screen.Shared, store screen.Survey, t *widget.Table[view.FrontierRow]) *waiting {
	w := &waiting{UI: u, Shared: sh, store: store, table: t}
	w.load = screen.NewLoader(u, sh, "ranking the frontier",
		func(screen.DataVersion) func(context.Context) (*query.FrontierQueue, error) {
			var match func(string) bool
			if w.filter.Active() {
				match = w.filter.Match
			}
			return func(ctx context.Context) (*query.FrontierQueue, error) { return store.Queue(ctx, match) }
		}, w.taken)
	return w
}

// len returns the number of rows of the list.
func (w *waiting) len() int {
	if w.queue == nil {
		return 0
	}
	return w.queue.Len()
}

// check loads the order if it is outdated.
func (w *waiting) check() tea.Cmd {
	want := idleStamp(w.Shared)
	want.Extra += w.extra
	return w.load.Check(want)
}

// taken shows a loaded order from the cursor on.
func (w *waiting) taken(q *query.FrontierQueue) tea.Cmd {
	w.queue = q
	at := -1
	if w.from >= q.Len() {
		w.from, at = 0, 0
	}
	return w.window(w.from, at)
}

// window requests the rows from a place on; at is the new place of the cursor, -1: it stays on its
// row.
func (w *waiting) window(from, at int) tea.Cmd {
	if w.queue == nil {
		return nil
	}
	from = max(0, min(from, w.queue.Len()-windowRows))
	q, store := w.queue, w.store
	return screen.Start(&w.asked, w.UI, "reading the frontier", func(ctx context.Context) ([]view.FrontierRow, error) {
		return store.Rows(ctx, q, from, windowRows)
	}, func(rows []view.FrontierRow, err error) tea.Cmd {
		if err != nil {
			w.load.Err = err
			return nil
		}
		w.from = from
		cmd := w.table.SetRows(rows)
		if at >= 0 {
			w.table.To(at - from)
		}
		return cmd
	})
}

// at returns the place of the cursor in the queue.
func (w *waiting) at() int { return w.from + w.table.At() }

// moved requests the next window when the cursor nears an end of this one.
func (w *waiting) moved() tea.Cmd {
	if w.asked.Busy() || w.table.Sorted() != "" || w.Snap.State != view.Idle {
		return nil
	}
	i := w.table.At()
	switch {
	case i >= windowRows-windowEdge && w.from+windowRows < w.len():
		return w.window(w.from+windowRows/2, -1)
	case i < windowEdge && w.from > 0:
		return w.window(w.from-windowRows/2, -1)
	}
	return nil
}

// jump moves the cursor to a place of the queue, in another window if needed.
func (w *waiting) jump(to int) tea.Cmd {
	if w.len() == 0 {
		return nil
	}
	to = max(0, min(to, w.len()-1))
	if to >= w.from && to < w.from+w.table.Total() {
		w.table.To(to - w.from)
		return nil
	}
	return w.window(to-windowRows/2, to)
}

// setFilter filters all waiting URLs.
func (w *waiting) setFilter(f widget.Filter) tea.Cmd {
	if f.Text == w.filter.Text {
		return nil
	}
	w.filter, w.from = f, 0
	w.extra++
	return w.check()
}

// note shows the place of the cursor and what is left out.
func (w *waiting) note() string {
	if w.queue == nil || w.len() == 0 {
		return ""
	}
	sh, q := w.Shared, w.queue
	some := func(n int, text string) string { return screen.If(n > 0, sh.F(text, n)) }
	row := sh.F("row %s of %s", w.at()+1, w.len())
	return screen.Joined(screen.If(w.len() > w.table.Total(), row), some(q.Later, "%s for a retry"),
		some(q.Beyond, "%s too deep"), some(q.Dropped, "%s left out"))
}

// unbegun reports whether nothing was ever fetched.
func unbegun(s *view.Snapshot) bool {
	return s.Counts.Complete+s.Counts.Waiting+s.Counts.Exception == 0
}

// empty says why there is no row.
func (w *waiting) empty() string {
	sh := w.Shared
	switch {
	case w.filter.Active() && w.queue != nil:
		return sh.F("Nothing that waits matches “%s”. Press {clear_filter} to clear the filter.",
			widget.Clean(w.filter.Text))
	case unbegun(sh.Snap) && sh.Snap.Story.Seeds > 0:
		return sh.F("Nothing is fetched yet. Press {discovery} to start a discovery from %s, {seeds} to add seeds.",
			sh.N(sh.Snap.Story.Seeds, "seed"))
	case unbegun(sh.Snap):
		return "The frontier is empty. Press {seeds} to add seeds, then {discovery} to start a discovery."
	case w.queue != nil && w.queue.Dropped+w.queue.Beyond > 0:
		return sh.F("What waits is left out (%s): by a rule ({rules} lists them), the scope, or the depth.",
			w.queue.Dropped+w.queue.Beyond)
	}
	return w.load.State(
		"Nothing waits. Press {discovery} to start a discovery, {harvest} to visit the aggregation pages.")
}

// frontierList is the target of movement keys: the rows of the run, or the stored ones without a
// run.
type frontierList struct{ s *crawl }

func (l frontierList) Move(n int) {
	if w := l.s.waiting; l.s.idle() && l.s.frontier.Sorted() == "" {
		l.s.queue(w.jump(w.at() + n))
	} else {
		l.s.frontier.Move(n)
	}
	l.s.queue(l.s.waiting.moved())
}

func (l frontierList) Home() {
	if l.s.idle() {
		l.s.queue(l.s.waiting.jump(0))
	}
	l.s.frontier.Home()
}

func (l frontierList) End() {
	if l.s.idle() {
		l.s.queue(l.s.waiting.jump(l.s.waiting.len() - 1))
		return
	}
	l.s.frontier.End()
}

func (l frontierList) Page() int { return l.s.frontier.Page() }
func (l frontierList) Scroll(n int) {
	l.s.frontier.Scroll(n)
	l.s.queue(l.s.waiting.moved())
}

func (l frontierList) Filter() widget.Filter {
	if l.s.idle() {
		return l.s.waiting.filter
	}
	return l.s.frontier.Filter()
}

func (l frontierList) SetFilter(f widget.Filter) tea.Cmd {
	if l.s.idle() {
		return l.s.waiting.setFilter(f)
	}
	return l.s.frontier.SetFilter(f)
}
func (l frontierList) Again(n int) { l.Move(n) }

// At also changes while the cursor's new rows are loading.
func (l frontierList) At() int {
	if l.s.idle() {
		return l.s.waiting.at() + l.s.waiting.asked.Number<<32
	}
	return l.s.frontier.At()
}

// Hits are the rows that the filter leaves; while they are being looked for there may
// be some.
func (l frontierList) Hits() int {
	switch {
	case !l.s.idle():
		return l.s.frontier.Len()
	case l.s.waiting.load.Busy:
		return 1
	}
	return l.s.waiting.len()
}

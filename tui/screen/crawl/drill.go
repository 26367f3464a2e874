package crawl

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/crawl/query"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store/records"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the details that enter opens on the crawl screen until esc: the pages of a branch
// or of a failure beside a preview, all events of a kind, or a run in full.

// drill is the opened detail view.
type drill struct {
	s *crawl
	screen.Panes
	title func() string

	pick  query.Pick // of rows
	rows  *widget.Table[query.StoredRow]
	load  screen.Loader[stored]
	total int
	whole bool // no row has failed
	page  screen.Preview

	events *widget.Table[view.Event]
	kind   kindRow
	text   widget.Text
}

// stored are the rows of a Pick, and their total number.
type stored struct {
	rows  []query.StoredRow
	total int
}

// beside places a list and the details of its row.
func beside(w, h int) []widget.Rect {
	if w < 110 {
		return []widget.Rect{{W: w, H: h}, {}}
	}
	left := w * 58 / 100
	return []widget.Rect{{W: left, H: h}, {X: left, W: w - left, H: h}}
}

// whole places a single pane.
func whole(w, h int) []widget.Rect { return []widget.Rect{{W: w, H: h}} }

// openPages opens the selected known URLs.
func (s *crawl) openPages(pick query.Pick, title func(total int) string) tea.Cmd {
	d := &drill{s: s, pick: pick}
	d.rows = storedTable(s.Shared, func() bool { return d.whole }, func() bool { return pick.Failed })
	d.page = screen.NewPreview(s.UI, s.Shared, s.pages)
	d.load = screen.NewLoader(s.UI, s.Shared, "reading pages",
		func(screen.DataVersion) func(context.Context) (stored, error) {
			return func(ctx context.Context) (stored, error) {
				rows, total, err := s.store.Stored(ctx, pick)
				return stored{rows, total}, err
			}
		}, d.show)
	d.title = func() string { return title(d.total) }
	list := screen.TablePane(s.Shared, d.rows, d.title, func() string { return d.load.State("Nothing is left here.") })
	list.Keys, list.Open, list.Moved, list.Marks, list.Sorts = d.pageKeys, d.openPage, d.moved, true, true
	pre := d.page.Pane("The page under the cursor is shown here.")
	pre.Keys = d.pageKeys
	draw := pre.Draw
	pre.Draw = func(c *widget.Canvas, focus bool) {
		if r := d.rows.Selected(); r != nil && r.At.IsZero() {
			d.text.Replace(unfetched(s.Shared, r))
			d.text.Draw(c)
			return
		}
		draw(c, focus)
	}
	return s.openDrill(d, beside, list, pre)
}

// openEvents opens all events of a kind.
func (s *crawl) openEvents(k kindRow) tea.Cmd {
	d := &drill{s: s, kind: k, events: eventTable(s.Shared)}
	d.title = func() string {
		return s.F("events: %s", widget.Clean(s.Message(k.Newest.Text))) + " · ×" +
			widget.Count(d.events.Total())
	}
	pane := screen.TablePane(s.Shared, d.events, d.title, func() string {
		return s.F("×%s in the run before, the last: %s", k.N,
			widget.Clean(s.Message(k.Newest.Text)))
	})
	text := &screen.Pane{Title: func() string { return "event" },
		Draw: func(c *widget.Canvas, _ bool) { d.event(); d.text.Draw(c) }, List: &d.text}
	pane.Keys = func() []screen.Binding {
		keys := copyKey(d.events.Selected(), func(ev *view.Event) string { return ev.Text.String() })
		// A refusal by a host is answered by a longer delay.
		return append(keys, screen.Bind(keymap.Delay, "", screen.Do(s.drive.askDelay)))
	}
	return s.openDrill(d, beside, pane, text)
}

// event shows the event under the cursor in full.
func (d *drill) event() {
	ev := d.events.Selected()
	if ev == nil {
		d.text.Set(nil)
		return
	}
	text, st := eventText(d.s.Lang, ev, 1)
	d.text.Replace([]widget.TextLine{{widget.Dim.Text(here(d.s.Shared, ev.At).Format("2006-01-02 15:04:05"))},
		{}, {st.Text(text)}})
}

// openRun opens a run of the history.
func (s *crawl) openRun(r *records.Run) tea.Cmd {
	row := *r
	d := &drill{s: s}
	d.text.Indent = 17
	d.text.Set(runDetail(s.Shared, &row))
	d.title = func() string {
		return s.F("run %s", strconv.FormatUint(row.ID, 10)) + " · " + task(s.Shared, &row)
	}
	text := screen.TextPane(&d.text, d.title)
	curves := &screen.Pane{Title: func() string { return "curves" },
		Draw: func(c *widget.Canvas, _ bool) { drawRun(c, s.Shared, &row) }}
	return s.openDrill(d, screen.SideBySide(50, func(h int) int { return h - h/2 }), text, curves)
}

// openOne opens a stored page.
func (s *crawl) openOne(id uint64, title string) tea.Cmd {
	d := &drill{s: s, title: func() string { return widget.Clean(title) }}
	d.page = screen.NewPreview(s.UI, s.Shared, s.pages)
	pre := d.page.Pane("The page is shown here.")
	pre.Keys = d.page.Bindings
	return tea.Batch(s.openDrill(d, whole, pre), d.page.Want(id))
}

// openWaiting opens a waiting URL and the reasons of its place.
func (s *crawl) openWaiting(r *view.FrontierRow) tea.Cmd {
	sh, row := s.Shared, *r
	d := &drill{s: s, title: func() string { return "waiting URL" }}
	d.text.Set(told(sh, row.URL,
		[]fact{{name: "anchor", val: row.Anchor}, {name: "found on", val: row.Source},
			{name: "depth", val: strconv.Itoa(row.Depth)},
			{name: "priority", val: widget.Score(row.Priority, 3) + " · " + sh.Value("", sh.Snap.Strategy)},
			{name: "why", val: sh.Terms(widget.Clean(row.Why))},
			{name: "next", val: sh.Until(row.Next)}}))
	text := screen.TextPane(&d.text, d.title)
	text.Keys = func() []screen.Binding { return copyKey(&row, func(r *view.FrontierRow) string { return r.URL }) }
	return s.openDrill(d, whole, text)
}

// told returns the available facts about an address, one a line.
func told(sh *screen.Shared, address string, facts []fact) []widget.TextLine {
	head := []widget.TextLine{{widget.Bold.Text(widget.Clean(address))}, {}}
	return append(head, factLines(sh, 12, facts)...)
}

// factLines returns a line of each fact with a value, whose names take w cells.
func factLines(sh *screen.Shared, w int, facts []fact) (lines []widget.TextLine) {
	for _, f := range facts {
		if f.val != "" {
			lines = append(lines,
				widget.TextLine{widget.Dim.Text(widget.Pad(sh.T(f.name), w) + " "),
					f.st.Text(widget.Clean(f.val))})
		}
	}
	return lines
}

// unfetched describes a URL without a page.
func unfetched(sh *screen.Shared, r *query.StoredRow) []widget.TextLine {
	facts := []fact{{name: "anchor", val: r.Title}, {name: "depth", val: strconv.Itoa(r.Depth)}}
	if r.Reason != "" {
		facts = append(facts, fact{"reason", sh.Says(r.Reason), widget.Warn},
			fact{name: "fails", val: sh.F("%s in a row", r.Fails)},
			fact{name: "again", val: again(sh, r.Next)})
	}
	return told(sh, r.URL, facts)
}

// openDrill shows the panes of a detail view over the screen.
func (s *crawl) openDrill(d *drill, place func(w, h int) []widget.Rect, panes ...*screen.Pane) tea.Cmd {
	d.Panes = screen.NewPanes(s.UI, s.Shared, panes, place)
	s.over, d.Open = d, true
	d.Around = func(pane []screen.Binding) []screen.Binding {
		return append(pane, screen.Bind(keymap.Close, "", screen.Do(func() { d.Open = false })))
	}
	s.Covers = []*screen.Panes{&s.seeds.Panes, &d.Panes}
	d.SetSize(s.w, s.h)
	return d.take()
}

// take loads what has changed.
func (d *drill) take() tea.Cmd {
	switch {
	case d.rows != nil:
		return d.load.Check(idleStamp(d.s.Shared))
	case d.events != nil && d.kind.run == 0:
		key, survey := d.kind.Key, d.s.store
		return screen.Load(d.s.UI, "reading events", func(ctx context.Context) ([]view.Event, error) {
			return jobs.Within(ctx, func() ([]view.Event, error) { return survey.EventsOf(key), nil })
		}, func(list []view.Event, err error) tea.Cmd {
			if err != nil {
				return nil
			}
			return d.events.SetRows(list)
		})
	}
	return nil
}

// show shows loaded URLs.
func (d *drill) show(got stored) tea.Cmd {
	d.total, d.whole = got.total, !slices.ContainsFunc(got.rows, func(r query.StoredRow) bool { return r.Reason != "" })
	return tea.Batch(d.rows.SetRows(got.rows), d.moved())
}

// moved shows the page under the cursor.
func (d *drill) moved() tea.Cmd {
	if d.rows == nil {
		return nil
	}
	if r := d.rows.Selected(); r != nil && !r.At.IsZero() {
		return d.page.Want(r.ID)
	}
	return d.page.Want(0)
}

// pageKeys are those of a list of known URLs.
func (d *drill) pageKeys() []screen.Binding {
	r := d.rows.Selected()
	of := failed{reasons: some(d.pick.Reason)}
	for _, m := range d.rows.Marked() {
		if m.Reason != "" {
			of.pages = append(of.pages, m.URL)
		}
	}
	if r != nil && r.Reason != "" && d.rows.NumMarked() == 0 {
		of.pages, of.hosts = []string{r.URL}, []string{urls.HostOf(r.URL)}
		of.reasons = some(cmp.Or(d.pick.Reason, r.Failure))
	}
	retry := d.s.again.key(of)
	if len(of.pages) == 0 {
		retry.Off, retry.Do = "the URL under the cursor has not failed", nil
	}
	if r != nil && r.At.IsZero() {
		return append([]screen.Binding{retry}, copyKey(r, func(r *query.StoredRow) string { return r.URL })...)
	}
	chosen := screen.ChosenOf(d.rows,
		func(r *query.StoredRow) *screen.Target { return screen.NewTarget(r.ID, r.URL, r.Title, topic.NoLabel) })
	return slices.Concat([]screen.Binding{retry}, d.s.marks.Of(chosen), d.page.Bindings())
}

// openPage shows the page under the cursor on the whole screen.
func (d *drill) openPage() (off string, do func() tea.Cmd) {
	if r := d.rows.Selected(); r == nil || r.At.IsZero() {
		return "this URL was not fetched yet", nil
	}
	return "", func() tea.Cmd { d.OpenPane(1); return d.moved() }
}

func storedTable(sh *screen.Shared, whole, failed func() bool) *widget.Table[query.StoredRow] {
	type row = query.StoredRow
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL + " " + r.Reason },
		[]widget.Column[row]{
			{Title: "state", Width: 9, Drop: 3, Hide: failed, Cell: func(r *row) (string, widget.Style) {
				switch {
				case r.Reason != "" && r.State != "complete":
					return sh.T("failed"), widget.Bad
				case r.List:
					return sh.T("list"), widget.Good
				case r.Notice:
					return sh.T("notice"), widget.Good
				case r.State == "complete":
					return sh.T("web page"), widget.Plain
				}
				return sh.T(r.State), widget.Dim
			}, Text: func(r *row) string { return r.State }},
			{Title: "title", Width: 24, Flex: 3, Cell: func(r *row) (string, widget.Style) {
				if r.Title == "" && r.Reason != "" && !failed() { // a failed page has no title
					return reason(sh, r.Reason), widget.Warn
				}
				return cmp.Or(widget.Clean(r.Title), "–"), widget.Plain
			}, Tail: func(r *row) (string, widget.Style) {
				if r.Title == "" || r.Reason == "" || failed() {
					return "", widget.Plain
				}
				return " · " + reason(sh, r.Reason), widget.Warn
			}, Text: func(r *row) string { return r.Title }},
			screen.Address(14, 4, func(r *row) string { return r.URL }),
			{Title: "score", Width: 5, Right: true, Drop: 5, Hide: failed,
				Cell: func(r *row) (string, widget.Style) {
					if r.State != "complete" {
						return "·", widget.Dim
					}
					return widget.Score(r.Score, 3), widget.Plain
				}, Number: func(r *row) float64 { return r.Score }},
			{Title: "reason", Width: 12, Flex: 2, Drop: 6, Hide: func() bool { return !failed() },
				Cell: func(r *row) (string, widget.Style) { return reason(sh, r.Reason), widget.Warn },
				Text: func(r *row) string { return r.Reason }},
			screen.TimeColumn(widget.Column[row]{Title: "visited", Width: 8, Right: true, Drop: 2},
				sh.When, func(r *row) time.Time { return r.At }),
			screen.TimeColumn(widget.Column[row]{Title: "again", Width: 7, Right: true, Drop: 7, Hide: whole},
				func(at time.Time) string { return again(sh, at) }, func(r *row) time.Time { return r.Next }),
		}...)
}

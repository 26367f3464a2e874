package screen

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// Harvest is screen 5: the aggregation pages above θ and the notices they led
// to, newest first, with the page or the notice under the cursor in full.
type Harvest struct {
	env     *Env
	panes   panes
	pages   *ui.Table[listRow]
	notices *ui.Table[view.NoticeItem]
	load    loader[*view.NoticeBook]
	book    *view.NoticeBook
	ranks   loader[bool] // has the notices ranked once they are listed
	ranked  int          // how often that brought other qualities
	query   string       // notices are searched for
	show    preview
	detail  noticeView
	list    int // the list that was focused last
	shown   *view.Snapshot
}

// listRow is an aggregation page and what it has brought home.
type listRow struct {
	view.HarvestRow
	view.ListYield
}

// mostNotices are listed; a search reaches all.
const mostNotices = 5000

// NewHarvest returns screen 5.
func NewHarvest(e *Env) *Harvest {
	s := &Harvest{env: e, pages: listTable(e), notices: noticeTable(e), show: preview{env: e}, detail: noticeView{env: e}, book: &view.NoticeBook{}}
	s.pages.Live, s.notices.Live = true, true
	s.pages.OrderBy("score", true)
	s.notices.OrderBy("date", true)
	s.load = loader[*view.NoticeBook]{env: e, label: "reading notices", load: func(ctx context.Context, _ stamp) (*view.NoticeBook, error) {
		return e.Bench.Notices(ctx, s.query, mostNotices)
	}}
	s.ranks = loader[bool]{env: e, label: "ranking notices", load: func(ctx context.Context, _ stamp) (bool, error) { return e.Bench.RankNotices(ctx) }}
	pages := tablePane(e, s.pages, func() string {
		return e.F("aggregation pages %s", ui.Count(e.Snap.Counts.Aggregations))
	}, func() string {
		return "No page lies above θ yet. Mark samples on screen 1, press S to start a discovery, tune θ on screen 3."
	})
	pages.click = clicks(s.pages, s.moved)
	pages.keys = func() []Binding {
		var t *target
		if r := s.pages.Selected(); r != nil {
			t = &target{r.ID, r.URL, r.Title, r.Label}
		}
		return append(append(append(e.pageKeys(t), s.keys()...), s.show.bindings()...), sortKeys(s.pages)...)
	}
	notices := tablePane(e, s.notices, s.noticeTitle, s.noticeEmpty)
	notices.click = clicks(s.notices, s.moved)
	notices.keys = func() []Binding {
		var t *target
		if r := s.notices.Selected(); r != nil {
			t = &target{r.ID, r.URL, r.Title, r.Label}
		}
		return append(append(append(e.pageKeys(t), s.keys()...), s.detail.bindings()...), sortKeys(s.notices)...)
	}
	pages.enter = func() { s.pages.Hold(); s.list = 0 }
	notices.enter = func() { s.notices.Hold(); s.list = 1 }
	s.panes = panes{env: e, all: []*pane{pages, notices, s.side()}, place: func(w, h int) []ui.Rect {
		a := h * 45 / 100
		if w >= 110 {
			left := w * 55 / 100
			return []ui.Rect{{W: left, H: a}, {Y: a, W: left, H: h - a}, {X: left, W: w - left, H: h}}
		}
		a = h * 30 / 100
		b := h * 38 / 100
		return []ui.Rect{{W: w, H: a}, {Y: a, W: w, H: b}, {Y: a + b, W: w, H: h - a - b}}
	}}
	return s
}

// side shows the page or the notice under the cursor.
func (s *Harvest) side() *pane {
	pre := s.show.pane("The page under the cursor is shown here.")
	det := s.detail.pane()
	of := func() *pane {
		if s.onNotices() {
			return det
		}
		return pre
	}
	return &pane{
		title: func() string { return of().title() },
		note:  func() string { return of().note() },
		draw:  func(c *ui.Canvas, focus bool) { of().draw(c, focus) },
		list:  sideText{s},
		keys: func() []Binding {
			if s.onNotices() {
				return append(s.keys(), s.detail.bindings()...)
			}
			return append(s.keys(), s.show.bindings()...)
		},
	}
}

// sideText is the text that the side pane shows, whichever it is.
type sideText struct{ s *Harvest }

func (x sideText) text() prose {
	if x.s.onNotices() {
		return prose{&x.s.detail.text}
	}
	return prose{&x.s.show.text}
}
func (x sideText) move(n int)                    { x.text().move(n) }
func (x sideText) home()                         { x.text().home() }
func (x sideText) end()                          { x.text().end() }
func (x sideText) page() int                     { return x.text().page() }
func (x sideText) scroll(n int)                  { x.text().scroll(n) }
func (x sideText) filter() ui.Filter             { return x.text().filter() }
func (x sideText) setFilter(f ui.Filter) tea.Cmd { return x.text().setFilter(f) }
func (x sideText) again(n int)                   { x.text().again(n) }

func (s *Harvest) noticeTitle() string {
	e, n := s.env, s.env.Snap.Counts.Notices
	if s.query != "" {
		return e.F("notices with %s: %s of %s", quoted(s.query), ui.Count(s.book.Total), ui.Count(n))
	}
	if listed := len(s.book.Rows); listed > 0 && listed < n {
		return e.F("notices %s · newest %s", ui.Count(n), ui.Count(listed))
	}
	return e.F("notices %s", ui.Count(n))
}

func quoted(s string) string { return "“" + ui.Fit(ui.Clean(s), 30) + "”" }

func (s *Harvest) noticeEmpty() string {
	if s.query != "" {
		return s.load.state(s.env.F("No notice holds %s. Press Q to search for something else, esc to see all.", quoted(s.query)))
	}
	return s.load.state("No notices yet. Press H to visit the aggregation pages and bring their notices home.")
}

func listTable(e *Env) *ui.Table[listRow] {
	type row = listRow
	num := func(title string, w, drop int, f func(*row) int) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop, Cell: func(r *row) (string, ui.Style) {
			if f(r) == 0 {
				return "·", ui.Dim
			}
			return ui.Count(f(r)), ui.Plain
		}, Number: func(r *row) float64 { return float64(f(r)) }}
	}
	fresh := num("new", 4, 0, func(r *row) int { return r.New })
	fresh.Cell = func(r *row) (string, ui.Style) {
		if r.New == 0 {
			return "·", ui.Dim
		}
		return "+" + ui.Count(r.New), ui.Good | ui.Bold
	}
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL },
		ui.Column[row]{Title: "score", Width: 6, Right: true, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Score, 3), ui.Good },
			Number: func(r *row) float64 { return float64(r.Score) }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 5, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 16, Flex: 3, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		address(10, 4, func(r *row) string { return r.URL }),
		num("rec", 4, 3, func(r *row) int { return r.Records }),
		num("home", 4, 2, func(r *row) int { return r.Notices }),
		fresh,
		ui.Column[row]{Title: "visited", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.When(r.At, e.Snap.At), ui.Dim }, Less: func(a, b *row) bool { return a.At.Before(b.At) }},
		ui.Column[row]{Title: "next", Width: 7, Right: true, Drop: 6, Cell: func(r *row) (string, ui.Style) { return e.T(ui.Until(r.Next, e.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
		ui.Column[row]{Title: "changes", Width: 8, Right: true, Drop: 7, Cell: func(r *row) (string, ui.Style) { return changes(e, r.Rate, r.Visits) },
			Number: func(r *row) float64 { return float64(r.Rate) }},
	)
}

// changes is how often a page is thought to change: "3.0/d", "every 9 d", or
// that its visits have not told.
func changes(e *Env, rate float64, visits int) (string, ui.Style) {
	switch {
	case visits < 2:
		return "–", ui.Dim
	case rate <= 0:
		return e.T("none yet"), ui.Dim
	case rate < 1:
		return e.F("1 in %s d", strconv.Itoa(int(1/rate+.5))), ui.Plain
	case rate < 10:
		return e.F("%s a day", strconv.FormatFloat(rate, 'f', 1, 64)), ui.Plain
	}
	return e.F("%s a day", ui.Count(int(rate+.5))), ui.Plain
}

func noticeTable(e *Env) *ui.Table[view.NoticeItem] {
	type row = view.NoticeItem
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL + " " + r.Date.String() },
		ui.Column[row]{Title: "date", Width: 10, Cell: func(r *row) (string, ui.Style) {
			if r.Date.IsZero() {
				return "–", ui.Dim
			}
			return r.Date.Time.Format("2006-01-02"), ui.Plain
		}, Less: func(a, b *row) bool { return a.Date.Time.Before(b.Date.Time) }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 4, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		ui.Column[row]{Title: "source", Width: 12, Flex: 1, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Text: func(r *row) string { return r.Host }},
		ui.Column[row]{Title: "score", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Score, 2), ui.Plain },
			Number: func(r *row) float64 { return float64(r.Score) }},
		ui.Column[row]{Title: "quality", Width: 7, Right: true, Drop: 3, Cell: func(r *row) (string, ui.Style) {
			if r.Quality == nil {
				return "–", ui.Dim
			}
			return ui.Score(r.Quality.Value, 2), ui.Plain
		}, Number: func(r *row) float64 {
			if r.Quality == nil {
				return -1
			}
			return r.Quality.Value
		}},
		ui.Column[row]{Title: "files", Width: 5, Right: true, Drop: 5, Cell: func(r *row) (string, ui.Style) {
			if r.Attachments == 0 {
				return "·", ui.Dim
			}
			return itoa(r.Attachments), ui.Plain
		}, Number: func(r *row) float64 { return float64(r.Attachments) }},
	)
}

// Name implements Screen.
func (s *Harvest) Name() string { return "Harvest" }

// SetSize implements Screen.
func (s *Harvest) SetSize(w, h int) { s.panes.setSize(w, h) }

// View implements Screen.
func (s *Harvest) View(c *ui.Canvas) { s.panes.view(c) }

// Update implements Screen.
func (s *Harvest) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapMsg, ShowMsg, ActMsg, TickMsg:
		if s.env.Shown != Screen(s) {
			return nil
		}
		var cmd tea.Cmd
		if s.shown != s.env.Snap {
			cmd = s.lists()
		}
		return tea.Batch(cmd, s.read(), s.rank(), s.moved())
	case loadedMsg[*view.NoticeBook]:
		if got, ok := s.load.take(msg); ok {
			s.book = got
			return tea.Batch(s.notices.SetRows(got.Rows), s.lists(), s.read(), s.rank(), s.moved())
		}
	case loadedMsg[bool]:
		if changed, ok := s.ranks.take(msg); ok && changed {
			s.ranked++
			s.detail.stale()
			return tea.Batch(s.read(), s.moved())
		}
	case ui.Arranged:
		s.pages.Arranged(msg)
		s.notices.Arranged(msg)
		return s.moved()
	case previewMsg:
		return s.show.update(msg)
	case sourceMsg:
		s.show.takeSource(msg)
	case existsMsg:
		s.askReplace(msg)
	case noticeMsg:
		s.detail.update(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// read has the notices read again when there are others, or another search.
func (s *Harvest) read() tea.Cmd {
	return s.load.check(stamp{pages: s.env.Snap.Counts.Notices, model: s.env.Snap.ModelRev, acts: s.env.Acts, extra: int(hash(s.query)>>1) ^ s.ranked})
}

// rank has the notices ranked again when pages came, after they were listed:
// nobody waits for it.
func (s *Harvest) rank() tea.Cmd {
	if s.book.Total == 0 {
		return nil
	}
	return s.ranks.check(stamp{pages: s.env.Snap.Counts.Pages, acts: s.env.Acts, extra: s.env.Snap.Counts.Notices})
}

// lists joins the snapshot's aggregation pages with their yields.
func (s *Harvest) lists() tea.Cmd {
	s.shown = s.env.Snap
	rows := make([]listRow, len(s.shown.Harvest))
	for i, r := range s.shown.Harvest {
		rows[i] = listRow{r, s.book.Yields[r.ID]}
	}
	return s.pages.SetRows(rows)
}

// onNotices reports whether the side pane belongs to the notices.
func (s *Harvest) onNotices() bool {
	return s.notices.Len() > 0 && (s.list == 1 || s.pages.Len() == 0)
}

// moved shows the row under the cursor of the list that was focused last.
func (s *Harvest) moved() tea.Cmd {
	if s.onNotices() {
		return s.detail.want(s.notices.Selected())
	}
	if r := s.pages.Selected(); r != nil {
		return s.show.want(r.ID)
	}
	return s.show.want(0)
}

// Bindings implements Screen.
func (s *Harvest) Bindings() []Binding {
	moved := s.moved
	if s.panes.focus == 2 {
		moved = nil
	}
	out := s.panes.bindings(moved)
	for i := range out {
		// Changing the list changes the preview.
		if k := out[i].Keys[0]; k == "tab" || k == "shift+tab" {
			step := out[i].Do
			out[i].Do = func() tea.Cmd { return tea.Batch(step(), s.moved()) }
		}
	}
	return append(out, s.env.runKeys()...)
}

// Keys implements Screen.
func (s *Harvest) Keys() []Binding { return s.panes.each(s.Bindings) }

package crawling

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/ui"
)

// Harvest is screen 5: the aggregation pages above θ and the notices they led
// to, newest first, with the page or the notice under the cursor in full.
type Harvest struct {
	ui      *screen.UI
	shared  *screen.Shared
	store   parts.Notices
	backups parts.Backups
	drive   *RunKeys
	panes   screen.Panes
	pages   *ui.Table[listRow]
	notices *ui.Table[view.NoticeItem]
	load    screen.Loader[*view.NoticeBook]
	book    *view.NoticeBook
	ranks   screen.Loader[bool] // ranks the notices once they are listed
	ranked  int                 // how often that brought other qualities
	hand    weighing
	query   string // words that the notices are searched for
	show    screen.Preview
	detail  noticeView
	list    int // the list that was focused last
	shown   *view.Snapshot
}

// listRow is an aggregation page and what it has brought home.
type listRow struct {
	view.HarvestRow
	view.ListYield
	quality *view.Quality
}

// mostNotices are listed; a search reaches all.
const mostNotices = 5000

// NewHarvest returns screen 5.
func NewHarvest(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, drive *RunKeys, n parts.Notices, b parts.Backups, p parts.Pages) *Harvest {
	s := &Harvest{ui: u, shared: sh, store: n, backups: b, drive: drive, pages: listTable(sh), notices: noticeTable(sh),
		show: screen.NewPreview(u, sh, p), book: &view.NoticeBook{}}
	s.detail = noticeView{ui: u, shared: sh, notices: n, weigh: s.hand.of}
	s.pages.Live, s.notices.Live = true, true
	s.pages.OrderBy("score", true)
	s.notices.OrderBy("date", true)
	s.load = screen.NewLoader(u, sh, "reading notices", func(ctx context.Context, _ screen.Stamp) (*view.NoticeBook, error) {
		return n.Notices(ctx, s.query, mostNotices)
	})
	s.ranks = screen.NewLoader(u, sh, "ranking notices", func(ctx context.Context, _ screen.Stamp) (bool, error) { return n.RankNotices(ctx) })
	pages := screen.TablePane(sh, s.pages, func() string {
		title := sh.F("aggregation pages %s", ui.Count(sh.Snap.Counts.Aggregations))
		if s.hand.moving {
			title += " · " + s.weights()
		}
		return title
	}, func() string {
		return "No page lies above θ yet. Mark samples on screen 1, press S to start a discovery, tune θ on screen 3."
	})
	pages.Click = screen.Clicks(s.pages, s.moved)
	pages.Keys = func() []screen.Binding {
		var t *screen.Target
		if r := s.pages.Selected(); r != nil {
			t = screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
		}
		return append(append(append(keys.Of(t), s.keys()...), s.show.Bindings()...), screen.SortKeys(s.pages)...)
	}
	notices := screen.TablePane(sh, s.notices, s.noticeTitle, s.noticeEmpty)
	notices.Click = screen.Clicks(s.notices, s.moved)
	notices.Keys = func() []screen.Binding {
		var t *screen.Target
		if r := s.notices.Selected(); r != nil {
			t = screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
		}
		return append(append(append(keys.Of(t), s.keys()...), s.detail.bindings()...), screen.SortKeys(s.notices)...)
	}
	pages.Enter = func() { s.pages.Hold(); s.list = 0 }
	notices.Enter = func() { s.notices.Hold(); s.list = 1 }
	s.panes = screen.NewPanes(u, sh, []*screen.Pane{pages, notices, s.side()}, func(w, h int) []ui.Rect {
		a := h * 45 / 100
		if w >= 110 {
			left := w * 55 / 100
			return []ui.Rect{{W: left, H: a}, {Y: a, W: left, H: h - a}, {X: left, W: w - left, H: h}}
		}
		a = h * 30 / 100
		b := h * 38 / 100
		return []ui.Rect{{W: w, H: a}, {Y: a, W: w, H: b}, {Y: a + b, W: w, H: h - a - b}}
	})
	return s
}

// Read moves the focus to the notices, and their cursor to the newest one.
func (s *Harvest) Read() {
	s.panes.SetFocus(1)
	s.notices.Home()
}

// side shows the page or the notice under the cursor.
func (s *Harvest) side() *screen.Pane {
	pre := s.show.Pane("The page under the cursor is shown here.")
	det := s.detail.pane()
	of := func() *screen.Pane {
		if s.onNotices() {
			return det
		}
		return pre
	}
	return &screen.Pane{
		Title: func() string { return of().Title() },
		Note: func() string {
			if r := s.pages.Selected(); r != nil && r.quality != nil && !s.onNotices() {
				return qualityLines(s.shared, r.quality)[1]
			}
			return of().Note()
		},
		Draw: func(c *ui.Canvas, focus bool) { of().Draw(c, focus) },
		List: sideText{s},
		Keys: func() []screen.Binding {
			if s.onNotices() {
				return append(s.keys(), s.detail.bindings()...)
			}
			return append(s.keys(), s.show.Bindings()...)
		},
	}
}

// sideText is the text that the side pane shows, whichever it is.
type sideText struct{ s *Harvest }

func (x sideText) text() screen.Prose {
	if x.s.onNotices() {
		return screen.ProseOf(&x.s.detail.text)
	}
	return screen.ProseOf(&x.s.show.Text)
}
func (x sideText) Move(n int)                    { x.text().Move(n) }
func (x sideText) Home()                         { x.text().Home() }
func (x sideText) End()                          { x.text().End() }
func (x sideText) Page() int                     { return x.text().Page() }
func (x sideText) Scroll(n int)                  { x.text().Scroll(n) }
func (x sideText) Filter() ui.Filter             { return x.text().Filter() }
func (x sideText) SetFilter(f ui.Filter) tea.Cmd { return x.text().SetFilter(f) }
func (x sideText) Again(n int)                   { x.text().Again(n) }

func (s *Harvest) noticeTitle() string {
	sh, n := s.shared, s.shared.Snap.Counts.Notices
	if s.query != "" {
		return sh.F("notices with %s: %s of %s", quoted(s.query), ui.Count(s.book.Total), ui.Count(n))
	}
	title := sh.F("notices %s", ui.Count(n))
	if listed := len(s.book.Rows); listed > 0 && listed < n {
		title = sh.F("notices %s · newest %s", ui.Count(n), ui.Count(listed))
	}
	if s.book.Total > 0 {
		title += " · " + s.weights()
	}
	return title
}

func quoted(s string) string { return "“" + ui.Fit(ui.Clean(s), 30) + "”" }

func (s *Harvest) noticeEmpty() string {
	if s.query != "" {
		return s.load.State(s.shared.F("No notice holds %s. Press Q to search for something else, esc to see all.", quoted(s.query)))
	}
	return s.load.State("No notices yet. Press H to visit the aggregation pages and bring their notices home.")
}

func listTable(sh *screen.Shared) *ui.Table[listRow] {
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
		ui.Column[row]{Title: "l", Width: 1, Drop: 5, Cell: func(r *row) (string, ui.Style) { return screen.LabelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 16, Flex: 3, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		screen.Address(10, 4, func(r *row) string { return r.URL }),
		qualityColumn(3, func(r *row) *view.Quality { return r.quality }),
		num("rec", 4, 3, func(r *row) int { return r.Records }),
		num("home", 4, 2, func(r *row) int { return r.Notices }),
		fresh,
		ui.Column[row]{Title: "visited", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.When(r.At, sh.Snap.At), ui.Dim }, Less: func(a, b *row) bool { return a.At.Before(b.At) }},
		ui.Column[row]{Title: "next", Width: 7, Right: true, Drop: 6, Cell: func(r *row) (string, ui.Style) { return sh.T(ui.Until(r.Next, sh.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
		ui.Column[row]{Title: "changes", Width: 8, Right: true, Drop: 7, Cell: func(r *row) (string, ui.Style) { return changes(sh, r.Rate, r.Visits) },
			Number: func(r *row) float64 { return float64(r.Rate) }},
	)
}

// changes is how often a page is thought to change: "3.0/d", "every 9 d", or
// that its visits do not tell it yet.
func changes(sh *screen.Shared, rate float64, visits int) (string, ui.Style) {
	switch {
	case visits < 2:
		return "–", ui.Dim
	case rate <= 0:
		return sh.T("none yet"), ui.Dim
	case rate < 1:
		return sh.F("1 in %s d", strconv.Itoa(int(1/rate+.5))), ui.Plain
	case rate < 10:
		return sh.F("%s a day", strconv.FormatFloat(rate, 'f', 1, 64)), ui.Plain
	}
	return sh.F("%s a day", ui.Count(int(rate+.5))), ui.Plain
}

func noticeTable(sh *screen.Shared) *ui.Table[view.NoticeItem] {
	type row = view.NoticeItem
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL + " " + r.Date.String() },
		ui.Column[row]{Title: "date", Width: 10, Cell: func(r *row) (string, ui.Style) {
			if r.Date.IsZero() {
				return "–", ui.Dim
			}
			return screen.DayText(r.Date), ui.Plain
		}, Less: func(a, b *row) bool { return a.Date.Time.Before(b.Date.Time) }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 4, Cell: func(r *row) (string, ui.Style) { return screen.LabelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		ui.Column[row]{Title: "source", Width: 12, Flex: 1, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Text: func(r *row) string { return r.Host }},
		ui.Column[row]{Title: "score", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Score, 2), ui.Plain },
			Number: func(r *row) float64 { return float64(r.Score) }},
		qualityColumn(3, func(r *row) *view.Quality { return r.Quality }),
		ui.Column[row]{Title: "files", Width: 5, Right: true, Drop: 5, Cell: func(r *row) (string, ui.Style) {
			if r.Attachments == 0 {
				return "·", ui.Dim
			}
			return strconv.Itoa(r.Attachments), ui.Plain
		}, Number: func(r *row) float64 { return float64(r.Attachments) }},
	)
}

// Name implements Screen.
func (s *Harvest) Name() string { return "Harvest" }

// SetSize implements Screen.
func (s *Harvest) SetSize(w, h int) { s.panes.SetSize(w, h) }

// View implements Screen.
func (s *Harvest) View(c *ui.Canvas) { s.panes.View(c) }

// Update implements Screen.
func (s *Harvest) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.ActMsg, screen.TickMsg:
		if s.shared.Shown != screen.Screen(s) {
			return nil
		}
		var cmd tea.Cmd
		if s.shown != s.shared.Snap {
			cmd = s.lists()
		}
		return tea.Batch(cmd, s.read(), s.rank(), s.moved())
	case screen.LoadedMsg[*view.NoticeBook]:
		if got, ok := s.load.Take(msg); ok {
			s.book = got
			s.saved()
			return tea.Batch(s.notices.SetRows(s.rows()), s.lists(), s.read(), s.rank(), s.moved())
		}
	case screen.LoadedMsg[bool]:
		if changed, ok := s.ranks.Take(msg); ok && changed {
			s.ranked++
			s.detail.stale()
			return tea.Batch(s.read(), s.moved())
		}
	case ui.Arranged:
		s.pages.Arranged(msg)
		s.notices.Arranged(msg)
		return s.moved()
	case screen.PreviewMsg:
		return s.show.Update(msg)
	case screen.SourceMsg:
		s.show.TakeSource(msg)
	case existsMsg:
		s.askReplace(msg)
	case noticeMsg:
		s.detail.update(msg)
	case tea.MouseMsg:
		return s.panes.Mouse(msg)
	}
	return nil
}

// read loads the notices again when there are others, or another search.
func (s *Harvest) read() tea.Cmd {
	return s.load.Check(screen.Stamp{Pages: s.shared.Snap.Counts.Notices, Model: s.shared.Snap.ModelRev, Acts: s.shared.Acts, Extra: int(screen.Hash(s.query)>>1) ^ s.ranked})
}

// rank ranks the notices again when pages came. It begins once the notices are
// listed, so nobody waits for it.
func (s *Harvest) rank() tea.Cmd {
	if s.book.Total == 0 && s.pages.Len() == 0 {
		return nil
	}
	return s.ranks.Check(screen.Stamp{Pages: s.shared.Snap.Counts.Pages, Acts: s.shared.Acts, Extra: s.shared.Snap.Counts.Notices})
}

// lists joins the snapshot's aggregation pages with their yields.
func (s *Harvest) lists() tea.Cmd {
	s.shown = s.shared.Snap
	rows := make([]listRow, len(s.shown.Harvest))
	for i, r := range s.shown.Harvest {
		rows[i] = listRow{r, s.book.Yields[r.ID], s.hand.of(s.book.Lists[r.ID])}
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
		return s.show.Want(r.ID)
	}
	return s.show.Want(0)
}

// Bindings implements Screen.
func (s *Harvest) Bindings() []screen.Binding {
	moved := s.moved
	if s.panes.Focus == 2 {
		moved = nil
	}
	out := s.panes.Bindings(moved)
	for i := range out {
		// Changing the list changes the preview.
		if k := out[i].Keys[0]; k == "tab" || k == "shift+tab" {
			step := out[i].Do
			out[i].Do = func() tea.Cmd { return tea.Batch(step(), s.moved()) }
		}
	}
	return append(out, s.drive.run()...)
}

// Keys implements Screen.
func (s *Harvest) Keys() []screen.Binding { return s.panes.Each(s.Bindings) }

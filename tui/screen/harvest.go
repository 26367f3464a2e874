package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/tui/ui"
)

// Harvest is screen 5: the aggregation pages above θ and the notices they led
// to, newest first, with a preview of the row under the cursor.
type Harvest struct {
	env     *Env
	panes   panes
	pages   *ui.Table[crawl.HarvestRow]
	notices *ui.Table[crawl.NoticeRow]
	show    preview
	list    int // the list that was focused last
	shown   *crawl.Snapshot
}

// NewHarvest returns screen 5.
func NewHarvest(e *Env) *Harvest {
	s := &Harvest{env: e, pages: harvestTable(), notices: noticeTable(), show: preview{env: e, mode: 1}}
	s.pages.Live, s.notices.Live = true, true
	pages := tablePane(e, s.pages, func() string {
		return e.F("aggregation pages %s", ui.Count(e.Snap.Counts.Aggregations))
	}, func() string {
		return "No page lies above θ yet. Mark samples on screen 1, press S to scout, tune θ on screen 3."
	})
	pages.click = clicks(s.pages, s.moved)
	pages.keys = func() []Binding {
		return append(append(e.pageKeys(harvestTarget(s.pages.Selected())), s.show.bindings()...), sortKeys(s.pages)...)
	}
	notices := tablePane(e, s.notices, func() string {
		n := e.Snap.Counts.Notices
		if listed := len(e.Snap.Notices); listed < n {
			return e.F("notices %s · newest %s", ui.Count(n), ui.Count(listed))
		}
		return e.F("notices %s", ui.Count(n))
	}, func() string {
		return "No notices yet. Press H to visit the aggregation pages and bring their notices home."
	})
	notices.click = clicks(s.notices, s.moved)
	notices.keys = func() []Binding {
		var t *target
		if r := s.notices.Selected(); r != nil {
			t = &target{r.ID, r.URL, r.Title, r.Label}
		}
		return append(append(e.pageKeys(t), s.show.bindings()...), sortKeys(s.notices)...)
	}
	pages.enter = func() { s.pages.Hold(); s.list = 0 }
	notices.enter = func() { s.notices.Hold(); s.list = 1 }
	pre := s.show.pane("The page under the cursor is shown here.")
	pre.keys = s.show.bindings
	s.panes = panes{env: e, all: []*pane{pages, notices, pre}, place: func(w, h int) []ui.Rect {
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

func noticeTable() *ui.Table[crawl.NoticeRow] {
	type row = crawl.NoticeRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL + " " + r.Date.String() },
		ui.Column[row]{Title: "date", Width: 10, Cell: func(r *row) (string, ui.Style) {
			if r.Date.IsZero() {
				return "–", ui.Dim
			}
			return r.Date.Time.Format("2006-01-02"), ui.Plain
		}, Less: func(a, b *row) bool { return a.Date.Time.Before(b.Date.Time) }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 2, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 28, Flex: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Less: func(a, b *row) bool { return a.Title < b.Title }},
		ui.Column[row]{Title: "host", Width: 12, Flex: 1, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Less: func(a, b *row) bool { return a.Host < b.Host }},
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
	case SnapMsg, ShowMsg, ActMsg:
		if s.env.Shown != Screen(s) {
			return nil
		}
		var cmd tea.Cmd
		if s.shown != s.env.Snap {
			s.shown = s.env.Snap
			cmd = tea.Batch(s.pages.SetRows(s.shown.Harvest), s.notices.SetRows(s.shown.Notices))
		}
		return tea.Batch(cmd, s.moved())
	case previewMsg:
		s.show.update(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// moved shows the row under the cursor of the list that was focused last.
func (s *Harvest) moved() tea.Cmd {
	if r := s.notices.Selected(); r != nil && (s.list == 1 || s.pages.Len() == 0) {
		return s.show.want(r.ID)
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

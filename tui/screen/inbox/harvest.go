// Package inbox is screen 5, where people spend the day: the notices that came
// home as a list of which views show a part, a reader that gives one notice the
// whole screen, and the aggregation pages that they came from.
//
// The list comes whole from the engine, which filters it; the table sorts, folds
// and draws it. What a key says of a notice is shown at once and is there for good
// when the next list comes. The danger is a row that goes away under the hand: what
// was read or done in a view stays in it until the reader goes to another.
package inbox

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/widget"
)

// harvest is screen 5.
type harvest struct {
	*screen.UI
	*screen.Shared
	inbox    screen.Inbox
	files    screen.Files
	store    screen.Pages
	backups  screen.Backups
	settings screen.Settings
	browse   func(url string) error
	screen.Panes
	pages       *widget.Table[listRow]
	notices     *widget.Table[inbox.ListedNotice]
	load        screen.Loader[*inbox.Listing]
	book        *inbox.Listing
	fields      []fields.Field      // that have columns
	cells       cells               // what stands in them
	ranks       screen.Loader[bool] // ranks the notices once they are listed
	ranked      int                 // how often that brought other qualities
	hand        weighing
	views       views
	said        readerDecisions
	unfolded    map[uint64]bool
	jumped      uint64    // a notice that was jumped to and is being unfolded
	looked      time.Time // the newest notice when the reader last looked here
	here        bool      // the screen is the visible one
	newestFirst bool      // the newest notice is to be opened when it is listed
	byDeadline  bool      // the notices that are due are shown, in the order of their deadlines
	wanted      uint64    // the aggregation page that is to be shown as soon as it is listed; 0 = none
	show        screen.Preview
	reader      reader
	recipes     *recipesView
	list        int // the list that was focused last
	shown       *view.Snapshot
	w, h        int
}

// The panes by their place.
const (
	noticesPane = iota
	listsPane
	sidePane
)

// New returns screen 5; browse opens an address in the reader's browser, nil where
// there is none.
func New(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts, who auth.Role,
	browse func(url string) error) screen.Screen {
	s := &harvest{UI: u, Shared: sh, inbox: p.Inbox, files: p.Files, store: p.Pages, backups: p.Backups,
		settings: p.Settings, browse: browse,
		pages: listTable(sh), show: screen.NewPreview(u, sh, p.Pages), book: &inbox.Listing{},
		unfolded: map[uint64]bool{}}
	if p.Facts != nil {
		s.fields = p.Facts.Fields()
		s.views.due = hasDeadline(s.fields)
	}
	s.notices = s.noticeTable(s.fields)
	s.reader = reader{UI: u, Shared: sh, notices: p.Pages, in: s, values: values{facts: p.Facts, at: -1}}
	s.pages.Live, s.notices.Live = true, true
	s.notices.Under = func(r *inbox.ListedNotice) uint64 { return r.Under }
	s.pages.OrderBy("score", true)
	s.notices.OrderBy("date", true)
	s.notices.SetOnly(func(r *inbox.ListedNotice) bool { return r.Under == 0 || s.unfolded[r.Under] })
	s.load = screen.NewLoader(u, sh, "reading notices",
		func(screen.DataVersion) func(context.Context) (*inbox.Listing, error) {
			ask := s.views.ask(s.inbox.Views(), s.looked)
			return func(ctx context.Context) (*inbox.Listing, error) { return p.Inbox.List(ctx, ask) }
		}, s.take)
	s.load.Progress = true
	s.ranks = screen.NewLoader(u, sh, "ranking notices",
		func(screen.DataVersion) func(context.Context) (bool, error) { return p.Pages.RankNotices }, s.reranked)
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{s.noticesPane(keys), s.listsPane(keys), s.side(keys)}, place)
	s.Title = "Harvest"
	s.recipes = newRecipes(u, sh, keys, p.Sources, who)
	s.Around, s.Covers = s.around, []*screen.Panes{&s.recipes.Panes}
	return s
}

func place(w, h int) []widget.Rect {
	switch {
	case w >= 150: // the reader beside both lists
		left, a := w*62/100, h*66/100
		return []widget.Rect{{W: left, H: a}, {Y: a, W: left, H: h - a}, {X: left, W: w - left, H: h}}
	case w >= 100:
		a, left := h*58/100, w*48/100
		return []widget.Rect{{W: w, H: a}, {Y: a, W: left, H: h - a}, {X: left, Y: a, W: w - left, H: h - a}}
	}
	a := h * 64 / 100
	return []widget.Rect{{W: w, H: a}, {Y: a, W: w, H: h - a}, {}}
}

func (s *harvest) noticesPane(keys *screen.PageKeys) *screen.Pane {
	p := screen.TablePane(s.Shared, s.notices, s.noticeTitle, s.noticeEmpty)
	p.List = noticeList{s.notices, s}
	p.Moved, p.Marks, p.Sorts = s.moved, true, true
	s.notices.Settled = func() tea.Cmd {
		s.arrived()
		return tea.Batch(s.moved(), s.readNewest())
	}
	p.Open = func() (string, func() tea.Cmd) {
		if s.notices.Len() == 0 {
			return "there are no notices here", nil
		}
		return "", s.openReader
	}
	p.Keys = func() []screen.Binding {
		c := screen.ChosenOf(s.notices, targetOf)
		out := append(append(s.marking(s.notices.Meant), s.kinKeys()...), keys.Address(c)...)
		out = append(append(out, s.viewKeys()...), s.foldKeys()...)
		return append(append(out, s.keys()...), s.reader.scrollKeys()...)
	}
	p.Enter = func() { s.notices.Hold(); s.list = noticesPane }
	return p
}

func targetOf(r *inbox.ListedNotice) *screen.Target {
	return screen.NewTarget(r.ID, r.URL, r.Title, "")
}

func (s *harvest) listsPane(keys *screen.PageKeys) *screen.Pane {
	p := screen.TablePane(s.Shared, s.pages, func() string {
		title := s.F("aggregation pages %s", s.Lists())
		if s.hand.moving {
			title += " · " + s.weights()
		}
		return title
	}, func() string {
		return s.NoLists()
	})
	note := p.Note
	p.Note = func() string {
		if r := s.pages.Selected(); r != nil && r.Unmatched > 0 {
			return s.F("{yes} accepts all entries of this list · {settings} changes the patterns")
		}
		return note()
	}
	p.Moved, p.Marks, p.Sorts = s.moved, true, true
	p.Opens = sidePane
	p.Keys = func() []screen.Binding {
		c := screen.ChosenOf(s.pages,
			func(r *listRow) *screen.Target { return screen.NewTarget(r.ID, r.URL, r.Title, r.Label) })
		return slices.Concat(keys.Of(c), s.keys(), s.show.Bindings())
	}
	p.Enter = func() { s.pages.Hold(); s.list = listsPane }
	return p
}

// Read opens the newest notice of all, as soon as they are listed.
func Read(of screen.Screen) tea.Cmd {
	s := of.(*harvest)
	s.newestFirst = true
	return tea.Batch(s.showAll("", "date", true), s.readNewest())
}

// Due lists the notices that the first screen counts as due, that whose deadline is
// nearest first.
func Due(of screen.Screen) tea.Cmd {
	s := of.(*harvest)
	cmd := s.showAll(dueQuery, "deadline", false)
	s.byDeadline = true
	return cmd
}

// showAll lists those of all notices that a filter lets pass, by a field.
func (s *harvest) showAll(query, by string, desc bool) tea.Cmd {
	s.views.at, s.views.query, s.views.keep = "", query, nil
	s.SetFocus(noticesPane)
	s.recipes.Open = false
	s.notices.Unmark()
	return tea.Batch(s.order(by, desc), s.read())
}

// order sorts the notices by a column or a field, from the first on.
func (s *harvest) order(by string, desc bool) tea.Cmd {
	s.byDeadline = false
	st := s.notices.State()
	st.Sort, st.Desc, st.Row = by, desc, 0
	for i := range s.fields {
		if s.fields[i].Name == by {
			st.Sort = fieldTitle(&s.fields[i])
		}
	}
	cmd := s.notices.Restore(st)
	s.notices.Home()
	return cmd
}

// readNewest opens the newest notice, if that was asked for.
func (s *harvest) readNewest() tea.Cmd {
	if !s.newestFirst || s.notices.Len() == 0 || !s.here || s.load.Busy {
		return nil
	}
	s.newestFirst = false
	s.notices.Home()
	return s.openReader()
}

// openReader gives the notice under the cursor the whole screen.
func (s *harvest) openReader() tea.Cmd {
	s.notices.Hold()
	s.list = noticesPane
	s.OpenPane(sidePane)
	var read tea.Cmd
	if r := s.notices.Selected(); r != nil {
		read = s.setRead([]*inbox.ListedNotice{r}, true)
	}
	return tea.Batch(s.moved(), read)
}

// side shows the page or the notice under the cursor; it is the reader, too.
func (s *harvest) side(keys *screen.PageKeys) *screen.Pane {
	page := s.show.Pane("The page under the cursor is shown here.")
	note := page.Note
	page.Note = func() string {
		if r := s.pages.Selected(); r != nil && r.quality != nil {
			return "PageRank " + rankText(s.Shared, r.quality)
		}
		return note()
	}
	page.Keys = func() []screen.Binding { return append(s.exportKey(), s.show.Bindings()...) }
	notice := s.reader.pane()
	notice.Keys = func() []screen.Binding {
		one := func() []*inbox.ListedNotice {
			if r := s.notices.Selected(); r != nil {
				return []*inbox.ListedNotice{r}
			}
			return nil
		}
		var c screen.Chosen
		if r := s.notices.Selected(); r != nil {
			c.Row = targetOf(r)
		}
		return slices.Concat(s.reader.keys(), s.reader.fieldKeys(), s.marking(one), s.kinKeys(),
			keys.Address(c), s.exportKey())
	}
	s.All = append(s.All, notice, page)
	return &screen.Pane{Of: func() *screen.Pane { return widget.Either(s.onNotices(), notice, page) }}
}

// SetSize implements Screen.
func (s *harvest) SetSize(w, h int) {
	s.w, s.h = w, h
	s.Panes.SetSize(w, max(0, h-s.bar()))
	s.recipes.SetSize(w, h)
}

// bar is how many rows the names of the views take: none where room is short.
func (s *harvest) bar() int {
	return widget.Either(s.h < 12, 0, 1)
}

// Update implements Screen.
func (s *harvest) Update(msg tea.Msg) tea.Cmd { return tea.Batch(s.recipes.Update(msg), hear(s, msg)) }

func hear(s *harvest, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.ActMsg, screen.TickMsg:
		return s.refresh(msg)
	}
	return nil
}

// Mouse implements Screen.
func (s *harvest) Mouse(m tea.MouseMsg) tea.Cmd {
	if s.recipes.Open {
		return s.recipes.Mouse(m)
	}
	if m.Y -= s.bar(); m.Y < 0 {
		return s.clickViews(m)
	}
	return s.Panes.Mouse(m)
}

// refresh follows what may have changed what is shown, while the screen is.
func (s *harvest) refresh(msg tea.Msg) tea.Cmd {
	if act, ok := msg.(screen.ActMsg); ok && act.Err != nil {
		s.said = readerDecisions{}
	}
	if s.Shown != screen.Screen(s) {
		if s.here { // what was there when the reader left is no news any more
			s.here, s.looked = false, s.newest()
		}
		return nil
	}
	s.here = true
	var cmd tea.Cmd
	if s.shown != s.Snap {
		cmd = s.lists()
	}
	return tea.Batch(cmd, s.read(), s.rank(), s.moved(), s.readNewest())
}

// newest is when the newest notice that was listed was first seen.
func (s *harvest) newest() time.Time {
	if s.book.Newest.After(s.looked) {
		return s.book.Newest
	}
	return s.looked
}

// take shows a list that has come.
func (s *harvest) take(got *inbox.Listing) tea.Cmd {
	if got.Query != s.book.Query { // what another filter lets pass has not arrived just now
		widget.Anew(s.notices)
	}
	s.book, s.cells = got, cells{}
	s.said.settle(s.load.Have.Acts)
	s.notices.Lit = got.Lit
	s.reader.lit()
	s.saved()
	columns := s.refield()
	if !got.Ranked && s.notices.Sorted() == "match" { // nothing is relevant to no words
		s.notices.OrderBy("date", true)
	}
	cmd := tea.Batch(columns, s.notices.SetRows(s.rows()), s.lists(), s.read(), s.rank(), s.moved(), s.readNewest())
	s.reader.again() // the row of the notice that is shown may say something else
	return cmd
}

func hasDeadline(of []fields.Field) bool {
	return slices.ContainsFunc(of, func(f fields.Field) bool { return f.Name == "deadline" })
}

// refield makes the columns anew after the fields of the settings have changed.
func (s *harvest) refield() tea.Cmd {
	if slices.EqualFunc(s.fields, s.book.Fields, func(a, b fields.Field) bool {
		return a.Name == b.Name && a.Title == b.Title && a.Type == b.Type
	}) {
		return nil
	}
	s.fields = s.book.Fields
	s.views.due = hasDeadline(s.fields)
	was := s.notices.State()
	s.notices.Cols = s.noticeTable(s.fields).Cols
	return s.notices.Restore(was)
}

// read loads the notices again when there are others, or another filter.
func (s *harvest) read() tea.Cmd {
	// Spans such as age<7d move with the clock.
	extra := screen.Hash(s.views.key(s.inbox.Views())) ^ uint64(s.ranked)<<20 ^ s.Snap.Decided<<32 ^
		s.Snap.FactsRev<<44 ^ uint64(s.said.reads)<<8 ^ uint64(s.Now().Unix()/3600)
	return s.load.Check(screen.DataVersion{Pages: s.Snap.Counts.Notices, Model: s.Snap.ModelRev,
		Acts: s.Acts, Extra: int(extra >> 1)})
}

// rank ranks the notices again when pages came. It begins once the notices are
// listed, so no reader waits for it.
func (s *harvest) rank() tea.Cmd {
	if s.book.All == 0 && s.pages.Len() == 0 {
		return nil
	}
	return s.ranks.Check(screen.DataVersion{Pages: s.Snap.Counts.Pages, Acts: s.Acts,
		Extra: s.Snap.Counts.Notices})
}

// reranked shows the notices with their new ranks.
func (s *harvest) reranked(changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	s.ranked++
	s.reader.stale()
	return tea.Batch(s.read(), s.moved())
}

// onNotices reports whether the side pane belongs to the notices.
func (s *harvest) onNotices() bool {
	return s.notices.Len() > 0 && (s.list == noticesPane || s.pages.Len() == 0)
}

// moved shows the row under the cursor of the list that was focused last.
func (s *harvest) moved() tea.Cmd {
	if s.onNotices() {
		return s.reader.want(s.notices.Selected())
	}
	if r := s.pages.Selected(); r != nil {
		return s.show.Want(r.ID)
	}
	return s.show.Want(0)
}

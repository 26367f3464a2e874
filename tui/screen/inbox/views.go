package inbox

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/filter"
	"angler/crawl/inbox"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// builtin are the views that every workspace has, dueView where notices have a deadline.
var (
	dueView = decisions.SavedView{Name: "due within 7 days", Query: "due<7d"}
	builtin = []decisions.SavedView{
		{Name: "all notices"}, {Name: "unread", Query: "is:unread"}, {Name: starSign, Query: "is:starred"},
		dueView, {Name: "done", Query: "is:done"}, {Name: "last 7 days", Query: "age<7d"},
		{Name: "changed", Query: "is:changed"}, {Name: "doubtful", Query: "is:doubtful"},
	}
)

// dueQuery asks for the notices that the first screen counts as due.
const dueQuery = "due<3d -is:done"

// views is which notices are wanted: those of a view that a filter lets pass, too.
type views struct {
	at    string // the view's name
	query string // what was typed besides
	due   bool   // notices have a deadline
	keep  []uint64
	tabs  []tab // as they were drawn
}

type tab struct {
	rect widget.Rect
	name string
}

// mostKept bounds what stays in a view although it does not belong there any more.
const mostKept = 5000

// hold keeps notices in the list that the reader has just changed.
func (v *views) hold(ids []uint64) {
	if len(v.keep) < mostKept {
		v.keep = append(v.keep[:len(v.keep):len(v.keep)], ids...)
	}
}

// all are the views of the program and the team's own, in order.
func (v *views) all(own []decisions.SavedView) []decisions.SavedView {
	every := slices.Concat(builtin, own)
	if !v.due {
		every = slices.DeleteFunc(every, func(x decisions.SavedView) bool { return x == dueView })
	}
	return every
}

// now is the view in force; a removed one is that of all.
func (v *views) now(own []decisions.SavedView) decisions.SavedView {
	for _, x := range v.all(own) {
		if x.Name == v.at {
			return x
		}
	}
	return builtin[0]
}

func (v *views) ask(own []decisions.SavedView, since time.Time) inbox.Request {
	ask := inbox.Request{Query: strings.TrimSpace(v.now(own).Query + " " + v.query), Since: since}
	for _, x := range v.all(own) {
		ask.Counts = append(ask.Counts, x.Query)
	}
	if ask.Query != "" {
		ask.Keep = v.keep
	}
	return ask
}

// key tells one ask from another.
func (v *views) key(own []decisions.SavedView) string {
	ask := v.ask(own, time.Time{})
	return ask.Query + "\x00" + strings.Join(ask.Counts, "\x00")
}

// label returns the name of a view on the screen.
func label(sh *screen.Shared, v *decisions.SavedView) string {
	if slices.ContainsFunc(builtin, func(b decisions.SavedView) bool { return b.Name == v.Name }) {
		return sh.T(v.Name)
	}
	return widget.Clean(v.Name)
}

// goTo shows a view; what is typed besides stays.
func (s *harvest) goTo(name string) tea.Cmd {
	s.views.at, s.views.keep = name, nil
	s.notices.Unmark()
	s.notices.Home()
	return s.read()
}

// filter shows the notices of the view that a filter lets pass. Those that were due stood
// in the order of their deadlines, others stand in that of their dates.
func (s *harvest) filter(query string) tea.Cmd {
	var order tea.Cmd
	if query != s.views.query {
		s.views.query, s.views.keep = query, nil
		if s.byDeadline {
			order = s.order("date", true)
		}
	}
	return tea.Batch(order, s.read())
}

// step goes to another view, round the ends.
func (s *harvest) step(n int) tea.Cmd {
	every := s.views.all(s.inbox.Views())
	now := s.views.now(every).Name
	i := slices.IndexFunc(every, func(v decisions.SavedView) bool { return v.Name == now })
	return s.goTo(every[(i+n+len(every))%len(every)].Name)
}

// drawViews draws the names of the views with their counts, that in force in place.
func (s *harvest) drawViews(c *widget.Canvas) {
	own := s.inboxViews()
	every := s.views.all(own)
	now := s.views.now(own).Name
	s.views.tabs = s.views.tabs[:0]
	q, room := s.views.query, s.w
	if q != "" { // what is asked is seen, too
		q = "/ " + widget.Clean(q)
		room -= min(widget.Width(q)+3, s.w/3)
	}
	names, styles := make([]string, len(every)), make([]widget.Style, len(every))
	first, wide := 0, 2 // the first that is drawn; cells up to the one in force
	for i := range every {
		name, st, count := label(s.Shared, &every[i]), widget.Dim, ""
		if i < len(s.book.Counts) && s.book.Counts[i] >= 0 {
			count = " " + widget.Count(s.book.Counts[i])
		} else if i < len(s.book.Counts) {
			count, st = " !", widget.Bad
		}
		if names[i] = " " + name + count + " "; every[i].Name == now {
			names[i], st = "["+name+count+"]", widget.Accent|widget.Bold
		}
		styles[i] = st
		if wide += widget.Width(names[i]); every[i].Name == now {
			for ; first < i && wide > room; first++ {
				wide -= widget.Width(names[first])
			}
		}
	}
	x := 1
	if first > 0 {
		x = c.Text(0, 0, widget.Dim, "…")
	}
	for i := first; i < len(every); i++ {
		if x+widget.Width(names[i]) > room {
			c.Text(x, 0, widget.Dim, "…")
			break
		}
		s.views.tabs = append(s.views.tabs, tab{widget.Rect{X: x, W: widget.Width(names[i]), H: 1}, every[i].Name})
		x = c.Text(x, 0, styles[i], names[i])
	}
	if q != "" && s.w-x > 8 {
		q = widget.Fit(q, s.w-x-3)
		c.Text(s.w-1-widget.Width(q), 0, widget.Mark, q)
	}
}

// inboxViews are the team's own views; none before there is an engine.
func (s *harvest) inboxViews() []decisions.SavedView {
	if s.inbox == nil {
		return nil
	}
	return s.inbox.Views()
}

func (s *harvest) clickViews(m tea.MouseMsg) tea.Cmd {
	if m.Action != tea.MouseActionPress || m.Button != tea.MouseButtonLeft {
		return nil
	}
	for _, t := range s.views.tabs {
		if t.rect.Contains(m.X, 0) {
			return s.goTo(t.name)
		}
	}
	return nil
}

// viewKeys go from view to view, and filter.
func (s *harvest) viewKeys() []screen.Binding {
	return []screen.Binding{
		screen.Bind(keymap.NextView, "", func() tea.Cmd { return s.step(1) }),
		screen.Bind(keymap.LastView, "", func() tea.Cmd { return s.step(-1) }),
		screen.Bind(keymap.ToView, "", screen.Do(s.chooseView)),
		screen.Bind(keymap.Filter, "", screen.Do(func() { s.askFilter("") })),
	}
}

// foldKeys show and fold the copies of a notice.
func (s *harvest) foldKeys() []screen.Binding {
	r := s.notices.Selected()
	var head uint64
	switch {
	case r == nil:
	case r.Copies > 0:
		head = r.ID
	case r.Under != 0:
		head = r.Under
	}
	open, closed := "", ""
	if head == 0 {
		open, closed = "the notice has no copies", "the notice has no copies"
	} else if s.unfolded[head] {
		open = "its copies are shown already"
	} else {
		closed = "its copies are folded already"
	}
	set := func(on bool) func() tea.Cmd {
		return func() tea.Cmd {
			s.unfolded[head] = on
			return s.notices.SetRows(s.rows())
		}
	}
	return []screen.Binding{screen.Bind(keymap.Unfold, open, set(true)), screen.Bind(keymap.Fold, closed, set(false))}
}

// keys are those of both lists.
func (s *harvest) keys() []screen.Binding { return append(s.exportKey(), s.weighKeys()...) }

func (s *harvest) exportKey() []screen.Binding {
	return []screen.Binding{screen.Bind(keymap.Export, "", screen.Do(s.chooseExport))}
}

// noticeList is the list that the movement keys drive: its filter is the typed one.
type noticeList struct {
	*widget.Table[inbox.ListedNotice]
	s *harvest
}

func (l noticeList) Filter() widget.Filter {
	return widget.NewFilter(l.s.views.query)
}
func (l noticeList) SetFilter(f widget.Filter) tea.Cmd { return l.s.filter(f.Text) }

func (s *harvest) noticeTitle() string {
	sh := s.Shared
	all, copies := sh.Snap.Counts.Notices, sh.Snap.Counts.Copies // folded under others
	title := sh.F("notices %s", all-copies)
	if copies > 0 {
		title = sh.F("notices %s (%s addresses)", all-copies, all)
	}
	if own := s.inboxViews(); s.views.now(own).Name != builtin[0].Name || s.views.query != "" {
		title = sh.F("notices %s of %s", s.notices.Len(),
			max(s.notices.Len(), s.book.All-copies))
	}
	if n := s.book.New; n > 0 {
		title += " · " + sh.F("%s new", n)
	}
	if s.notices.Sorted() == "for me" && learnedText(sh, &s.book.ForMe) != "" {
		title += " · " + learnedText(sh, &s.book.ForMe)
	}
	if s.hand.moving || s.notices.Sorted() == "quality" {
		title += " · " + s.weights()
	}
	return title
}

// noticeEmpty says why no notice is shown, and what would show some.
func (s *harvest) noticeEmpty() string {
	sh := s.Shared
	if s.book.All == 0 {
		return s.load.State(
			"No notices yet. Press {harvest} to visit the aggregation pages and bring their notices home.")
	}
	now := s.views.now(s.inboxViews())
	if s.views.query == "" {
		switch now.Query {
		case "is:unread":
			return sh.T("You have read every notice. {next_view} goes to the next view.")
		case "is:starred":
			return sh.T("No notice has a star. {star} gives one to the notice under the cursor, for the whole team.")
		case "is:done":
			return sh.T("No notice is done. {done} says so of the notice under the cursor, for the whole team.")
		}
	}
	out := ""
	if q := s.views.query; !s.book.ForMe.Ready && (strings.Contains(q, "for-me") || strings.Contains(q, "适合我")) {
		out = sh.F("for me: %s", learnedText(sh, &s.book.ForMe)) + ". "
	}
	if len(s.book.Why) != 1 || s.book.Why[0].Alone > 0 {
		out = sh.F("No notice meets %s.", quoted(strings.TrimSpace(sh.T(now.Query)+" "+s.views.query))) + " "
	}
	best := -1
	for i, w := range s.book.Why {
		if w.Without > 0 && (best < 0 || w.Without > s.book.Why[best].Without) {
			best = i
		}
	}
	for _, w := range s.book.Why {
		if w.Alone == 0 {
			if w.Term == now.Query {
				w.Term = sh.T(w.Term)
			}
			out += instead(sh, w) + " "
		}
	}
	if best >= 0 && len(s.book.Why) > 1 {
		w := s.book.Why[best]
		out += sh.F("Without %s there would be %s.", quoted(w.Term), sh.N(w.Without, "notice")) + " "
	}
	return s.load.State(out + sh.T("{clear_filter} takes the filter away, {next_view} goes to the next view."))
}

// instead tells of a term that no notice meets what would meet it.
func instead(sh *screen.Shared, w filter.TermMatches) string {
	switch {
	case w.Least != "" && w.Least == w.Most:
		return sh.F("No notice meets %s; the known values are %s.", quoted(w.Term), w.Least)
	case w.Least != "":
		return sh.F("No notice meets %s; the known values lie from %s to %s.", quoted(w.Term), w.Least, w.Most)
	case len(w.Values) > 0:
		values := make([]string, len(w.Values))
		for i, v := range w.Values {
			values[i] = widget.Clean(v)
		}
		return sh.F("None at all meets %s; there is %s.", quoted(w.Term), strings.Join(values, sh.T(", ")))
	}
	return sh.F("None at all meets %s.", quoted(w.Term))
}

func quoted(s string) string { return "“" + widget.Fit(widget.Clean(s), 40) + "”" }

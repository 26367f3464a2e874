package inbox

import (
	"cmp"
	"strconv"
	"strings"

	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/store/records"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// The signs of a notice's state.
const (
	unreadSign = "●"
	starSign   = "★"
	doneSign   = "✓"
	noteSign   = "✎"
)

// noticeTable gives the room to the title; the state takes a cell a sign.
func (s *harvest) noticeTable(own []fields.Field) *widget.Table[inbox.ListedNotice] {
	type row = inbox.ListedNotice
	cols := s.columns()
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL + " " + r.Date.String() },
		append(cols, s.fieldColumns(own, cols)...)...)
}

// columns are those that every notice has.
func (s *harvest) columns() []widget.Column[inbox.ListedNotice] {
	type row = inbox.ListedNotice
	sh := s.Shared
	b2n := func(on bool) float64 { return widget.Either(on, 1., 0) }
	return []widget.Column[row]{
		{Title: "date", Width: 10, Cell: func(r *row) (string, widget.Style) {
			if r.Date.IsZero() {
				return "–", widget.Dim
			}
			return screen.DayText(r.Date), s.faint(r)
		}, Number: func(r *row) float64 { return float64(r.Date.Time.Unix()) }},
		{Width: 1, Join: true, Cell: func(r *row) (string, widget.Style) {
			switch {
			case s.said.isRead(r):
				return " ", widget.Plain
			case r.New:
				return unreadSign, widget.Good | widget.Bold
			}
			return unreadSign, widget.Accent
		}, Number: func(r *row) float64 { return b2n(!s.said.isRead(r)) }},
		{Width: 1, Join: true, Cell: func(r *row) (string, widget.Style) {
			switch m := s.said.marks(r); {
			case m.Starred():
				return starSign, widget.Warn | widget.Bold
			case m.IsDone():
				return doneSign, widget.Good
			}
			return " ", widget.Plain
		}, Number: func(r *row) float64 {
			m := s.said.marks(r)
			return 2*b2n(m.Starred()) + b2n(m.IsDone())
		}},
		{Width: 1, Cell: func(r *row) (string, widget.Style) {
			m := s.said.marks(r)
			if l := m.Judgement(); l != topic.NoLabel {
				return screen.LabelSign(l)
			}
			switch {
			case r.Doubt != nil:
				return doubtfulSign, widget.Warn
			case !r.Changed.IsZero() && !s.said.isRead(r):
				return changedSign, widget.Accent
			case m.Says() != "":
				return noteSign, widget.Accent
			case !r.Changed.IsZero():
				return changedSign, widget.Dim
			}
			return " ", widget.Plain
		}, Text: func(r *row) string { return string(s.said.marks(r).Judgement()) }},
		{Title: "title", Width: 44, Flex: 6, Wish: 60, Cell: s.title, Tail: s.tail,
			Text: func(r *row) string { return r.Title }},
		{Title: "state", Width: 10, Drop: 2, Off: true, Cell: func(r *row) (string, widget.Style) {
			if r.State == notices.StateUnknown {
				return "·", widget.Dim
			}
			return stateName(sh, r.State), stateStyles[r.State]
		}, Number: func(r *row) float64 { return float64(r.State) }},
		away(screen.Found("project of", 10, 6, widget.Plain, func(r *row) int {
			if r.Thread == nil {
				return 0
			}
			return len(r.Thread.Steps)
		})),
		{Title: "match", Width: 5, Right: true, Drop: 1, Hide: func() bool { return !s.book.Ranked },
			Cell: func(r *row) (string, widget.Style) {
				return widget.OrDot(r.Match != 0, strconv.FormatFloat(r.Match, 'f', 1, 64), widget.Dim)
			}, Number: func(r *row) float64 { return r.Match }},
		{Title: "for me", Width: 6, Right: true, Drop: 2, Hide: func() bool { return !s.book.ForMe.Ready },
			Cell: func(r *row) (string, widget.Style) {
				return widget.Score(r.ForMe, 2), widget.Either(r.ForMe >= inbox.LikelyForMe, widget.Good, widget.Dim)
			}, Number: func(r *row) float64 { return r.ForMe }},
		{Title: "source", Width: 12, Flex: 2, Max: 24, Drop: 1, Style: widget.Dim,
			Text: func(r *row) string { return r.Site }},
		{Title: "model", Width: 6, Drop: 1, Hide: func() bool { return !s.Snap.Assistant.On },
			Cell: func(r *row) (string, widget.Style) {
				if r.Said() == records.SaidYes {
					return s.T("yes"), widget.Good
				}
				return s.Value("", r.Said()), widget.Dim
			}, Text: func(r *row) string { return r.Said() }},
		{Title: "score", Width: 5, Right: true, Drop: 4, Spare: true, Digits: 2, Style: widget.Dim,
			Number: func(r *row) float64 { return r.Score }},
		qualityColumn(3, func(r *row) *inbox.Quality { return r.Quality }),
		{Title: "files", Width: 5, Right: true, Drop: 5, Spare: true, Cell: func(r *row) (string, widget.Style) {
			return widget.OrDot(r.Files != 0, strconv.Itoa(r.Files), widget.Plain)
		}, Number: func(r *row) float64 { return float64(r.Files) }},
		{Title: "seen", Width: 7, Right: true, Drop: 6, Off: true,
			Cell:   func(r *row) (string, widget.Style) { return sh.When(r.At), widget.Dim },
			Number: func(r *row) float64 { return float64(r.At.Unix()) }},
		{Title: "note", Width: 12, Flex: 2, Drop: 7, Off: true,
			Text: func(r *row) string { return s.said.marks(r).Says() }},
		{Title: "who", Width: 10, Drop: 8, Off: true, Style: widget.Dim,
			Text: func(r *row) string { return who(s.said.marks(r)) }},
		away(screen.Address(10, 9, func(r *row) string { return r.URL })),
	}
}

// faint is the style of a row that needs no attention any more.
func (s *harvest) faint(r *inbox.ListedNotice) widget.Style {
	m := s.said.marks(r)
	return widget.Either(m.IsDone() || m.Judgement() == topic.No || r.Under != 0 || r.Doubt != nil,
		widget.Dim, widget.Plain)
}

// title is a title without what its site writes behind every one; before it stands
// whether copies are folded under the notice.
func (s *harvest) title(r *inbox.ListedNotice) (string, widget.Style) {
	text := cmp.Or(widget.Clean(r.Title[:r.Cut]), widget.Clean(r.URL))
	switch {
	case r.Under != 0:
		text = "  " + text
	case r.Copies > 0 && s.unfolded[r.ID]:
		text = "▾ " + text
	case r.Copies > 0:
		text = "▸ " + text
	}
	st := s.faint(r)
	if !s.said.isRead(r) && st == widget.Plain {
		st = widget.Bold
	}
	return text, st
}

// tail follows a title: how many copies it has, and what its site writes behind it.
func (s *harvest) tail(r *inbox.ListedNotice) (string, widget.Style) {
	out := ""
	if r.Copies > 0 {
		out = " ×" + widget.Count(r.Copies+1)
	}
	if rest := widget.Clean(r.Title[r.Cut:]); rest != "" {
		out += " " + rest
	}
	return out, widget.Dim
}

// who has said something of a notice.
func who(m *decisions.Marks) string {
	if m == nil {
		return ""
	}
	var names []string
	for _, x := range []*decisions.Remark{m.Done, m.Star, m.Judged, m.Noted} {
		if x != nil && !strings.Contains(strings.Join(names, " "), x.By) {
			names = append(names, x.By)
		}
	}
	return strings.Join(names, " ")
}

// away leaves a column out until the reader chooses it.
func away[T any](c widget.Column[T]) widget.Column[T] { c.Off = true; return c }

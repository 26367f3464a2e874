package inbox

import (
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is the list of aggregation pages.

// listRow is an aggregation page and its notices.
type listRow struct {
	view.HarvestRow
	inbox.ListYield
	quality *inbox.Quality
	alarm   *view.ListAlarm // what is wrong with it; nil = nothing
}

// lists joins the snapshot's aggregation pages with their yields.
func (s *harvest) lists() tea.Cmd {
	s.shown = s.Snap
	rows := make([]listRow, len(s.shown.Harvest))
	for i, r := range s.shown.Harvest {
		rows[i] = listRow{r, s.book.Yields[r.ID], s.hand.of(s.book.Lists[r.ID]), nil}
	}
	for i := range s.shown.Alarms { // one that broke may be no aggregation page any more
		a := &s.shown.Alarms[i]
		if k := slices.IndexFunc(rows, func(r listRow) bool { return r.ID == a.ID }); k >= 0 {
			rows[k].alarm = a
			continue
		}
		rows = append(rows,
			listRow{view.HarvestRow{ID: a.ID, URL: a.URL, Host: a.Host, Title: a.Title, Records: a.Entries, At: a.Seen},
				s.book.Yields[a.ID], s.hand.of(s.book.Lists[a.ID]), a})
	}
	cmd := s.pages.SetRows(rows)
	if s.shown.Unjudged() {
		widget.Anew(s.pages) // those that come with the scores are not new
	}
	toList(s)
	return cmd
}

// ShowList puts the cursor on an aggregation page, as soon as it is listed.
func ShowList(of screen.Screen, id uint64) tea.Cmd {
	s := of.(*harvest)
	s.SetFocus(listsPane)
	s.recipes.Open = false
	s.wanted = id
	toList(s)
	return s.moved()
}

// toList looks for the list that is to be shown.
func toList(s *harvest) {
	if s.wanted == 0 {
		return
	}
	at := s.pages.At()
	for i := range s.pages.Len() {
		s.pages.To(i)
		if r := s.pages.Selected(); r != nil && r.ID == s.wanted {
			s.wanted = 0
			s.pages.Hold()
			return
		}
	}
	s.pages.To(at)
}

func listTable(sh *screen.Shared) *widget.Table[listRow] {
	type row = listRow
	fresh := screen.Found("today", 5, 0, widget.Plain, func(r *row) int { return r.New })
	fresh.Cell = func(r *row) (string, widget.Style) {
		return widget.OrDot(r.New != 0, "+"+widget.Count(r.New), widget.Good|widget.Bold)
	}
	address, quality := screen.Address(10, 4, func(r *row) string { return r.URL }),
		qualityColumn(3, func(r *row) *inbox.Quality { return r.quality })
	address.Wish, quality.Spare = 24, false // lists of one title are told apart by it
	records := screen.Found("rec", 4, 3, widget.Plain, func(r *row) int { return r.Records })
	records.Spare = true
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL },
		[]widget.Column[row]{
			{Title: "score", Width: 6, Right: true, Digits: 3, Style: widget.Good,
				Number: func(r *row) float64 { return r.Score }},
			screen.LabelColumn(5, func(r *row) topic.Label { return r.Label }),
			{Title: "title", Width: 16, Flex: 3, Cell: func(r *row) (string, widget.Style) {
				if r.alarm != nil && r.alarm.Kind == view.ListUnfollowed { // its entries come home all the same
					return "⚠ " + widget.Clean(r.alarm.Name()) + " · " + sh.Says(r.alarm.Says()), widget.Warn
				}
				if r.alarm != nil {
					return "⚠ " + sh.Says(r.alarm.Says()) + " · " + widget.Clean(r.alarm.Name()), widget.Warn
				}
				if r.Unmatched > 0 {
					return widget.Clean(r.Title) + " · " + screen.Unmatched(sh.Lang, r.Unmatched, ""), widget.Plain
				}
				return widget.Clean(r.Title), widget.Plain
			}, Text: func(r *row) string { return r.Title }},
			address, quality, records,
			screen.Found("total", 5, 2, widget.Plain, func(r *row) int { return r.Notices }),
			fresh,
			screen.TimeColumn(widget.Column[row]{Title: "visited", Width: 8, Right: true, Drop: 1},
				sh.When, func(r *row) time.Time { return r.At }),
			screen.TimeColumn(widget.Column[row]{Title: "next", Width: 7, Right: true, Drop: 6, Spare: true},
				sh.Until,
				func(r *row) time.Time { return r.Next }),
			{Title: "changes", Width: 9, Right: true, Drop: 7, Spare: true,
				Cell:   func(r *row) (string, widget.Style) { return changes(sh, r.Rate, r.Visits) },
				Number: func(r *row) float64 { return float64(r.Rate) }},
		}...)
}

// changes is how often a page is thought to change: "3.0/d", "every 9 d", or
// that its visits do not tell it yet.
func changes(sh *screen.Shared, rate float64, visits int) (string, widget.Style) {
	switch {
	case visits < 2:
		return "–", widget.Dim
	case rate <= 0:
		return sh.T("none yet"), widget.Dim
	case rate < 1:
		return sh.F("1 in %s d", strconv.Itoa(int(1/rate+.5))), widget.Plain
	case rate < 10:
		return sh.F("%s a day", strconv.FormatFloat(rate, 'f', 1, 64)), widget.Plain
	}
	return sh.F("%s a day", int(rate+.5)), widget.Plain
}

package crawl

import (
	"strings"
	"time"

	"angler/crawl/view"
	"angler/message"
	"angler/store/records"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file folds events: one row a kind, with its count and the newest event.

// kindRow is a kind of events.
type kindRow struct {
	view.EventKind
	run uint64 // past run of the events; 0: this session
}

func kindTable(sh *screen.Shared, single func() bool) *widget.Table[kindRow] {
	type row = kindRow
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.Key) },
		func(r *row) string { return r.Newest.Kind + " " + r.Newest.Text.String() },
		[]widget.Column[row]{
			{Title: "time", Width: 8,
				Cell: func(r *row) (string, widget.Style) { return moment(r.Newest.At, sh.Snap.At), widget.Dim }},
			{Title: "×", Width: 5, Right: true, Drop: 1, Hide: single,
				Cell: func(r *row) (string, widget.Style) {
					if r.N == 1 {
						return "", widget.Dim
					}
					return "×" + widget.Count(r.N), widget.Bold
				}},
			{Title: "event", Width: 14, Flex: 1,
				Cell: func(r *row) (string, widget.Style) { return eventText(sh.Lang, &r.Newest, r.N) }},
		}...)
}

// here converts a time to the zone of the engine.
func here(sh *screen.Shared, at time.Time) time.Time { return at.In(sh.Snap.At.Location()) }

// moment formats the time if today, otherwise the day.
func moment(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case at.Year() != now.Year():
		return at.Format("2006")
	case at.YearDay() != now.YearDay():
		return at.Format("01-02")
	}
	return at.Format("15:04:05")
}

// eventSigns stand before events of some kinds.
var eventSigns = map[string]widget.Part{
	"error": widget.Bad.Text("! "),
	"warn":  widget.Warn.Text("▲ "),
}

// eventText returns an event in words and its style; of several, only the list of all shows
// addresses.
func eventText(l *i18n.Lang, ev *view.Event, n int) (string, widget.Style) {
	text := widget.Clean(l.Message(ev.Text))
	id, args := ev.Text.Parts()
	if cause, _, ok := strings.Cut(id, " · %s"); ok && n > 1 && len(args) > 1 { // an address follows
		_, where, _ := strings.Cut(widget.Clean(args[1].String()), "://")
		text = widget.Clean(l.Message(message.Of(cause, args[0]))) + " · " + l.F("last %s", where)
	}
	sign := eventSigns[ev.Kind]
	return sign.Text + text, sign.Style
}

// eventKinds returns the kinds of this session, or those of the last run while there are none.
func eventKinds(snap *view.Snapshot) []kindRow {
	var rows []kindRow
	for _, k := range snap.Kinds {
		rows = append(rows, kindRow{EventKind: k})
	}
	if last := snap.Last; last != nil && snap.State == view.Idle &&
		(len(snap.Kinds) == 0 || snap.Kinds[len(snap.Kinds)-1].Newest.At.After(last.Seen)) {
		for _, e := range last.Events {
			rows = append(rows, kindRow{EventKind: kindOf(e), run: last.ID})
		}
	}
	return rows
}

// kindOf returns a kind as the row of a run stores it.
func kindOf(e records.RunEvent) view.EventKind {
	return view.EventKind{Key: e.Kind, N: e.N, Newest: view.Event{At: e.Last, Kind: e.Level, Text: e.Text}}
}

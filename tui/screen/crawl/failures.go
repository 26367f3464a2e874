package crawl

import (
	"time"

	"angler/crawl/query"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file lists failures by reason.

func failureTable(sh *screen.Shared) *widget.Table[query.Failure] {
	type row = query.Failure
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.Reason) },
		func(r *row) string { return r.Reason + " " + r.URL },
		[]widget.Column[row]{
			{Title: "×", Width: 5, Right: true, Cell: func(r *row) (string, widget.Style) {
				switch failed := r.N - r.Waits; {
				case failed == 0: // all of them wait for a retry
					return "·", widget.Dim
				case r.Muted == r.N:
					return widget.Count(failed), widget.Dim
				default:
					return widget.Count(failed), widget.Warn
				}
			}, Number: func(r *row) float64 { return float64(r.N - r.Waits) }},
			{Title: "reason", Width: 12, Flex: 2, Cell: func(r *row) (string, widget.Style) {
				st := widget.Either(r.Muted == r.N, widget.Dim, widget.Plain)
				return reason(sh, r.Reason), st
			}, Text: func(r *row) string { return r.Reason }},
			{Title: "hosts", Width: 5, Right: true, Drop: 2,
				Style:  widget.Dim,
				Number: func(r *row) float64 { return float64(r.Hosts) }},
			screen.Found("to retry", 8, 3, widget.Dim, func(r *row) int { return r.Waits }),
			screen.TimeColumn(widget.Column[row]{Title: "again", Width: 7, Right: true, Drop: 1},
				func(at time.Time) string { return again(sh, at) }, func(r *row) time.Time { return r.Next }),
		}...)
}

// again formats the time of the next retry; "–" if there is none.
func again(sh *screen.Shared, at time.Time) string {
	if at.IsZero() {
		return "–"
	}
	return sh.Until(at)
}

// reason describes the failure of a page.
func reason(sh *screen.Shared, why string) string {
	return sh.Says(why)
}

// failureNote says how many failures are muted.
func (s *crawl) failureNote() string {
	muted := 0
	for _, f := range s.land.land.Failures {
		muted += f.Muted
	}
	if muted == 0 {
		return ""
	}
	return s.F("%s muted", muted)
}

package crawling

import (
	"time"

	"angler/crawl/query"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file lists what failed by reason.

func failureTable(sh *screen.Shared) *ui.Table[query.Failure] {
	type row = query.Failure
	return ui.NewTable(func(r *row) uint64 { return screen.Hash(r.Reason) }, func(r *row) string { return r.Reason + " " + r.URL },
		ui.Column[row]{Title: "×", Width: 5, Right: true, Cell: func(r *row) (string, ui.Style) {
			if r.Muted == r.N {
				return ui.Count(r.N - r.Waits), ui.Dim
			}
			return ui.Count(r.N - r.Waits), ui.Warn
		}, Number: func(r *row) float64 { return float64(r.N - r.Waits) }},
		ui.Column[row]{Title: "reason", Width: 12, Flex: 2, Cell: func(r *row) (string, ui.Style) {
			st := ui.Plain
			if r.Muted == r.N {
				st = ui.Dim
			}
			return reason(sh, r.Reason), st
		}, Text: func(r *row) string { return r.Reason }},
		ui.Column[row]{Title: "hosts", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Count(r.Hosts), ui.Dim },
			Number: func(r *row) float64 { return float64(r.Hosts) }},
		screen.Found("to retry", 8, 3, ui.Dim, func(r *row) int { return r.Waits }),
		ui.Column[row]{Title: "again", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return again(sh, r.Next), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
	)
}

// again is when something is tried again; "–" when nothing says so.
func again(sh *screen.Shared, at time.Time) string {
	if at.IsZero() {
		return "–"
	}
	return sh.Span(ui.Until(at, sh.Snap.At))
}

// reason is why a page failed, in words.
func reason(sh *screen.Shared, why string) string {
	return sh.Line(ui.Clean(why))
}

// failureNote tells how many are not reported.
func (s *crawl) failureNote() string {
	muted := 0
	for _, f := range s.land.land.Failures {
		muted += f.Muted
	}
	if muted == 0 {
		return ""
	}
	return s.shared.F("%s muted", ui.Count(muted))
}

package crawling

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file holds the tables of the crawl screen.

func copyKey[T any](r *T, url func(*T) string) []screen.Binding {
	b := screen.Binding{Keys: []string{"c"}, Action: role.Own("copy URL"), Help: "copy the URL to the clipboard (OSC 52)", Foot: 80, Off: "no row is chosen"}
	if r != nil {
		text := url(r)
		b.Off, b.Do = "", func() tea.Cmd { return screen.Copy(text) }
	}
	return []screen.Binding{b}
}

func frontierTable(sh *screen.Shared) *ui.Table[view.FrontierRow] {
	type row = view.FrontierRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Anchor + " " + r.URL + " " + r.Why },
		ui.Column[row]{Title: "prio", Width: 5, Right: true, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Priority, 2), ui.Accent },
			Number: func(r *row) float64 { return float64(r.Priority) }},
		ui.Column[row]{Title: "host", Width: 14, Flex: 2, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Text: func(r *row) string { return r.Host }},
		ui.Column[row]{Title: "next", Width: 6, Right: true, Drop: 4, Cell: func(r *row) (string, ui.Style) { return sh.T(ui.Until(r.Next, sh.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
		ui.Column[row]{Title: "d", Width: 2, Right: true, Drop: 5, Cell: func(r *row) (string, ui.Style) { return strconv.Itoa(r.Depth), ui.Dim },
			Number: func(r *row) float64 { return float64(r.Depth) }},
		ui.Column[row]{Title: "anchor", Width: 14, Flex: 3, Cell: func(r *row) (string, ui.Style) {
			if text := ui.Clean(r.Anchor); text != "" {
				return text, ui.Plain
			}
			return ui.Clean(r.URL), ui.Dim
		}},
		ui.Column[row]{Title: "why", Width: 14, Flex: 3, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Why), ui.Dim }},
	)
}

func harvestTable() *ui.Table[view.HarvestRow] {
	type row = view.HarvestRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL },
		ui.Column[row]{Title: "score", Width: 5, Right: true, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Score, 3), ui.Good },
			Number: func(r *row) float64 { return float64(r.Score) }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 3, Cell: func(r *row) (string, ui.Style) { return screen.LabelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		screen.Address(12, 2, func(r *row) string { return r.URL }),
		ui.Column[row]{Title: "records", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return strconv.Itoa(r.Records), ui.Dim },
			Number: func(r *row) float64 { return float64(r.Records) }},
	)
}

func harvestTarget(r *view.HarvestRow) *screen.Target {
	if r == nil {
		return nil
	}
	return screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
}

func hostTable(sh *screen.Shared) *ui.Table[view.HostRow] {
	type row = view.HostRow
	num := func(title string, w, drop int, bad bool, f func(*row) int) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop, Cell: func(r *row) (string, ui.Style) {
			st := ui.Plain
			if bad && f(r) > 0 {
				st = ui.Bad
			}
			return ui.Count(f(r)), st
		}, Number: func(r *row) float64 { return float64(f(r)) }}
	}
	return ui.NewTable(func(r *row) uint64 { return screen.Hash(r.Host) }, func(r *row) string { return r.Host },
		ui.Column[row]{Title: "host", Width: 14, Flex: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Plain },
			Text: func(r *row) string { return r.Host }},
		num("waiting", 7, 0, false, func(r *row) int { return r.Waiting }),
		num("busy", 4, 2, false, func(r *row) int { return r.Busy }),
		num("done", 6, 0, false, func(r *row) int { return r.Done }),
		num("failed", 6, 3, true, func(r *row) int { return r.Failed }),
		ui.Column[row]{Title: "next", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return sh.T(ui.Until(r.Next, sh.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
		ui.Column[row]{Title: "delay", Width: 6, Right: true, Drop: 4, Cell: func(r *row) (string, ui.Style) {
			if r.Delay == 0 {
				return "–", ui.Dim
			}
			return ui.Span(r.Delay), ui.Dim
		}, Less: func(a, b *row) bool { return a.Delay < b.Delay }},
		ui.Column[row]{Title: "important", Width: 9, Right: true, Drop: 6, Cell: func(r *row) (string, ui.Style) {
			if r.Important == 0 {
				return "·", ui.Dim
			}
			return "+" + ui.Score(r.Important, 2), ui.Good
		}, Number: func(r *row) float64 { return r.Important }},
		ui.Column[row]{Title: "rests for", Width: 12, Flex: 1, Max: 24, Drop: 5, Cell: func(r *row) (string, ui.Style) {
			st := ui.Dim
			switch r.Why {
			case "asked to slow down", "Retry-After":
				st = ui.Warn
			case "failures":
				st = ui.Bad
			}
			return sh.T(ui.Clean(r.Why)), st
		}, Text: func(r *row) string { return r.Why }},
	)
}

func eventTable(sh *screen.Shared) *ui.Table[view.Event] {
	type row = view.Event
	return ui.NewTable(func(r *row) uint64 { return screen.Hash(r.At.String() + r.Text) }, func(r *row) string { return r.Kind + " " + r.Text },
		ui.Column[row]{Title: "time", Width: 8, Cell: func(r *row) (string, ui.Style) { return r.At.Format("15:04:05"), ui.Dim }},
		ui.Column[row]{Title: "event", Width: 14, Flex: 1, Cell: func(r *row) (string, ui.Style) {
			switch r.Kind {
			case "error":
				return "! " + sh.Line(ui.Clean(r.Text)), ui.Bad
			case "warn":
				return "▲ " + sh.Line(ui.Clean(r.Text)), ui.Warn
			}
			return sh.Line(ui.Clean(r.Text)), ui.Plain
		}},
	)
}

// rank is how much an event wants to be seen.
func rank(kind string) int {
	switch kind {
	case "error":
		return 2
	case "warn":
		return 1
	}
	return 0
}

func requestTable(sh *screen.Shared) *ui.Table[view.Request] {
	type row = view.Request
	return ui.NewTable(func(r *row) uint64 { return r.ID }, func(r *row) string { return r.URL },
		ui.Column[row]{Title: "since", Width: 6, Right: true, Cell: func(r *row) (string, ui.Style) {
			age, st := sh.Snap.At.Sub(r.Since), ui.Dim
			if age > slowRequest {
				st = ui.Warn
			}
			return ui.Span(age), st
		}, Less: func(a, b *row) bool { return a.Since.After(b.Since) }},
		ui.Column[row]{Title: "URL", Width: 12, Flex: 1, Cell: func(r *row) (string, ui.Style) {
			_, rest, _ := strings.Cut(r.URL, "://")
			return ui.Clean(rest), ui.Plain
		}, Text: func(r *row) string { return r.URL }},
	)
}

// slowRequest is when a request is taking long.
const slowRequest = 5 * time.Second

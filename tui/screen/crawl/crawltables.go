package crawl

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file holds the tables of the crawl screen.

func copyKey[T any](r *T, url func(*T) string) []screen.Binding {
	b := screen.Bind(keymap.Copy, "no row is chosen", nil)
	if r != nil {
		text := url(r)
		b.Off, b.Do = "", func() tea.Cmd { return screen.Copy(text) }
	}
	return []screen.Binding{b}
}

func frontierTable(sh *screen.Shared) *widget.Table[view.FrontierRow] {
	type row = view.FrontierRow
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Anchor + " " + r.URL + " " + r.Why },
		[]widget.Column[row]{
			{Title: "prio", Width: 5, Right: true, Digits: 2, Style: widget.Accent,
				Number: func(r *row) float64 { return r.Priority }},
			{Title: "host", Width: 14, Flex: 1, Max: 24, Drop: 2, Style: widget.Dim,
				Text: func(r *row) string { return r.Host }},
			screen.TimeColumn(widget.Column[row]{Title: "next", Width: 8, Right: true, Drop: 4},
				func(at time.Time) string { return sh.T(widget.Next(at, sh.Snap.At)) },
				func(r *row) time.Time { return r.Next }),
			{Title: "d", Width: 2, Right: true, Drop: 5,
				Cell:   func(r *row) (string, widget.Style) { return strconv.Itoa(r.Depth), widget.Dim },
				Number: func(r *row) float64 { return float64(r.Depth) }},
			{Title: "anchor", Width: 14, Flex: 2, Max: 30, Cell: func(r *row) (string, widget.Style) {
				if text := widget.Clean(r.Anchor); text != "" {
					return text, widget.Plain
				}
				return widget.Clean(r.URL), widget.Dim
			}},
			{Title: "why", Width: 14, Flex: 5, Drop: 1,
				Cell: func(r *row) (string, widget.Style) { return sh.Terms(widget.Clean(r.Why)), widget.Dim }},
		}...)
}

func harvestTable() *widget.Table[view.HarvestRow] {
	type row = view.HarvestRow
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL },
		[]widget.Column[row]{
			{Title: "score", Width: 5, Right: true, Digits: 3, Style: widget.Good,
				Number: func(r *row) float64 { return r.Score }},
			screen.LabelColumn(3, func(r *row) topic.Label { return r.Label }),
			{Title: "title", Width: 22, Flex: 4, Text: func(r *row) string { return r.Title }},
			screen.Address(12, 2, func(r *row) string { return r.URL }),
			{Title: "records", Width: 7, Right: true, Drop: 1,
				Style:  widget.Dim,
				Number: func(r *row) float64 { return float64(r.Records) }},
		}...)
}

func harvestTarget(r *view.HarvestRow) *screen.Target {
	return screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
}

func eventTable(sh *screen.Shared) *widget.Table[view.Event] {
	type row = view.Event
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.At.String() + string(r.Text)) },
		func(r *row) string { return r.Kind + " " + r.Text.String() },
		[]widget.Column[row]{
			{Title: "time", Width: 8,
				Cell: func(r *row) (string, widget.Style) { return r.At.Format("15:04:05"), widget.Dim }},
			{Title: "event", Width: 14, Flex: 1,
				Cell: func(r *row) (string, widget.Style) { return eventText(sh.Lang, r, 1) }},
		}...)
}

// ranks is the importance of events by kind; 0 for other kinds.
var ranks = map[string]int{"warn": 1, "error": 2}

func requestTable(sh *screen.Shared) *widget.Table[view.Request] {
	type row = view.Request
	return widget.NewTable(func(r *row) uint64 { return r.ID }, func(r *row) string { return r.URL },
		[]widget.Column[row]{
			{Title: "since", Width: 9, Right: true, Cell: func(r *row) (string, widget.Style) {
				at := r.Since.Format(time.TimeOnly) // an age would change every row each second
				if sh.Snap.At.Sub(r.Since) > slowRequest {
					return "▲" + at, widget.Warn
				}
				return at, widget.Dim
			}, Less: func(a, b *row) bool { return a.Since.After(b.Since) }},
			{Title: "URL", Width: 12, Flex: 1, Cell: func(r *row) (string, widget.Style) {
				_, rest, _ := strings.Cut(r.URL, "://")
				return widget.Clean(rest), widget.Plain
			}, Text: func(r *row) string { return r.URL }},
		}...)
}

// slowRequest is the age from which a request is shown as slow.
const slowRequest = 5 * time.Second

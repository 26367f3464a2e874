package screen

import (
	"strings"

	"angler/tui/ui"
)

// Address is the column that tells two pages of one title apart: the URL without
// its scheme, with both ends in sight where it is too long. It sorts by host.
func Address[T any](width, drop int, url func(*T) string) ui.Column[T] {
	return ui.Column[T]{Title: "address", Width: width, Flex: 3, Ends: true, Drop: drop,
		Cell: func(r *T) (string, ui.Style) { return ui.Clean(bare(url(r))), ui.Dim },
		Text: func(r *T) string { return bare(url(r)) }}
}

func bare(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		return rest
	}
	return url
}

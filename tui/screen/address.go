package screen

import (
	"strings"

	"angler/tui/widget"
)

// Address is the column that tells pages of one title apart: the URL without its scheme; if it is
// too long, both ends are shown. It sorts by host.
func Address[T any](width, drop int, url func(*T) string) widget.Column[T] {
	return widget.Column[T]{Title: "address", Width: width, Flex: 3, Ends: true, Drop: drop,
		Style: widget.Dim,
		Text:  func(r *T) string { return bare(url(r)) }}
}

func bare(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		return rest
	}
	return url
}

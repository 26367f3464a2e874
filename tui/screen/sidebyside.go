package screen

import "angler/tui/widget"

// SideBySide places two panes side by side, the first with share percent of the width. On a narrow
// screen it stacks them; low returns the rows of the second for a height.
func SideBySide(share int, low func(h int) int) func(w, h int) []widget.Rect {
	return func(w, h int) []widget.Rect {
		if w >= 110 {
			left := w * share / 100
			return []widget.Rect{{W: left, H: h}, {X: left, W: w - left, H: h}}
		}
		low := low(h)
		return []widget.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}}
	}
}

package screen

import "angler/tui/ui"

// SideBySide places two panes beside each other, the first with share percent of the
// width, or on a narrow screen one above the other, the second with as many rows as low
// says of a height.
func SideBySide(share int, low func(h int) int) func(w, h int) []ui.Rect {
	return func(w, h int) []ui.Rect {
		if w >= 110 {
			left := w * share / 100
			return []ui.Rect{{W: left, H: h}, {X: left, W: w - left, H: h}}
		}
		low := low(h)
		return []ui.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}}
	}
}

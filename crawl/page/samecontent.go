package page

import "strings"

// Bounds of two visits to one page.
const (
	minSameText   = 120 // bytes of text of each, at least
	maxDifference = 64  // bytes of different lines, such as a counter and the time of day, at most
)

// SameContent reports whether a and b are two visits to one page. They have the same title, and lines of at most
// maxDifference bytes differ. known is false if one of them has little text or needs scripts.
func SameContent(a, b *Page) (same, known bool) {
	if len(a.Text) < minSameText || len(b.Text) < minSameText || len(a.Scripts)+len(b.Scripts) > 0 {
		return false, false
	}
	if a.Title != b.Title {
		return false, true
	}
	if a.Text == b.Text {
		return true, true
	}
	lines := map[string]int{}
	for s := range strings.SplitSeq(a.Text, "\n") {
		lines[s]++
	}
	differing := 0
	for s := range strings.SplitSeq(b.Text, "\n") {
		if lines[s]--; lines[s] < 0 {
			differing += len(s)
		}
	}
	for s, n := range lines {
		differing += max(n, 0) * len(s)
	}
	return differing <= min(maxDifference, (len(a.Text)+len(b.Text))/20), true
}

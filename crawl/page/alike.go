package page

import "strings"

// Bounds of pages that count as one page at two visits.
const (
	alikeText  = 120 // bytes of text from which pages are compared
	alikeBytes = 64  // of lines in which they may differ, such as a counter and the time of day
)

// Alike reports whether two pages are one page at two visits: they have one title, and all lines but a few bytes. known
// is false if one of them has too little text to tell, or if scripts bring its text.
func Alike(a, b *Page) (same, known bool) {
	if len(a.Text) < alikeText || len(b.Text) < alikeText || len(a.Scripts)+len(b.Scripts) > 0 {
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
	other := 0
	for s := range strings.SplitSeq(b.Text, "\n") {
		if lines[s]--; lines[s] < 0 {
			other += len(s)
		}
	}
	for s, n := range lines {
		other += max(n, 0) * len(s)
	}
	return other <= min(alikeBytes, (len(a.Text)+len(b.Text))/20), true
}

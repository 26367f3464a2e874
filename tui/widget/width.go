package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// next splits the text of the first cell off s: its bytes n and its width in cells (1 or 2; 0 if it
// must not be drawn). Bubble Tea measures lines by grapheme cluster; so does next if a cluster can
// be more than a rune.
func next(s string) (n, w int) {
	if s[0] >= ' ' && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	n, w, simple := glyph(s)
	if w == 0 || n >= len(s) || s[n] < utf8.RuneSelf || simple && s[n] >= 0xe5 && s[n] <= 0xe9 { // an ideograph follows
		return n, w
	}
	if _, _, after := glyph(s[n:]); simple && after {
		return n, w
	}
	cluster, cw := ansi.FirstGraphemeCluster(s[:min(len(s), maxCluster)], ansi.GraphemeWidth)
	if len(cluster) <= n || cw != w && cw != 1 && cw != 2 {
		return n, w
	}
	for i, r := range cluster {
		// A stack of marks is cut to its base; so is a cluster with a hidden character.
		if hostile(r) || r == utf8.RuneError || i >= maxCluster-utf8.UTFMax {
			return n, w
		}
	}
	return len(cluster), cw
}

// maxCluster bounds a cell's text in bytes.
const maxCluster = 24

// glyph measures the first rune. simple runes never join a neighbour.
func glyph(s string) (n, w int, simple bool) {
	if c := s[0]; c < utf8.RuneSelf {
		if c < 0x20 || c == 0x7f {
			return 1, 0, true
		}
		return 1, 1, true
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r >= 0x4e00 && r < 0xa000:
		return n, 2, true
	case r == utf8.RuneError && n == 1, hostile(r):
		return n, 0, true
	case r == 0xa9, r == 0xae: // some terminals draw an emoji
		return n, ansi.StringWidth(s[:n]), false
	case r < 0x300, r >= 0x2500 && r < 0x2600, r >= 0x2800 && r < 0x2900, r == '…', r == '·', r >= 0x400 && r < 0x482:
		return n, 1, true
	case r >= 0x3001 && r < 0x302a && r != 0x3013, r >= 0xff01 && r < 0xff60:
		return n, 2, true
	}
	// Other scripts. A rune that would merge with a neighbouring cell is not drawn, because its cell
	// could not be counted.
	w = ansi.StringWidth(s[:n])
	if unicode.Is(unicode.M, r) || w < 1 || w > 2 ||
		ansi.StringWidth("a"+s[:n]) != w+1 || ansi.StringWidth(s[:n]+"a") != w+1 || jamo(r) {
		return n, 0, false
	}
	return n, w, false
}

// jamo reports whether r is a letter of a Korean syllable, which merges with its neighbours; Clean
// has already composed syllables.
func jamo(r rune) bool {
	return r >= 0x1100 && r < 0x1200 || r >= 0xa960 && r < 0xa980 || r >= 0xd7b0 && r < 0xd800
}

// Width returns how many cells s takes on one line.
func Width(s string) int {
	total := 0
	for len(s) > 0 {
		n, w := next(s)
		total += w
		s = s[n:]
	}
	return total
}

// Cut returns the longest prefix of s that fits into w cells, and its width, which is w-1 if the
// limit falls inside a wide cell.
func Cut(s string, w int) (string, int) {
	used := 0
	for i := 0; i < len(s); {
		n, cw := next(s[i:])
		if used+cw > w {
			return s[:i], used
		}
		used += cw
		i += n
	}
	return s, used
}

// Fit cuts s to w cells, ending in "…" if it was cut.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(s) <= w { // a byte takes at most one cell
		return s
	}
	if head, _ := Cut(s, w); len(head) == len(s) {
		return s
	}
	head, _ := Cut(s, w-1)
	return head + "…"
}

// fitEnds is Fit with the cut in the middle: host and file of an address stay.
func fitEnds(s string, w int) string {
	if len(s) <= w || w < 5 || Width(s) <= w {
		return Fit(s, w)
	}
	head, used := Cut(s, w/2)
	tail := s[len(head):]
	for over := Width(tail) - (w - used - 1); over > 0; {
		n, cells := next(tail)
		tail, over = tail[n:], over-cells
	}
	return head + "…" + tail
}

// Pad fits s and fills it with spaces to exactly w cells.
func Pad(s string, w int) string {
	s = Fit(s, w)
	return s + strings.Repeat(" ", max(0, w-Width(s)))
}

// Wrap breaks text into at most most lines of at most w cells. Chinese breaks at any cell, Latin
// words stay whole if they fit (ansi.Wrap takes a run of Chinese for one word). A closing mark such
// as 。 does not start a line, and an opening mark such as （ does not end one, if this can be
// avoided.
func Wrap(text string, w, most int) []string {
	var out []string
	if w < 1 {
		return nil
	}
	for _, para := range strings.Split(text, "\n") {
		for {
			if len(out) >= most {
				return out
			}
			head := breakAt(para, w)
			out = append(out, strings.TrimRight(para[:head], " "))
			para = strings.TrimLeft(para[head:], " ")
			if para == "" {
				break
			}
		}
	}
	return out
}

// breakAt returns how many bytes of s fit on a line of w cells, at least one cell's.
func breakAt(s string, w int) int {
	used, i, last := 0, 0, 0
	for i < len(s) {
		n, cw := next(s[i:])
		if used+cw > w && i > 0 {
			if s[i] == ' ' {
				return i
			}
			// Go back to where a line may end; a word longer than half the line is broken.
			if last > 0 && Width(s[last:i]) <= w/2 {
				return last
			}
			return i
		}
		used += cw
		i += n
		if i < len(s) {
			if s[i-1] == ' ' || (cw == 2 || wideStart(s[i:])) && !closing(s[i:]) && !opening(s[i-n:i]) {
				last = i
			}
		}
	}
	return len(s)
}

func wideStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2e80
}

func closing(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("。，、；：？！）】》”’」』%)],.;:?!", r)
}

func opening(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("（【《〈「『“‘([", r)
}

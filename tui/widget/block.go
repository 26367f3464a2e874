package widget

import "strings"

// Block draws text that was laid out with lipgloss styles of c's theme, its first line at y, each
// line from x. It drops sequences that are not the theme's, like everything else that must not
// reach a terminal.
func (c *Canvas) Block(x, y int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		at, st := x, Plain
		for line != "" {
			before, seq, found := strings.Cut(line, "\x1b[")
			at, line = c.Text(at, y, st, before), ""
			if !found {
				break
			}
			params, rest, _ := strings.Cut(seq, "m")
			st, line = c.theme.opened[params], rest // Plain for "0" and unknown sequences
		}
		y++
	}
}

package screen

import "angler/tui/widget"

// Lines is a text under construction.
type Lines []widget.TextLine

// Add appends a line in one style.
func (l *Lines) Add(st widget.Style, text string) {
	*l = append(*l, widget.TextLine{{Style: st, Text: widget.Clean(text)}})
}

// Head appends an empty line and a heading.
func (l *Lines) Head(text string) {
	*l = append(*l, widget.TextLine{}, widget.TextLine{{Style: widget.Head, Text: text}})
}

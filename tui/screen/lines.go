package screen

import "angler/tui/widget"

// Lines is a text under construction.
type Lines []widget.TextLine

// Add appends a line in one style.
func (l *Lines) Add(st widget.Style, text string) {
	*l = append(*l, widget.TextLine{st.Text(widget.Clean(text))})
}

// Line appends a line of parts, which must be clean.
func (l *Lines) Line(parts ...widget.Part) { *l = append(*l, parts) }

// Head appends an empty line and a heading.
func (l *Lines) Head(text string) {
	*l = append(*l, widget.TextLine{}, widget.TextLine{widget.Head.Text(text)})
}

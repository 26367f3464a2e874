package tui

import (
	"slices"
	"strings"

	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// helpIndent is the column where explanations start.
const helpIndent = 13

// book is the help: every key, in sections, with a filter.
type book struct {
	lang     *i18n.Lang
	sections []section
	wrong    string // what is wrong with the keys in the settings
	query    widget.Filter
	text     *widget.Text
	rows     int // visible rows
}

// openHelp shows every key. The keys of the current screen come first, in its current state: of the
// pane, the reader or the recipes that have the focus. Then follow those that screens share, and
// the others. It says why a key does nothing now.
func openHelp(a *app) {
	secs := a.sections()
	n := len(a.screens)
	here, other := secs[a.at], section{title: a.shared.F("%s, elsewhere on the screen", secs[a.at].title)}
	now := a.screens[a.at].Bindings()
	here.keys = slices.DeleteFunc(slices.Clone(here.keys), func(k screen.Binding) bool {
		gone := !slices.ContainsFunc(now, func(b screen.Binding) bool { return b.Is(k.Entry()) })
		if gone {
			other.keys = append(other.keys, k)
		}
		return gone
	})
	order := append([]section{here}, secs[n:]...)
	order = append(append(order, other), slices.Delete(secs[:n], a.at, a.at+1)...)
	b := &book{lang: a.shared.Lang, sections: order, wrong: a.badKeys, text: &widget.Text{Indent: helpIndent}}
	b.find(widget.Filter{})
	a.over.book, a.over.help = b, b.text
}

// find shows the rows whose keys, name or help, in either language, contain every word of a filter.
func (b *book) find(f widget.Filter) {
	b.query, b.rows = f, 0
	var lines []widget.TextLine
	if b.wrong != "" {
		lines = append(lines, widget.TextLine{{Style: widget.Bad, Text: b.wrong}}, widget.TextLine{{}})
	}
	for i, s := range b.sections {
		first := true
		for _, k := range s.keys {
			if !f.Match(b.searched(k)) {
				continue
			}
			if first {
				lines = append(lines, widget.TextLine{{Style: widget.Accent | widget.Bold, Text: s.title}})
				first = false
			}
			lines = append(lines, b.line(k, i == 0))
			b.rows++
		}
		if !first {
			lines = append(lines, widget.TextLine{{}})
		}
	}
	if b.rows == 0 {
		lines = append(lines,
			widget.TextLine{{Style: widget.Dim,
				Text: b.lang.F("No key matches %s. esc shows all.", "“"+widget.Clean(f.Text)+"”")}})
	}
	b.text.Set(lines)
	b.text.SetFilter(f)
	b.text.Home()
}

// searched returns the text that a filter searches.
func (b *book) searched(k screen.Binding) string {
	return strings.Join([]string{strings.Join(k.Keys, " "), k.Printed(), k.Name(), b.lang.T(k.Name()), k.Help,
		b.lang.T(k.Help), k.Entry().ID}, " ")
}

// line returns the row of a key; here adds why it does nothing now. During a search the row ends
// with the action's name in the settings.
func (b *book) line(k screen.Binding, here bool) widget.TextLine {
	l := widget.TextLine{{Style: widget.Key, Text: "  " + keysOf(k)}, {Text: b.lang.T(k.Help)}}
	if k.Off != "" && here {
		l = append(l, widget.Part{Style: widget.Dim, Text: "  " + b.lang.F("(now: %s)", b.lang.T(k.Off))})
	}
	if b.query.Active() {
		l = append(l, widget.Part{Style: widget.Dim, Text: "  " + k.Entry().ID})
	}
	return l
}

// keysOf returns the keys of a binding, padded to the column of the help where they fit.
func keysOf(k screen.Binding) string {
	if s := k.Printed(); widget.Width(s) >= helpIndent-2 {
		return s + "  "
	}
	return widget.Pad(k.Printed(), helpIndent-2)
}

// title shows the filter of the help.
func (b *book) title() string {
	if !b.query.Active() {
		return "help"
	}
	return b.lang.F("help · %s · /%s", b.lang.N(b.rows, "key"), widget.Clean(b.query.Text))
}

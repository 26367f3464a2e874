package htmldoc

import "golang.org/x/net/html/atom"

// The roles of HTML elements for a reader.

// skipped elements hold no text a reader sees.
func skipped(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Option, atom.Textarea, atom.Svg,
		atom.Object, atom.Embed, atom.Canvas, atom.Datalist, atom.Title, atom.Noframes, atom.Math:
		return true
	}
	return false
}

// breaks reports whether an element is on lines of its own.
func breaks(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.Td, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Section, atom.Article, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Ul, atom.Ol, atom.Dl, atom.Dt,
		atom.Dd,
		atom.Pre, atom.Blockquote, atom.Form, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Main, atom.Center,
		atom.Body, atom.Fieldset, atom.Hr, atom.Figure, atom.Figcaption, atom.Caption, atom.Address, atom.Details,
		atom.Summary,
		atom.Frameset, atom.Marquee, atom.Menu, atom.Dir, atom.Legend, atom.Button, atom.Input, atom.Map:
		return true
	}
	return false
}

// divides reports whether an element divides a page (P4 3.3: table, div and similar).
func divides(tag atom.Atom) bool {
	switch tag {
	case atom.Table, atom.Div, atom.Section, atom.Ul, atom.Ol, atom.Dl, atom.Form, atom.Article, atom.Nav, atom.Aside,
		atom.Header, atom.Footer, atom.Main, atom.Body, atom.Frameset, atom.Iframe, atom.Center, atom.Fieldset:
		return true
	}
	return false
}

// HeadingLevel returns 1 to 6 for h1 to h6, 0 for other elements.
func HeadingLevel(tag atom.Atom) int {
	if s := tag.String(); len(s) == 2 && s[0] == 'h' && s[1] >= '1' && s[1] <= '6' {
		return int(s[1] - '0')
	}
	return 0
}

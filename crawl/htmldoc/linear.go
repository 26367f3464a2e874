package htmldoc

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// impliedEnd returns, for a start tag, the open elements it closes, and the elements at which it
// stops searching.
func impliedEnd(tag atom.Atom) (closes []atom.Atom, within []atom.Atom) {
	switch tag {
	case atom.Li:
		return []atom.Atom{atom.Li}, []atom.Atom{atom.Ul, atom.Ol}
	case atom.Td, atom.Th:
		return []atom.Atom{atom.Td, atom.Th}, []atom.Atom{atom.Tr, atom.Table}
	case atom.Tr:
		return []atom.Atom{atom.Tr}, []atom.Atom{atom.Table}
	case atom.Dt, atom.Dd:
		return []atom.Atom{atom.Dt, atom.Dd}, []atom.Atom{atom.Dl}
	case atom.A:
		return []atom.Atom{atom.A}, []atom.Atom{atom.Td, atom.Table}
	case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.Section, atom.Form:
		return []atom.Atom{atom.P}, []atom.Atom{atom.Td, atom.Div, atom.Li, atom.Table}
	}
	return nil, nil
}

func void(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param,
		atom.Source, atom.Track, atom.Wbr, atom.Frame:
		return true
	}
	return false
}

// parseLinear builds a parse tree in one pass over the tokens. It knows less of the standard than
// html.Parse, but no page makes it do more than one step a token.
func (t *Tree) parseLinear(text string) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	root.AppendChild(body)
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(MaxBytes)
	stack := []*html.Node{body}
	nodes := 0
	for ; nodes < maxNodes; nodes++ {
		switch z.Next() {
		case html.ErrorToken:
			return root
		case html.TextToken:
			top := stack[len(stack)-1]
			if data := string(z.Text()); len(data) > 0 {
				top.AppendChild(&html.Node{Type: html.TextNode, Data: data})
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			if tok.DataAtom == atom.Html || tok.DataAtom == atom.Head || tok.DataAtom == atom.Body {
				continue
			}
			if closes, within := impliedEnd(tok.DataAtom); closes != nil {
				stack = closeImplied(stack, closes, within)
			}
			n := &html.Node{Type: html.ElementNode, Data: tok.Data, DataAtom: tok.DataAtom, Attr: tok.Attr}
			stack[len(stack)-1].AppendChild(n)
			if void(tok.DataAtom) {
				continue
			}
			if len(stack) >= maxDepth {
				t.Limit("depth", maxDepth)
				continue
			}
			stack = append(stack, n)
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			for i := len(stack) - 1; i > 0 && i > len(stack)-64; i-- {
				if tag != 0 && stack[i].DataAtom == tag || tag == 0 && stack[i].Data == string(name) {
					stack = stack[:i]
					break
				}
			}
		}
	}
	t.Limit("nodes", maxNodes)
	return root
}

// closeImplied pops the innermost element that a start tag closes.
func closeImplied(stack []*html.Node, closes, within []atom.Atom) []*html.Node {
	for i := len(stack) - 1; i > 0 && i > len(stack)-32; i-- {
		switch tag := stack[i].DataAtom; {
		case slices.Contains(closes, tag):
			return stack[:i]
		case slices.Contains(within, tag):
			return stack
		}
	}
	return stack
}

package script

import (
	"strings"

	"angler/crawl/page/script/lex"
)

// Piece is a part of a template: literal text, or the value of a field of a row.
type Piece struct {
	Text  string
	Field bool // Text is its name
}

// mostTemplates bounds the templates of one source.
const mostTemplates = 20

// Templates returns the markup that a source puts together around fields of a row:
// '<a href="/show/' + r.id + '.html">'. Only such with a link or a handler are looked for.
func Templates(source string) (out [][]Piece) {
	t := lex.All(source, maxCode, maxTokens)
	var a nodes
	for i := 0; i < len(t) && len(out) < mostTemplates; i++ {
		if t[i].Kind != lex.String && t[i].Kind != lex.Template || !strings.Contains(t[i].Text, "href=") && !strings.Contains(t[i].Text, "onclick=") {
			continue
		}
		p := parser{nodes: &a, t: t, at: i}
		pieces, ok := flat(p.expression(9), nil)
		if i = max(i, p.at-1); ok && len(pieces) > 1 {
			out = append(out, pieces)
		}
	}
	return out
}

// flat are the pieces of a concatenation; false when something in it is neither text nor
// a field.
func flat(n *node, out []Piece) ([]Piece, bool) {
	if len(out) > 64 {
		return nil, false
	}
	switch n.op {
	case "str", "num":
		return append(out, Piece{Text: n.text}), true
	case "member":
		return append(out, Piece{n.text, true}), true
	case "index":
		if k := n.kids[1]; k.op == "str" {
			return append(out, Piece{k.text, true}), true
		}
	case "id":
		return append(out, Piece{n.text, true}), true
	case "call":
		if len(n.kids) == 2 && n.kids[0].op == "id" {
			return flat(n.kids[1], out) // encodeURIComponent(r.id), String(r.id)
		}
	case "tpl":
		ok := true
		for _, k := range n.kids {
			if out, ok = flat(k, out); !ok {
				return nil, false
			}
		}
		return out, true
	case "bin":
		if n.text == "+" {
			if out, ok := flat(n.kids[0], out); ok {
				return flat(n.kids[1], out)
			}
		}
	}
	return append(out, Piece{"", true}), true // a field that no row has
}

// Global is the text that a variable of the sources is declared with.
func (r *Reader) Global(name string) (string, bool) {
	v, ok := r.global(name)
	return v.s, ok && v.known()
}

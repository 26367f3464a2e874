package listpage

import (
	"strings"
)

// ScriptPiece is a part of a template: literal text, or the value of a field of a row.
type ScriptPiece struct {
	Text  string
	Field bool // Text is its name
}

// mostTemplates bounds the templates of one source.
const mostTemplates = 20

// ScriptTemplates returns the markup that a source puts together around fields of a row:
// '<a href="/show/' + r.id + '.html">'. Only such with a link or a handler are looked for.
func ScriptTemplates(source string) (out [][]ScriptPiece) {
	t := ScanTokens(source, maxCode, maxTokens)
	var a nodes
	for i := 0; i < len(t) && len(out) < mostTemplates; i++ {
		if t[i].Kind != String && t[i].Kind != Template || !strings.Contains(t[i].Text, "href=") && !strings.Contains(t[i].Text, "onclick=") {
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
func flat(n *node, out []ScriptPiece) ([]ScriptPiece, bool) {
	if len(out) > 64 {
		return nil, false
	}
	switch n.op {
	case "str", "num":
		return append(out, ScriptPiece{Text: n.text}), true
	case "member":
		return append(out, ScriptPiece{n.text, true}), true
	case "index":
		if k := n.kids[1]; k.op == "str" {
			return append(out, ScriptPiece{k.text, true}), true
		}
	case "id":
		return append(out, ScriptPiece{n.text, true}), true
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
	return append(out, ScriptPiece{"", true}), true // a field that no row has
}

// Global is the text that a variable of the sources is declared with.
func (r *ScriptReader) Global(name string) (string, bool) {
	v, ok := r.global(name)
	return v.s, ok && v.known()
}

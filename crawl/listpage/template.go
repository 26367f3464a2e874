package listpage

import (
	"strings"
)

// ScriptPiece is a part of a template: literal text, or the value of a field of a row.
type ScriptPiece struct {
	Text  string
	Field bool // Text is its name
}

// Bounds of the templates of one source.
const (
	mostTemplates   = 20
	maxSource       = 1 << 20 // bytes
	maxSourceTokens = 200_000
)

// ScriptTemplates returns the markup that a source puts together around fields of a row:
// '<a href="/show/' + r.id + '.html">'. Only such with a link or a handler are looked for.
func ScriptTemplates(source string) [][]ScriptPiece {
	return templates(source, func(s string) bool { return strings.Contains(s, "href=") || strings.Contains(s, "onclick=") })
}

// ScriptAddresses returns the addresses that a source puts together around fields of a row:
// window.open('/show?id=' + r.id).
func ScriptAddresses(source string) [][]ScriptPiece {
	return templates(source, func(s string) bool {
		return !strings.ContainsAny(s, "<> ") && (strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "http"))
	})
}

// templates returns the concatenations that begin with a text that suits.
func templates(source string, suits func(string) bool) (out [][]ScriptPiece) {
	t := scanTokens(source, maxSource, maxSourceTokens)
	var a nodes
	for i := 0; i < len(t) && len(out) < mostTemplates; i++ {
		if t[i].Kind != String && t[i].Kind != Template || !suits(t[i].Text) {
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

// hole stands where a template names what is not known.
const hole = 0

// Join returns a template with the fields of a row. It returns "" if the template names
// none of them, or a variable of unknown value.
func (r *ScriptReader) Join(t []ScriptPiece, field func(name string) (string, bool)) string {
	s, any := r.join(t, field)
	if !any || strings.IndexByte(s, hole) >= 0 {
		return ""
	}
	return s
}

func (r *ScriptReader) join(t []ScriptPiece, field func(name string) (string, bool)) (s string, any bool) {
	var b strings.Builder
	for _, p := range t {
		if !p.Field {
			b.WriteString(p.Text)
		} else if v, ok := field(p.Text); ok {
			any = true
			b.WriteString(v)
		} else if v, ok := r.global(p.Text); ok && v.known() {
			b.WriteString(v.s)
			any = any || r.Member != nil
		} else {
			b.WriteByte(hole)
		}
	}
	return b.String(), any
}

// Link returns the address of the link or handler in a template of markup, with the fields
// of a row. It returns "" if the address depends on an unknown value.
func (r *ScriptReader) Link(t []ScriptPiece, field func(name string) (string, bool)) string {
	s, any := r.join(t, field)
	if !any {
		return ""
	}
	href := attribute(s, "href=")
	if href == "" || href[0] == '#' || strings.HasPrefix(href, "javascript:") {
		code := attribute(s, "onclick=")
		if strings.HasPrefix(href, "javascript:") && strings.IndexByte(href, '(') > 0 && code == "" {
			code = href
		}
		href = ""
		if strings.IndexByte(code, hole) < 0 {
			if e, err := r.Read(code); err == nil {
				href = e.URL
			}
		}
	}
	if strings.IndexByte(href, hole) >= 0 {
		return ""
	}
	return href
}

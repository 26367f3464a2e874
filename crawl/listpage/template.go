package listpage

import (
	"strings"

	"angler/crawl/htmldoc"

	"github.com/tdewolff/parse/v2/js"
)

// ScriptPiece is a part of a template: literal text, or the value of a field of a row.
type ScriptPiece struct {
	Text  string
	Field bool // Text is the name of a field
}

// Bounds of the templates of one source.
const (
	maxTemplates    = 20
	maxSource       = 1 << 20 // bytes
	maxSourceTokens = 200_000
)

// ScriptTemplates returns the markup that a source builds from fields of a row: '<a href="/show/' +
// r.id + '.html">'. It reads only markup with a link or a handler.
func ScriptTemplates(source string) [][]ScriptPiece {
	return templates(source, func(s string) bool {
		return strings.Contains(s, "href=") || strings.Contains(s, "onclick=")
	})
}

// ScriptAddresses returns the addresses that a source builds from fields of a row:
// window.open('/show?id=' + r.id).
func ScriptAddresses(source string) [][]ScriptPiece {
	return templates(source, func(s string) bool {
		return !strings.ContainsAny(s, "<> ") && htmldoc.AnyWord(s, strings.HasPrefix, "/", "./", "../", "http")
	})
}

// templates returns the concatenations whose first string is suitable.
func templates(source string, matches func(string) bool) (out [][]ScriptPiece) {
	steps := 0
	x := newScanner(source, maxSource, maxSourceTokens)
	for t := x.next(); !t.isEnd() && len(out) < maxTemplates && steps < maxSteps; {
		text := ""
		switch t.kind {
		case js.StringToken:
			text = unquoted(t.text)
		case js.TemplateToken:
			text = t.text
		case js.TemplateStartToken:
			x.skipBrackets()
			text = x.src[t.at:x.offset()]
		}
		next := x.next()
		if text = strings.Trim(text, "`"); text != "" && matches(text) {
			next = x.skipExpression(next, true)
			code := x.src[t.at:next.at]
			if pieces, ok := flatten(expressionOf(parseScript(code, &steps)), nil); ok && len(pieces) > 1 {
				out = append(out, pieces)
			}
		}
		t = next
	}
	return out
}

// flatten appends the pieces of a concatenation to out. It returns false if there are too many.
func flatten(n js.IExpr, out []ScriptPiece) (pieces []ScriptPiece, ok bool) {
	if len(out) > 64 {
		return nil, false
	}
	unknown := append(out, ScriptPiece{"", true}) // a field that no row has
	switch n := bare(n).(type) {
	case *js.LiteralExpr:
		switch v := literalValue(n); {
		case v.kind == text || v.kind == digits:
			return append(out, ScriptPiece{Text: v.s}), true
		case n.TokenType != js.RegExpToken:
			return append(out, ScriptPiece{textOf(n.Data), true}), true
		}
	case *js.Var:
		return append(out, ScriptPiece{textOf(n.Data), true}), true
	case *js.DotExpr:
		return append(out, ScriptPiece{memberName(n), true}), true
	case *js.IndexExpr:
		if k, is := bare(n.Y).(*js.LiteralExpr); is && k.TokenType == js.StringToken {
			return append(out, ScriptPiece{unquoted(textOf(k.Data)), true}), true
		}
	case *js.CallExpr:
		if _, is := bare(n.X).(*js.Var); is && len(n.Args.List) == 1 {
			return flatten(n.Args.List[0].Value, out) // encodeURIComponent(r.id), String(r.id)
		}
	case *js.TemplateExpr:
		if n.Tag != nil {
			return unknown, true
		}
		for _, p := range n.List {
			if out, ok = flatten(p.Expr, appendText(out, p.Value)); !ok {
				return nil, false
			}
		}
		return appendText(out, n.Tail), true
	case *js.BinaryExpr:
		if n.Op == js.AddToken {
			if out, ok = flatten(n.X, out); ok {
				return flatten(n.Y, out)
			}
			return nil, false
		}
	}
	return unknown, true
}

// appendText appends a literal piece of a template literal to out.
func appendText(out []ScriptPiece, piece []byte) []ScriptPiece {
	if s := templateText(piece); s != "" {
		out = append(out, ScriptPiece{Text: s})
	}
	return out
}

// unknownByte stands for an unknown value in a filled template.
const unknownByte = 0

// Join fills a template with the fields of a row. It returns "" if the template names none of them,
// or a variable of unknown value.
func (r *ScriptReader) Join(t []ScriptPiece, field func(name string) (string, bool)) string {
	s, any := r.fill(t, field)
	if !any || strings.IndexByte(s, unknownByte) >= 0 {
		return ""
	}
	return s
}

// fill fills a template, with unknownByte for unknown values. any reports whether it names a field
// of the row.
func (r *ScriptReader) fill(t []ScriptPiece, field func(name string) (string, bool)) (s string, any bool) {
	var b strings.Builder
	for _, p := range t {
		if !p.Field {
			b.WriteString(p.Text)
		} else if v, ok := field(p.Text); ok {
			any = true
			b.WriteString(v)
		} else if v, ok := r.globalValue(p.Text); ok && v.known() {
			b.WriteString(v.s)
			any = any || r.Member != nil
		} else {
			b.WriteByte(unknownByte)
		}
	}
	return b.String(), any
}

// Link fills a template of markup with the fields of a row and returns the address of its link or
// handler. It returns "" if the address depends on an unknown value.
func (r *ScriptReader) Link(t []ScriptPiece, field func(name string) (string, bool)) string {
	s, any := r.fill(t, field)
	if !any {
		return ""
	}
	href := markupAttribute(s, "href=")
	if href == "" || href[0] == '#' || strings.HasPrefix(href, "javascript:") {
		code := markupAttribute(s, "onclick=")
		if strings.HasPrefix(href, "javascript:") && strings.IndexByte(href, '(') > 0 && code == "" {
			code = href
		}
		href = ""
		if strings.IndexByte(code, unknownByte) < 0 {
			if e, err := r.Read(code); err == nil {
				href = e.URL
			}
		}
	}
	if strings.IndexByte(href, unknownByte) >= 0 {
		return ""
	}
	return href
}

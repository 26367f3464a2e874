package propose

import (
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
)

// This file reads expressions out of the tokens of a script.

type exprKind uint8

const (
	isHole   exprKind = iota // something unknown, by its name
	isText                   // s, in which {name} may be holes
	isFigure                 // s
	isWord                   // true, false, null, undefined
	isObject
	isArray
	isCall // name(args), on what recv is
)

// expr is what was read of an expression.
type expr struct {
	kind   exprKind
	s      string // text, number or word; of a hole what was calculated with it, e.g. "-1"
	name   string // of a hole or a call, with dots
	keys   []string
	values []expr // of keys, of an array, or the arguments of a call
	recv   *expr  // what a method was called on
	mixed  bool   // a text with holes
}

// text is an expression as a text with holes.
func (e *expr) text() string {
	switch e.kind {
	case isText, isFigure, isWord:
		return e.s
	case isHole:
		if e.name == "" {
			return "{x}"
		}
		if calculation.MatchString(e.s) { // page - 1
			return "{" + e.name + ":" + e.s + "}"
		}
		return "{" + e.name + "}"
	case isCall:
		if len(e.values) == 1 { // encodeURIComponent(x), String(x)
			return e.values[0].text()
		}
		if e.recv != nil {
			return e.recv.text()
		}
	}
	return "{x}"
}

var calculation = htmldoc.NewPattern(`^[-+*/][\w.]{1,20}$`)

// member is the value of a key; nil when there is none.
func (e *expr) member(key string) *expr {
	for i, k := range e.keys {
		if k == key {
			return &e.values[i]
		}
	}
	return nil
}

// jsParser reads expressions out of tokens.
type jsParser struct {
	t    []listpage.Token
	i    int
	left int // tokens that may still be looked at: scripts of others are as long as they like
}

func (p *jsParser) peek() listpage.Token {
	if p.i < len(p.t) {
		return p.t[p.i]
	}
	return listpage.Token{}
}

func (p *jsParser) is(mark string) bool { return p.peek().Is(mark) }

func (p *jsParser) next() listpage.Token {
	t := p.peek()
	p.i++
	p.left--
	return t
}

// expr reads an expression up to a comma, a semicolon or a closing bracket.
func (p *jsParser) expr(depth int) expr {
	e := p.sum(depth)
	for p.left > 0 && p.peek().Kind == listpage.Punct {
		switch m := p.peek().Text; m {
		case "||", "??":
			p.next()
			if right := p.sum(depth); e.kind == isHole && right.kind != isHole {
				e = right
			}
		case "?":
			p.next()
			yes := p.expr(depth + 1)
			if p.is(":") {
				p.next()
			}
			if no := p.expr(depth + 1); yes.kind != isHole {
				e = yes
			} else {
				e = no
			}
			return e
		case "-", "*", "/", "%", "&&", "<", ">", "==", "===", "!=", "!==", "<=", ">=", "&", "|", "^":
			p.next()
			right := p.sum(depth)
			calculated := e.s
			if e.kind != isHole {
				calculated = ""
			}
			e = expr{kind: isHole, name: firstName(&e, &right), s: calculated + m + right.s}
		default:
			return e
		}
	}
	return e
}

func firstName(a, b *expr) string {
	if a.name != "" {
		return a.name
	}
	return b.name
}

// sum reads what is put together with +.
func (p *jsParser) sum(depth int) expr {
	e := p.postfix(depth)
	for p.is("+") && p.left > 0 {
		p.next()
		right := p.postfix(depth)
		if e.kind == isFigure && right.kind == isFigure {
			continue
		}
		if e.kind == isHole && right.kind == isFigure {
			e.s += "+" + right.s
			continue
		}
		mixed := e.mixed || right.mixed || e.kind != isText || right.kind != isText
		e = expr{kind: isText, s: e.text() + right.text(), mixed: mixed}
		if len(e.s) > maxJoined {
			p.left = 0
		}
	}
	return e
}

// postfix reads a value with what hangs on it: .a, [b], (c).
func (p *jsParser) postfix(depth int) expr {
	e := p.primary(depth)
	for p.left > 0 && p.peek().Kind == listpage.Punct {
		switch p.peek().Text {
		case ".", "?.":
			p.next()
			if t := p.peek(); t.Kind == listpage.Word {
				p.next()
				e = under(e, t.Text)
				continue
			}
			return e
		case "[":
			p.next()
			in := p.expr(depth + 1)
			p.to("]")
			switch {
			case in.kind == isText && !in.mixed:
				e = under(e, in.s)
			case e.kind == isHole:
			default:
				e = expr{kind: isHole, name: e.name}
			}
		case "(":
			p.next()
			args := p.list(")", depth+1)
			c := expr{kind: isCall, name: e.name, values: args, recv: e.recv}
			e = c
		case "++", "--":
			p.next()
		case "=>":
			p.next()
			p.body(depth)
			return expr{kind: isHole, name: "function"}
		default:
			return e
		}
	}
	return e
}

// under is a member of a value.
func under(e expr, name string) expr {
	if v := e.member(name); v != nil {
		return *v
	}
	if e.kind == isHole && e.name != "" {
		return expr{kind: isHole, name: e.name + "." + name, recv: e.recv}
	}
	of := e
	return expr{kind: isHole, name: name, recv: &of}
}

func (p *jsParser) primary(depth int) expr {
	if depth > maxDepth || p.left <= 0 || p.i >= len(p.t) {
		p.left = 0
		return expr{}
	}
	switch t := p.peek(); t.Kind {
	case listpage.String:
		p.next()
		return expr{kind: isText, s: t.Text}
	case listpage.Template:
		p.next()
		return expr{kind: isText, s: t.Text, mixed: strings.Contains(t.Text, "{")}
	case listpage.Number:
		p.next()
		return expr{kind: isFigure, s: t.Text}
	case listpage.Word:
		p.next()
		switch t.Text {
		case "true", "false", "null", "undefined":
			return expr{kind: isWord, s: t.Text}
		case "new", "await", "typeof", "void", "async":
			return p.postfix(depth + 1)
		case "function":
			for p.left > 0 && p.i < len(p.t) && !p.is("{") {
				p.next()
			}
			p.body(depth)
			return expr{kind: isHole, name: "function"}
		}
		return expr{kind: isHole, name: t.Text}
	case listpage.Punct:
		switch t.Text {
		case "{":
			p.next()
			return p.object(depth + 1)
		case "[":
			p.next()
			return expr{kind: isArray, values: p.list("]", depth+1)}
		case "(":
			p.next()
			in := p.list(")", depth+1)
			if len(in) == 1 {
				return in[0]
			}
			return expr{}
		case "!", "-", "+", "~", "...", "++", "--":
			p.next()
			e := p.postfix(depth + 1)
			if t.Text == "-" && e.kind == isFigure {
				e.s = "-" + e.s
			}
			return e
		}
	}
	return expr{}
}

// list reads expressions up to a closing mark, which it takes.
func (p *jsParser) list(end string, depth int) (out []expr) {
	for p.left > 0 && p.i < len(p.t) && !p.is(end) {
		from := p.i
		e := p.expr(depth)
		out = append(out, e)
		if p.is(",") {
			p.next()
			continue
		}
		if p.is(end) {
			break
		}
		p.skip(end) // what is no expression of ours
		if p.is(",") {
			p.next()
		}
		if p.i == from {
			break // a bracket that nothing has opened
		}
	}
	p.to(end)
	return out
}

// object reads the members of an object up to its brace, which it takes.
func (p *jsParser) object(depth int) expr {
	e := expr{kind: isObject}
	for p.left > 0 && p.i < len(p.t) && !p.is("}") && len(e.keys) < 1_000 {
		t := p.next()
		if t.Kind == listpage.Punct {
			if t.Text == "..." {
				p.expr(depth)
			}
			continue
		}
		switch {
		case p.is(":"):
			p.next()
			e.keys = append(e.keys, t.Text)
			e.values = append(e.values, p.expr(depth))
		case p.is("("): // a method
			p.next()
			p.to(")")
			p.body(depth)
		default: // {page, size}
			e.keys = append(e.keys, t.Text)
			e.values = append(e.values, expr{kind: isHole, name: t.Text})
		}
		if !p.is(",") && !p.is("}") {
			p.skip("}")
		}
		if p.is(",") {
			p.next()
		}
	}
	p.to("}")
	return e
}

// to takes everything up to a closing mark, brackets within counted.
func (p *jsParser) to(end string) {
	p.skipTo(end, false)
	if p.is(end) {
		p.next()
	}
}

// skip takes everything up to a comma or a closing mark, and leaves that.
func (p *jsParser) skip(end string) { p.skipTo(end, true) }

func (p *jsParser) skipTo(end string, comma bool) {
	open := 0
	for p.left > 0 && p.i < len(p.t) {
		t := p.peek()
		if t.Kind == listpage.Punct {
			switch t.Text {
			case "(", "[", "{":
				open++
			case ")", "]", "}":
				if open == 0 {
					return
				}
				open--
			case ",":
				if comma && open == 0 {
					return
				}
			}
		}
		if open == 0 && t.Is(end) {
			return
		}
		p.next()
	}
}

// body takes the braces of a function, or the expression of an arrow.
func (p *jsParser) body(depth int) {
	if p.is("{") {
		p.next()
		p.to("}")
		return
	}
	p.expr(depth + 1)
}

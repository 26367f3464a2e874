package listpage

// parser reads the tokens of some code, no more of them than it needs. It never fails: what
// it does not know becomes unknown or skip.
type parser struct {
	nodes *nodes
	scan  tokenScanner
	t     []Token // those that were read
	at    int
	depth int
}

// Bounds of what is parsed at once.
const (
	maxCode        = 16 << 10 // bytes of one function or handler
	maxTokens      = 6000
	maxScriptDepth = 64 // how deep expressions and statements nest
)

// read begins to read other code, with the space that was used for the last.
func (p *parser) read(code string, a *nodes) {
	*p = parser{nodes: a, scan: newTokenScanner(code, maxCode, maxTokens), t: p.t[:0]}
}

// forget drops the code that was read.
func (p *parser) forget() {
	const keep = 1024 // tokens
	if cap(p.t) > keep {
		p.t = nil
	}
	clear(p.t[:cap(p.t)])
	*p = parser{t: p.t[:0]}
}

// token is a token by its number; one of the kind TokenEnd behind the last.
func (p *parser) token(i int) Token {
	for i >= len(p.t) {
		t := p.scan.Next()
		if t.Kind == TokenEnd {
			return t
		}
		p.t = append(p.t, t)
	}
	return p.t[i]
}

func (p *parser) peek() Token {
	if p.at < len(p.t) {
		return p.t[p.at]
	}
	return p.token(p.at)
}

// more reports whether there is a token.
func (p *parser) more() bool { return p.at < len(p.t) || p.peek().Kind != TokenEnd }

// give ends the reading.
func (p *parser) give() {
	p.scan, p.at = tokenScanner{}, len(p.t)
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return t.Text == text && (t.Kind == Punct || t.Kind == Word)
}

func (p *parser) take(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

// statements reads up to a closing brace or the end.
func (p *parser) statements() *node {
	b := p.nodes.make("block", "")
	for p.more() && !p.is("}") {
		from := p.at
		b.add(p.statement())
		if p.at == from {
			p.at++ // whatever it is
		}
	}
	return b
}

func (p *parser) statement() *node {
	if p.depth++; p.depth > maxScriptDepth {
		p.give()
	}
	defer func() { p.depth-- }()
	t := p.peek()
	if t.Kind == Punct {
		switch t.Text {
		case ";":
			p.at++
			return p.nodes.make("skip", "")
		case "{":
			p.at++
			b := p.statements()
			p.take("}")
			return b
		}
	}
	if t.Kind == Word {
		switch t.Text {
		case "var", "let", "const":
			p.at++
			return p.variables()
		case "if":
			p.at++
			n := p.nodes.make("if", "", p.group())
			n.add(p.statement())
			if p.take("else") {
				n.add(p.statement())
			}
			return n
		case "return":
			p.at++
			n := p.nodes.make("return", "")
			if next := p.peek(); next.Kind != TokenEnd && !next.Line && !p.is(";") && !p.is("}") {
				n.add(p.comma())
			}
			p.take(";")
			return n
		case "try":
			p.at++
			b := p.statement()
			if p.take("catch") {
				if p.is("(") {
					p.balanced()
				}
				p.statement()
			}
			if p.take("finally") {
				p.statement()
			}
			return b
		case "function", "class":
			p.function()
			return p.nodes.make("skip", "")
		case "for", "while", "switch", "with":
			p.at++
			if p.is("(") {
				p.balanced()
			}
			p.statement()
			return p.nodes.make("skip", "")
		case "do":
			p.at++
			p.statement()
			p.take("while")
			p.balanced()
			return p.nodes.make("skip", "")
		case "break", "continue", "throw", "else", "case", "default", "debugger":
			for p.more() && !p.is(";") && !p.is("}") {
				p.at++
			}
			return p.nodes.make("skip", "")
		}
	}
	e := p.comma()
	p.take(";")
	return e
}

// variables reads what stands behind var.
func (p *parser) variables() *node {
	b := p.nodes.make("block", "")
	for p.peek().Kind == Word {
		n := p.nodes.make("var", p.peek().Text)
		p.at++
		if p.take("=") {
			n.add(p.expression(2))
		}
		b.add(n)
		if !p.take(",") {
			break
		}
	}
	p.take(";")
	return b
}

// group reads an expression in parentheses.
func (p *parser) group() *node {
	if !p.take("(") {
		return unknown
	}
	e := p.comma()
	for p.more() && !p.is(")") {
		p.at++
	}
	p.take(")")
	return e
}

// balanced skips what stands in brackets of any kind.
func (p *parser) balanced() {
	depth := 0
	for p.more() {
		t := p.peek()
		p.at++
		if t.Kind != Punct {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth <= 0 {
			return
		}
	}
}

// function skips a function.
func (p *parser) function() {
	p.at++
	p.take("*")
	if p.peek().Kind == Word {
		p.at++
	}
	if p.is("(") {
		p.balanced()
	}
	if p.is("{") {
		p.balanced()
	}
}

// comma reads expressions with commas between them.
func (p *parser) comma() *node {
	e := p.expression(2)
	for p.take(",") {
		next := p.expression(2)
		if e.op != "block" {
			e = p.nodes.make("block", "", e)
		}
		e.add(next)
	}
	return e
}

// binding is how strongly an operator binds; 2 is assignment, 3 the conditional, 0 no
// operator.
func binding(operator string) int {
	switch operator {
	case "=", "+=", "-=", "*=", "/=":
		return 2
	case "?":
		return 3
	case "??", "||":
		return 4
	case "&&":
		return 5
	case "|", "^", "&":
		return 6
	case "==", "!=", "===", "!==":
		return 7
	case "<", ">", "<=", ">=", "in", "instanceof":
		return 8
	case "+", "-":
		return 9
	case "*", "/", "%":
		return 10
	}
	return 0
}

// expression reads an expression whose operators bind at least so strongly.
func (p *parser) expression(least int) *node {
	if p.depth++; p.depth > maxScriptDepth {
		p.give()
		p.depth--
		return unknown
	}
	defer func() { p.depth-- }()
	left := p.unary()
	for {
		t := p.peek()
		b := 0
		if t.Kind == Punct || t.Kind == Word {
			b = binding(t.Text)
		}
		if b < least || b == 0 {
			return left
		}
		p.at++
		switch b {
		case 2:
			left = p.nodes.make("assign", t.Text, left, p.expression(2))
		case 3:
			then := p.expression(2)
			p.take(":")
			left = p.nodes.make("cond", "", left, then, p.expression(2))
		default:
			left = p.nodes.make("bin", t.Text, left, p.expression(b+1))
		}
	}
}

func (p *parser) unary() *node {
	t := p.peek()
	switch {
	case t.Kind == Punct && (t.Text == "!" || t.Text == "-" || t.Text == "+" || t.Text == "~"):
		p.at++
		x := p.expression(11)
		switch t.Text {
		case "!":
			return p.nodes.make("not", "", x)
		case "-":
			return p.nodes.make("neg", "", x)
		case "+":
			return x
		}
		return unknown
	case t.Kind == Punct && (t.Text == "++" || t.Text == "--"):
		p.at++
		return p.nodes.make("assign", t.Text[:1]+"=", p.expression(11), p.nodes.make("num", "1"))
	case t.Kind == Word && (t.Text == "typeof" || t.Text == "delete" || t.Text == "void" || t.Text == "await"):
		p.at++
		p.expression(11)
		return unknown
	}
	return p.postfix(p.primary())
}

// postfix reads members, indexes and calls behind an expression.
func (p *parser) postfix(e *node) *node {
	for n := 0; n < 64; n++ {
		switch t := p.peek(); {
		case t.Kind == Template:
			p.at++
			e = unknown
		case t.Kind != Punct:
			return e
		case t.Text == "." || t.Text == "?.":
			p.at++
			e = p.nodes.make("member", p.peek().Text, e)
			p.at++
		case t.Text == "[":
			p.at++
			e = p.nodes.make("index", "", e, p.comma())
			p.take("]")
		case t.Text == "(":
			e = p.nodes.make("call", "", e)
			p.list(e, "(", ")")
		case (t.Text == "++" || t.Text == "--") && !t.Line:
			p.at++
			e = p.nodes.make("assign", t.Text[:1]+"=", e, p.nodes.make("num", "1"))
		default:
			return e
		}
	}
	return e
}

// list reads expressions between brackets and adds them to a node.
func (p *parser) list(to *node, open, close string) {
	p.take(open)
	for p.more() && !p.is(close) {
		from := p.at
		p.take("...")
		to.add(p.expression(2))
		if !p.take(",") && !p.is(close) && p.at == from {
			p.at++
		}
	}
	p.take(close)
}

package listpage

// primary reads what an expression begins with: a literal, a name, a bracket.
func (p *parser) primary() *node {
	t := p.peek()
	p.at++
	switch t.Kind {
	case String:
		return p.nodes.make("str", t.Text)
	case Number:
		return p.nodes.make("num", numeral(t.Text))
	case Template:
		return p.template(t.Text)
	case Regex:
		return unknown
	case Word:
		switch t.Text {
		case "function":
			p.at--
			p.function()
			return unknown
		case "new":
			e := p.primary()
			for p.is(".") {
				p.at++
				e = p.nodes.make("member", p.peek().Text, e)
				p.at++
			}
			n := p.nodes.make("new", "", e)
			if p.is("(") {
				p.list(n, "(", ")")
			}
			return n
		}
		if p.is("=>") {
			p.arrow()
			return unknown
		}
		return p.nodes.make("id", t.Text)
	case Punct:
		switch t.Text {
		case "(":
			p.at--
			if p.arrows() {
				p.balanced()
				p.arrow()
				return unknown
			}
			return p.group()
		case "[":
			p.at--
			n := p.nodes.make("array", "")
			p.list(n, "[", "]")
			return n
		case "{":
			p.at--
			return p.object()
		}
		p.at-- // not the beginning of anything
	}
	return unknown
}

// arrows tells whether the parentheses here are those of an arrow function.
func (p *parser) arrows() bool {
	depth := 0
	for i := p.at; ; i++ {
		switch t := p.token(i); {
		case t.Kind == TokenEnd:
			return false
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 {
				return p.token(i + 1).Is("=>")
			}
		}
	}
}

// arrow skips the body of an arrow function.
func (p *parser) arrow() {
	p.take("=>")
	if p.is("{") {
		p.balanced()
		return
	}
	p.expression(2)
}

// object reads an object literal: kids[i].text is a name, its only kid the value.
func (p *parser) object() *node {
	o := p.nodes.make("object", "")
	p.take("{")
	for p.more() && !p.is("}") {
		from := p.at
		t := p.peek()
		p.at++
		switch {
		case (t.Kind == Word || t.Kind == String || t.Kind == Number) && p.take(":"):
			name := t.Text
			if t.Kind == Number {
				name = numeral(name)
			}
			o.add(p.nodes.make("pair", name, p.expression(2)))
		case t.Kind == Word && p.is("("): // a method
			p.balanced()
			p.balanced()
		}
		for p.more() && !p.is(",") && !p.is("}") {
			p.at++
		}
		p.take(",")
		if p.at == from {
			p.at++
		}
	}
	p.take("}")
	return o
}

// template reads what stands between backquotes.
func (p *parser) template(s string) *node {
	n := p.nodes.make("tpl", "")
	for part, expression := range templateParts(s) {
		if !expression {
			n.add(p.nodes.make("str", part))
			continue
		}
		var in parser
		in.read(part, p.nodes)
		in.depth = p.depth + 1
		n.add(in.comma())
	}
	return n
}

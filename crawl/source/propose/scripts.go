package propose

import (
	"slices"
	"sort"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/source"
)

// This file looks scripts through: what is assigned, which functions build addresses,
// what is put together of texts.

// assigned is an assignment: a name, or a member of one, and what it becomes.
type assigned struct {
	name, member string
	at           int // token
	value        expr
}

// function is a function with a name.
type function struct {
	name   string
	params []string
	body   []listpage.Token
}

// script is what was read of a script.
type script struct {
	text      string
	tokens    []listpage.Token
	assigned  []assigned
	functions []function
}

// readScript looks a script through once.
func readScript(text string) *script {
	s := &script{text: text, tokens: tokensOf(text)}
	budget := 40 * len(s.tokens) // every piece of a script is read a few times at most
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.Kind != listpage.Word {
			continue
		}
		if t.Text == "function" {
			s.function(i)
			continue
		}
		if budget <= 0 {
			break
		}
		j, member := i+1, ""
		for j+1 < len(s.tokens) && s.mark(j, ".") && s.tokens[j+1].Kind == listpage.Word {
			if member != "" {
				member += "."
			}
			member += s.tokens[j+1].Text
			j += 2
		}
		if j+2 < len(s.tokens) && s.mark(j, "[") && s.tokens[j+1].Kind == listpage.String && s.mark(j+2, "]") {
			member = s.tokens[j+1].Text
			j += 3
		}
		if i > 0 && s.mark(i-1, ".") || !s.mark(j, "=") {
			continue
		}
		p := &jsParser{t: s.tokens, i: j + 1, left: min(budget, 20_000)}
		had := p.left
		v := p.expr(0)
		budget -= had - max(0, p.left)
		s.assigned = append(s.assigned, assigned{t.Text, member, i, v})
		if v.kind == isHole && v.name == "function" && member == "" { // var f = function(a) {…}
			s.functionValue(t.Text, j+1)
		}
	}
	return s
}

func (s *script) mark(i int, m string) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].Is(m)
}

func (s *script) function(i int) {
	if i+2 < len(s.tokens) && s.tokens[i+1].Kind == listpage.Word && s.mark(i+2, "(") {
		s.define(s.tokens[i+1].Text, i+2)
	}
}

func (s *script) functionValue(name string, i int) {
	for j := i; j < min(len(s.tokens), i+3); j++ {
		if s.mark(j, "(") {
			s.define(name, j)
			return
		}
	}
}

// define reads parameters and body of a function whose ( is token i.
func (s *script) define(name string, i int) {
	f := function{name: name}
	for i++; i < len(s.tokens) && !s.mark(i, ")"); i++ {
		if s.tokens[i].Kind == listpage.Word {
			f.params = append(f.params, s.tokens[i].Text)
		}
	}
	i++
	if s.mark(i, "=>") {
		i++
	}
	if !s.mark(i, "{") {
		return
	}
	p := &jsParser{t: s.tokens, i: i + 1, left: len(s.tokens)}
	p.skipTo("}", false)
	f.body = s.tokens[i+1 : min(p.i, len(s.tokens))]
	s.functions = append(s.functions, f)
}

// value is what a name stands for at a token: by the assignment before it, or else by
// the first behind it; nil when nothing is source.Known.
func (s *script) value(name string, at int) *expr {
	base, member, _ := strings.Cut(name, ".")
	var found *assigned
	for i := range s.assigned {
		a := &s.assigned[i]
		if a.name != base || a.member != "" || a.value.kind == isHole && a.value.name == base {
			continue
		}
		if found == nil || a.at < at {
			found = a
		}
	}
	if found == nil {
		return nil
	}
	v := found.value
	for member != "" {
		var k string
		k, member, _ = strings.Cut(member, ".")
		m := v.member(k)
		if m == nil {
			return nil
		}
		v = *m
	}
	if v.kind == isObject { // what is added to it: params.pageNo = 1
		v.keys, v.values = slices.Clone(v.keys), slices.Clone(v.values)
		for i := range s.assigned {
			if a := &s.assigned[i]; a.name == base && a.member != "" && !strings.Contains(a.member, ".") && v.member(a.member) == nil {
				v.keys, v.values = append(v.keys, a.member), append(v.values, a.value)
			}
		}
	}
	return &v
}

// resolve replaces names by what they stand for, a few steps deep.
func (s *script) resolve(e *expr, at int, depth int) *expr {
	if depth > 4 || len(e.s) > maxJoined {
		return e
	}
	switch e.kind {
	case isHole:
		if v := s.value(e.name, at); v != nil && e.recv == nil && e.s == "" {
			if v.kind == isHole && v.name == e.name {
				return e
			}
			return s.resolve(v, at, depth+1)
		}
	case isText:
		if e.mixed {
			room := maxJoined
			t := source.Fill(e.s, func(name, _ string) (string, bool) {
				v := s.value(name, at)
				if v == nil {
					return "", false
				}
				if v = s.resolve(v, at, depth+1); (v.kind == isText || v.kind == isFigure) && len(v.s) < room {
					room -= len(v.s)
					return v.s, true
				}
				return "", false
			})
			return &expr{kind: isText, s: t, mixed: strings.Contains(t, "{")}
		}
	case isCall:
		switch name := lastPart(e.name); {
		case (name == "stringify" || name == "encodeURIComponent" || name == "encodeURI" || name == "String" || name == "param" || name == "parseInt") && len(e.values) > 0:
			return s.resolve(&e.values[0], at, depth+1)
		case name == "assign" || name == "extend" || name == "merge":
			out := &expr{kind: isObject}
			for i := range e.values {
				if v := s.resolve(&e.values[i], at, depth+1); v.kind == isObject {
					out.keys, out.values = append(out.keys, v.keys...), append(out.values, v.values...)
				}
			}
			return out
		}
	}
	return e
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// texts are what a script puts together of texts and names, as texts with holes.
func (s *script) texts(tokens []listpage.Token) (out []string) {
	budget := 10 * len(tokens)
	for i := 0; i < len(tokens) && budget > 0 && len(out) < 5_000; i++ {
		t := &tokens[i]
		joins := i+1 < len(tokens) && tokens[i+1].Is("+")
		switch {
		case t.Kind == listpage.Template && strings.Contains(t.Text, "{"):
			out = append(out, t.Text)
		case (t.Kind == listpage.String || t.Kind == listpage.Word) && joins && (i == 0 || !tokens[i-1].Is("+") && !tokens[i-1].Is(".")):
			p := &jsParser{t: tokens, i: i, left: min(budget, 4_000)}
			had := p.left
			e := p.sum(0)
			budget -= had - max(0, p.left) + 1
			if e.kind == isText && e.mixed {
				out = append(out, e.s)
			}
		}
	}
	return out
}

var (
	mustache   = htmldoc.NewPattern(`\{\{[{&#=\-]?\s*([A-Za-z_$][\w.$]*)[^{}]*\}?\}\}`)
	erb        = htmldoc.NewPattern(`<%[=\-]\s*([A-Za-z_$][\w.$]*)[^%]*%>`)
	addressIn  = htmldoc.NewPattern(`(?:href|src|data-url|data-href)\s*=\s*\\?["']([^"'<>\\ ]*\{[\w.$]+\}[^"'<>\\ ]*)`)
	openedIn   = htmldoc.NewPattern(`(?:open|location(?:\.href)?|go\w*|show\w*|to\w*|view\w*|look\w*|detail\w*)\s*(?:=|\()\s*\\?["']([^"'<>\\ ]*\{[\w.$]+\}[^"'<>\\ ]*)`)
	wholeIsOne = htmldoc.NewPattern(`^(?:https?://|/|\.{1,2}/|[\w\-/]+\.(?:s?html?|jspx?|aspx|do))[^\s<>"']*\{[\w.$]+\}[^\s<>"']*$`)
)

// rowTemplate finds in scripts how the address of a row is built of its fields: as a
// template of rows.url; "" when it is not found.
func rowTemplate(scripts []string, paths []string) string {
	fields := map[string]string{}
	for _, p := range paths {
		if _, taken := fields[lastPart(p)]; !taken {
			fields[lastPart(p)] = p
		}
	}
	votes := map[string]int{}
	add := func(address string, worth int) {
		good, used := true, 0
		address = source.Fill(address, func(name, _ string) (string, bool) {
			p, ok := fields[lastPart(name)]
			if !ok {
				good = false
				return "", false
			}
			used++
			return "{" + p + "}", true
		})
		if good && used > 0 && !strings.Contains(address, "{x}") && (len(address) > len("{}")+1) && !strings.HasPrefix(strings.ToLower(address), "javascript:") {
			votes[address] += worth
		}
	}
	for _, text := range scripts {
		raw := text[:min(len(text), maxScript)]
		raw = mustache.ReplaceAllString(raw, "{$1}")
		raw = erb.ReplaceAllString(raw, "{$1}")
		for _, m := range addressIn.Regexp().FindAllStringSubmatch(raw, 200) {
			add(m[1], 3)
		}
		s := readScript(text)
		for _, t := range s.texts(s.tokens) {
			t = s.filled(t)
			for _, m := range addressIn.Regexp().FindAllStringSubmatch(t, 20) {
				add(m[1], 3)
			}
			for _, m := range openedIn.Regexp().FindAllStringSubmatch(t, 20) {
				add(m[1], 2)
			}
			if wholeIsOne.MatchString(t) {
				add(t, 2)
			}
		}
	}
	list := make([]string, 0, len(votes))
	for a := range votes {
		list = append(list, a)
	}
	sort.Slice(list, func(i, j int) bool {
		if votes[list[i]] != votes[list[j]] {
			return votes[list[i]] > votes[list[j]]
		}
		return list[i] < list[j]
	})
	if len(list) == 0 {
		return ""
	}
	return single(list[0])
}

// single writes a template that is one field alone as the place of that field.
func single(t string) string {
	if m := source.Placeholders.FindStringSubmatchIndex(t); m != nil && m[0] == 0 && m[1] == len(t) && m[4] < 0 {
		return t[m[2]:m[3]]
	}
	return t
}

// filled replaces the holes of a text that scripts have assigned a text to.
func (s *script) filled(t string) string {
	e := s.resolve(&expr{kind: isText, s: t, mixed: true}, 1<<30, 0)
	return e.s
}

// callTemplate finds the function that a row calls, and the address that it builds of
// its arguments: as a template with {1}, {2} …; "" when it is not found.
func callTemplate(name string, scripts []string) string {
	for _, text := range scripts {
		if !strings.Contains(text, name) {
			continue
		}
		s := readScript(text)
		for i := range s.functions {
			f := &s.functions[i]
			if f.name != name {
				continue
			}
			if t := f.template(s); t != "" {
				return t
			}
		}
	}
	return ""
}

// template is the address that a function's body builds of its parameters.
func (f *function) template(s *script) string {
	in := &script{tokens: f.body}
	within := readScript(s.text[:0])
	within.tokens = f.body
	for i := range f.body { // assignments of the body alone
		if f.body[i].Kind == listpage.Word && in.mark(i+1, "=") {
			p := &jsParser{t: f.body, i: i + 2, left: 4_000}
			within.assigned = append(within.assigned, assigned{name: f.body[i].Text, at: i, value: p.expr(0)})
		}
	}
	for _, t := range within.texts(f.body) {
		t = s.filled(within.filled(t))
		bad, used := false, 0
		t = source.Fill(t, func(name, _ string) (string, bool) {
			for i, p := range f.params {
				if p == name {
					used++
					return "{" + itoa(i+1) + "}", true
				}
			}
			bad = true
			return "", false
		})
		if !bad && used > 0 && (strings.HasPrefix(t, "/") || strings.HasPrefix(t, "http") || strings.HasPrefix(t, ".") || wholeIsOne.MatchString(t)) {
			return t
		}
	}
	return ""
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

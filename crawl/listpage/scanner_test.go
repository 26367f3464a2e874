package listpage

import (
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2/js"
)

// tokenText returns the tokens of a script, each after a sign of its kind; \\ marks a new line.
func tokenText(s string) string {
	var out []string
	x := newScanner(s, 1<<20, 1<<20)
	for t := x.next(); !t.isEnd(); t = x.next() {
		kind := "."
		switch {
		case js.IsIdentifierName(t.kind):
			kind = "w"
		case js.IsNumeric(t.kind):
			kind = "n"
		case t.kind == js.StringToken:
			kind = "'"
		case t.kind == js.TemplateToken, t.kind == js.TemplateStartToken, t.kind == js.TemplateMiddleToken, t.kind == js.TemplateEndToken:
			kind = "`"
		case t.kind == js.RegExpToken:
			kind = "/"
		case t.kind == js.ErrorToken:
			kind = "?"
		}
		if t.afterNewline {
			kind = "\\" + kind
		}
		out = append(out, kind+t.text)
	}
	return strings.Join(out, " ")
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"", ""},
		{"var 公告=$a_1", "wvar w公告 .= w$a_1"},
		{"a\r\nb /* x\n */ c // d\ne <!-- f", "wa \\wb \\wc \\we"},
		{"0x1f 1.5e-7 .5 2.a 0xe+1 1e+x 08", "n0x1f n1.5e-7 n.5 n2. ?a n0xe .+ n1 ?1e+ ?x n08"},
		{`'a"b' "" "c`, `''a"b' '"" ?"c`},
		{"'a\\\nb\\\r\nc' 'd\ne'", "''a\\\nb\\\r\nc' ?'d \\we ?'"},
		{"`a${b+`c`}${'}d` e `f\\``", "``a${ wb .+ ``c` `}${ ?'}d` e `f\\``"},
		{"a=/[/\"]\\//gi.test(b)/c/d; return /e/", "wa .= //[/\"]\\//gi .. wtest .( wb .) ./ wc ./ wd .; wreturn //e/"},
		{"(/ unclosed\n)", ".( ./ wunclosed \\.)"},
		{"a>>>=b===c?.d?.5:e??f...g=>h**=i", "wa .>>>= wb .=== wc .?. wd .? n.5 .: we .?? wf .... wg .=> wh .**= wi"},
		{"#\\@\x01~;", "?#\\ ?@ ?\x01 .~ .;"},
	} {
		if got := tokenText(c.script); got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.script, got, c.want)
		}
	}
}

// A scanner ends at its bounds of bytes and tokens, and reports its place.
func TestNextIsBounded(t *testing.T) {
	count := func(x *scanner) (n int) {
		for ; !x.next().isEnd(); n++ {
		}
		return n
	}
	if got := count(newScanner("a b c d e f", 5, 100)); got != 3 {
		t.Errorf("%d tokens of 5 bytes", got)
	}
	if got := count(newScanner("a b c d e f", 100, 4)); got != 4 {
		t.Errorf("%d tokens of at most 4", got)
	}
	if got := count(newScanner(strings.Repeat("\\", 1<<20), 1<<20, 1<<20)); got != maxErrors {
		t.Errorf("%d invalid tokens", got)
	}
	x := newScanner(" ab 'c' ", 100, 100)
	for _, want := range []struct{ at, offset int }{{1, 3}, {4, 7}, {8, 8}, {8, 8}} {
		if got := x.next(); got.at != want.at || x.offset() != want.offset {
			t.Errorf("%+v at %d, want %d and %d", got, x.offset(), want.at, want.offset)
		}
	}
}

// Scripts with many unclosed tokens cost as much as others.
func TestNextLooksForEndsOnce(t *testing.T) {
	for _, s := range []string{"/[", "`${", "`${`", "(/[", "'", "\"\\", "/*", "<!--", "`${{`", "//", "\\", "$", "${", "a\n'", "=/\n"} {
		script := strings.Repeat(s, (1<<20)/len(s))
		n := 0
		for x := newScanner(script, len(script), len(script)); !x.next().isEnd(); n++ {
		}
		if n > len(script) {
			t.Errorf("%q: %d tokens", s, n)
		}
	}
}

// parseScript repairs broken code.
func TestParseScript(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"a(); b()", "Stmt(a()) Stmt(b())"},
		{"a() b()", "Stmt(a()) Stmt(b())"},
		{"a(); if (b) { c('/d'", "Stmt(a()) Stmt(if b Stmt({ Stmt(c('/d')) }))"},
		{"open('/x)", "Stmt(open('/x)'))"},
		{"a(1, 08); b = `c${d", "Stmt(a(1, 8)) Stmt(b=`c${d}`)"},
		{"void(); a()", "Stmt(void (/./)) Stmt(a())"},
		{"a('b' + ); c()", "Stmt(a(('b'+/./))) Stmt(c())"},
		{"} a(", "Stmt(/./) Stmt(a(/./))"},
		{"a(@); @b()", "Stmt(a()) Stmt(b())"},
		{"<!-- c\na()\n--> d", "Stmt(a())"},
	} {
		steps := 0
		var got []string
		for _, s := range parseScript(c.code, &steps) {
			got = append(got, s.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.code, s, c.want)
		}
	}
}

// Deeply nested code is refused in bounded time and steps.
func TestParseScriptIsBounded(t *testing.T) {
	for _, s := range []string{"(", "[", "{", "!", "if(a)", "a[", "a(", "a=", "a?", "a?b:", "`${", "x=>", "new ", "class a{b(){", "({a:", "for(;;)", "x:", "'\n", "\\", "08 "} {
		steps := 0
		if list := parseScript(strings.Repeat(s, 100_000), &steps); len(list) > maxCode || steps > maxRepairs*maxCode/16 {
			t.Errorf("%q: %d statements, %d steps", s, len(list), steps)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for _, c := range []struct{ s, text string }{
		{`"a"`, "a"},
		{`'a\'b'`, "a'b"},
		{`'\x41\u0042\u{43}\u{1F600}\ud83d\ude00\n\/\''`, "ABC😀😀\n/'"},
		{`'\u00g'`, "u00g"},
		{"'a\\\nb\\\r\nc'", "abc"},
		{`"\u{110000}\u{}\ud83dx\u"`, "\ufffdu{}\ufffdxu"},
		{`"a\"`, `a\`},
	} {
		if text := unquoted(c.s); text != c.text {
			t.Errorf("%s: %q", c.s, text)
		}
	}
	if n := testing.AllocsPerRun(10, func() { _ = unquoted(`"nothing is escaped here"`) }); n > 0 {
		t.Errorf("%v allocations where nothing is escaped", n)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("var a = /[/]/g, b = `x${`y`}`; /* c */ a >>>= '\\u{1f600}' // d")
	f.Add("\"\\")
	f.Add(" #")
	f.Add("/[/[`${`${'\\x4")
	f.Fuzz(func(t *testing.T, s string) {
		x := newScanner(s, len(s), len(s))
		end := 0
		for {
			k := x.next()
			if k.isEnd() {
				break
			}
			if k.at < end || x.offset() <= k.at || x.offset() > len(s) {
				t.Fatalf("%+v from %d to %d of %d", k, k.at, x.offset(), len(s))
			}
			if k.kind == js.StringToken && len(unquoted(k.text)) > 3*len(k.text) {
				t.Fatalf("%+v means %q", k, unquoted(k.text))
			}
			end = x.offset()
		}
		if strings.Trim(s, " \n") == "" && end > 0 {
			t.Error("a token of nothing")
		}
		steps := 0
		for _, s := range parseScript(s, &steps) {
			if s == nil {
				t.Error("a nil statement")
			}
		}
	})
}

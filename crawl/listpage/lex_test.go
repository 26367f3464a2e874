package listpage

import (
	"fmt"
	"strings"
	"testing"
)

// said is the tokens of a script, kind by kind.
func tokenText(s string) string {
	var out []string
	for _, t := range scanTokens(s, 1<<20, 1<<20) {
		line := ""
		if t.Line {
			line = "\\"
		}
		out = append(out, line+string(" wn'`/."[t.Kind])+t.Text)
	}
	return strings.Join(out, " ")
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"", ""},
		{"var 公告=$a_1", "wvar w公告 .= w$a_1"},
		{"a\r\nb /* x\n */ c // d\ne <!-- f", "wa \\wb wc \\we"},
		{"0x1f 1.5e-7 .5 2.a 0xe+1 1e+x", "n0x1f n1.5e-7 n.5 n2.a n0xe .+ n1 n1e .+ wx"},
		{`'a"b' "" "c`, `'a"b ' 'c`},
		{`'\x41\u0042\u{43}\u{1F600}\ud83d\ude00\n\/\'' '\u00g' "\xg"`, "'ABC😀😀\n/' 'u00g 'xg"},
		{"'a\\\nb\\\r\nc' 'd\ne'", "'abc 'd \\we '"},
		{"`a${b+`c`}${'}d` e `f\\``", "`a${b+`c`}${'}d we `f\\`"},
		{"a=/[/\"]\\//gi.test(b)/c/d; return /e/", "wa .= //[/\"]\\//gi .. wtest .( wb .) ./ wc ./ wd .; wreturn //e/"},
		{"(/ unclosed\n)", ".( ./ wunclosed \\.)"},
		{"a>>>=b===c?.d?.5:e??f...g=>h**=i", "wa .>>>= wb .=== wc .?. wd .? n.5 .: we .?? wf .... wg .=> wh .**= wi"},
		{"#\\@\x01~;", ".# .\\ .@ .~ .;"},
		{"\xff\xfe=1", "w\xff\xfe .= n1"},
	} {
		if got := tokenText(c.script); got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.script, got, c.want)
		}
	}
}

// A tokenScanner ends after the bytes and tokens that it was allowed, and says where it is.
func TestNextIsBounded(t *testing.T) {
	if got := len(scanTokens("a b c d e f", 5, 100)); got != 3 {
		t.Errorf("%d tokens of 5 bytes", got)
	}
	if got := len(scanTokens("a b c d e f", 100, 4)); got != 4 {
		t.Errorf("%d tokens of at most 4", got)
	}
	x := newTokenScanner(" ab 'c' ", 100, 100)
	for _, want := range []struct{ at, offset int }{{1, 3}, {4, 7}, {8, 7}, {8, 7}} {
		if got := x.Next(); int(got.At) != want.at || x.offset() != want.offset {
			t.Errorf("%+v at %d, want %d and %d", got, x.offset(), want.at, want.offset)
		}
	}
}

// Scripts that leave open what they begin, again and again, cost as much as others.
func TestNextLooksForEndsOnce(t *testing.T) {
	for _, s := range []string{"/[", "`${", "`${`", "(/[", "'", "\"\\", "/*", "<!--", "`${{`", "//", "\\", "$", "${"} {
		script := strings.Repeat(s, (1<<20)/len(s))
		x := newTokenScanner(script, len(script), len(script))
		n := 0
		for x.Next().Kind != TokenEnd {
			n++
		}
		if x.vain > 3*len(script) || n > len(script) {
			t.Errorf("%q: %d tokens, %d bytes looked through in vain", s, n, x.vain)
		}
	}
}

func TestParts(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{"", ""},
		{"a", `"a" false`},
		{"${a}", `"a" true`},
		{"/n/${id}.htm${ {a:1}.a }", `"/n/" false, "id" true, ".htm" false, " {a:1}.a " true`},
		{`\u0041\${b}`, `"A${b}" false`},
		{"a${b", `"a" false, "b" true`},
		{`a\`, `"a\\" false`},
	} {
		var got []string
		for part, expression := range templateParts(c.template) {
			got = append(got, fmt.Sprintf("%q %v", part, expression))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.template, s, c.want)
		}
	}
	for range templateParts("a${b}c") {
		break // one that is left is not asked again
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		s, text string
		n       int
		closed  bool
	}{
		{`"a" b`, "a", 3, true},
		{`'a\'b'c`, "a'b", 6, true},
		{`"a`, "a", 2, false},
		{"'a\nb'", "a", 2, false},
		{"'a\\x41\nb'", "aA", 6, false},
		{`"a\`, `a\`, 3, false},
		{`"`, "", 1, false},
		{`"\u{110000}\u{}\ud83dx\u"`, "\ufffdu{}\ufffdxu", 25, true},
	} {
		if text, n, closed := unquoteToken(c.s); text != c.text || n != c.n || closed != c.closed {
			t.Errorf("%s: %q, %d, %v", c.s, text, n, closed)
		}
	}
	if n := testing.AllocsPerRun(10, func() { _, _, _ = unquoteToken(`"nothing is escaped" here`) }); n > 0 {
		t.Errorf("%v allocations where nothing is escaped", n)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("var a = /[/]/g, b = `x${`y`}`; /* c */ a >>>= '\\u{1f600}' // d")
	f.Add("\"\\")
	f.Add("/[/[`${`${'\\x4")
	f.Fuzz(func(t *testing.T, s string) {
		x := newTokenScanner(s, len(s), len(s))
		end := 0
		for {
			k := x.Next()
			if k.Kind == TokenEnd {
				break
			}
			if int(k.At) < end || x.offset() <= int(k.At) || x.offset() > len(s) {
				t.Fatalf("%+v from %d to %d of %d", k, k.At, x.offset(), len(s))
			}
			if k.Kind != String && !strings.Contains(s[k.At:x.offset()], k.Text) {
				t.Fatalf("%+v is not what stands there", k)
			}
			end = x.offset()
			if k.Kind == Template {
				for part := range templateParts(k.Text) {
					if len(part) > 3*len(k.Text)+3 {
						t.Fatalf("%q in %q", part, k.Text)
					}
				}
			}
		}
		if strings.Trim(s, " \n") == "" && end > 0 {
			t.Error("a token of nothing")
		}
	})
}

package listpage

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const sources = `
/* the functions of a list */
var base = '/notices/', total = 30, ids = [1,2];
function show(id) { window.open(base + 'show.aspx?id=' + id, '_blank'); }
function showIn(obj, kind, path) { if (kind == '0201') { location.href = "/b" + path; } else { location.href = "/a" + path; } }
function toPage(n) {
	if (n < 1 || n > total) { alert('no such page'); return false; }
	var q = $("#keyword").val();
	document.getElementById("pageNo").value = n;
	document.forms['list'].submit();
}
function jump(n){ var f=document.form1; f.cur.value = n; f.action = 'list.jsp?k=' + encodeURIComponent('公 告'); f.submit(); }
var open2 = function(id, d) { var u = "detail_" + id + ".html"; return go(u); };
function go(u) { top.location = u }
const arrow = (id) => { window.location.href = ` + "`/n/${id}.htm`" + `; };
var view = { detail: function(id){ location.assign('v?id=' + id); } };
function ajax(p) { $.post("/api/list", {page: p}, function(r){ location.href = r.url }); }
function random() { location.href = '/x?' + new Date().getTime(); }
function loop(a) { return loop2(a) } function loop2(a) { return loop(a) }
function chosen(id) { var u; if (window.mobile) { u = 'm/' + id } else { u = 'm/' + id } location.href = u; }
function sw(k) { switch(k) { case 1: location.href='/one'; } }
`

func TestRead(t *testing.T) {
	r := &ScriptReader{Sources: []string{sources}, URL: "http://h.test/a/list.aspx?c=7", Value: func(name string) (string, bool) {
		v, ok := map[string]string{"pageNo": "1", "cur": "3"}[name]
		return v, ok
	}}
	for _, c := range []struct {
		code string
		want ScriptEffect
		err  string
	}{
		{`window.open('/x/1.html')`, ScriptEffect{URL: "/x/1.html"}, ""},
		{`javascript:window.open("/x/1.html","_blank");return false;`, ScriptEffect{URL: "/x/1.html"}, ""},
		{`location.href='detail.aspx?id='+123`, ScriptEffect{URL: "detail.aspx?id=123"}, ""},
		{`location='a'+(1+2)+"\u002ehtm"`, ScriptEffect{URL: "a3.htm"}, ""},
		{`window.location.replace(location.pathname + '?page=' + 2)`, ScriptEffect{URL: "/a/list.aspx?page=2"}, ""},
		{`javascript:show('A-17')`, ScriptEffect{URL: "/notices/show.aspx?id=A-17"}, ""},
		{`return show(9007199254740993)`, ScriptEffect{URL: "/notices/show.aspx?id=9007199254740993"}, ""},
		{`showIn(this,'0201','/2026/1.html')`, ScriptEffect{URL: "/b/2026/1.html"}, ""},
		{`showIn(this,'0202','/2026/1.html')`, ScriptEffect{URL: "/a/2026/1.html"}, ""},
		{`toPage(2)`, ScriptEffect{Form: "list", Fields: []ScriptField{{"pageNo", "2"}}}, ""},
		{`toPage(31)`, ScriptEffect{}, "leads nowhere"},
		{`jump(4)`, ScriptEffect{Form: "form1", Action: "list.jsp?k=%E5%85%AC%20%E5%91%8A", Fields: []ScriptField{{"cur", "4"}}}, ""},
		{`open2(5)`, ScriptEffect{URL: "detail_5.html"}, ""},
		{`arrow(6)`, ScriptEffect{URL: "/n/6.htm"}, ""},
		{`view.detail('7')`, ScriptEffect{URL: "v?id=7"}, ""},
		{`__doPostBack('Pager','2')`, ScriptEffect{Postback: true, Target: "Pager", Argument: "2"}, ""},
		{`javascript:WebForm_DoPostBackWithOptions(new WebForm_PostBackOptions("ctl00$next", "", true, "", "", false, true))`, ScriptEffect{Postback: true, Target: "ctl00$next"}, ""},
		{`chosen(8)`, ScriptEffect{URL: "m/8"}, ""},
		{`javascript:void(0)`, ScriptEffect{}, "leads nowhere"},
		{`javascript:;`, ScriptEffect{}, "leads nowhere"},
		{`ajax(2)`, ScriptEffect{}, "leads nowhere"},
		{`random()`, ScriptEffect{}, "depends on"},
		{`unheard(2)`, ScriptEffect{}, "unheard is not defined"},
		{`loop(1)`, ScriptEffect{}, "too deep"},
		{`location.href = this.id`, ScriptEffect{}, "depends on"},
		{`document.getElementById('x').submit()`, ScriptEffect{Form: "x"}, ""},
	} {
		got, err := r.Read(c.code)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %+v, %v; want an error with %q", c.code, got, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.code, err)
		case !reflect.DeepEqual(*got, c.want):
			t.Errorf("%s:\n%+v, want\n%+v", c.code, *got, c.want)
		}
	}
	var u *unreadableScript
	if _, err := r.Read(`unheard(2)`); !errors.As(err, &u) || u.Function != "unheard" {
		t.Errorf("the missing function is %+v", u)
	}
}

// Nested, recursive and unclosed code is read in bounded time.
func TestReadIsBounded(t *testing.T) {
	r := &ScriptReader{Sources: []string{"function f(n){ f(n+1); f(n+2); f(n+3) } function g(){" + strings.Repeat("g2();", 3000) + "} function g2(){ var a = " + strings.Repeat("1+", 3000) + "1 }"}}
	for _, code := range []string{"f(1)", "g()", strings.Repeat("(", 10000), strings.Repeat("a[", 5000), strings.Repeat("{", 5000), strings.Repeat("if(a)", 3000), "`" + strings.Repeat("${`", 3000), strings.Repeat("!", 9000)} {
		if e, err := r.Read(code); err == nil {
			t.Errorf("%.20s leads to %+v", code, e)
		}
	}
	if r.steps > maxSteps+maxHandlerSteps {
		t.Errorf("%d steps", r.steps)
	}
}

// Read evaluates equal code once, until another source may define its functions. Cached code without
// effect and calls of undefined functions allocate nothing.
func TestReadOnce(t *testing.T) {
	r := &ScriptReader{Sources: []string{sources}, URL: "http://h.test/"}
	for _, code := range []string{`_count("a", 1, this.id)`, `return _count('b');`, `toPage(1000)`, `javascript:void(0)`} {
		if e, err := r.Read(code); err == nil {
			t.Errorf("%s leads to %+v", code, e)
		}
		if n := testing.AllocsPerRun(10, func() { _, _ = r.Read(code) }); n > 0 {
			t.Errorf("%s: %v allocations", code, n)
		}
	}
	r.addSource(`function _count(a, n) { location.href = '/' + a + n }`)
	if e, err := r.Read(`_count("a", 1, this.id)`); err != nil || e.URL != "/a1" {
		t.Errorf("with its source: %+v, %v", e, err)
	}
	for code, says := range map[string]string{
		`_other(location.href='/x')`: "/x", `_other(open('/y'))`: "/y", `if (a) location='/z'`: "/z", `_other('a')
location='/x'`: "_other is not", `_other(1); location='/x'`: "_other is not", `alert(1); location='/w'`: "/w", `toPage(0); location='/v'`: "/v",
		`go('/u');return false`: "/u", `go("\x2ft")`: "/t", `print(1)`: "nowhere", `window.print(1)`: "nowhere",
	} {
		e, err := r.Read(code)
		if got := strings.Trim(strings.Join([]string{errorText(err), urlOf(e)}, " "), " "); !strings.Contains(got, says) {
			t.Errorf("%s: %q, want %q", code, got, says)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func urlOf(e *ScriptEffect) string {
	if e == nil {
		return ""
	}
	return e.URL
}

// A reset ScriptReader reads like a new one, and holds nothing of the previous page.
func TestReset(t *testing.T) {
	r := new(ScriptReader)
	for _, page := range []string{"/a", "/b"} {
		r.Sources = append(r.Sources, `function show(n) { var to = '`+page+`/' + n; location.href = to }`)
		for _, id := range []string{"1", "2", "1"} {
			if e, err := r.Read("show(" + id + ")"); err != nil || e.URL != page+"/"+id {
				t.Errorf("%s: %+v, %v", page, e, err)
			}
		}
		r.reset()
	}
	if r.URL != "" || len(r.Sources) > 0 || len(r.functions)+len(r.outcomes)+len(r.vars)+r.parsed > 0 {
		t.Errorf("it holds %+v", r)
	}
}

// Sources with very large functions take bounded memory.
func TestFunctionsAreBounded(t *testing.T) {
	var s strings.Builder
	for i := range 400 {
		fmt.Fprintf(&s, "function f%d(){%s}\n", i, strings.Repeat("a(b);", 1000))
	}
	r := &ScriptReader{Sources: []string{s.String()}}
	for i := range 400 {
		_, _ = r.Read(fmt.Sprintf("f%d()", i))
	}
	if most := maxParsed + maxCode; r.parsed > most {
		t.Errorf("%d bytes, want at most %d", r.parsed, most)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sources, "toPage(2)")
	f.Add("function a(b){location=b+`${b}`}", "a('x')")
	f.Fuzz(func(t *testing.T, source, code string) {
		r := &ScriptReader{Sources: []string{source}, URL: "http://h.test/"}
		e, err := r.Read(code)
		if (e == nil) == (err == nil) {
			t.Errorf("%+v, %v", e, err)
		}
		plain := strings.TrimSpace(code)
		if plain == "" || len(plain) > maxCode || len(plain) >= 11 && strings.EqualFold(plain[:11], "javascript:") {
			return
		}
		r.reset()
		r.Sources, r.URL = append(r.Sources, source), "http://h.test/"
		if again, err2 := r.evaluate(plain, plainCall{}); !reflect.DeepEqual(e, again) || errorText(err) != errorText(err2) {
			t.Errorf("%+v, %v; without a short cut %+v, %v", e, err, again, err2)
		}
	})
}

// TestCutTemplates reads templates that end in the middle.
func TestCutTemplates(t *testing.T) {
	for _, s := range []string{`var u="/"+`, `var u="href="+`, "`href=${", `h += '<a href="' + [r] + '">'`} {
		r := &ScriptReader{Sources: []string{s}}
		for _, p := range append(ScriptTemplates(s), ScriptAddresses(s)...) {
			if got := r.Link(p, func(string) (string, bool) { return "", false }) + r.Join(p, func(string) (string, bool) { return "", false }); got != "" {
				t.Errorf("%s leads to %s", s, got)
			}
		}
	}
}

package propose

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/source"
)

// This file finds the requests that scripts make.

// ask is a request that a script makes.
type ask struct {
	at       int
	how      string // what makes it: $.ajax, fetch …
	method   string
	url      *expr
	data     *expr // body, or query of a GET
	query    *expr // query besides data
	headers  *expr
	kind     string // content type
	asJSON   bool
	jsonp    bool
	callback string // parameter of JSONP
	extra    map[string]string
}

// asks finds the requests of a script.
func (s *script) asks() (out []ask) {
	budget := 20 * len(s.tokens)
	for i := 0; i+1 < len(s.tokens) && len(out) < 100 && budget > 0; i++ {
		t := &s.tokens[i]
		if t.Kind != listpage.Word || !s.mark(i+1, "(") {
			continue
		}
		switch t.Text {
		case "function", "if", "for", "while", "switch", "catch", "return", "require", "define":
			continue
		}
		name := t.Text
		first := i + 2
		if !callers.MatchString(name) && !(s.mark(first, "{") && s.hasURL(first)) {
			continue
		}
		p := &jsParser{t: s.tokens, i: first, left: min(budget, 20_000)}
		had := p.left
		args := p.list(")", 0)
		budget -= had - max(0, p.left)
		if a, ok := s.ask(name, i, args); ok {
			out = append(out, a)
		}
	}
	return out
}

var callers = htmldoc.NewPattern(`^(?:ajax|post|get|getJSON|fetch|axios|open|request|jsonp|postJSON|\$http|http|load|ajaxPost|ajaxGet|postData|getData|doPost|doGet)$`)

// hasURL reports whether an object that begins at a token has a member url.
func (s *script) hasURL(i int) bool {
	for j := i; j < min(len(s.tokens)-1, i+120); j++ {
		if (s.tokens[j].Kind == listpage.Word || s.tokens[j].Kind == listpage.String) && strings.EqualFold(s.tokens[j].Text, "url") && s.mark(j+1, ":") {
			return true
		}
	}
	return false
}

func (s *script) ask(name string, at int, args []expr) (a ask, ok bool) {
	a = ask{at: at, how: name}
	if len(args) == 0 {
		return a, false
	}
	one := s.resolve(&args[0], at, 0)
	second := func(i int) *expr {
		if i < len(args) && !(args[i].kind == isHole && args[i].name == "function") {
			return s.resolve(&args[i], at, 0)
		}
		return nil
	}
	switch {
	case one.kind == isObject:
		a.config(s, one)
	case name == "open": // XMLHttpRequest
		if one.kind != isText || len(args) < 2 || !slices.Contains([]string{"GET", "POST"}, strings.ToUpper(one.s)) {
			return a, false
		}
		a.method, a.url = strings.ToUpper(one.s), second(1)
		for j := at; j < min(len(s.tokens)-2, at+400); j++ {
			if s.tokens[j].Kind == listpage.Word && s.tokens[j].Text == "send" && s.mark(j+1, "(") && !s.mark(j+2, ")") {
				p := &jsParser{t: s.tokens, i: j + 2, left: 4_000}
				e := p.expr(0)
				a.asJSON = e.kind == isCall && lastPart(e.name) == "stringify"
				a.data = s.resolve(&e, j, 0)
				break
			}
		}
	case name == "fetch" || name == "axios":
		a.url = one
		if c := second(1); c != nil && c.kind == isObject {
			a.config(s, c)
			a.url = one
		}
	default:
		a.url, a.data = one, second(1)
		low := strings.ToLower(name)
		if strings.Contains(low, "post") {
			a.method = "POST"
		}
		if low == "jsonp" {
			a.jsonp = true
		}
		axios := at >= 2 && s.mark(at-1, ".") && (s.tokens[at-2].Text == "axios" || s.tokens[at-2].Text == "$http" || s.tokens[at-2].Text == "http" || s.tokens[at-2].Text == "request" || s.tokens[at-2].Text == "service")
		if axios && a.method == "" && a.data != nil && a.data.kind == isObject {
			if q := a.data.member("params"); q != nil {
				a.data = s.resolve(q, at, 0)
			}
		}
		a.asJSON = axios && a.method == "POST"
		if c := second(2); c != nil && c.kind == isObject {
			a.headers = c.member("headers")
		}
	}
	if a.url == nil || a.url.kind != isText && a.url.kind != isHole {
		return a, false
	}
	return a, a.url.kind == isText && len(a.url.s) > 1 && len(a.url.s) < source.MaxURL
}

// config reads the settings of $.ajax, fetch, axios and tables that load themselves.
func (a *ask) config(s *script, c *expr) {
	word := func(names ...string) string {
		for _, n := range names {
			if v := c.member(n); v != nil {
				if v = s.resolve(v, a.at, 0); v.kind == isText || v.kind == isWord {
					return v.s
				}
			}
		}
		return ""
	}
	for _, n := range []string{"url", "URL"} {
		if v := c.member(n); v != nil {
			a.url = s.resolve(v, a.at, 0)
		}
	}
	if m := strings.ToUpper(word("method", "type")); m == "GET" || m == "POST" {
		a.method = m
	}
	a.kind = word("contentType")
	a.jsonp = strings.EqualFold(word("dataType"), "jsonp")
	a.callback = word("jsonp")
	if f := word("jsonpCallback"); f != "" {
		a.extra = map[string]string{cmp.Or(a.callback, "callback"): f}
	}
	for _, n := range []string{"data", "body", "where", "queryParams"} {
		v := c.member(n)
		if v == nil {
			continue
		}
		if v.kind == isCall && lastPart(v.name) == "stringify" {
			a.asJSON = true
		}
		a.data = s.resolve(v, a.at, 0)
		break
	}
	if v := c.member("params"); v != nil {
		a.query = s.resolve(v, a.at, 0)
	}
	if v := c.member("headers"); v != nil {
		a.headers = s.resolve(v, a.at, 0)
	}
	if p := c.member("page"); p != nil && c.member("cols") != nil { // layui's table
		a.extra = map[string]string{"page": "1", "limit": "20"}
		if l := word("limit"); l != "" {
			a.extra["limit"] = l
		}
	}
	if strings.HasPrefix(a.how, "axios") || a.how == "request" || a.how == "$http" {
		a.asJSON = a.asJSON || a.method == "POST" && a.data != nil && a.data.kind == isObject
	}
}

package propose

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/source"
)

// This file writes the values of a script as they are sent.

// builder writes values of a script as they are sent.
type builder struct {
	page   *Page
	script *script
	file   *Script
	forms  map[string]form
	tokens []source.Token
	notes  []string
	within int // texts whose names are being filled
}

var tokenNames = htmldoc.NewPattern(`(?i)token|csrf|xsrf|nonce|__RequestVerification|sid$|authkey|siteguid`)

// value is what stands for a value: what is source.Known of it, a placeholder of a token, a
// number for the page; "" when it is not source.Known.
func (b *builder) value(key string, e *expr, at int) string {
	v := b.script.resolve(e, at, 0)
	if tokenNames.MatchString(key) {
		if t := b.token(key, e, v, at); t != "" {
			return t
		}
	}
	switch v.kind {
	case isText:
		return b.text(v, key, at)
	case isFigure:
		return v.s
	case isWord:
		if v.s == "true" || v.s == "false" {
			return v.s
		}
		return ""
	case isObject, isArray:
		return b.json(v, at, 1)
	}
	if s, ok := b.onPage(v); ok {
		return s
	}
	short := lastPart(key)
	switch {
	case source.PageNames.MatchString(short) && !source.NotPages.MatchString(short):
		if strings.HasPrefix(v.s, "-1") { // page - 1
			return "0"
		}
		return "1"
	case source.OffsetNames.MatchString(short):
		return "0"
	case source.SizeNames.MatchString(short):
		return "20"
	}
	if v.kind != isHole || !strings.Contains(v.name, "function") {
		b.note("the value of " + htmldoc.CleanLine(key, 40) + " is not in the page: it is sent empty")
	}
	return ""
}

func (b *builder) note(s string) {
	if len(b.notes) < 8 && !slices.Contains(b.notes, s) {
		b.notes = append(b.notes, s)
	}
}

// text is a text with the holes that can be filled.
func (b *builder) text(e *expr, key string, at int) string {
	e = b.script.resolve(e, at, 0)
	if e.kind != isText {
		return e.text()
	}
	if !e.mixed || b.within > 4 { // what is put together of itself has no end
		return e.s
	}
	b.within++
	defer func() { b.within-- }()
	return source.Fill(e.s, func(name, calculated string) (string, bool) {
		for i := range b.tokens {
			if b.tokens[i].Name == name {
				return "", false
			}
		}
		before := key
		if i := strings.Index(e.s, "{"+name); i >= 0 { // ?page={x}: by the name before it
			head := strings.TrimSuffix(e.s[:i], "=")
			if j := strings.LastIndexAny(head, "?&"); j >= 0 {
				before = head[j+1:]
			}
		}
		if before == "" {
			return "", name == "x"
		}
		return b.value(before, &expr{kind: isHole, name: name, s: calculated}, at), true
	})
}

// token makes a value one that is read from the page each time; "" when it is none.
func (b *builder) token(key string, e, v *expr, at int) string {
	name := strings.Trim(tokenLetters.ReplaceAllString(key, "_"), "_")
	if name == "" || slices.Contains(source.Known, name) {
		name = "token"
	}
	if c := name[0]; c >= '0' && c <= '9' {
		name = "t" + name
	}
	t := source.Token{Name: name}
	if sel, attr, ok := selected(v); ok {
		t.Selector, t.Attr = sel, attr
	} else if base := e.name; e.kind == isHole && v.kind == isText && !v.mixed && len(v.s) >= 6 && b.file.URL == "" && base != "" {
		last := regexQuote(lastPart(base))
		t.Regex = last + `["']?\s*[:=]\s*["']([^"']{4,})["']`
	} else {
		return ""
	}
	if _, ok := t.Find([]byte(b.page.HTML)); !ok {
		return ""
	}
	for i := range b.tokens {
		if b.tokens[i].Name == name {
			return "{" + name + "}"
		}
	}
	b.tokens = append(b.tokens, t)
	return "{" + name + "}"
}

var tokenLetters = htmldoc.NewPattern(`[^A-Za-z0-9_]+`)

func regexQuote(s string) string {
	var w strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`\.+*?()|[]{}^$`, s[i]) >= 0 {
			w.WriteByte('\\')
		}
		w.WriteByte(s[i])
	}
	return w.String()
}

// selected reads $('#x').val(), $('meta[name=y]').attr('content') and what the browser
// itself has for them: which element of the page a value comes from.
func selected(e *expr) (selector, attr string, ok bool) {
	of := e
	if e.kind == isCall {
		switch lastPart(e.name) {
		case "val", "text", "html", "trim":
			if lastPart(e.name) == "trim" && len(e.values) == 1 {
				return selected(&e.values[0])
			}
			of = e.recv
		case "attr", "data", "getAttribute", "prop":
			if len(e.values) != 1 || e.values[0].kind != isText {
				return "", "", false
			}
			attr, of = e.values[0].s, e.recv
			if lastPart(e.name) == "data" {
				attr = "data-" + attr
			}
		default:
			return "", "", false
		}
	} else if e.kind == isHole && e.recv != nil && (e.name == "value" || e.name == "content" || e.name == "innerText") {
		of = e.recv
	}
	if of == nil || of.kind != isCall || len(of.values) != 1 || of.values[0].kind != isText {
		return "", "", false
	}
	sel := of.values[0].s
	if lastPart(of.name) == "getElementById" {
		sel = "#" + sel
	}
	if _, err := source.SelectorOf(sel); err != nil {
		return "", "", false
	}
	return sel, attr, true
}

// onPage is what an element of the page holds that a script takes a value from.
func (b *builder) onPage(e *expr) (string, bool) {
	sel, attr, ok := selected(e)
	if !ok {
		return "", false
	}
	s, err := source.SelectorOf(sel)
	if err != nil {
		return "", false
	}
	v := s.Value([]byte(b.page.HTML), attr)
	return v, len(v) < 500
}

// pairs are the parameters of an object or of a form's text.
func (b *builder) pairs(e *expr, at int) (out [][2]string) {
	if e == nil {
		return nil
	}
	e = b.script.resolve(e, at, 0)
	switch e.kind {
	case isObject:
		for i, k := range e.keys {
			if len(out) < 100 && len(k) < 100 {
				out = append(out, [2]string{k, b.value(k, &e.values[i], at)})
			}
		}
	case isText:
		t := b.text(e, "", at)
		for pair := range strings.SplitSeq(strings.TrimLeft(t, "?&"), "&") {
			if k, v, ok := strings.Cut(pair, "="); ok {
				if un, err := url.QueryUnescape(v); err == nil {
					v = un
				}
				out = append(out, [2]string{k, v})
			}
		}
	default:
		if f, ok := b.serialized(e, at); ok {
			for _, kv := range f.fields {
				v := kv[1]
				if v == "" && source.PageNames.MatchString(kv[0]) {
					v = "1"
				}
				out = append(out, [2]string{kv[0], v})
			}
		}
	}
	return out
}

// serialized finds the form of the page that a value was made of.
func (b *builder) serialized(e *expr, at int) (form, bool) {
	for of := e; of != nil; of = of.recv {
		if of.kind == isCall && len(of.values) == 1 && of.values[0].kind == isText {
			if f, ok := b.forms[strings.TrimPrefix(of.values[0].s, "#")]; ok {
				return f, true
			}
		}
	}
	// var o = {}; $.each($("#FIND").serializeArray(), …): the form that is taken apart
	// nearest before the request.
	tokens := b.script.tokens
	for i := min(at, len(tokens)-1); i > 3; i-- {
		if tokens[i].Kind == listpage.Word && (tokens[i].Text == "serializeArray" || tokens[i].Text == "serialize") && tokens[i-3].Kind == listpage.String {
			f, ok := b.forms[strings.TrimPrefix(tokens[i-3].Text, "#")]
			return f, ok
		}
	}
	return form{}, false
}

// form writes parameters as a form.
func (b *builder) form(e *expr, at int) string {
	pairs := b.pairs(e, at)
	if len(pairs) == 0 && e != nil && e.kind == isObject {
		if f, ok := b.serialized(e, at); ok {
			for _, kv := range f.fields {
				pairs = append(pairs, [2]string{kv[0], cmp.Or(kv[1], map[bool]string{true: "1"}[source.PageNames.MatchString(kv[0])])})
			}
		}
	}
	var s []string
	for _, kv := range pairs {
		s = append(s, url.QueryEscape(kv[0])+"="+url.QueryEscape(kv[1]))
	}
	return strings.Join(s, "&")
}

// json writes a value as JSON.
func (b *builder) json(e *expr, at, depth int) string {
	e = b.script.resolve(e, at, 0)
	if depth > 12 {
		return "null"
	}
	switch e.kind {
	case isObject:
		var s []string
		for i, k := range e.keys {
			s = append(s, quoted(k)+":"+b.member(k, &e.values[i], at, depth))
			if len(s) > 200 {
				break
			}
		}
		return "{" + strings.Join(s, ",") + "}"
	case isArray:
		var s []string
		for i := range e.values {
			s = append(s, b.member("", &e.values[i], at, depth))
			if len(s) > 200 {
				break
			}
		}
		return "[" + strings.Join(s, ",") + "]"
	}
	return b.member("", e, at, depth)
}

func (b *builder) member(key string, e *expr, at, depth int) string {
	v := b.script.resolve(e, at, 0)
	switch v.kind {
	case isObject, isArray:
		return b.json(v, at, depth+1)
	case isFigure:
		if json.Valid([]byte(v.s)) {
			return v.s
		}
	case isWord:
		if v.s != "undefined" {
			return v.s
		}
		return "null"
	}
	s := b.value(key, e, at)
	if _, isNum := source.AllDigits(s); isNum && s != "" && v.kind != isText {
		return s
	}
	return quoted(s)
}

func quoted(s string) string {
	v, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(v))
}

// escapeBut escapes a value of a query and leaves source.Placeholders.
func escapeBut(s string) string {
	return strings.NewReplacer("%7B", "{", "%7D", "}").Replace(url.QueryEscape(s))
}

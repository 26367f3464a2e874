package listpage

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// ScriptText is a text that a script holds between quotes.
type ScriptText struct {
	Text  string // unescaped; the texts of a sum, and those written one after the other, are one
	Key   string // the name of its member or variable, "" for none
	Title string // the title in the innermost object around it that has one, "" for none
	Date  string // likewise the date of publication, as it is written
}

// Bounds of the texts of one script.
const (
	maxTexts   = 4096 // texts, objects and names each
	shortText  = 60   // bytes of a text that is left out
	objectsOut = 3    // objects around a text that are asked for title and date
)

// scriptObject is an object or a call of a script.
type scriptObject struct {
	outer       int32 // -1 for none
	title, date string
	rank        int // of the date's name; 0 for no date
	arguments   int // of a call of a function literal, counted up to here; -1 for anything else
}

// place is where a value stands in a script.
type place struct {
	object int32
	key    string
}

// textReader reads the texts of one script in one pass over its tokens. It keeps objects in a
// list and never recurses.
type textReader struct {
	objects    []scriptObject
	at         int32
	texts      []ScriptText
	in         []place // of texts[i]
	joined     []byte  // the last of texts, which may go on
	parameters []string
	named      map[string]place // where a name stands as a value
}

// ScriptTexts returns the longer texts of a script or of JSON, at most 4096, in their order. A broken
// script gives what can be read of it. The arguments of a function literal that is called at once
// belong to the members that its parameters name.
func ScriptTexts(script string) []ScriptText {
	x := newScanner(script, maxBytes, maxBytes)
	r := textReader{objects: []scriptObject{{outer: -1, arguments: -1}}, named: map[string]place{}}
	var last, before token
	key, joins := "", false
	for {
		t := x.next()
		if t.isEnd() {
			break
		}
		switch {
		case t.kind == js.StringToken, t.kind == js.TemplateToken:
			if len(t.text) >= 2 {
				r.text(unquoted(t.text), key, joins || last.kind == js.AddToken && before.kind == js.StringToken)
			}
			joins = false
		case closers[t.kind] != "":
			joins = t.kind == js.OpenParenToken && strings.HasPrefix(last.text, "write")
			r.open(t.kind == js.OpenParenToken && last.kind == js.CloseBraceToken)
			if t.kind == js.OpenParenToken && last.kind == js.FunctionToken && r.parameters == nil {
				for t = x.next(); js.IsIdentifierName(t.kind) || t.kind == js.CommaToken; t = x.next() {
					if t.kind != js.CommaToken && len(r.parameters) < maxTexts {
						r.parameters = append(r.parameters, t.text)
					}
				}
				r.close()
			}
		case closes(t.kind):
			r.close()
		case t.kind == js.ColonToken, t.kind == js.EqToken, t.kind == js.AddEqToken:
			key = strings.Trim(last.text[:min(len(last.text), 64)], `"'`)
			joins = t.kind == js.AddEqToken
		case t.kind == js.SemicolonToken:
			key = ""
		case t.kind == js.CommaToken:
			key = ""
			if o := &r.objects[r.at]; o.arguments >= 0 {
				o.arguments++
			}
		case js.IsIdentifierName(t.kind):
			if last.kind == js.ColonToken {
				r.name(t.text, key)
			}
		case js.IsNumeric(t.kind):
			r.member(place{r.at, key}, t.text)
		}
		last, before = t, last
	}
	return r.settle()
}

// open begins an object, an array or a call.
func (r *textReader) open(called bool) {
	if len(r.objects) == maxTexts*16 {
		return
	}
	o := scriptObject{outer: r.at, arguments: -1}
	if called {
		o.arguments = 0
	}
	r.objects = append(r.objects, o)
	r.at = int32(len(r.objects) - 1)
}

func (r *textReader) close() { r.at = max(0, r.objects[r.at].outer) }

// name keeps where a name stands as a value.
func (r *textReader) name(name, key string) {
	if _, known := r.named[name]; !known && len(r.named) < maxTexts {
		r.named[name] = place{r.at, key}
	}
}

// text takes a text.
func (r *textReader) text(s, key string, joins bool) {
	p := place{r.at, key}
	if n := r.objects[r.at].arguments; n >= 0 && n < len(r.parameters) {
		p = r.named[r.parameters[n]]
	}
	r.member(p, s)
	if joins && len(r.texts) > 0 {
		r.joined = append(r.joined, s...)
		return
	}
	r.flush()
	if len(r.texts) < maxTexts {
		r.texts, r.in, r.joined = append(r.texts, ScriptText{Key: p.key}), append(r.in, p), append(r.joined, s...)
	}
}

// flush ends the text that may go on, and drops it if it is short.
func (r *textReader) flush() {
	n := len(r.texts)
	switch {
	case n == 0:
	case len(r.joined) < shortText:
		r.texts, r.in = r.texts[:n-1], r.in[:n-1]
	case r.texts[n-1].Text == "":
		r.texts[n-1].Text = string(r.joined)
	}
	r.joined = r.joined[:0]
}

// member takes the value of a member for the title or the date of its object, if its name says so.
func (r *textReader) member(p place, s string) {
	o, key := &r.objects[p.object], strings.ToLower(p.key)
	if s == "" || len(s) > 400 {
		return
	}
	if o.title == "" && (strings.HasSuffix(key, "title") && !strings.HasPrefix(key, "sub") || key == "headline" ||
		key == "subject") {
		o.title = s
	}
	rank := 0
	switch {
	case strings.Contains(key, "publish") || strings.Contains(key, "pub") || strings.Contains(key, "release"):
		rank = 3
	case strings.Contains(key, "date"):
		rank = 2
	case strings.Contains(key, "time"):
		rank = 1
	}
	if rank > o.rank && strings.ContainsAny(s[:1], "12") && len(s) >= 8 && len(s) <= 40 {
		o.date, o.rank = s, rank
	}
}

// settle finds title and date of every text.
func (r *textReader) settle() []ScriptText {
	r.flush()
	for i := range r.texts {
		t, at := &r.texts[i], r.in[i].object
		for k := 0; k < objectsOut && at >= 0; k++ {
			o := &r.objects[at]
			if t.Title == "" {
				t.Title = o.title
			}
			if t.Date == "" {
				t.Date = o.date
			}
			at = o.outer
		}
	}
	return r.texts
}

package listpage

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// ScriptText is a string in a script.
type ScriptText struct {
	Text  string // unescaped; concatenated strings and successive writes are one text
	Key   string // name of its member or variable, "" for none
	Title string // title in the innermost object around it that has one, "" for none
	Date  string // publication date in the innermost object around it that has one, as written; "" for none
}

// Bounds of the texts of one script.
const (
	maxTexts        = 4096 // texts and names each
	minTextBytes    = 60   // shorter texts are dropped
	maxOuterObjects = 3    // objects around a text that are searched for title and date
)

// scriptObject is an object or a call in a script.
type scriptObject struct {
	outer       int32 // index of the object around it, -1 for none
	title, date string
	rank        int // rank of the date's name; 0 for no date
	arguments   int // index of the current argument in a call of a function literal; -1 for anything else
}

// place is the position of a value in a script.
type place struct {
	object int32
	key    string
}

// textReader reads the texts of one script in one pass over its tokens. It keeps objects in a list
// and never recurses.
type textReader struct {
	objects    []scriptObject
	current    int32 // index of the current object
	texts      []ScriptText
	places     []place          // by index of texts
	joined     []byte           // the last text, which may continue
	parameters []string         // of the first function literal
	named      map[string]place // first position of a name as a value
}

// ScriptTexts returns the longer texts of a script or of JSON, at most 4096, in order. It reads a
// broken script as far as possible. The arguments of a function literal that is called at once
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
		case isCloser(t.kind):
			r.close()
		case t.kind == js.ColonToken, t.kind == js.EqToken, t.kind == js.AddEqToken:
			key = strings.Trim(last.text[:min(len(last.text), 64)], `"'`)
			joins = t.kind == js.AddEqToken
		case t.kind == js.SemicolonToken:
			key = ""
		case t.kind == js.CommaToken:
			key = ""
			if o := &r.objects[r.current]; o.arguments >= 0 {
				o.arguments++
			}
		case js.IsIdentifierName(t.kind):
			if last.kind == js.ColonToken {
				r.keepName(t.text, key)
			}
		case js.IsNumeric(t.kind):
			r.readMember(place{r.current, key}, t.text)
		}
		last, before = t, last
	}
	return r.result()
}

// open starts an object, an array or a call.
func (r *textReader) open(called bool) {
	if len(r.objects) == maxTexts*16 {
		return
	}
	o := scriptObject{outer: r.current, arguments: -1}
	if called {
		o.arguments = 0
	}
	r.objects = append(r.objects, o)
	r.current = int32(len(r.objects) - 1)
}

func (r *textReader) close() { r.current = max(0, r.objects[r.current].outer) }

// keepName records the position of a name as a value.
func (r *textReader) keepName(name, key string) {
	if _, known := r.named[name]; !known && len(r.named) < maxTexts {
		r.named[name] = place{r.current, key}
	}
}

// text adds a text, or appends it to the last one if joins is set.
func (r *textReader) text(s, key string, joins bool) {
	p := place{r.current, key}
	if n := r.objects[r.current].arguments; n >= 0 && n < len(r.parameters) {
		p = r.named[r.parameters[n]]
	}
	r.readMember(p, s)
	if joins && len(r.texts) > 0 {
		r.joined = append(r.joined, s...)
		return
	}
	r.flush()
	if len(r.texts) < maxTexts {
		r.texts, r.places = append(r.texts, ScriptText{Key: p.key}), append(r.places, p)
		r.joined = append(r.joined, s...)
	}
}

// flush ends the last text and drops it if it is short.
func (r *textReader) flush() {
	n := len(r.texts)
	switch {
	case n == 0:
	case len(r.joined) < minTextBytes:
		r.texts, r.places = r.texts[:n-1], r.places[:n-1]
	case r.texts[n-1].Text == "":
		r.texts[n-1].Text = string(r.joined)
	}
	r.joined = r.joined[:0]
}

// readMember keeps the value of a member as title or date of its object if the name of the member
// is one for that.
func (r *textReader) readMember(p place, s string) {
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
	case strings.Contains(key, "pub") || strings.Contains(key, "release"):
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

// result sets title and date of every text.
func (r *textReader) result() []ScriptText {
	r.flush()
	for i := range r.texts {
		t, at := &r.texts[i], r.places[i].object
		for k := 0; k < maxOuterObjects && at >= 0; k++ {
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

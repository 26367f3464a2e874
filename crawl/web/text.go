package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/language"

	"angler/crawl/api"
	"angler/crawl/article"
	"angler/crawl/fields"

	_ "embed"
)

//go:embed texts.json
var textsFile []byte

// The languages, in the order of the texts of the catalogue.
const (
	english = iota
	chinese
)

var codes = [...]string{"en", "zh-Hans"}

var matcher = language.NewMatcher([]language.Tag{language.English, language.SimplifiedChinese})

// langCookie keeps the chosen language.
const langCookie = "lang"

// speech is one language of the pages. It is immutable.
type speech struct {
	Code    string
	number  int // english or chinese
	texts   map[string][2]string
	chinese func(string) string // nil = sentences of the engine stay English
}

// speeches reads the catalogue.
func speeches(translate func(string) string) (out [2]*speech) {
	texts := map[string][2]string{}
	if err := json.Unmarshal(textsFile, &texts); err != nil {
		panic(fmt.Sprintf("web: texts.json: %v", err)) // the file is part of the program, and tests read it
	}
	for i, code := range codes {
		out[i] = &speech{Code: code, number: i, texts: texts}
	}
	out[chinese].chinese = translate
	return out
}

// speechOf chooses the language: the parameter lang, which a cookie keeps, then the cookie, then what
// the browser prefers.
func (s *site) speechOf(w http.ResponseWriter, r *http.Request, query url.Values) *speech {
	named := func(name string) *speech {
		switch name {
		case "en":
			return s.speeches[english]
		case "zh":
			return s.speeches[chinese]
		}
		return nil
	}
	if l := named(query.Get("lang")); l != nil {
		http.SetCookie(w, &http.Cookie{Name: langCookie, Value: query.Get("lang"), Path: "/",
			MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode})
		return l
	}
	if c, err := r.Cookie(langCookie); err == nil {
		if l := named(c.Value); l != nil {
			return l
		}
	}
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(tags) == 0 {
		return s.speeches[english]
	}
	_, i, _ := matcher.Match(tags...)
	return s.speeches[i]
}

// Text returns a text of the catalogue with its arguments.
func (l *speech) Text(id string, args ...any) string {
	if len(args) == 0 {
		return l.texts[id][l.number]
	}
	return fmt.Sprintf(l.texts[id][l.number], args...)
}

// Named returns the text of a value, such as the health of a list; an unknown value is itself.
func (l *speech) Named(kind, value string) string { return cmp.Or(l.Text(kind+"_"+value), value) }

// Says returns a sentence of the engine.
func (l *speech) Says(sentence string) string {
	if l.chinese == nil || sentence == "" {
		return sentence
	}
	return l.chinese(sentence)
}

// Doubt says why a value is not believed.
func (l *speech) Doubt(why string) string {
	if kind, ok := fields.DoubtedKind(why); ok {
		return l.Text("doubt_kind", kind)
	}
	return l.Says(why)
}

// Count renders a number with commas between thousands.
func (l *speech) Count(n int) string { return grouped(strconv.Itoa(n)) }

// grouped puts commas between the thousands of a decimal number.
func grouped(s string) string {
	whole, rest, fraction := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction {
		whole += "." + rest
	}
	return whole
}

// Fixed renders a number with decimals.
func (l *speech) Fixed(x float64, decimals int) string {
	return grouped(strconv.FormatFloat(x, 'f', decimals, 64))
}

// yuan renders a sum, with decimals only where it has some.
func (l *speech) yuan(x float64) string {
	decimals := 0
	if x != math.Trunc(x) {
		decimals = 2
	}
	return l.Fixed(x, decimals)
}

// When renders a time of the workspace.
func (l *speech) When(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04")
}

// Span renders seconds in the largest unit.
func (l *speech) Span(seconds float64) string {
	switch {
	case seconds < 100:
		return l.Text("span_s", l.Fixed(seconds, 0))
	case seconds < 100*60:
		return l.Text("span_min", l.Fixed(seconds/60, 0))
	}
	return l.Text("span_h", l.Fixed(seconds/3600, 1))
}

// Size renders a number of bytes.
func (l *speech) Size(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000*1000:
		return l.Fixed(float64(n)/1000, 0) + " KB"
	}
	return l.Fixed(float64(n)/1e6, 1) + " MB"
}

// Heading returns the title of a field.
func (l *speech) Heading(title, english string) string {
	if l.number == chinese {
		return title
	}
	return cmp.Or(english, title)
}

// Tongue returns the language of a text from the web.
func (l *speech) Tongue(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return codes[chinese]
	}
	return l.Code
}

// Stage returns how far a project is.
func (l *speech) Stage(state string) string { return l.Named("stage", state) }

// moment reads a time of a notice, which is in the zone of its readers where it has none.
func moment(s string) (at time.Time, day, ok bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, article.Shanghai); err == nil {
			return t.In(article.Shanghai), layout == time.DateOnly, true
		}
	}
	return time.Time{}, false, false
}

// clockText renders a time of a notice.
func clockText(s string) string {
	at, day, ok := moment(s)
	switch {
	case !ok:
		return s
	case day:
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04")
}

// Value renders a value of a field.
func (l *speech) Value(f api.FieldValue) string {
	switch fields.Type(f.Type) {
	case fields.Money:
		if x, err := strconv.ParseFloat(f.Value, 64); err == nil {
			if l.number == chinese && math.Abs(x) >= 1e4 {
				return l.Text("yuan_wan", l.yuan(x), l.Fixed(x/1e4, 2))
			}
			return l.Text("yuan", l.yuan(x))
		}
	case fields.Time:
		return clockText(f.Value)
	}
	return f.Value
}

// Printed returns the text of a value on the page, where that says more than the value.
func (l *speech) Printed(f api.FieldValue) string {
	if f.Text == "" || strings.Join(strings.Fields(f.Text), "") == strings.Join(strings.Fields(l.Value(f)), "") {
		return ""
	}
	return f.Text
}

// Place says where a value was read.
func (l *speech) Place(f api.FieldValue) string {
	var parts []string
	if f.Table > 0 {
		parts = append(parts, l.Text("place_cell", f.Table, f.Row, f.Column))
	} else {
		parts = append(parts, l.Named("place", f.Source))
	}
	if f.Label != "" {
		parts = append(parts, l.Text("place_label", strings.TrimSpace(f.Label)))
	}
	if f.Agree > 0 {
		parts = append(parts, l.Text("place_agree", f.Agree))
	}
	return strings.Join(parts, " · ")
}

// Package i18n translates the texts of the workbench.
//
// The English text is the id: code that says T("no pages yet") reads like the screen, and a text
// without a translation is shown in English. zh.json is the Chinese catalogue. A Lang belongs to a
// session, so two viewers of one crawl may read different languages. Message translates engine
// texts with arguments; Line translates other sentences of the engine by their shapes. The danger
// is a text assembled from parts: word order differs, so pass F a whole sentence with verbs.
// TestEveryTextIsTranslated finds missing texts.
package i18n

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"angler/message"
)

// Lang is one language. It is immutable and safe for concurrent use; nil is
// English.
type Lang struct {
	Code   string // "en" or "zh"
	cat    catalogue
	lines  []shape
	key    func(action string) string // nil: keys are not named
	denied func(action string) bool   // actions whose keys no text offers; nil: none
}

// Naming returns the language with texts that name keys. For {undo} in a text, key returns the
// printed key of the action undo, "" for an unknown action. It is called whenever such a text is
// shown, from several goroutines.
func (l *Lang) Naming(key func(action string) string) *Lang {
	if l == nil {
		l = english
	}
	out := *l
	out.key = key
	return &out
}

// named inserts the keys of actions into a text.
func (l *Lang) named(s string) string {
	if l == nil || l.key == nil || strings.IndexByte(s, '{') < 0 {
		return s
	}
	return action.ReplaceAllStringFunc(s, func(of string) string { return cmp.Or(l.T(l.key(of[1:len(of)-1])), of) })
}

var action = regexp.MustCompile(`\{[a-z0-9_]+\}`)

// Names lists the names that Pick accepts.
var Names = []string{"auto", "en", "zh"}

var errLang = errors.New("unknown language")

var english = &Lang{Code: "en"}

// catalogue is the file of a language: objects of one entry a line, ordered by their English keys.
// An argument is %s, or %[2]s where the order differs; {undo} is the key of that action.
type catalogue struct {
	Texts  map[string]string // texts of screens and of the engine
	Nouns  map[string]string // counted nouns, "%s 个网页"
	Values map[string]string // values of settings: "KEY VALUE" if a value has several meanings, otherwise VALUE
	Terms  map[string]string // terms of the priorities of link orders
	Units  map[string]string // of spans of time
	Lines  map[string]string // sentences of the engine with holes
}

//go:embed zh.json
var zhFile []byte

// chinese reads the Chinese catalogue on first use.
var chinese = sync.OnceValue(func() *Lang {
	l := &Lang{Code: "zh"}
	if err := json.Unmarshal(zhFile, &l.cat); err != nil {
		panic(fmt.Sprintf("i18n: zh.json: %v", err)) // the file is part of the program and tests read it
	}
	l.lines = shapes(l.cat.Lines)
	return l
})

// Pick returns the language called name: "en" or "zh". "" and "auto" follow the first of LC_ALL,
// LC_MESSAGES and LANG that is set; an unknown language means English.
func Pick(name string, getenv func(string) string) (*Lang, error) {
	switch strings.ToLower(name) {
	case "en":
		return english, nil
	case "zh", "zh_cn", "zh-cn", "zh-hans":
		return chinese(), nil
	case "", "auto":
		if strings.HasPrefix(strings.ToLower(locale(getenv, "LC_MESSAGES")), "zh") {
			return chinese(), nil
		}
		return english, nil
	}
	return nil, fmt.Errorf("%w %q: use one of %s", errLang, name, strings.Join(Names, ", "))
}

// locale returns the locale of a category; "" if none is set.
func locale(getenv func(string) string, category string) string {
	for _, k := range []string{"LC_ALL", category, "LANG"} {
		if v := getenv(k); v != "" {
			return v
		}
	}
	return ""
}

// UTF8 reports whether the environment's locale can show more than ASCII. Without a locale it
// returns true, as today's terminals use UTF-8.
func UTF8(getenv func(string) string) bool {
	l := strings.ToLower(locale(getenv, "LC_CTYPE"))
	return l == "" || strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
}

// T returns s in the language. Translating twice is harmless.
func (l *Lang) T(s string) string {
	s, _ = l.offered(l.word(s), nil)
	return l.named(s)
}

func (l *Lang) word(s string) string {
	if l != nil {
		if t, ok := l.cat.Texts[s]; ok {
			return t
		}
	}
	return s
}

// F is fmt.Sprintf with a translated format; %s shows an int as Count does.
func (l *Lang) F(format string, args ...any) string {
	s, args := l.offered(l.word(format), args)
	for i, a := range args {
		if n, ok := a.(int); ok {
			args[i] = counted(n)
		}
	}
	return fmt.Sprintf(l.named(s), args...)
}

// N renders a count with its noun: "1 page", "18 204 pages", "18 204 个网页". The noun is singular
// and gets an s in English.
func (l *Lang) N(n int, noun string) string {
	if l != nil && l.cat.Texts != nil {
		if t, ok := l.cat.Nouns[noun]; ok {
			return strings.Replace(t, "%s", Count(n), 1)
		}
	}
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// counted is an int that %s shows with a space between thousands; %d shows it plainly.
type counted int

func (n counted) String() string { return Count(int(n)) }

// Count renders n with a space between thousands: 18 204.
func Count(n int) string {
	s := strconv.Itoa(n)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	if neg {
		return "-" + s
	}
	return s
}

// Known reports whether the language has a translation for s or counts it as a noun; English knows
// everything.
func (l *Lang) Known(s string) bool {
	if l == nil || l.cat.Texts == nil {
		return true
	}
	_, text := l.cat.Texts[s]
	_, noun := l.cat.Nouns[s]
	return text || noun
}

// Keys returns every text and every noun that the language translates.
func (l *Lang) Keys() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(l.cat.Texts)), maps.Keys(l.cat.Nouns))
}

// shape is a sentence of the engine with holes, and its translation.
type shape struct {
	begins string                // text before the first hole
	said   int                   // bytes outside the holes
	match  func() *regexp.Regexp // compiled on first use: all together took 5 ms of every start
	to     string
}

// shapes parses pairs of sentences; each %s matches anything, in the same order on both sides
// unless the right side numbers them: %[2]s. Shapes with more fixed text come first: of two that
// match a sentence, the one with fewer words in its holes is meant.
func shapes(pairs map[string]string) []shape {
	var out []shape
	for _, said := range slices.Sorted(maps.Keys(pairs)) {
		begins, _, _ := strings.Cut(said, "%s")
		out = append(out, shape{begins, len(strings.ReplaceAll(said, "%s", "")), sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile("^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(said), "%s", "(.+?)") + ")$")
		}), pairs[said]})
	}
	slices.SortStableFunc(out, func(a, b shape) int { return cmp.Compare(b.said, a.said) })
	return out
}

// Message translates a text of the engine with its arguments: an argument that the language knows
// as a text or value is translated, too.
func (l *Lang) Message(t message.Text) string {
	id, args := t.Parts()
	format := ""
	if l != nil && l.cat.Texts != nil && args != nil {
		if format = l.cat.Texts[id]; format == "" && !strings.ContainsFunc(strings.ReplaceAll(id, "%s", ""),
			unicode.IsLetter) {
			format = strings.NewReplacer(", ", l.T(", "), "; ", l.T("; "), ": ", l.T(": ")).Replace(id) // a list
		}
	}
	if format == "" {
		return l.Line(t.String())
	}
	all := make([]any, len(args))
	for i, a := range args {
		if plain := string(a); plain == a.String() {
			all[i] = l.hole(plain)
		} else {
			all[i] = l.Message(a)
		}
	}
	return fmt.Sprintf(l.named(format), all...)
}

// Error translates the text of an error.
func (l *Lang) Error(err error) string { return l.Message(message.From(err)) }

// Line translates one line of the engine: a known text, or one of a known shape. Known texts in its
// holes are translated, too.
func (l *Lang) Line(s string) string {
	if l == nil || l.cat.Texts == nil || s == "" {
		return l.T(s)
	}
	if t, ok := l.cat.Texts[s]; ok {
		return l.named(t)
	}
	if what, helps, ok := strings.Cut(s, " · remedy: "); ok {
		return l.Line(what) + " · " + l.F("remedy: %s", l.T(helps))
	}
	if who, what, ok := strings.Cut(s, ": "); ok && len(who) < 40 &&
		(!strings.ContainsAny(who, " /·“") || l.Known(who)) {
		if t := l.Line(what); t != what { // "person or part: text"
			return l.T(who) + l.T(": ") + t
		}
	}
	for _, sh := range l.lines {
		if !strings.HasPrefix(s, sh.begins) {
			continue
		}
		if m := sh.match().FindStringSubmatch(s); m != nil {
			args := make([]any, len(m)-1)
			for i := range args {
				args[i] = l.hole(m[i+1])
			}
			return fmt.Sprintf(l.named(sh.to), args...)
		}
	}
	if what, address, ok := strings.Cut(s, " · http"); ok { // with an address
		return l.Line(what) + " · http" + address
	}
	return s
}

// hole translates the text in a hole of a sentence.
func (l *Lang) hole(s string) string {
	if t := l.T(s); t != s {
		return t
	}
	if t := l.Value("", s); t != s || !strings.Contains(s, " ") {
		return t
	}
	return l.Line(s)
}

// Value returns the name of a settings value in the language, or the value itself if it has none.
// Of is the setting if one value has several meanings, otherwise "".
func (l *Lang) Value(of, value string) string {
	if l == nil {
		return value
	}
	return cmp.Or(l.cat.Values[of+" "+value], l.cat.Values[value], value)
}

// Span translates a span of time or "now": "59 min" becomes "59 分".
func (l *Lang) Span(s string) string {
	if l == nil || l.cat.Units == nil {
		return s
	}
	n, unit, ok := strings.Cut(s, " ")
	if t := l.cat.Units[unit]; ok && t != "" {
		return n + " " + t
	}
	return l.T(s)
}

// Package lang holds the words of the workbench in every language it speaks.
//
// The English text is the key: code that says T("no pages yet") reads as what
// it shows, and a text without a translation is shown in English rather than
// as a code. A Lang belongs to a session, not to the process, so two viewers of
// one crawl may read different languages. What the engine says is English, too;
// Line translates it by the shapes of its sentences. The danger is a text that
// is put together from parts: word order differs, so give F a whole sentence
// with verbs. TestEveryTextIsTranslated finds what was forgotten.
package lang

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Lang is one language. It is immutable and safe for concurrent use; nil is
// English.
type Lang struct {
	Code   string // "en" or "zh"
	words  map[string]string
	lines  []shape
	values map[string]string          // names of the settings' values
	key    func(action string) string // nil = no keys are named
	denied func(action string) bool   // whose keys no text offers; nil = none
}

// Naming returns the language with texts that name keys: of {undo} in a text, key
// returns how the key of the action undo is printed, "" where there is no such action.
// It is called whenever such a text is shown, from several goroutines.
func (l *Lang) Naming(key func(action string) string) *Lang {
	if l == nil {
		l = english
	}
	out := *l
	out.key = key
	return &out
}

// Key returns how the key of an action is printed; "" where no keys are named.
func (l *Lang) Key(action string) string {
	if l == nil || l.key == nil {
		return ""
	}
	return l.key(action)
}

// named puts the keys of actions in a text.
func (l *Lang) named(s string) string {
	if l == nil || l.key == nil || strings.IndexByte(s, '{') < 0 {
		return s
	}
	return action.ReplaceAllStringFunc(s, func(of string) string { return cmp.Or(l.T(l.key(of[1:len(of)-1])), of) })
}

var action = regexp.MustCompile(`\{[a-z0-9_]+\}`)

// Names lists what Pick accepts.
var Names = []string{"auto", "en", "zh"}

var errLang = errors.New("unknown language")

var (
	english = &Lang{Code: "en"}
	chinese = &Lang{Code: "zh", words: merged(zhWords, zhScreens, zhKeys, zhRuns, zhPast, zhHome, zhReading, zhFiles, zhFigures, zhMeaning, zhFields, zhTold, zhDoors, zhRender, zhSeeds, zhRecipes, zhWorkers), values: zhValues, lines: shapes(slices.Concat(zhValueLines, zhFileLines, zhWorkerLines, zhFetchLines, zhDoorLines, zhRecipeLines, zhRenderLines, zhToldLines, zhRefusalLines, zhSeedLines, zhReadingLines, zhFieldLines, zhRunLines, zhPastLines, zhLines))}
)

// Pick returns the language called name: "en" or "zh"; "" and "auto" follow the
// environment (LC_ALL, LC_MESSAGES, LANG, the first that is set), and are
// English when it names no known language.
func Pick(name string, getenv func(string) string) (*Lang, error) {
	switch strings.ToLower(name) {
	case "en":
		return english, nil
	case "zh", "zh_cn", "zh-cn", "zh-hans":
		return chinese, nil
	case "", "auto":
		if strings.HasPrefix(strings.ToLower(locale(getenv, "LC_MESSAGES")), "zh") {
			return chinese, nil
		}
		return english, nil
	}
	return nil, fmt.Errorf("%w %q: use one of %s", errLang, name, strings.Join(Names, ", "))
}

// locale is the value of a category of the locale; "" when nothing is set.
func locale(getenv func(string) string, category string) string {
	for _, k := range []string{"LC_ALL", category, "LANG"} {
		if v := getenv(k); v != "" {
			return v
		}
	}
	return ""
}

// UTF8 reports whether the environment's locale can show more than ASCII. One
// that is not set at all is taken for UTF-8, as every terminal of today is.
func UTF8(getenv func(string) string) bool {
	l := strings.ToLower(locale(getenv, "LC_CTYPE"))
	return l == "" || strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
}

// T returns s in the language. Translating twice does no harm.
func (l *Lang) T(s string) string {
	s, _ = l.offered(l.word(s), nil)
	return l.named(s)
}

func (l *Lang) word(s string) string {
	if l != nil {
		if t, ok := l.words[s]; ok {
			return t
		}
	}
	return s
}

// F is fmt.Sprintf with a translated format.
func (l *Lang) F(format string, args ...any) string {
	s, args := l.offered(l.word(format), args)
	return fmt.Sprintf(l.named(s), args...)
}

// N renders a count with its noun: "1 page", "18 204 pages", "18 204 个网页".
// The noun is given in the singular, and takes an s in English.
func (l *Lang) N(n int, noun string) string {
	if l != nil && l.words != nil {
		if t, ok := l.words["#"+noun]; ok {
			return strings.Replace(t, "%s", Count(n), 1)
		}
	}
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

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

// Known reports whether the language has a text of its own for s; English has
// one for everything.
func (l *Lang) Known(s string) bool {
	if l == nil || l.words == nil {
		return true
	}
	_, ok := l.words[s]
	return ok
}

// Keys returns every text that the language translates.
func (l *Lang) Keys() []string {
	var out []string
	for k := range l.words {
		out = append(out, k)
	}
	return out
}

// shape is a sentence of the engine with holes, and how it reads translated.
type shape struct {
	begins string                // what stands before the first hole
	said   int                   // bytes outside the holes
	match  func() *regexp.Regexp // compiled when it is needed first: all together took 5 ms of every start
	to     string
}

// shapes reads pairs of sentences; each %s stands for anything, in the same
// order on both sides unless the right side numbers them: %[2]s. Those that say most come
// first: of two that fit a sentence, the one with fewer words in its holes is meant.
func shapes(pairs [][2]string) []shape {
	var out []shape
	for _, p := range pairs {
		begins, _, _ := strings.Cut(p[0], "%s")
		out = append(out, shape{begins, len(strings.ReplaceAll(p[0], "%s", "")), sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile("^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(p[0]), "%s", "(.+?)") + ")$")
		}), p[1]})
	}
	slices.SortStableFunc(out, func(a, b shape) int { return cmp.Compare(b.said, a.said) })
	return out
}

// Line translates one line of the engine: a known text, or one of a known
// shape. What the holes held is translated as well, if it is known.
func (l *Lang) Line(s string) string {
	if l == nil || l.words == nil || s == "" {
		return l.T(s)
	}
	if t, ok := l.words[s]; ok {
		return l.named(t)
	}
	if what, helps, ok := strings.Cut(s, " · what would help: "); ok {
		return l.Line(what) + " · " + l.F("what would help: %s", l.T(helps))
	}
	if several, ok := strings.CutPrefix(s, "topic: "); ok {
		parts := strings.Split(several, "; ")
		for i, p := range parts {
			parts[i] = l.Line(p)
		}
		return l.T("topic: ") + strings.Join(parts, l.T("; "))
	}
	if who, what, ok := strings.Cut(s, ": "); ok && len(who) < 40 && (!strings.ContainsAny(who, " /·“") || l.Known(who)) {
		if t := l.Line(what); t != what { // a person did something, or a part of the engine says something
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
	if what, address, ok := strings.Cut(s, " · http"); ok { // and where
		return l.Line(what) + " · http" + address
	}
	return s
}

// hole translates what stands in a hole of a sentence.
func (l *Lang) hole(s string) string {
	if t := l.T(s); t != s {
		return t
	}
	if t := l.Value("", s); t != s || !strings.Contains(s, " ") {
		return t
	}
	return l.Line(s)
}

func merged(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

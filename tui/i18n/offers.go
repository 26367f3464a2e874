package i18n

import (
	"regexp"
	"strings"
)

// Without returns the language whose texts offer no key that denied refuses. It drops the clause
// that names such a key, and the text after its colon.
func (l *Lang) Without(denied func(action string) bool) *Lang {
	out := *l
	out.denied = denied
	return &out
}

var (
	clauses = regexp.MustCompile(`(?s)(.+?)( · |[.;:] |\.$|[。；：]|$)`)
	printed = regexp.MustCompile(`%[^%\[]`)
)

// offered drops the clauses that name the keys of denied actions, and their args. A clause stays if
// its args are unknown: T has none, and numbered verbs may be anywhere.
func (l *Lang) offered(s string, args []any) (string, []any) {
	if l == nil || l.denied == nil || !l.namesDenied(s) {
		return s, args
	}
	var out strings.Builder
	var kept []any
	end, follows := "", false // end of the last kept clause; whether a colon follows a dropped one
	for _, m := range clauses.FindAllStringSubmatch(s, -1) {
		refused := follows
		for _, of := range action.FindAllString(m[1], -1) {
			refused = refused || l.denied(of[1:len(of)-1])
		}
		n := len(printed.FindAllString(m[1], -1))
		refused = refused && (n == 0 || n <= len(args)) && !strings.Contains(m[1], "%[")
		n = min(n, len(args))
		if follows = refused && (m[2] == ": " || m[2] == "："); !refused {
			out.WriteString(end + m[1])
			end, kept = m[2], append(kept, args[:n]...)
		}
		args = args[n:]
	}
	if end = strings.TrimSpace(end); end == "." || end == "。" {
		out.WriteString(end)
	}
	return out.String(), append(kept, args...)
}

// namesDenied reports whether s names the key of a denied action.
func (l *Lang) namesDenied(s string) bool {
	for {
		_, rest, found := strings.Cut(s, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return false
		}
		if l.denied(name[strings.LastIndexByte(name, '{')+1:]) {
			return true
		}
		s = after
	}
}

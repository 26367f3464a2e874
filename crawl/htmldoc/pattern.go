package htmldoc

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression compiled on first use. It is safe for concurrent use.
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// all are the expressions of the program, made before main begins.
var all []*Pattern

// NewPattern returns an expression; a test compiles it with CompilePatterns. Use it only for
// package variables, because every expression is kept.
func NewPattern(text string) *Pattern {
	e := &Pattern{text: text}
	all = append(all, e)
	return e
}

// CompilePatterns compiles every expression, and panics on an invalid one.
func CompilePatterns() (n int) {
	for _, e := range all {
		e.Regexp()
	}
	return len(all)
}

// Regexp returns the compiled expression.
func (e *Pattern) Regexp() *regexp.Regexp {
	e.once.Do(func() { e.re = regexp.MustCompile(e.text) })
	return e.re
}

// The methods of regexp.Regexp in use.

// MatchString is that of a regexp.Regexp.
func (e *Pattern) MatchString(s string) bool { return e.Regexp().MatchString(s) }

// FindString is that of a regexp.Regexp.
func (e *Pattern) FindString(s string) string { return e.Regexp().FindString(s) }

// FindStringIndex is that of a regexp.Regexp.
func (e *Pattern) FindStringIndex(s string) []int { return e.Regexp().FindStringIndex(s) }

// FindStringSubmatch is that of a regexp.Regexp.
func (e *Pattern) FindStringSubmatch(s string) []string { return e.Regexp().FindStringSubmatch(s) }

// FindStringSubmatchIndex is that of a regexp.Regexp.
func (e *Pattern) FindStringSubmatchIndex(s string) []int {
	return e.Regexp().FindStringSubmatchIndex(s)
}

// FindAllString is that of a regexp.Regexp.
func (e *Pattern) FindAllString(s string, n int) []string { return e.Regexp().FindAllString(s, n) }

// FindAllStringIndex is that of a regexp.Regexp.
func (e *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return e.Regexp().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is that of a regexp.Regexp.
func (e *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return e.Regexp().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of a regexp.Regexp.
func (e *Pattern) ReplaceAllString(s, to string) string { return e.Regexp().ReplaceAllString(s, to) }

// ReplaceAllStringFunc is that of a regexp.Regexp.
func (e *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	return e.Regexp().ReplaceAllStringFunc(s, f)
}

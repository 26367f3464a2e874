// Package pattern is regular expressions that are compiled when they are used first.
// Those of the rooms that read notices are long: all of them together took 15 ms of
// every start, also of one that reads no notice.
package pattern

import (
	"regexp"
	"sync"
)

// Expr is a regular expression. It is safe for concurrent use.
type Expr struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// all are the expressions of the program, which are made before main begins.
var all []*Expr

// New returns the expression of a text, which Check compiles in a test. It is for
// variables of packages: every expression is kept.
func New(text string) *Expr {
	e := &Expr{text: text}
	all = append(all, e)
	return e
}

// Check compiles every expression, and panics on one that is none.
func Check() (n int) {
	for _, e := range all {
		e.Regexp()
	}
	return len(all)
}

// Regexp returns the compiled expression.
func (e *Expr) Regexp() *regexp.Regexp {
	e.once.Do(func() { e.re = regexp.MustCompile(e.text) })
	return e.re
}

// The methods of a regexp.Regexp that rooms ask for.

// MatchString is that of a regexp.Regexp.
func (e *Expr) MatchString(s string) bool { return e.Regexp().MatchString(s) }

// FindString is that of a regexp.Regexp.
func (e *Expr) FindString(s string) string { return e.Regexp().FindString(s) }

// FindStringIndex is that of a regexp.Regexp.
func (e *Expr) FindStringIndex(s string) []int { return e.Regexp().FindStringIndex(s) }

// FindStringSubmatch is that of a regexp.Regexp.
func (e *Expr) FindStringSubmatch(s string) []string { return e.Regexp().FindStringSubmatch(s) }

// FindStringSubmatchIndex is that of a regexp.Regexp.
func (e *Expr) FindStringSubmatchIndex(s string) []int { return e.Regexp().FindStringSubmatchIndex(s) }

// FindAllString is that of a regexp.Regexp.
func (e *Expr) FindAllString(s string, n int) []string { return e.Regexp().FindAllString(s, n) }

// FindAllStringIndex is that of a regexp.Regexp.
func (e *Expr) FindAllStringIndex(s string, n int) [][]int {
	return e.Regexp().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is that of a regexp.Regexp.
func (e *Expr) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return e.Regexp().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of a regexp.Regexp.
func (e *Expr) ReplaceAllString(s, to string) string { return e.Regexp().ReplaceAllString(s, to) }

// ReplaceAllStringFunc is that of a regexp.Regexp.
func (e *Expr) ReplaceAllStringFunc(s string, f func(string) string) string {
	return e.Regexp().ReplaceAllStringFunc(s, f)
}

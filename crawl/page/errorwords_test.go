package page

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// The prefilter must accept every text that the two expressions match. The texts are generated from
// the expressions.
func TestSuspicionCoversErrorPages(t *testing.T) {
	for _, c := range []struct {
		name  string
		re    *regexp.Regexp
		quick func(string) bool
	}{
		{"title", errorTitle, func(s string) bool { return errorWords.In(s) || statusCode(s) }},
		{"message", errorMessage, errorWords.In},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := syntax.Parse(c.re.String(), syntax.Perl)
			must(t, err)
			r := rand.New(rand.NewPCG(1, 2))
			for range 20_000 {
				var b strings.Builder
				invent(&b, tree, r)
				if s := b.String(); !c.re.MatchString(s) {
					t.Fatalf("%q was made up from the expression and does not match it", s)
				} else if !c.quick(s) {
					t.Fatalf("%q matches and is held back", s)
				}
			}
		})
	}
}

// invent generates a text that an expression matches.
func invent(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	repeat := func(least, most int) {
		if most < 0 {
			most = least + 2
		}
		for range least + r.IntN(most-least+1) {
			invent(b, re.Sub[0], r)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(re.Rune[2*r.IntN(len(re.Rune)/2)])
	case syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		b.WriteRune('的')
	case syntax.OpCapture:
		invent(b, re.Sub[0], r)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			invent(b, sub, r)
		}
	case syntax.OpAlternate:
		invent(b, re.Sub[r.IntN(len(re.Sub))], r)
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	}
}

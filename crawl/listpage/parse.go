package listpage

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Bounds of one call of the parser, which itself bounds the nesting of code.
const (
	maxCode       = 16 << 10 // bytes of one function or handler
	maxTokens     = 6000
	maxRepairs    = 24 // of broken code
	cuttingRepair = 16 // number of the repair that cuts code where the parser first refused it
)

// parseScript returns the statements of code. It repairs broken code and adds the cost to the
// steps.
func parseScript(code string, steps *int) []js.IStmt {
	code, ok := code[:min(len(code), maxCode)]+"\n", true // no token ends at the end of the code
	whole, refused := code, 0
	for n := 0; ok && n < maxRepairs; n++ {
		in := parse.NewInputString(code)
		ast, err := js.Parse(in, js.Options{Inline: true})
		if err == nil {
			return ast.List
		}
		*steps += 1 + len(code)/64
		switch n {
		case 0:
			refused = in.Offset()
			code, ok = repair(code, refused, false)
		case cuttingRepair:
			code, ok = repair(whole, refused, true)
		default:
			code, ok = repair(code, in.Offset(), false)
		}
	}
	return nil
}

// expressionOf returns the expression of the first statement; nil for another statement.
func expressionOf(list []js.IStmt) js.IExpr {
	if len(list) > 0 {
		if s, ok := list[0].(*js.ExprStmt); ok {
			return bare(s.Value)
		}
	}
	return nil
}

// missingOperand stands for a missing operand in repaired code.
const missingOperand = " /./ "

// repair changes code at the token that the parser refused, which ends at a byte. It adds a missing
// operand, quote or closing bracket. Else it starts a new line before the token, or blanks a token
// that starts a line. If cut is set, it cuts the code before the token instead. ok is false if
// nothing is left to repair.
func repair(code string, end int, cut bool) (repaired string, ok bool) {
	var open []string // closing texts of the open brackets
	x := newScanner(code, len(code), len(code))
	for {
		operand := x.afterOperand
		t := x.next()
		if !t.isEnd() && x.offset() < end {
			if c := closers[t.kind]; c != "" {
				open = append(open, c)
			} else if isCloser(t.kind) && len(open) > 0 {
				open = open[:len(open)-1]
			}
			continue
		}
		if cut && !t.isEnd() {
			code, t = code[:t.at], token{at: t.at}
		}
		before, after := code[:t.at], code[t.at+len(t.text):]
		switch {
		case !operand && (t.isEnd() || isCloser(t.kind) || t.kind == js.CommaToken || t.kind == js.SemicolonToken):
			return before + missingOperand + t.text + after, true
		case t.kind == js.IntegerToken && t.text[0] == '0': // 08
			return before + " " + t.text[1:] + after, true
		case t.isEnd():
			slices.Reverse(open)
			return code + strings.Join(open, "") + "\n", len(open) > 0
		case t.kind == js.ErrorToken && strings.ContainsAny(t.text[:1], "'\"`"):
			return before + t.text + t.text[:1] + after, true
		case !t.afterNewline:
			return before + "\n" + t.text + after, true
		}
		return before + " " + after, true
	}
}

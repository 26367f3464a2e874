package listpage

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// token is one token of a script. The kind js.ErrorToken means the end when there is no text,
// and otherwise what is no token of JavaScript.
type token struct {
	kind js.TokenType
	text string // as it is written
	at   int    // the byte of the script at which it begins
	line bool   // a line ended before it
}

func (t token) isEnd() bool { return t.kind == js.ErrorToken && t.text == "" }

// scanner reads the tokens of a script, also of a broken one. It serves one goroutine at a time.
type scanner struct {
	src     string
	in      *parse.Input
	lexer   *js.Lexer
	left    int  // tokens that may still be read
	errors  int  // that may still be met: each costs as much as all bytes before it
	operand bool // an operand stood last, so a slash divides
}

// maxErrors bounds what is no token of JavaScript in one script.
const maxErrors = 32

// newScanner returns a scanner of at most so many bytes and tokens of a script.
func newScanner(script string, bytes, tokens int) *scanner {
	script = script[:min(len(script), bytes)]
	in := parse.NewInputString(script)
	return &scanner{src: script, in: in, lexer: js.NewLexer(in), left: tokens, errors: maxErrors}
}

// offset is the byte of the script behind the token that was read last.
func (x *scanner) offset() int { return x.in.Offset() }

// rewind makes a byte of the script the next one.
func (x *scanner) rewind(to int) {
	x.in.Move(to - x.in.Offset())
	x.in.Skip()
}

// restart makes a byte of the script the beginning of another reading of so many tokens.
func (x *scanner) restart(at, tokens int) {
	x.rewind(at)
	x.lexer, x.left, x.operand = js.NewLexer(x.in), tokens, false
}

// next returns the next token that is neither white space nor a comment, and the end for ever
// when there are no more.
func (x *scanner) next() token {
	line := false
	for x.left > 0 && x.errors > 0 {
		at := x.offset()
		kind := js.IntegerToken
		if end := octalEnd(x.src, at); end > at {
			x.rewind(end)
		} else {
			kind, _ = x.lexer.Next()
		}
		switch kind {
		case js.WhitespaceToken, js.CommentToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			line = true
			continue
		case js.DivToken, js.DivEqToken:
			if x.operand {
				break
			}
			end := x.offset()
			if regex, _ := x.lexer.RegExp(); regex == js.RegExpToken {
				kind = regex
			} else {
				x.errors--
				x.rewind(end)
			}
		case js.ErrorToken:
			if at >= len(x.src) {
				return token{at: at}
			}
			x.errors--
			x.rewind(min(max(x.offset(), at+1), len(x.src)))
		}
		x.left--
		x.operand = endsOperand(kind)
		return token{kind: kind, text: x.src[at:x.offset()], at: at, line: line}
	}
	x.left = 0
	return token{at: x.offset()}
}

// octalEnd is the end of an integer that begins with a zero, which the lexer refuses: 08. It is at
// itself where none stands.
func octalEnd(s string, at int) int {
	if at+1 >= len(s) || s[at] != '0' || !isDigit(s[at+1]) {
		return at
	}
	return len(s) - len(strings.TrimLeft(s[at:], "0123456789"))
}

var (
	// operandEnds are tokens that an operand may end with, besides numbers and names.
	operandEnds = []js.TokenType{js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.StringToken,
		js.TemplateToken, js.TemplateEndToken, js.RegExpToken, js.IncrToken, js.DecrToken}
	// prefixes are words that an operand follows.
	prefixes = []js.TokenType{js.ReturnToken, js.TypeofToken, js.CaseToken, js.NewToken, js.VoidToken, js.DeleteToken,
		js.AwaitToken, js.InToken, js.InstanceofToken, js.ElseToken, js.DoToken, js.ThrowToken}
	// closers are what closes the tokens that open brackets.
	closers = map[js.TokenType]string{js.OpenParenToken: ")", js.OpenBracketToken: "]", js.OpenBraceToken: "}",
		js.TemplateStartToken: "}`"}
)

// endsOperand reports whether an operand may end with a token.
func endsOperand(kind js.TokenType) bool {
	return slices.Contains(operandEnds, kind) || js.IsNumeric(kind) || js.IsIdentifierName(kind) && !isPrefix(kind)
}

// isPrefix reports whether an operand follows a word.
func isPrefix(kind js.TokenType) bool { return slices.Contains(prefixes, kind) }

// closes reports whether a token closes a bracket.
func closes(kind js.TokenType) bool {
	return kind == js.CloseParenToken || kind == js.CloseBracketToken || kind == js.CloseBraceToken ||
		kind == js.TemplateEndToken
}

// skipBrackets reads behind an opening bracket to the end of the one that closes it. It
// returns false when none does.
func (x *scanner) skipBrackets() bool {
	for depth := 1; depth > 0; {
		t := x.next()
		switch {
		case t.isEnd():
			return false
		case closers[t.kind] != "":
			depth++
		case closes(t.kind):
			depth--
		}
	}
	return true
}

// skipExpression reads an expression from its first token to the first one that does not continue
// it, and returns that one. Of a sum, the first operand was read before; it ends at operators that
// bind less than +.
func (x *scanner) skipExpression(t token, sum bool) token {
	choices := 0
	for operand := sum; ; t = x.next() {
		switch {
		case closers[t.kind] != "":
			if operand && t.line && t.kind == js.OpenBraceToken {
				return t
			}
			x.skipBrackets()
			operand = true
		case js.IsNumeric(t.kind), js.IsIdentifierName(t.kind), t.kind == js.StringToken, t.kind == js.TemplateToken,
			t.kind == js.RegExpToken:
			infix := t.kind == js.InToken || t.kind == js.InstanceofToken
			if operand && (sum || !infix) {
				return t
			}
			operand = !isPrefix(t.kind) && t.kind != js.FunctionToken && t.kind != js.AsyncToken
		case t.kind == js.ErrorToken, closes(t.kind), t.kind == js.SemicolonToken, t.kind == js.CommaToken,
			t.kind == js.ColonToken && choices == 0, sum && operand && !slices.Contains(sumOperators, t.kind):
			return t
		case t.kind == js.IncrToken, t.kind == js.DecrToken:
		default:
			if t.kind == js.QuestionToken {
				choices++
			} else if t.kind == js.ColonToken {
				choices--
			}
			operand = false
		}
	}
}

// sumOperators bind at least as strongly as +, or read a member.
var sumOperators = []js.TokenType{js.AddToken, js.SubToken, js.MulToken, js.DivToken, js.ModToken, js.DotToken,
	js.OptChainToken}

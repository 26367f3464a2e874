package listpage

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// token is one token of a script. The kind js.ErrorToken with an empty text is the end; with a text
// it is no token of JavaScript.
type token struct {
	kind         js.TokenType
	text         string // as in the script
	at           int    // its first byte in the script
	afterNewline bool   // a line ended before it
}

func (t token) isEnd() bool { return t.kind == js.ErrorToken && t.text == "" }

// scanner returns the tokens of a script, which may be broken. It serves one goroutine at a time.
type scanner struct {
	src          string
	in           *parse.Input
	lexer        *js.Lexer
	tokensLeft   int  // tokens that may still be read
	errorsLeft   int  // further errors allowed: each costs as much as all bytes before it
	afterOperand bool // the last token ends an operand, so a slash divides
}

// maxErrors bounds the invalid tokens in one script.
const maxErrors = 32

// newScanner returns a scanner that reads at most bytes bytes and tokens tokens of a script.
func newScanner(script string, bytes, tokens int) *scanner {
	script = script[:min(len(script), bytes)]
	in := parse.NewInputString(script)
	return &scanner{src: script, in: in, lexer: js.NewLexer(in), tokensLeft: tokens, errorsLeft: maxErrors}
}

// offset returns the byte behind the last token.
func (x *scanner) offset() int { return x.in.Offset() }

// rewind moves the scanner to a byte of the script.
func (x *scanner) rewind(to int) {
	x.in.Move(to - x.in.Offset())
	x.in.Skip()
}

// restart moves the scanner to a byte of the script and allows so many further tokens.
func (x *scanner) restart(at, tokens int) {
	x.rewind(at)
	x.lexer, x.tokensLeft, x.afterOperand = js.NewLexer(x.in), tokens, false
}

// next returns the next token that is neither white space nor a comment. After the last token it
// always returns the end.
func (x *scanner) next() token {
	line := false
	for x.tokensLeft > 0 && x.errorsLeft > 0 {
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
			if x.afterOperand {
				break
			}
			end := x.offset()
			if regex, _ := x.lexer.RegExp(); regex == js.RegExpToken {
				kind = regex
			} else {
				x.errorsLeft--
				x.rewind(end)
			}
		case js.ErrorToken:
			if at >= len(x.src) {
				return token{at: at}
			}
			x.errorsLeft--
			x.rewind(min(max(x.offset(), at+1), len(x.src)))
		}
		x.tokensLeft--
		x.afterOperand = endsOperand(kind)
		return token{kind: kind, text: x.src[at:x.offset()], at: at, afterNewline: line}
	}
	x.tokensLeft = 0
	return token{at: x.offset()}
}

// octalEnd returns the end of an integer with a leading zero, which the lexer refuses: 08. It
// returns at if there is none.
func octalEnd(s string, at int) int {
	if at+1 >= len(s) || s[at] != '0' || !isDigit(s[at+1]) {
		return at
	}
	return len(s) - len(strings.TrimLeft(s[at:], "0123456789"))
}

var (
	// operandEnds are tokens that may end an operand, besides numbers and names.
	operandEnds = []js.TokenType{js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.StringToken,
		js.TemplateToken, js.TemplateEndToken, js.RegExpToken, js.IncrToken, js.DecrToken}
	// prefixWords are words that precede an operand.
	prefixWords = []js.TokenType{js.ReturnToken, js.TypeofToken, js.CaseToken, js.NewToken, js.VoidToken,
		js.DeleteToken, js.AwaitToken, js.InToken, js.InstanceofToken, js.ElseToken, js.DoToken, js.ThrowToken}
	// closers maps tokens that open brackets to the text that closes them.
	closers = map[js.TokenType]string{js.OpenParenToken: ")", js.OpenBracketToken: "]", js.OpenBraceToken: "}",
		js.TemplateStartToken: "}`"}
)

// endsOperand reports whether a token may end an operand.
func endsOperand(kind js.TokenType) bool {
	return slices.Contains(operandEnds, kind) || js.IsNumeric(kind) || js.IsIdentifierName(kind) && !isPrefix(kind)
}

// isPrefix reports whether an operand follows a word.
func isPrefix(kind js.TokenType) bool { return slices.Contains(prefixWords, kind) }

// isCloser reports whether a token closes a bracket.
func isCloser(kind js.TokenType) bool {
	return kind == js.CloseParenToken || kind == js.CloseBracketToken || kind == js.CloseBraceToken ||
		kind == js.TemplateEndToken
}

// skipBrackets skips to the end of the bracket that was opened last. It returns false if the script
// ends before.
func (x *scanner) skipBrackets() bool {
	for depth := 1; depth > 0; {
		t := x.next()
		switch {
		case t.isEnd():
			return false
		case closers[t.kind] != "":
			depth++
		case isCloser(t.kind):
			depth--
		}
	}
	return true
}

// skipExpression skips an expression from its first token and returns the first token behind it. If
// sum is set, the first operand was read before, and operators that bind less than + end the
// expression.
func (x *scanner) skipExpression(t token, sum bool) token {
	choices := 0
	for operand := sum; ; t = x.next() {
		switch {
		case closers[t.kind] != "":
			if operand && t.afterNewline && t.kind == js.OpenBraceToken {
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
		case t.kind == js.ErrorToken, isCloser(t.kind), t.kind == js.SemicolonToken, t.kind == js.CommaToken,
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

// sumOperators are operators that bind at least as strongly as +, or read a member.
var sumOperators = []js.TokenType{js.AddToken, js.SubToken, js.MulToken, js.DivToken, js.ModToken, js.DotToken,
	js.OptChainToken}

package listpage

import (
	"strings"
	"unicode/utf8"
)

// TokenKind is what a token is.
type TokenKind uint8

// What a token's Text says depends on its kind.
const (
	TokenEnd TokenKind = iota // there are no more; no text
	Word                      // an identifier or a keyword
	Number                    // as it is written
	String                    // what the literal means, without its quotes
	Template                  // what stands between the backquotes, as it is written; see templateParts
	Regex                     // with its slashes and flags, as it is written
	Punct                     // an operator or a bracket
)

// Token is one token.
type Token struct {
	Text string
	At   int32 // the byte of the script at which it begins
	Kind TokenKind
	Line bool // a line ended before it
}

// Is reports whether the token is an operator or a bracket.
func (t Token) Is(punct string) bool { return t.Kind == Punct && t.Text == punct }

// tokenScanner reads the tokens of a script. It serves one goroutine at a time.
type tokenScanner struct {
	s       string
	at      int
	left    int  // tokens that may still be read
	vain    int  // bytes looked through for an end that never came
	operand bool // an operand stood last, so a slash divides
}

// newTokenScanner returns a tokenScanner that reads at most so many bytes and tokens of a script, and of no
// script more than 1 GiB.
func newTokenScanner(script string, bytes, tokens int) tokenScanner {
	return tokenScanner{s: script[:min(len(script), bytes, 1<<30)], left: tokens}
}

// scanTokens returns the tokens of a script, of at most so many bytes and tokens.
func scanTokens(script string, bytes, tokens int) []Token {
	x := newTokenScanner(script, bytes, tokens)
	out := make([]Token, 0, min(len(x.s)/4+1, tokens))
	for {
		t := x.Next()
		if t.Kind == TokenEnd {
			return out
		}
		out = append(out, t)
	}
}

// offset is the byte of the script behind the token that was read last.
func (x *tokenScanner) offset() int { return x.at }

// Next returns the next token; one of the kind TokenEnd for ever when there are no more.
func (x *tokenScanner) Next() Token {
	s := x.s
	i, line := blank(s, x.at)
	if i >= len(s) || x.left <= 0 {
		x.left = 0
		return Token{At: int32(i)}
	}
	x.left--
	t := Token{At: int32(i), Line: line}
	end := i + 1
	c := s[i]
	switch {
	case c >= '0' && c <= '9', c == '.' && i+1 < len(s) && isDigit(s[i+1]):
		end = numberEnd(s, i)
		t.Kind, t.Text = Number, s[i:end]
	case IsWordByte(c):
		for end < len(s) && IsWordByte(s[end]) {
			end++
		}
		t.Kind, t.Text = Word, s[i:end]
	case c == '"' || c == '\'':
		n := 0
		t.Text, n, _ = unquoteToken(s[i:])
		t.Kind, end = String, i+n
	case c == '`':
		end = x.templateEnd(i)
		t.Kind, t.Text = Template, s[i+1:end]
		end = min(end+1, len(s))
	default:
		if c == '/' && !x.operand {
			end = x.regexEnd(i)
		}
		if t.Kind = Regex; end == i+1 {
			t.Kind, end = Punct, i+operator(s[i:])
		}
		t.Text = s[i:end]
	}
	x.at, x.operand = end, operand(t)
	return t
}

// blank is where the next token begins behind white space and comments, and whether a line
// ended before it.
func blank(s string, i int) (at int, line bool) {
	for i < len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			line = true
			i++
		case c <= ' ' || c == 0x7f:
			i++
		case c == '/' && strings.HasPrefix(s[i:], "//"), c == '<' && strings.HasPrefix(s[i:], "<!--"):
			n := strings.IndexAny(s[i:], "\r\n")
			if n < 0 {
				return len(s), line
			}
			i += n
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				return len(s), line
			}
			i += n + 4
		default:
			return i, line
		}
	}
	return i, line
}

// IsWordByte reports whether a byte may stand in an identifier; every byte of a character
// beyond ASCII may.
func IsWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numberEnd is the end of the number at s[i]: 12, .5, 0x1f, 1e-7.
func numberEnd(s string, i int) int {
	hex := i+1 < len(s) && s[i+1]|0x20 == 'x'
	for i++; i < len(s); i++ {
		c := s[i]
		signed := (c == '+' || c == '-') && s[i-1]|0x20 == 'e' && !hex && i+1 < len(s) && isDigit(s[i+1])
		if !IsWordByte(c) && c != '.' && !signed {
			break
		}
	}
	return i
}

// operand reports whether a slash behind a token divides: it begins a regular expression
// where an expression may begin.
func operand(t Token) bool {
	switch t.Kind {
	case Punct:
		return t.Text == ")" || t.Text == "]" || t.Text == "}"
	case Word:
		return t.Text != "return" && t.Text != "typeof" && t.Text != "case"
	}
	return true
}

// regexEnd is the end of the regular expression at a byte, with its flags; the next byte
// when it is not closed in its line.
func (x *tokenScanner) regexEnd(at int) int {
	s, class := x.s, false
	i := at + 1
	for ; i < len(s) && s[i] != '\n' && s[i] != '\r' && x.vain <= len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(s) && IsWordByte(s[i]); i++ {
			}
			return i
		}
	}
	x.vain += i - at
	return at + 1
}

// templateEnd is where the backquote stands that closes the one at a byte; the end of the
// script when none does. Backquotes within ${…} do not count.
func (x *tokenScanner) templateEnd(at int) int {
	s := x.s
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '`':
			return i
		case '\\':
			i++
		case '$':
			if x.vain > len(s) || !strings.HasPrefix(s[i:], "${") {
				continue
			}
			if end := holeEnd(s, i+2); end >= 0 {
				i = end
			} else {
				x.vain += len(s) - i
			}
		}
	}
	return len(s)
}

// operators are those of more than one sign, the longer ones first.
var operators = [...]string{">>>=", "===", "!==", "**=", "<<=", ">>=", "...", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%="}

// operator is the length of the operator at the beginning of s.
func operator(s string) int {
	if len(s) == 1 || strings.IndexByte("=>&|?.+-*<", s[1]) < 0 {
		return 1
	}
	if s[0] == '?' && s[1] == '.' && len(s) > 2 && isDigit(s[2]) {
		return 1 // a?.5:1
	}
	for _, o := range operators {
		if strings.HasPrefix(s, o) {
			return len(o)
		}
	}
	return 1
}

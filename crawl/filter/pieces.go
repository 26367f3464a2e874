package filter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

// piece is one term as typed.
type piece struct {
	raw   string
	at    int // runes before it
	not   bool
	field string // in lower case; "" = the term is a word
	op    string // : = < <= > >=
	value string
	near  int  // number of characters that may differ: word~, word~2
	open  bool // its quote is not closed
}

const (
	opens  = "\"“「『"
	closes = "\"”」』"
)

// half converts full-width punctuation to ASCII.
func half(r rune) rune {
	switch r {
	case '：':
		return ':'
	case '＜', '〈':
		return '<'
	case '＞', '〉':
		return '>'
	case '＝':
		return '='
	case '－':
		return '-'
	}
	return r
}

// split splits a text into terms. An open quote ends with the text.
func split(text string) []piece {
	var out []piece
	in := []rune(text)
	for i := 0; i < len(in); {
		if unicode.IsSpace(in[i]) {
			i++
			continue
		}
		from := i
		p := piece{at: from}
		if r := half(in[i]); (r == '-' || r == '!' || r == '！') && i+1 < len(in) {
			p.not = true
			i++
		}
		i = p.head(in, i)
		var b strings.Builder
		for i < len(in) && !unicode.IsSpace(in[i]) {
			if q := strings.IndexRune(opens, in[i]); q >= 0 && b.Len() == 0 {
				i, p.open = quote(in, i+1, &b)
				i = p.tilde(in, i)
				break
			}
			if b.Len() > 0 {
				if end := p.tilde(in, i); end > i {
					i = end
					break
				}
			}
			b.WriteRune(in[i])
			i++
		}
		p.raw, p.value = string(in[from:i]), b.String()
		out = append(out, p)
	}
	return out
}

// tilde parses ~ with its number at the end of a term and returns the position after it.
func (p *piece) tilde(in []rune, i int) int {
	if p.field != "" || i == len(in) || in[i] != '~' && in[i] != '～' {
		return i
	}
	end, near := i+1, 1
	if end < len(in) && (in[end] == '1' || in[end] == '2') {
		near = int(in[end] - '0')
		end++
	}
	if end < len(in) && !unicode.IsSpace(in[end]) {
		return i
	}
	p.near = near
	return end
}

// Closed returns an error if a complete text has an open quote.
func Closed(text string) error {
	if slices.ContainsFunc(split(text), func(p piece) bool { return p.open }) {
		return fmt.Errorf("a quote is not closed: %s", htmldoc.CleanLine(text, 80))
	}
	return nil
}

// quote reads up to the closing quote and returns the position after it; open reports that the quote is missing.
func quote(in []rune, i int, b *strings.Builder) (end int, open bool) {
	for ; i < len(in); i++ {
		if strings.ContainsRune(closes, in[i]) {
			return i + 1, false
		}
		b.WriteRune(in[i])
	}
	return i, true
}

// head parses a field and its comparison, if present, and returns the start of the value. An address is a word:
// http://x.
func (p *piece) head(in []rune, from int) int {
	i := from
	for i < len(in) && (unicode.IsLetter(in[i]) || in[i] == '_' || i > from &&
		(in[i] >= '0' && in[i] <= '9' || in[i] == '-')) {
		i++
	}
	if i == from || i == len(in) {
		return from
	}
	op := ""
	at := i
	switch half(in[i]) {
	case ':', '=':
		op = string(half(in[i]))
		at++
	case '<', '>':
		op = string(half(in[i]))
		if at++; at < len(in) && half(in[at]) == '=' {
			op += "="
			at++
		}
	case '≤', '≥':
		op = map[rune]string{'≤': "<=", '≥': ">="}[in[i]]
		at++
	default:
		return from
	}
	if at+1 < len(in) && in[at] == '/' && in[at+1] == '/' {
		return from
	}
	p.field, p.op = strings.ToLower(string(in[from:i])), op
	return at
}

package fields

import (
	"sort"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// folded is a normalised text. Full-width letters, digits and brackets are half-width, and tabs
// separate cells. Sentences that markup broke over lines are joined. Every byte has its place in
// the source.
type folded struct {
	s    string
	from []int32 // starts of stretches in s …
	at   []int32 // … and in the printed text
	text string
}

// fold normalises at most maxText bytes of a text.
func fold(text string) *folded {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	f := &folded{text: text}
	buf := make([]byte, 0, len(text))
	put := func(r rune, src int) {
		if n := len(f.from); n == 0 || int(f.at[n-1])+len(buf)-int(f.from[n-1]) != src {
			f.from, f.at = append(f.from, int32(len(buf))), append(f.at, int32(src))
		}
		buf = utf8.AppendRune(buf, r)
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\r' || r == utf8.RuneError || r != '\n' && !htmldoc.IsSpace(r) && htmldoc.IsUnsafe(r):
		case r == '\n':
			rest := strings.TrimLeft(text[i:], " \t\r\n\u3000\u00a0")
			skip := len(text) - i - len(rest)
			switch {
			case strings.HasPrefix(rest, "|"): // a cell of a row printed over several lines
				put('\t', i)
				i += skip + 1
				continue
			case joins(buf, rest):
				for len(buf) > 0 && buf[len(buf)-1] == ' ' {
					buf = buf[:len(buf)-1]
				}
				for k := len(f.from); k > 0 && int(f.from[k-1]) > len(buf); k = len(f.from) {
					f.from, f.at = f.from[:k-1], f.at[:k-1]
				}
				i += skip
				continue
			}
			put('\n', i)
		case r >= 0xff01 && r <= 0xff5e && r != '，' && r != '；' && r != '？' && r != '！':
			put(r-0xfee0, i)
		case r == '，' && len(buf) > 0 && isDigit(buf[len(buf)-1]) &&
			millions.MatchString(string(buf[max(0, len(buf)-5):])+text[i:min(len(text), i+20)]):
			put(',', i)
		case r == '￥':
			put('¥', i)
		case r == '\u3000' || r == '\u00a0' || r == '\v' || r == '\f':
			put(' ', i)
		case r == '〇' || r == '○':
			put('〇', i)
		default:
			put(r, i)
		}
		i += n
	}
	f.s = string(buf)
	return f
}

// millions matches a figure grouped by full-width commas: 1，268，000.
var millions = htmldoc.NewPattern(`^[^，]*?(?:[^\d,]|^)(?:\d{1,3}，\d{3}(?:，\d{3}|[.．]\d\d)|\d{0,3},\d{3}，\d{3})(?:\D|$)`)

// joins reports whether a line that starts with rest continues the line in buf.
func joins(buf []byte, rest string) bool {
	line := buf[strings.LastIndexByte(string(buf[max(0, len(buf)-200):]), '\n')+1+max(0, len(buf)-200):]
	before := strings.TrimRight(string(line), " ")
	if before == "" || rest == "" || strings.HasSuffix(before, "\t") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case strings.ContainsRune("，。；、）),;：:", next), strings.ContainsRune("，、(（", last):
		return true
	case next == '（' || next == '(':
		return !strings.ContainsRune("。；：:", last) && !numbered.MatchString(rest)
	case htmldoc.AnyWord(before, strings.HasSuffix, "有限", "有限责任", "招标人为", "采购人为", "业主为", "并于", "时间为"):
		return true
	}
	if last >= '0' && last <= '9' && strings.ContainsRune("年月日时分点", next) || strings.ContainsRune("年月日时点", last) &&
		goesOn.MatchString(rest[:min(len(rest), 16)]) {
		return broken.MatchString(before)
	}
	return (before == "2" || before == "20" || before == "202") &&
		brokenYear.MatchString(before+rest[:min(len(rest), 8)]) ||
		htmldoc.AnyWord(rest, strings.HasPrefix, "受招标人", "受采购人", "件。")
}

// A date that markup broke: 2026 年 8 月 …, and 2 026.
var (
	broken     = htmldoc.NewPattern(`20\d\d\s*(?:年[\s\d月日时点]*)?$`)
	goesOn     = htmldoc.NewPattern(`^\d{1,2}\s*(?:[月日时点分:：]|\n|$)`) // not the 1. of a heading
	brokenYear = htmldoc.NewPattern(`^20\d\d\s*(?:年|$)`)
)

// numbered matches a line that begins with a number in brackets.
var numbered = htmldoc.NewPattern(`^[(（ \n]*[\d一二三四五六七八九十][\d一二三四五六七八九十 \n]*[)）]`)

// source returns the place of s[i] in the printed text.
func (f *folded) source(i int) int {
	k := sort.Search(len(f.from), func(k int) bool { return int(f.from[k]) > i }) - 1
	if k < 0 {
		return 0
	}
	return min(len(f.text), int(f.at[k])+i-int(f.from[k]))
}

// span returns the printed text of s[from:to] and its place.
func (f *folded) span(from, to int) (string, int, int) {
	if from >= to {
		return "", 0, 0
	}
	a := f.source(from)
	_, n := utf8.DecodeLastRuneInString(f.s[from:to])
	b := f.source(to - n)
	if b < a {
		return "", 0, 0
	}
	_, n = utf8.DecodeRuneInString(f.text[b:])
	return f.text[a : b+n], a, b + n
}

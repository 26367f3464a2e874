package dict

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold fills buf, runes and off (and src when tracing) with block in NFKC, case-folded. It drops
// format characters (zero-width spaces, soft hyphens, bidi marks), which some sites put into words.
// Nearly all text is Han, ASCII and full-width punctuation and is folded rune by rune; the rest
// goes through x/text.
func (sc *scratch) fold(block string) {
	sc.buf, sc.runes, sc.off, sc.src = sc.buf[:0], sc.runes[:0], sc.off[:0], sc.src[:0]
	for i, r := range block {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
		case isHan(r), 0x3001 <= r && r <= 0x3011, 0x2013 <= r && r <= 0x2026, r == 0xb7, r == 0xa0:
		case 0xff01 <= r && r <= 0xff5e: // full-width ASCII
			if r -= 0xfee0; 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
		case r == 0x3000: // ideographic space
			r = ' '
		default:
			sc.foldSlow(block)
			return
		}
		sc.put(r, i)
	}
	sc.finish(len(block))
}

// foldSlow is fold for any text.
func (sc *scratch) foldSlow(block string) {
	sc.buf, sc.runes, sc.off, sc.src = sc.buf[:0], sc.runes[:0], sc.off[:0], sc.src[:0]
	var it norm.Iter
	it.InitString(norm.NFKC, block)
	caser := cases.Fold()
	for !it.Done() {
		at := it.Pos()
		for _, r := range caser.String(string(it.Next())) {
			if !unicode.Is(unicode.Cf, r) {
				sc.put(r, at)
			}
		}
	}
	sc.finish(len(block))
}

func (sc *scratch) put(r rune, at int) {
	sc.off = append(sc.off, int32(len(sc.buf)))
	sc.runes = append(sc.runes, r)
	sc.buf = utf8.AppendRune(sc.buf, r)
	if sc.trace {
		sc.src = append(sc.src, int32(at))
	}
}

func (sc *scratch) finish(n int) {
	sc.off = append(sc.off, int32(len(sc.buf)))
	if sc.trace {
		sc.src = append(sc.src, int32(n))
	}
}

// srcEnd returns the source offset after the runes before end: after the whole character, even if
// it became several runes.
func (sc *scratch) srcEnd(end int32) int {
	from := sc.src[end-1]
	for sc.src[end] == from {
		end++
	}
	return int(sc.src[end])
}

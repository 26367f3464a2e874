package htmldoc

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// minMixed is the least number of Chinese characters in the UTF-8 part. Fewer may be an accident:
// two characters of GBK can be valid UTF-8.
const minMixed = 4

// mixedBreaks marks the bytes that separate the pieces of a page. None of them is the second byte of
// a GBK pair.
var mixedBreaks = [256]bool{'<': true, '>': true, '\n': true, '"': true, '\'': true}

// decodeMixed decodes a page that a content system assembled from files in UTF-8 and in GBK: each
// piece of text between tags is decoded by its own charset. The name is that of the larger part. ok
// needs minMixed characters of UTF-8, one of GBK, and less than a twentieth in pieces of neither.
func decodeMixed(body []byte) (text, name string, ok bool) {
	utf, gbk, lost := 0, 0, 0 // characters beyond ASCII
	for _, piece := range mixedPieces(body) {
		utf += max(0, chineseUTF8(piece))
	}
	if utf < minMixed {
		return "", "", false // the usual page in GBK ends here
	}
	for _, piece := range mixedPieces(body) {
		if chineseUTF8(piece) < 0 {
			if n, fits := chineseGBK(piece); fits {
				gbk += n
			} else {
				lost += n
			}
		}
	}
	if gbk == 0 || 20*lost > utf+gbk {
		return "", "", false
	}
	var out strings.Builder
	out.Grow(len(body) + len(body)/4)
	for ascii, piece := range mixedPieces(body) {
		out.Write(ascii)
		switch {
		case utf8.Valid(piece) && (utf > gbk || chineseUTF8(piece) > 0):
			out.Write(piece)
		default:
			out.WriteString(convertGB(piece))
		}
	}
	if utf > gbk {
		return out.String(), "utf-8", true
	}
	return out.String(), "gb18030", true
}

// mixedPieces yields the pieces of a body, and the ASCII before each. A piece begins beyond ASCII and
// ends after a byte of mixedBreaks. The last piece may be empty.
func mixedPieces(body []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(ascii, piece []byte) bool) {
		for len(body) > 0 {
			from := 0
			for from < len(body) && body[from] < utf8.RuneSelf {
				from++
			}
			to := from
			for to < len(body) && !mixedBreaks[body[to]] {
				to++
			}
			to = min(to+1, len(body))
			if !yield(body[:from], body[from:to]) {
				return
			}
			body = body[to:]
		}
	}
}

// chineseUTF8 counts the Chinese characters and full-width signs of a UTF-8 piece. It returns 0 for
// ASCII, and -1 for a piece that is not UTF-8 or holds mostly other characters: GBK that happens to
// be valid UTF-8 reads as Greek, Cyrillic or Arabic.
func chineseUTF8(piece []byte) int {
	chinese, all := 0, 0
	for len(piece) > 0 {
		r, n := utf8.DecodeRune(piece)
		if r == utf8.RuneError && n == 1 {
			return -1
		}
		piece = piece[n:]
		if r >= 0x3000 && r <= 0x9fff || r >= 0xff00 && r <= 0xffef {
			chinese++
		}
		if r >= utf8.RuneSelf {
			all++
		}
	}
	if 2*chinese < all {
		return -1
	}
	return chinese
}

// chineseGBK counts the pairs of non-ASCII bytes, and reports whether the piece fits GBK: nine of
// ten pairs are in GB 2312, which holds the usual characters.
func chineseGBK(piece []byte) (pairs int, fits bool) {
	s := survey(piece)
	return s.pairs + s.broken, s.broken == 0 && 10*s.gb2312 >= 9*s.pairs
}

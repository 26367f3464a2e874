package linkorder

import (
	"unicode"
	"unicode/utf8"
)

// anchor adds the first distinct tokens of an anchor text.
func (f *features) anchor(text string) {
	first := f.n
	Tokens(text, func(h uint64, _, _ int) bool {
		b := bucket(kindAnchor, h)
		for _, old := range f.at[first:f.n] {
			if old == b {
				return true
			}
		}
		f.add(kindAnchor, h)
		return f.n-first < maxTokens
	})
}

// Tokens calls emit for the hash and the place of each token of a text, until emit returns false. A run of Chinese,
// Japanese or Korean characters yields its character pairs, and a single character yields itself. Other scripts yield
// lower-case words with masked digits. Segmenting would cost ten times as much for the same hints: 招标公告 becomes
// 招标, 标公, 公告.
func Tokens(text string, emit func(h uint64, from, to int) bool) {
	var (
		prev         rune // previous character of a run
		at, run      int  // position of prev, and length of the run
		word              = uint64(fnvOffset)
		from              = -1 // start of the word
		digits, more      = false, true
		i            int  = 0
	)
	for more && i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
			r = narrow(r)
		}
		switch class := classify(r); class {
		case ideograph:
			if from >= 0 {
				more = emit(word, from, i)
				from = -1
			}
			if run > 0 && more {
				more = emit(hashRune(hashRune(fnvOffset, prev), r), at, i+size)
			}
			prev, at = r, i
			run++
		default:
			if run == 1 {
				more = emit(hashRune(fnvOffset, prev), at, at+utf8.RuneLen(prev))
			}
			run = 0
			if class == other {
				if from >= 0 && more {
					more = emit(word, from, i)
				}
				from = -1
				break
			}
			if from < 0 {
				from, word, digits = i, fnvOffset, false
			}
			if class == numeral {
				if !digits {
					word = hashRune(word, '#')
				}
				digits = true
			} else {
				word = hashRune(word, unicode.ToLower(r))
				digits = false
			}
		}
		i += size
	}
	switch {
	case !more:
	case from >= 0:
		emit(word, from, len(text))
	case run == 1:
		emit(hashRune(fnvOffset, prev), at, len(text))
	}
}

type class uint8

const (
	other class = iota
	letter
	numeral
	ideograph
)

func classify(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case digit(byte(r)):
			return numeral
		case lower(byte(r))-'a' < 26:
			return letter
		}
		return other
	case r >= 0x3400 && r <= 0x9fff, r >= 0x3040 && r <= 0x30ff, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0x20000 && r <= 0x3ffff:
		return ideograph
	case unicode.IsLetter(r):
		return letter
	case unicode.IsDigit(r):
		return numeral
	}
	return other
}

// narrow returns the half-width form of a full-width letter, digit or sign.
func narrow(r rune) rune {
	if r >= 0xff01 && r <= 0xff5e {
		return r - 0xfee0
	}
	return r
}

package htmldoc

import (
	"sync"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// gbkPairs holds the character of every pair of bytes of GB 18030, 0 for a pair without a character
// or with one of more than 16 bits. It is filled once from the tables of x/text, which takes a
// millisecond and 48 KB.
var gbkPairs = sync.OnceValue(func() *[126 * 191]uint16 {
	var t [126 * 191]uint16
	dec := simplifiedchinese.GB18030.NewDecoder()
	for lead := 0x81; lead <= 0xfe; lead++ {
		for tail := 0x40; tail <= 0xfe; tail++ {
			out, err := dec.Bytes([]byte{byte(lead), byte(tail)})
			if err != nil {
				continue
			}
			if r := userDefined(byte(lead), byte(tail)); r != 0 && string(out) == "\uFFFD" {
				t[(lead-0x81)*191+tail-0x40] = uint16(r)
				continue
			}
			if r, n := utf8.DecodeRune(out); n == len(out) && r >= utf8.RuneSelf && r < utf8.RuneError {
				t[(lead-0x81)*191+tail-0x40] = uint16(r)
			}
		}
	}
	return &t
})

// userDefined returns the private use character of a pair in one of GB 18030's three user-defined
// areas, 0 for any other pair. AAA1 to AFFE are U+E000 to U+E233, F8A1 to FEFE are U+E234 to
// U+E4C5, A140 to A7A0 are U+E4C6 to U+E765. The decoder of x/text lacks them.
func userDefined(lead, tail byte) rune {
	switch {
	case lead >= 0xaa && lead <= 0xaf && tail >= 0xa1 && tail <= 0xfe:
		return 0xe000 + rune(lead-0xaa)*94 + rune(tail-0xa1)
	case lead >= 0xf8 && lead <= 0xfe && tail >= 0xa1 && tail <= 0xfe:
		return 0xe234 + rune(lead-0xf8)*94 + rune(tail-0xa1)
	case lead >= 0xa1 && lead <= 0xa7 && tail >= 0x40 && tail <= 0xa0 && tail != 0x7f:
		r := 0xe4c6 + rune(lead-0xa1)*96 + rune(tail-0x40)
		if tail > 0x7f {
			r--
		}
		return r
	}
	return 0
}

// isUserDefined reports whether r is a result of userDefined.
func isUserDefined(r rune) bool { return r >= 0xe000 && r <= 0xe765 }

// convertGB decodes any bytes as GB 18030: with characters of four bytes, the user-defined areas,
// and U+FFFD for invalid bytes.
func convertGB(body []byte) string {
	dec := simplifiedchinese.GB18030.NewDecoder()
	var out []byte
	from := 0
	flush := func(to int) {
		if part, err := dec.Bytes(body[from:to]); err == nil {
			out = append(out, part...)
		} else {
			out = append(out, "\uFFFD"...)
		}
	}
	pairs := gbkPairs()
	for i := 0; i < len(body); {
		lead := body[i]
		if lead <= 0x80 || lead == 0xff || i+1 == len(body) || body[i+1] < 0x30 || body[i+1] == 0xff ||
			body[i+1] == 0x7f {
			i++
			continue
		}
		tail := body[i+1]
		if tail < 0x40 { // four bytes, if the last two fit
			if i+3 < len(body) && body[i+2] > 0x80 && body[i+2] < 0xff && body[i+3] >= '0' && body[i+3] <= '9' {
				i += 4
			} else {
				i++
			}
			continue
		}
		if r := userDefined(lead, tail); r != 0 && rune(pairs[int(lead-0x81)*191+int(tail-0x40)]) == r {
			flush(i)
			out = utf8.AppendRune(out, r)
			from = i + 2
		}
		i += 2
	}
	if from == 0 {
		return convert(simplifiedchinese.GB18030, body)
	}
	flush(len(body))
	return string(out)
}

// fromGBK decodes a body of ASCII and pairs at an eighth of the general decoder's cost. Nearly
// every page in GB 2312 and GBK is such a body. ok is false for a body with four-byte characters,
// invalid bytes, or too many user-defined characters, which suggest another charset.
func fromGBK(body []byte) (text string, ok bool) {
	pairs := gbkPairs()
	out := make([]byte, 0, len(body)+len(body)/2)
	own, all := 0, 0 // user-defined characters, all beyond ASCII
	for i := 0; i < len(body); {
		c := body[i]
		if c < utf8.RuneSelf {
			out = append(out, c)
			i++
			continue
		}
		if c == 0x80 || c == 0xff || i+1 == len(body) {
			return "", false
		}
		tail := body[i+1]
		if tail < 0x40 || tail == 0xff {
			return "", false
		}
		r := pairs[int(c-0x81)*191+int(tail-0x40)]
		if r == 0 {
			return "", false
		}
		all++
		if isUserDefined(rune(r)) {
			own++
		}
		if r < 0x800 {
			out = append(out, 0xc0|byte(r>>6), 0x80|byte(r)&0x3f)
		} else {
			out = append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		}
		i += 2
	}
	if own*100 > all {
		return "", false
	}
	return unsafe.String(unsafe.SliceData(out), len(out)), true // the only holder of out
}

package charset

import (
	"sync"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// gbkPairs holds the character of every pair of bytes of GB 18030, and 0 where a
// pair is no character or one of more than 16 bits. It is filled once from the
// tables of x/text, which takes a millisecond and 48 KB.
var gbkPairs = sync.OnceValue(func() *[126 * 191]uint16 {
	var t [126 * 191]uint16
	dec := simplifiedchinese.GB18030.NewDecoder()
	for lead := 0x81; lead <= 0xfe; lead++ {
		for tail := 0x40; tail <= 0xfe; tail++ {
			out, err := dec.Bytes([]byte{byte(lead), byte(tail)})
			if err != nil {
				continue
			}
			if r, n := utf8.DecodeRune(out); n == len(out) && r >= utf8.RuneSelf && r < utf8.RuneError {
				t[(lead-0x81)*191+tail-0x40] = uint16(r)
			}
		}
	}
	return &t
})

// fromGBK decodes a body of ASCII and pairs at an eighth of the general
// decoder's cost. Nearly every page in GB 2312 and GBK is such a body. ok is
// false for any other: one with a character of four bytes, or with bytes that
// fit nothing.
func fromGBK(body []byte) (text string, ok bool) {
	pairs := gbkPairs()
	out := make([]byte, 0, len(body)+len(body)/2)
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
		if r < 0x800 {
			out = append(out, 0xc0|byte(r>>6), 0x80|byte(r)&0x3f)
		} else {
			out = append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		}
		i += 2
	}
	return unsafe.String(unsafe.SliceData(out), len(out)), true // nobody else holds out
}

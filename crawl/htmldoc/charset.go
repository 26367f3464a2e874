package htmldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	htmlcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// DecodeText decodes a body into UTF-8 and names its charset in lower case. The first of these
// decides: a byte order mark; bytes that are (nearly) valid UTF-8, whatever was declared; the
// charset of the Content-Type header; a meta declaration in the first 8 KiB; the statistics of the
// bytes; gb18030. GBK and GB2312 are read as GB18030, which contains them. Its user-defined areas
// become the private use area U+E000 to U+E765. Invalid bytes become U+FFFD.
func DecodeText(body []byte, contentType string) (text, name string) {
	text, name, _ = DecodePage(body, contentType)
	return text, name
}

// DecodePage is DecodeText and reports whether the page mixes UTF-8 and GBK. A mixed page has the
// name of its larger part.
func DecodePage(body []byte, contentType string) (text, name string, mixed bool) {
	e, n, body := bom(body)
	if e != nil {
		return convert(e, body), n, false
	}
	if utf8.Valid(body) {
		return string(body), "utf-8", false
	}
	if text, name, mixed = decodeMixed(body); mixed {
		return text, name, true
	}
	text, name = decodeWhole(body, contentType)
	return text, name, false
}

// decodeWhole decodes a body in one charset that is not valid UTF-8.
func decodeWhole(body []byte, contentType string) (text, name string) {
	if nearlyUTF8(body) {
		return strings.ToValidUTF8(string(body), "\uFFFD"), "utf-8"
	}
	for _, label := range [...]string{headerCharset(contentType), metaCharset(body)} {
		e, n := lookup(label)
		if e == nil || n == "utf-8" || isLatin(n) && survey(body).chinese() {
			continue // the bytes contradict the declaration
		}
		if e == simplifiedchinese.GB18030 {
			if out, ok := fromGBK(body); ok {
				return out, n
			}
		}
		out := ""
		if e == simplifiedchinese.GB18030 {
			out = convertGB(body)
		} else {
			out = convert(e, body)
		}
		if Garbled(out) <= 0.01 {
			return out, n
		}
	}
	s := survey(body)
	if s.big5() {
		return convert(traditionalchinese.Big5, body), "big5"
	}
	if !s.chinese() {
		if e, n, _ := htmlcharset.DetermineEncoding(body, contentType); n != "utf-8" {
			if out := convert(e, body); Garbled(out) <= 0.01 {
				return out, n
			}
		}
	}
	return convertGB(body), "gb18030"
}

// bom detects and removes byte order marks. After a UTF-8 mark the bytes still decide: editors put
// it before GBK.
func bom(body []byte) (encoding.Encoding, string, []byte) {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return nil, "", body[3:]
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		e, n := htmlcharset.Lookup("utf-16be")
		return e, n, body[2:]
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		e, n := htmlcharset.Lookup("utf-16le")
		return e, n, body[2:]
	}
	return nil, "", body
}

// lookup finds an encoding by its label; labels of the GB family give one encoding.
func lookup(label string) (encoding.Encoding, string) {
	if label == "" {
		return nil, ""
	}
	e, n := htmlcharset.Lookup(label)
	if e == nil || e == encoding.Replacement {
		return nil, ""
	}
	if n == "gbk" || n == "gb18030" || n == "hz-gb-2312" {
		return simplifiedchinese.GB18030, "gb18030"
	}
	if strings.HasPrefix(n, "utf-16") {
		return nil, "" // a page in UTF-16 has a mark
	}
	return e, n
}

func isLatin(name string) bool {
	return strings.HasPrefix(name, "windows-12") || strings.HasPrefix(name, "iso-8859-") || name == "macintosh"
}

func convert(e encoding.Encoding, body []byte) string {
	out, err := e.NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return string(out)
}

// Garbled returns the share of replacement characters and of GB 18030's user-defined ones among
// non-ASCII characters, 0 … 1. Texts hold few user-defined characters, but another charset read as
// GB 18030 gives many.
func Garbled(s string) float64 {
	bad, all := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			continue
		}
		if all++; r == utf8.RuneError || isUserDefined(r) {
			bad++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(bad) / float64(all)
}

// nearlyUTF8 reports whether the non-ASCII bytes are UTF-8 with at most one stray byte in twenty
// characters. It stops once the rest of the body cannot reach that share, which in another charset
// is soon.
func nearlyUTF8(body []byte) bool {
	multi, bad := 0, 0 // valid sequences, stray bytes
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		if r, n := utf8.DecodeRune(body[i:]); r != utf8.RuneError || n > 1 {
			multi++
			i += n
			continue
		}
		if len(body)-i < utf8.UTFMax && !utf8.FullRune(body[i:]) {
			break // a truncated body ends inside a character
		}
		bad++
		i++
		if most := multi + (len(body)-i)/2; 20*bad > most {
			return false
		}
	}
	return multi > 0 && multi >= 20*bad
}

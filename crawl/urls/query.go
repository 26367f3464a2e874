package urls

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// ResolveIn is Resolve for a page in a charset other than UTF-8. Like browsers, it encodes non-ASCII characters of
// the query in that charset (URL standard, "percent-encode after encoding"). On a GBK site, /search?q=招标 means
// %D5%D0%B1%EA; %E6%8B%9B finds nothing.
func (r *Resolver) ResolveIn(charset, base, href string) (string, error) {
	return r.Resolve(base, EncodeQuery(charset, href))
}

// Link is ResolveIn, and also returns the class of the URL.
func (r *Resolver) Link(charset, base, href string) (string, Class, error) {
	m := r.resolve(base, EncodeQuery(charset, href))
	return m.url, m.class, m.err
}

// EncodeQuery percent-encodes the non-ASCII characters in a href's query in the named charset. UTF-8, UTF-16 and
// unknown charsets leave the href unchanged, which means UTF-8. A character missing in the charset becomes its
// numeric reference, as in forms. It applies to http and relative links only.
func EncodeQuery(charset, href string) string {
	query := strings.IndexByte(href, '?')
	if query < 0 || charset == "utf-8" || charset == "" {
		return href
	}
	end := len(href)
	if i := strings.IndexByte(href, '#'); i >= 0 {
		end = i
	}
	if end < query || ascii(href[query:end]) || len(href) > MaxLength {
		return href
	}
	e := encoder(charset)
	if e == nil {
		return href
	}
	var b strings.Builder
	b.Grow(len(href) + 32)
	b.WriteString(href[:query])
	for _, r := range href[query:end] {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		out, err := e.String(string(r))
		if err != nil {
			e.Reset()
			out = "&#" + strconv.Itoa(int(r)) + ";"
		}
		for i := range len(out) {
			b.Write([]byte{'%', upperHex[out[i]>>4], upperHex[out[i]&15]})
		}
	}
	b.WriteString(href[end:])
	return b.String()
}

// encoder returns the encoder of a charset; nil if the standard uses UTF-8 instead.
func encoder(name string) *encoding.Encoder {
	e, name := charset.Lookup(name)
	if e == nil || e == encoding.Replacement || name == "utf-8" || strings.HasPrefix(name, "utf-16") {
		return nil
	}
	return e.NewEncoder()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

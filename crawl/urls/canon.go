package urls

import (
	"errors"
	"fmt"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Reasons why a href cannot be fetched.
var (
	errEmpty     = errors.New("empty link")
	errScheme    = errors.New("not an http or https link")
	errMalformed = errors.New("malformed URL")
)

// MaxLength is the maximum length of a href in bytes; a longer one is errMalformed. Real ones stay below 300.
const MaxLength = 8192

// parser implements the WHATWG URL standard exactly.
var parser = whatwg.NewParser()

// visitParams lists the query parameters that identify a visit instead of a page: trackers and session ids.
// visitPrefixes lists the beginnings of others. Names are compared in lower case.
var (
	visitParams = set("spm", "scm", "fbclid", "gclid", "yclid", "msclkid", "dclid", "mc_cid", "mc_eid",
		"_ga", "_gl", "igshid", "hmsr", "hmpl", "hmcu", "hmkw", "hmci", "bd_vid", "wt.mc_id",
		"jsessionid", "phpsessid", "sessionid", "session_id", "cfid", "cftoken", "zenid", "sessid")
	visitPrefixes = []string{"utm_", "aspsessionid"}
)

func set(words ...string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Canonical returns the canonical form of an absolute http or https URL. The URL is parsed by the WHATWG rules:
// lower-case scheme and host, punycode, no default port, dot segments resolved. It has no fragment, user name,
// trailing dot of the host or repeated slashes. Tracking, session and repeated parameters are dropped.
// Percent-encoding is in upper case and only where required. The order of parameters stays, because servers may
// depend on it (P0 2.2.3). The result is its own canonical form. Errors wrap errEmpty, errScheme or errMalformed.
func Canonical(raw string) (string, error) {
	raw = trim(raw)
	if err := fetchable(raw); err != nil {
		return "", err
	}
	if out, ok := fast("", raw); ok {
		return out, nil
	}
	return slow("", raw)
}

// Complete resolves href against base by the WHATWG rules only. base may be empty if href is absolute.
func Complete(base, href string) (string, error) {
	u, err := complete(base, href)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

func complete(base, href string) (*whatwg.Url, error) {
	var u *whatwg.Url
	var err error
	if base == "" {
		u, err = parser.Parse(href)
	} else {
		u, err = parser.ParseRef(base, href)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errMalformed, err)
	}
	return u, nil
}

// slow applies the whole standard, about 7 µs.
func slow(base, href string) (string, error) {
	if strings.Contains(href, "&#") {
		href = ampersands.Replace(href)
	}
	u, err := complete(base, href)
	if err != nil {
		return "", err
	}
	scheme := u.Scheme()
	if scheme != "http" && scheme != "https" {
		return "", errScheme
	}
	host := strings.TrimRight(u.Hostname(), ".")
	if host != u.Hostname() {
		// The rest may be an IP number in disguise: "0000." is not one, "0000" is.
		rest := strings.Replace(u.Href(true), u.Hostname(), host, 1)
		if host == "" || rest == u.Href(true) {
			return "", fmt.Errorf("%w: no host", errMalformed)
		}
		return slow("", rest)
	}
	if host == "" || strings.IndexByte(host, '%') >= 0 {
		return "", fmt.Errorf("%w: no host", errMalformed)
	}
	path := u.Pathname()
	var b strings.Builder
	b.Grow(len(scheme) + len(host) + len(path) + len(u.Query()) + 10)
	b.WriteString(scheme)
	b.WriteString("://")
	b.WriteString(host)
	if port := u.Port(); port != "" {
		b.WriteByte(':')
		b.WriteString(port)
	}
	path = dropPathParam(path)
	if path == "" {
		path = "/"
	}
	writePath(&b, path)
	writeQuery(&b, u.Query())
	if b.Len() > MaxLength {
		return "", fmt.Errorf("%w: longer than %d bytes when escaped", errMalformed, MaxLength)
	}
	return b.String(), nil
}

// dropPathParam removes the session ids that Java servers append to the path, and the segment "(S(id))" of ASP.NET.
func dropPathParam(path string) string {
	for i := 0; i < len(path); {
		if n := sessionParam(path[i:]); n > 0 {
			path = path[:i] + path[i+n:]
		} else {
			i++
		}
	}
	for i := strings.Index(path, "/("); i >= 0 && isCookieless(path[i+1:]); i = strings.Index(path, "/(") {
		path = path[:i] + path[i+1+strings.IndexByte(path[i+1:], '/'):]
	}
	return path
}

// sessionParam returns the length of ";jsessionid=…" at the start of a path's rest, 0 if it starts differently.
func sessionParam(rest string) int {
	const name = ";jsessionid="
	if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
		return 0
	}
	if end := strings.IndexAny(rest[len(name):], "/;"); end >= 0 {
		return len(name) + end
	}
	return len(rest)
}

// isCookieless reports whether a path's rest begins with the segment in which ASP.NET writes tickets, such as
// "(X(1)S(lit3py55t21z5v55vlm25s55))". Each ticket is a capital letter with a value.
func isCookieless(rest string) bool {
	segment, _, more := strings.Cut(rest, "/")
	inner, ok := strings.CutSuffix(strings.TrimPrefix(segment, "("), ")")
	if !more || !ok || inner == "" {
		return false
	}
	for inner != "" {
		value, after, closed := strings.Cut(inner, ")")
		if !closed || len(value) < 3 || value[1] != '(' || strings.IndexByte("AFSX", value[0]) < 0 ||
			strings.IndexByte(value[2:], '(') >= 0 {
			return false
		}
		inner = after
	}
	return true
}

// writePath writes a path with uniform percent-encoding and single slashes. A double slash after a colon stays: it
// belongs to a URL in the path.
func writePath(b *strings.Builder, path string) {
	prev, prev2 := byte(0), byte(0)
	writeEncoded(path, func(s string) {
		if s == "/" && prev == '/' && prev2 != ':' {
			return
		}
		prev2, prev = prev, s[len(s)-1]
		b.WriteString(s)
	})
}

// writeQuery writes the query without dropped, empty and repeated parameters. It also removes "amp;" before a name,
// the rest of an ampersand escaped twice.
func writeQuery(b *strings.Builder, query string) {
	sep, from := byte('?'), b.Len()+1
	var encoded strings.Builder
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		encoded.Reset()
		writeEncoded(pair, func(s string) { encoded.WriteString(s) })
		for pair = encoded.String(); strings.HasPrefix(pair, "amp;"); {
			pair = pair[len("amp;"):]
		}
		if pair == "" || dropped(pair) || b.Len() > from && repeated(b.String()[from:], pair) {
			continue
		}
		b.WriteByte(sep)
		sep = '&'
		b.WriteString(pair)
	}
}

// repeatedPairs is the number of parameters that again compares.
const repeatedPairs = 16

// repeated reports whether the last parameter of this name in the query is the same pair. Servers use the first or last
// of a name, so a repetition has no effect.
func repeated(query, pair string) bool {
	name, _, _ := strings.Cut(pair, "=")
	for range repeatedPairs {
		i := strings.LastIndexByte(query, '&')
		if n, _, _ := strings.Cut(query[i+1:], "="); n == name {
			return query[i+1:] == pair
		}
		if i < 0 {
			break
		}
		query = query[:i]
	}
	return false
}

// ampersands unescapes ampersands escaped twice, which a browser takes for the start of a fragment.
var ampersands = strings.NewReplacer("&#38;", "&", "&#038;", "&", "&#x26;", "&", "&#X26;", "&")

// dropped reports whether a pair "name=value" identifies a visit.
func dropped(pair string) bool {
	name, _, _ := strings.Cut(pair, "=")
	if len(name) > 40 {
		return false
	}
	var buf [40]byte
	for i := 0; i < len(name); i++ {
		ch := name[i]
		if ch >= 'A' && ch <= 'Z' {
			ch += 'a' - 'A'
		}
		buf[i] = ch
	}
	low := buf[:len(name)]
	if visitParams[string(low)] {
		return true
	}
	for _, p := range visitPrefixes {
		if len(low) >= len(p) && string(low[:len(p)]) == p {
			return true
		}
	}
	return false
}

const upperHex = "0123456789ABCDEF"

// writeEncoded emits s piece by piece. It decodes escapes of unreserved characters and writes others in upper case.
// It escapes a stray % and characters outside the URL alphabet.
func writeEncoded(s string, emit func(string)) {
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case ch == '%':
			if i+2 < len(s) {
				hi, lo := unhex(s[i+1]), unhex(s[i+2])
				if hi >= 0 && lo >= 0 {
					v := byte(hi<<4 | lo)
					if unreserved(v) {
						emit(string(rune(v)))
					} else {
						emit(string([]byte{'%', upperHex[hi], upperHex[lo]}))
					}
					i += 2
					continue
				}
			}
			emit("%25")
		case ch <= ' ' || ch >= 0x7f || strings.IndexByte("\"<>[]\\^`{|}'", ch) >= 0:
			emit(string([]byte{'%', upperHex[ch>>4], upperHex[ch&15]}))
		default:
			emit(s[i : i+1])
		}
	}
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' ||
		c == '.' || c == '_' || c == '~'
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// trim removes the leading and trailing C0 controls and spaces that the standard removes. It also removes
// ideographic and no-break spaces, which people paste.
func trim(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && (s[0] >= 0x80 || s[len(s)-1] >= 0x80) {
		s = strings.Trim(s, "\u00a0\u3000\ufeff\u200b")
	}
	return s
}

// fetchable rejects hrefs by their first bytes, before URL parsing.
func fetchable(href string) error {
	if href == "" || href[0] == '#' {
		return errEmpty
	}
	if len(href) > MaxLength {
		return fmt.Errorf("%w: longer than %d bytes", errMalformed, MaxLength)
	}
	for i := 0; i < len(href) && i < 32; i++ {
		ch := href[i]
		switch {
		case ch == ':':
			if i == 0 {
				return nil
			}
			if s := href[:i]; strings.EqualFold(s, "http") || strings.EqualFold(s, "https") {
				return nil
			}
			return errScheme
		case ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z':
		case i > 0 && (ch >= '0' && ch <= '9' || ch == '+' || ch == '-' || ch == '.'):
		case ch == '\t' || ch == '\n' || ch == '\r':
			// The standard removes them anywhere, also in "java
			// script:".
			return fetchable(strings.Map(func(r rune) rune {
				if r == '\t' || r == '\n' || r == '\r' {
					return -1
				}
				return r
			}, href))
		default:
			return nil
		}
	}
	return nil
}

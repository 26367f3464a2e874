package fetch

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/publicsuffix"
)

// maxRetryAfter bounds the wait that a server may ask for.
const maxRetryAfter = time.Hour

// RetryAfter parses a Retry-After header (RFC 9110 section 10.2.3): seconds or an HTTP date. It
// returns 0 for an unreadable value or a past date.
func RetryAfter(v string, now time.Time) time.Duration {
	v = strings.TrimSpace(v)
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if !(s > 0) { // negative or NaN
			return 0
		}
		return time.Duration(min(s, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	t, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return min(max(t.Sub(now), 0), maxRetryAfter)
}

// Bounds of header values stored with a page, in bytes.
const (
	maxContentType = 200
	maxTag         = 512
	maxModified    = 64
)

// entityTag returns an ETag that can be sent in If-None-Match, "" for any other, because it is
// stored and sent with every visit. Weak tags (W/"…") and unquoted words pass unchanged. "*" would
// match any version, and a list of tags is no tag.
func entityTag(v string) string {
	v = strings.TrimSpace(v)
	core, quoted := strings.TrimPrefix(v, "W/"), false
	if len(core) >= 2 && core[0] == '"' && core[len(core)-1] == '"' {
		core, quoted = core[1:len(core)-1], true
	}
	if core == "" && !quoted || len(v) > maxTag {
		return ""
	}
	for i := 0; i < len(core); i++ {
		switch c := core[i]; {
		case c <= ' ' || c == '"' || c == 0x7f, !quoted && (c == ',' || c == '*'):
			return ""
		}
	}
	return v
}

// modified returns a Last-Modified that can be sent back, "" for any other. The date is not parsed:
// servers compare their own text.
func modified(v string) string {
	v = strings.TrimSpace(v)
	if len(v) > maxModified {
		return ""
	}
	for i := 0; i < len(v); i++ {
		if v[i] < ' ' || v[i] >= 0x7f {
			return ""
		}
	}
	return v
}

// oneLine returns v without control characters, at most max bytes of it.
func oneLine(v string, max int) string {
	return strings.TrimSpace(printable(strings.ToValidUTF8(v[:min(len(v), max)], "")))
}

// maxLocation bounds a redirect target, in bytes.
const maxLocation = 8 << 10

var locationParser = whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())

// redirectTarget resolves a Location by the WHATWG rules, as browsers do, and drops its fragment.
// Bytes that are no UTF-8, such as GBK, stay as they are. It returns "" if the target is no http(s)
// URL.
func redirectTarget(base *url.URL, location string) string {
	location = strings.TrimSpace(location)
	if location == "" || len(location) > maxLocation {
		return ""
	}
	if !utf8.ValidString(location) {
		location = escapeBytes(location)
	}
	u, err := locationParser.ParseRef(base.String(), location)
	if err != nil {
		return ""
	}
	if s := u.Scheme(); s != "http" && s != "https" {
		return ""
	}
	return u.Href(true)
}

// escapeBytes writes non-ASCII bytes as %XX.
func escapeBytes(s string) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, 3*len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < utf8.RuneSelf {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}

// Bounds of cookies: RFC 6265 section 6.1 asks for 50 per host and 4096 bytes. The jar is emptied
// after maxJar bytes were set.
const (
	maxCookies    = 50
	maxCookieSize = 4 << 10
	maxJar        = 64 << 20
)

// jar is the standard jar with bounds, so that hostile hosts cannot fill the memory or enlarge our
// requests. It is safe for concurrent use.
type jar struct {
	mu   sync.Mutex
	jar  *cookiejar.Jar
	size int // bytes set since the jar was created
}

func newJar() *jar { return &jar{jar: emptyJar()} }

func emptyJar() *cookiejar.Jar {
	// New never returns an error with these options.
	j, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	return j
}

// Cookies implements http.CookieJar.
func (j *jar) Cookies(u *url.URL) []*http.Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.jar.Cookies(u)
}

// SetCookies implements http.CookieJar.
func (j *jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.size > maxJar {
		j.jar, j.size = emptyJar(), 0
	}
	have := make(map[string]bool)
	for _, c := range j.jar.Cookies(u) {
		have[c.Name] = true
	}
	keep := make([]*http.Cookie, 0, min(len(cookies), maxCookies))
	for _, c := range cookies {
		size := len(c.Name) + len(c.Value)
		if size > maxCookieSize || !have[c.Name] && len(have) >= maxCookies {
			continue
		}
		have[c.Name] = true
		j.size += size
		keep = append(keep, c)
	}
	j.jar.SetCookies(u, keep)
}

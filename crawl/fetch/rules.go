package fetch

import (
	"bytes"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
)

// Bounds of one robots.txt; the rest is ignored.
const (
	maxRules    = 5000
	maxRuleLen  = 2048     // bytes; longer URLs are filtered before they are fetched
	maxWild     = 32 << 10 // bytes of patterns with asterisks, which cost pattern × path steps
	maxSitemaps = 100
)

// rule is one Allow or Disallow line of our group.
type rule struct {
	allow   bool
	pattern string // normalized by normalEscapes; starts with "/" or "*"
	text    string // as written in the file
}

// rules holds the rules of one robots.txt for one crawler. The zero value allows everything. It is
// immutable after parseRules.
type rules struct {
	list     []rule
	delay    time.Duration
	sitemaps []string
}

// parseRules parses a robots.txt by RFC 9309 for the crawler named product (lower case). Groups
// that name it are merged; without any, those for "*". It tolerates byte order marks, any line
// ends, blanks around the colon, rules before the first group and unknown lines. An HTML page has
// no rules. base resolves relative sitemap URLs.
func parseRules(body []byte, product, base string) rules {
	body = toUTF8(body)
	if len(body) > 0 && body[0] == '<' {
		return rules{}
	}
	var (
		own, any groupRules
		toOwn    bool // the present lines belong to our group
		toAny    bool // … or to the group for "*"
		named    bool // some group names us
		inRules  bool // the last group line was a rule: a User-agent line starts a new group
		maps     []string
		baseURL  *url.URL
	)
	baseURL, _ = url.Parse(base)
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		key, value := splitLine(line)
		switch correctKey(key) {
		case "user-agent":
			if inRules {
				toOwn, toAny, inRules = false, false, false
			}
			switch agent := agentToken(value); {
			case agent == "*":
				toAny = true
			case agent != "" && agent == product:
				toOwn, named = true, true
			}
		case "allow", "disallow":
			inRules = true
			if toOwn {
				own.add(key == "allow", value)
			}
			if toAny {
				any.add(key == "allow", value)
			}
		case "crawl-delay":
			// Not a rule line: it does not end the list of agents (RFC 9309 2.2.4).
			if toOwn {
				own.setDelay(value)
			}
			if toAny {
				any.setDelay(value)
			}
		case "sitemap":
			if u := completeSitemap(baseURL, value); u != "" && len(maps) < maxSitemaps && !slices.Contains(maps, u) {
				maps = append(maps, u)
			}
		}
	}
	g := any
	if named {
		g = own
	}
	return rules{list: g.list, delay: g.delay, sitemaps: maps}
}

// allow decides a path with query: the longest matching pattern wins, Allow wins a tie (RFC 9309
// section 2.2.2), no match allows. It returns the deciding line as written in the file.
func (r *rules) allow(path string) (bool, string) {
	if path == "/robots.txt" {
		return true, ""
	}
	path = normalEscapes(path, false)
	var best *rule
	for i := range r.list {
		c := &r.list[i]
		if best != nil && (len(c.pattern) < len(best.pattern) || len(c.pattern) == len(best.pattern) && !c.allow) {
			continue
		}
		if match(c.pattern, path) {
			best = c
		}
	}
	if best == nil {
		return true, ""
	}
	return best.allow, best.text
}

// match reports whether pattern matches a prefix of path. "*" matches any characters and a final
// "$" the end. It takes at most len(pattern) · len(path) steps.
func match(pattern, path string) bool {
	pattern, end := strings.CutSuffix(pattern, "$")
	if !end {
		pattern += "*"
	}
	p, s := 0, 0
	star, back := -1, 0
	for s < len(path) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, back = p, s
			p++
			if p == len(pattern) {
				return true
			}
		case p < len(pattern) && pattern[p] == path[s]:
			p++
			s++
		case star >= 0:
			back++
			p, s = star+1, back
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// groupRules collects the merged groups of one crawler.
type groupRules struct {
	list  []rule
	wild  int // bytes of patterns with asterisks
	delay time.Duration
}

func (g *groupRules) add(allow bool, value string) {
	value, _, _ = strings.Cut(value, " ")
	if value == "" || len(value) > maxRuleLen || len(g.list) >= maxRules {
		return
	}
	if strings.Contains(value, "*") {
		if g.wild += len(value); g.wild > maxWild {
			return
		}
	}
	p := normalEscapes(value, true)
	if p[0] != '/' && p[0] != '*' {
		p = "/" + p
	}
	word := "Disallow: "
	if allow {
		word = "Allow: "
	}
	g.list = append(g.list, rule{allow: allow, pattern: p, text: word + value})
}

func (g *groupRules) setDelay(value string) {
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s > 0) || math.IsInf(s, 0) {
		return
	}
	g.delay = max(g.delay, time.Duration(min(s, MaxCrawlDelay.Seconds())*float64(time.Second)))
}

// misspellings are keys as crawler-commons and Google's parser accept them. At worst, a misspelt
// rule forbids one path too many. A line with only a sitemap's address lost its key.
var misspellings = map[string]string{
	"useragent": "user-agent", "user agent": "user-agent", "useg-agent": "user-agent", "ser-agent": "user-agent",
	"user-agents": "user-agent",
	"dissallow":   "disallow", "dissalow": "disallow", "disalow": "disallow", "desallow": "disallow",
	"diasllow": "disallow",
	"disallaw": "disallow", "dsallow": "disallow", "dssalow": "disallow", "disallows": "disallow",
	"crawldelay": "crawl-delay", "crawl delay": "crawl-delay", "site-map": "sitemap", "sitemaps": "sitemap",
}

// correctKey returns the correct spelling of a key.
func correctKey(key string) string {
	if k, ok := misspellings[key]; ok {
		return k
	}
	return key
}

// splitLine splits "Key : value # comment". A line without a colon is split at its first blank, as
// Google's parser does.
func splitLine(line []byte) (key, value string) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	k, v, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		line = bytes.TrimSpace(line)
		i := bytes.IndexAny(line, " \t")
		if i < 0 {
			return "", ""
		}
		k, v = line[:i], line[i:]
	}
	key, value = strings.ToLower(string(bytes.TrimSpace(k))), string(bytes.TrimSpace(v))
	if (key == "http" || key == "https") && strings.Contains(value, "sitemap") {
		return "sitemap", key + ":" + value
	}
	return key, value
}

// agentToken returns the product token of a User-agent line: "angler/2.0" is angler.
func agentToken(v string) string {
	v = strings.ToLower(v)
	if i := strings.IndexAny(v, "/ \t"); i >= 0 {
		v = v[:i]
	}
	return v
}

func completeSitemap(base *url.URL, value string) string {
	if base == nil || value == "" || len(value) > maxRuleLen {
		return ""
	}
	return redirectTarget(base, value)
}

// normalEscapes normalizes rules and paths. Bytes not allowed in URLs are percent-encoded,
// hexadecimal digits are capitals, and unreserved characters are decoded (RFC 9309 section 2.2.2).
// "*" and "$" are percent-encoded, too (section 2.2.3), except as signs of a rule: "*" anywhere and
// "$" at its end.
func normalEscapes(s string, isRule bool) string {
	sign := func(i int) bool { return isRule && (s[i] == '*' || s[i] == '$' && i == len(s)-1) }
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] != '%' && (!escaped(s[i]) || sign(i))
	}
	if clean {
		return s
	}
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				i += 2
				if c = byte(v); unreserved(c) {
					b = append(b, c)
				} else {
					b = append(b, '%', hex[c>>4], hex[c&15])
				}
				continue
			}
		}
		if escaped(c) && !sign(i) {
			b = append(b, '%', hex[c>>4], hex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// escaped reports whether a byte is compared percent-encoded: bytes that RFC 3986 forbids in URLs,
// and the two signs of rules.
func escaped(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}*$", c) >= 0
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// toUTF8 decodes UTF-16 with a byte order mark, drops a UTF-8 one, and trims leading blanks.
func toUTF8(b []byte) []byte {
	if len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		if u, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(b); err == nil {
			b = u
		}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	return bytes.TrimLeft(b, " \t\r\n")
}

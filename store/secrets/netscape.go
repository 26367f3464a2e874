package secrets

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Bounds of a file of cookies.
const (
	MaxFile     = 4 << 20
	maxFileLine = 16 << 10
	maxProblems = 5 // problems reported
)

// importedCookies is the result of reading a file of cookies for one host. Its texts hold no
// values.
type importedCookies struct {
	Cookies  []*http.Cookie // for the host; Domain is "" if for this host alone
	Others   int            // cookies of other hosts
	Expired  int
	Problems []string // the first invalid lines, by number
	Bad      int      // number of invalid lines
}

// ReadNetscapeCookies reads a file of cookies in Netscape format, as curl and browser add-ons write
// it. The fields are separated by tabs: domain, subdomains, path, secure, expiry (seconds since
// 1970, 0 means none), name, value. It returns the cookies of a host, HOST or HOST:PORT. Problems
// never quote a line.
func ReadNetscapeCookies(file []byte, host string, now time.Time) (t importedCookies) {
	host = strings.ToLower(hostname(host))
	bad := func(line int, why string) {
		if t.Bad++; len(t.Problems) < maxProblems {
			t.Problems = append(t.Problems, fmt.Sprintf("line %d: %s", line, why))
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(file[:min(len(file), MaxFile)], []byte("\xef\xbb\xbf"))))
	lines.Buffer(make([]byte, 0, maxFileLine), MaxFile+1)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimRight(lines.Text(), "\r")
		rest, httpOnly := strings.CutPrefix(text, "#HttpOnly_")
		if !httpOnly && (strings.HasPrefix(text, "#") || strings.TrimSpace(text) == "") {
			continue
		}
		if len(rest) > maxFileLine {
			bad(n, "it is too long")
			continue
		}
		f := strings.Split(rest, "\t")
		if len(f) < 7 {
			if f = strings.Fields(rest); len(f) == 6 { // the value is empty
				f = append(f, "")
			}
		}
		if len(f) != 7 {
			bad(n, fmt.Sprintf("%d fields instead of 7 with tabs between", len(f)))
			continue
		}
		c, subdomains, why := netscapeCookie(f)
		if why != "" {
			bad(n, why)
			continue
		}
		domain := strings.ToLower(strings.TrimPrefix(f[0], "."))
		c.HttpOnly = httpOnly
		switch {
		case domain != host && !(subdomains && strings.HasSuffix(host, "."+domain)):
			t.Others++
			continue
		case !c.Expires.IsZero() && !c.Expires.After(now):
			t.Expired++
			continue
		case subdomains:
			_, own, ok := home(host, domain)
			c.Domain = own
			if !ok || c.Valid() != nil {
				bad(n, "its domain is not one that a site can have")
				continue
			}
		}
		if len(t.Cookies) < MaxCookies {
			t.Cookies = append(t.Cookies, c)
		} else {
			bad(n, fmt.Sprintf("there are more than %d for this host", MaxCookies))
		}
	}
	return t
}

func netscapeCookie(f []string) (c *http.Cookie, subdomains bool, why string) {
	c = &http.Cookie{Path: f[2], Name: f[5], Value: f[6]}
	var ok [2]bool
	for i, s := range []string{f[1], f[3]} {
		switch strings.ToUpper(s) {
		case "TRUE":
			ok[i] = true
		case "FALSE":
		default:
			return nil, false, "the second and the fourth field are TRUE or FALSE"
		}
	}
	subdomains, c.Secure = ok[0] || strings.HasPrefix(f[0], "."), ok[1]
	end, err := strconv.ParseFloat(f[4], 64)
	switch {
	case err != nil || !(end >= 0 && end < 1e11):
		return nil, false, "the fifth field is no time in seconds since 1970"
	case end > 0:
		c.Expires = time.Unix(int64(end), 0).UTC()
	}
	switch {
	case !httpguts.ValidHeaderFieldName(c.Name):
		return nil, false, "the name of the cookie is none"
	case !validValue(c.Value) || len(c.Name)+len(c.Value) > maxCookieSize:
		return nil, false, "the value of the cookie is too long or holds a character that it cannot have"
	case !strings.HasPrefix(c.Path, "/") || !validValue(c.Path):
		return nil, false, "the path does not begin with a slash"
	}
	return c, subdomains, ""
}

// validValue reports whether a value can be sent in a header unchanged.
func validValue(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == ';' || c == '\\' {
			return false
		}
	}
	return true
}

// Take sets the cookies of a file for a host, except those that the host has set since the file was
// written.
func (j *CookieJar) Take(host string, list []*http.Cookie, written time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	for _, c := range list {
		u := &url.URL{Scheme: "http", Host: host, Path: c.Path}
		if c.Secure {
			u.Scheme = "https"
		}
		name, domain, ok := home(u.Hostname(), c.Domain)
		if !ok {
			continue
		}
		x := &cookie{Name: c.Name, From: origin(u), Domain: domain, Path: c.Path}
		if s := j.sites[name]; s != nil {
			if at := s.find(x); at >= 0 && s.Cookies[at].Set.After(written) {
				continue
			}
		}
		j.set(u, c, now)
	}
	j.bound()
	if len(j.dirty) > 0 {
		j.soon()
	}
}

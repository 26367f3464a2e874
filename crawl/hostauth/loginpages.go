package hostauth

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// Bounds of the search in pages.
const (
	maxBody  = 1 << 20 // bytes of a page
	maxText  = 4 << 10 // maximum bytes of text on a login page
	tinyBody = 4 << 10 // maximum bytes of a page that only redirects
)

var loginAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[./_?=&-])(login|logon|signin|sign-in|sso|cas|passport|authserver|oauth2?|idp)([./_?=&:-]|$)`)
})

// IsLoginAddress reports whether an address is that of a login.
func IsLoginAddress(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	return loginAddress().MatchString(rest)
}

var password = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<input[^>]{0,1000}\btype\s*=\s*["']?password`)
})

// HasPassword reports whether a page has a password field.
func HasPassword(body []byte) bool {
	body = body[:min(len(body), maxBody)]
	return mentions(body) && password().Match(body)
}

// mentions searches for the word "password" in any case by its rarest letter, which most pages
// lack.
func mentions(body []byte) bool {
	for _, letter := range []byte("wW") {
		for rest := body; ; {
			i := bytes.IndexByte(rest, letter)
			if i < 0 {
				break
			}
			if i >= 4 && len(rest) >= i+4 && bytes.EqualFold(rest[i-4:i+4], []byte("password")) {
				return true
			}
			rest = rest[i+1:]
		}
	}
	return false
}

// isLoginPage reports whether a page is only a login: a password field and little text. A front
// page with a login form is none.
func isLoginPage(body []byte) bool { return HasPassword(body) && textBytes(body) <= maxText }

// textBytes counts bytes outside of tags, scripts and styles, without white space.
func textBytes(body []byte) (n int) {
	rest := body[:min(len(body), maxBody)]
	for len(rest) > 0 {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		for _, c := range rest[:i] {
			if c > ' ' {
				n++
			}
		}
		if rest = rest[i:]; len(rest) == 0 {
			return n
		}
		end := ">"
		for _, x := range [...][2]string{{"<script", "</script"}, {"<style", "</style"}, {"<select", "</select"},
			{"<!--", "-->"}} {
			if len(rest) >= len(x[0]) && bytes.EqualFold(rest[:len(x[0])], []byte(x[0])) {
				end = x[1]
			}
		}
		j := indexFold(rest, end)
		if j < 0 {
			return n
		}
		rest = rest[j+len(end):]
	}
	return n
}

// indexFold is bytes.Index that ignores case; what is in lower case.
func indexFold(b []byte, what string) int {
	for i := 0; ; {
		j := bytes.IndexByte(b[i:], what[0])
		if j < 0 || i+j+len(what) > len(b) {
			return -1
		}
		if i += j; bytes.EqualFold(b[i:i+len(what)], []byte(what)) {
			return i
		}
		i++
	}
}

var scriptTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\blocation(?:\.href)?\s*=\s*|\blocation\.(?:replace|assign)\(\s*|http-equiv\s*=\s*["']?refresh["']?[^>]{0,100}url\s*=\s*)["']?([^"'\s>)]{1,1000})`)
})

// loginRedirect returns the login that a tiny page only redirects to, by a script or a refresh; ""
// = it does not.
func loginRedirect(body []byte) string {
	if len(body) > tinyBody || !bytes.Contains(body, []byte("ocation")) && indexFold(body, "refresh") < 0 ||
		bytes.Contains(body, []byte("<a ")) {
		return ""
	}
	if m := scriptTarget().FindSubmatch(body); m != nil && IsLoginAddress("x://x/"+string(m[1])) {
		return string(m[1])
	}
	return ""
}

// loginRequest returns why a response requires a login; "" = it does not. location is its redirect
// target, "" = none.
func loginRequest(location string, body []byte) string {
	switch {
	case location != "" && IsLoginAddress(location):
		return "it leads to " + location
	case location != "":
		return ""
	case isLoginPage(body):
		return "it has a field for a password and little else"
	}
	if to := loginRedirect(body); to != "" {
		return "it sends its reader to " + to
	}
	return ""
}

// Package secrets keeps what others must not read: cookies, encrypted, and the keys of the
// SSH server. It removes passwords from texts that are shown.
package secrets

import (
	"regexp"
	"strings"
)

// This file takes passwords out of what is shown. Addresses may carry them
// (http://user:password@host); they are found in any text. It imports no package of angler, so
// that everything which shows or writes text can use it.

// Masked stands where a password was.
const Masked = "xxxxx"

// credentials are what stands between the scheme of an address and its host. A
// password may hold anything but a space, a quote and, unless it is escaped, a
// slash; the last @ before the path ends it.
var credentials = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*:(?://|\\/\\/))([^\s"'<>/?#\\]*)@`)

// Redact returns s with the password of every address in it replaced by Mark, and
// what stands before the @ without a password, too, because it may be a token.
// Text without an address is returned as it is, without an allocation.
func Redact(s string) string {
	if !strings.Contains(s, "@") || !strings.Contains(s, ":") {
		return s
	}
	return credentials.ReplaceAllStringFunc(s, func(m string) string {
		at := strings.IndexByte(m, '/')
		for at < len(m) && (m[at] == '/' || m[at] == '\\') {
			at++
		}
		scheme, who := m[:at], m[at:len(m)-1]
		if user, _, ok := strings.Cut(who, ":"); ok {
			return scheme + user + ":" + Masked + "@"
		}
		if who == "" {
			return m
		}
		return scheme + Masked + "@"
	})
}

// RedactAddress is Text for a value that is meant to be one address, well-formed or not:
// whatever stands before the last @ is taken for a password, its user's name and
// the scheme apart.
func RedactAddress(s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return s
	}
	scheme, who, ok := strings.Cut(s[:at], "://")
	if !ok {
		scheme, who = "", s[:at]
	} else {
		scheme += "://"
	}
	if user, _, ok := strings.Cut(who, ":"); ok {
		return scheme + user + ":" + Masked + s[at:]
	}
	return scheme + Masked + s[at:]
}

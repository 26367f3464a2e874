// Package secrets keeps secrets: encrypted cookies and the keys of the SSH server. It removes
// passwords from texts that are shown.
package secrets

import (
	"regexp"
	"strings"
)

// This file removes passwords from shown texts. Addresses may contain them
// (http://user:password@host); any text is searched. The file imports no package of angler, so that
// all code that shows or writes text can use it.

// Masked replaces a password.
const Masked = "xxxxx"

// credentials matches the text between the scheme of an address and its host. A password may hold
// anything but a space, a quote and an unescaped slash; the last @ before the path ends it.
var credentials = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*:(?://|\\/\\/))([^\s"'<>/?#\\]*)@`)

// Redact returns s with the password of every address replaced by Masked. Text before an @ without
// a password is replaced too, because it may be a token. Text without an address is returned as it
// is, without an allocation.
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

// RedactAddress is Redact for a value that should be one address, well-formed or not. It takes all
// text before the last @ for a password, except the scheme and the user's name.
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

package sshd

import (
	"angler/crawl/auth/ratelimit"
	"angler/tui/widget"
	"regexp"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// Bounds of the log: it has every command of logged-in people, because the pace of a key bounds
// them, and at most about two megabytes a day about strangers.
var (
	commandPace = ratelimit.Rate{Burst: 100, Every: 200 * time.Millisecond}
	linesOfOne  = ratelimit.Rate{Burst: 10, Every: time.Minute}
	linesOfAll  = ratelimit.Rate{Burst: 50, Every: 10 * time.Second}
)

// leftEvery is how often the log reports the number of omitted lines.
const leftEvery = time.Minute

// warn writes a line about an owner, an address or a key, unless there are too many.
func (s *Server) warn(owner, what string, args ...any) {
	if s.lines.Keep(owner, s.c.Now()) {
		s.c.Log.Warn(what, args...)
	}
}

const (
	maxLogged = 200  // bytes kept of an untrusted text
	maxRead   = 4096 // bytes read of it
)

// secretParts matches secrets in commands: the user part of a URL before its @, and values
// named as secret.
var secretParts = regexp.MustCompile(
	`(?i)(://)[^/@\s]*@|\b((?:pass(?:word|wd)?|token|secret|auth(?:orization)?|api-?key|bearer)[=: ]\s*)\S+`)

// loggable returns an untrusted text for the log: one short line without control characters and
// secrets.
func loggable(s string) string {
	s = widget.Clean(s[:min(len(s), maxRead)])
	s = secretParts.ReplaceAllStringFunc(s, func(m string) string {
		parts := secretParts.FindStringSubmatch(m)
		if parts[1] != "" {
			return parts[1] + "***@"
		}
		return parts[2] + "***"
	})
	if len(s) > maxLogged {
		s = strings.ToValidUTF8(s[:maxLogged], "") + "…"
	}
	return s
}

// fingerprint returns the fingerprint of a key as ssh-keygen -l prints it; key is its wire form.
func fingerprint(key string) string {
	k, err := gossh.ParsePublicKey([]byte(key))
	if err != nil {
		return ""
	}
	return gossh.FingerprintSHA256(k)
}

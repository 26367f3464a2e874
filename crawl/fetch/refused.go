package fetch

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// A host that refuses everybody, or a firewall before it, refuses robots.txt, too. That is
// no word about rules: those that were read before hold. Where none were, the host is open
// (RFC 9309 section 2.3.1.3), as many refuse this file alone; but the first page that comes
// is held back until the file was asked for once more, because the refusal may be over.

// Refuses reports whether a status is that of a host that may refuse every request.
func Refuses(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests, http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// refuses is Refuses for a whole answer, which may be a firewall's.
func (f *Fetcher) refuses(status int, body []byte) bool {
	return Refuses(status) || status < 300 && f.cfg.Challenge != nil && f.cfg.Challenge(body)
}

// refuse notes that a host has refused the file.
func (r *robots) refuse(s *site) {
	switch {
	case s.was != nil:
		s.rules, s.life = *s.was, time.Hour
	case s.asked:
		s.life = robotsLife // pages come, so it is the file alone
	default:
		s.refused, s.life = true, robotsLife
		r.refused.Store(true)
	}
	s.fails = 0
}

// confirmed says whether robots.txt permits u still, whose page has come, where the host
// had refused the file.
func (f *Fetcher) confirmed(ctx context.Context, u *url.URL, res *Response) error {
	if !f.robots.refused.Load() || f.cfg.IgnoreRobots || ctx.Value(enteringKey{}) != nil || f.refuses(res.Status, res.Body) {
		return nil
	}
	key := siteKey(u)
	f.robots.mu.Lock()
	s := f.robots.sites[key]
	doubt := s != nil && s.loaded() && s.refused
	if doubt {
		f.robots.begin(key, s, true)
	}
	f.robots.mu.Unlock()
	if !doubt {
		return nil
	}
	return f.permitted(ctx, u)
}

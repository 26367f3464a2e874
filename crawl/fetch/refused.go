package fetch

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// A host that refuses all requests, or a firewall before it, refuses robots.txt, too. That says
// nothing about rules: rules read before stay in force. Without such rules the host counts as open
// (RFC 9309 section 2.3.1.3), because many refuse only this file. But before the first page is
// returned, the file is requested again, because the refusal may be over.

// Refuses reports whether a host that refuses all requests may send this status.
func Refuses(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests,
		http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// refuses is Refuses for a whole response, which may be a firewall's page.
func (f *Fetcher) refuses(status int, body []byte) bool {
	return Refuses(status) || status < 300 && f.cfg.Challenge != nil && f.cfg.Challenge(body)
}

// refuse records that a host refused its robots.txt.
func (r *robots) refuse(s *site) {
	switch {
	case s.earlier != nil:
		s.rules, s.lifetime = *s.earlier, time.Hour
	case s.confirming:
		s.lifetime = robotsLife // pages come, so only the file is refused
	default:
		s.refused, s.lifetime = true, robotsLife
		r.refused.Store(true)
	}
	s.fails = 0
}

// confirmed checks robots.txt again after a page of u came although its host had refused the file.
func (f *Fetcher) confirmed(ctx context.Context, u *url.URL, res *Response) error {
	if !f.robots.refused.Load() || f.cfg.IgnoreRobots || ctx.Value(enteringKey{}) != nil ||
		f.refuses(res.Status, res.Body) {
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

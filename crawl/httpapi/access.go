package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"angler/crawl/api"
	"angler/crawl/auth"
	"angler/crawl/auth/ratelimit"
	"angler/store/secrets"
)

// cookieName is the name of the cookie that holds the token of a browser.
const cookieName = "angler_token"

// callKey is the key of the *call in a request's context.
type callKey struct{}

// sent returns the token that a request carries; "" means none. Readers of calendars and feeds send it as the
// password of HTTP Basic.
func sent(r *http.Request) string {
	if kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(kind, "Bearer") {
		return strings.TrimSpace(token)
	}
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

// addressOf returns the IP address of a client.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// person checks a token. A nil token comes with the status and the reason of the refusal. Wrong tokens count against
// their address only, so that a right token is never refused because of wrong ones.
func (s *Server) person(r *http.Request, token string) (t *secrets.Token, who auth.Actor, status int, why string) {
	now, owner := s.c.Now(), ratelimit.Owner(addressOf(r))
	if token == "" {
		return nil, who, http.StatusUnauthorized, "a token is needed: angler token add DIR NAME; send it as " +
			"Authorization: Bearer TOKEN"
	}
	t, err := secrets.FindToken(s.dir, token)
	if err == nil && t != nil {
		who = auth.Actor{Name: t.Name, Remote: true}
		who.Role, err = auth.Parse(t.Role)
	}
	switch {
	case err != nil:
		if s.lines.Keep(owner, now) {
			s.c.Log.Error("tokens cannot be read", "err", err)
		}
		return nil, who, http.StatusServiceUnavailable, "tokens cannot be read; see the log of the server"
	case t == nil && !s.wrong.Keep(owner, now):
		return nil, who, http.StatusTooManyRequests, "too many wrong tokens from this address; wait a second"
	case t == nil:
		if s.lines.Keep(owner, now) {
			s.c.Log.Warn("wrong token", "from", addressOf(r), "left_out", s.lines.Left(now))
		}
		return nil, who, http.StatusUnauthorized, "the token is unknown; it may have been removed"
	}
	if s.pace.Over(t.Hash, now) {
		return nil, who, http.StatusTooManyRequests, "too many requests with this token; wait a second"
	}
	if err := t.Use(now); err != nil && s.lines.Keep(owner, now) {
		s.c.Log.Warn("the last use of a token is not noted", "name", t.Name, "err", err)
	}
	return t, who, 0, ""
}

// signedIn lets a request with a right token pass. A browser that asks for a page is led to the login.
func (s *Server) signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, who, status, why := s.person(r, sent(r))
		if t == nil {
			if status == http.StatusUnauthorized {
				if strings.Contains(r.Header.Get("Accept"), "text/html") && r.Header.Get("Authorization") == "" {
					http.Redirect(w, r, "/login", http.StatusSeeOther)
					return
				}
				w.Header().Add("WWW-Authenticate", `Bearer realm="angler"`)
				w.Header().Add("WWW-Authenticate", `Basic realm="angler", charset="UTF-8"`)
			}
			problem(w, status, why)
			return
		}
		ctx, cancel := context.WithCancel(api.WithActor(r.Context(), who))
		defer cancel()
		c := &call{token: t, cancel: cancel}
		s.mu.Lock()
		s.calls[c] = struct{}{}
		s.mu.Unlock()
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.calls, c)
		}()
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, callKey{}, c)))
	})
}

// bounded gives a request answerTime, and a place among those that are computed. Beside a run there is one place, and
// answers take a 32nd of a core.
func (s *Server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		places, rest := s.places, time.Duration(0)
		if s.c.Engine.Crawling() {
			places, rest = s.beside, restBeside
		}
		select {
		case places <- struct{}{}:
			begun := time.Now()
			defer func() { time.AfterFunc(rest*time.Since(begun), func() { <-places }) }()
		case <-ctx.Done():
			problem(w, http.StatusServiceUnavailable, "too many requests are under way; try again")
			return
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// local lets requests of this machine pass, and others with a token. A proxy tells that it asks for another machine.
func (s *Server) local(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ip, err := netip.ParseAddr(addressOf(r))
		if err == nil && ip.IsLoopback() && r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == "" {
			next(w, r)
			return
		}
		s.signedIn(next).ServeHTTP(w, r)
	}
}

// login sets the cookie of a browser to the token of a form.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	token := r.PostFormValue("token")
	t, _, status, why := s.person(r, token)
	switch {
	case t != nil:
		http.SetCookie(w, s.cookie(token, 365*24*3600))
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case status != http.StatusUnauthorized:
		problem(w, status, why)
	default: // a browser follows no Location of status 401
		w.Header().Set("Refresh", "0; url=/login?failed=1")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		fmt.Fprintln(w, `<!DOCTYPE html><title>angler</title><a href="/login?failed=1">The token is unknown.</a>`)
	}
}

// logout removes the cookie.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, s.cookie("", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

func (s *Server) cookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: s.c.TLS,
		SameSite: http.SameSiteStrictMode}
}

// problem answers with an error (RFC 9457).
func problem(w http.ResponseWriter, status int, why string) {
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	// An error means a client that left.
	_ = writeJSON(w, Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: why})
}

// Problem is the answer to a request that failed (RFC 9457).
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail" jsonschema:"why it failed, and what to do"`
}

func writeJSON(w http.ResponseWriter, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// plainPage answers where no pages are served.
func plainPage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		problem(w, http.StatusNotFound, "no such page")
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "angler: see /api/v1/openapi.json, /mcp, /feed.atom and /deadlines.ics")
}

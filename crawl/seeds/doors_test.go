package seeds_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"angler/crawl/seeds"
	"angler/store/config"
)

// A search server that requires credentials gets those of its host's settings.
func TestSearchServerBehindADoor(t *testing.T) {
	inner := &searx{per: sites(1)}
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "k1" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	e := open(t, server, func(s *config.Settings) {
		s.Host = map[string]config.Host{strings.TrimPrefix(server, "http://"): {Headers: []string{"X-Key: k1"}}}
	})
	o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"公告"}})
	if err != nil || o.Hosts != 10 {
		t.Errorf("%d hosts, %v", o.Hosts, err)
	}
}

// Cookies and logins work for a search server as for pages: a form login before the first query, or cookies of a
// file. A failed login is reported without a query.
func TestSearchServerBehindALogin(t *testing.T) {
	const form = `<form method="post" action="/door"><input name="user"><input type="password" name="pw"><button>登录</button></form>`
	for name, c := range map[string]struct {
		password string
		cookies  bool
		hosts    int
		logins   int
		says     string
	}{
		"by a form":          {password: "geheim", hosts: 10, logins: 1},
		"by a wrong one":     {password: "falsch", says: "login"},
		"by cookies":         {cookies: true, hosts: 10},
		"by nothing of ours": {says: "403"},
	} {
		t.Run(name, func(t *testing.T) {
			var logins, tries, asked atomic.Int64
			inner := &searx{per: sites(1)}
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				in, err := r.Cookie("session")
				switch {
				case r.URL.Path == "/door" && r.Method == http.MethodPost:
					if tries.Add(1); r.FormValue("user") != "alice" || r.FormValue("pw") != "geheim" {
						_, _ = io.WriteString(w, form)
						return
					}
					logins.Add(1)
					http.SetCookie(w, &http.Cookie{Name: "session", Value: "s1", Path: "/"})
				case r.URL.Path == "/door":
					_, _ = io.WriteString(w, form)
				case err != nil || in.Value != "s1":
					w.WriteHeader(http.StatusForbidden)
				default:
					asked.Add(1)
					inner.ServeHTTP(w, r)
				}
			}))
			dir := t.TempDir()
			file := func(name, text string) string {
				path := filepath.Join(dir, name)
				must(t, os.WriteFile(path, []byte(text), 0o600))
				return path
			}
			e := open(t, server, func(s *config.Settings) {
				host := strings.TrimPrefix(server, "http://")
				switch {
				case c.password != "":
					s.Host = map[string]config.Host{host: {User: "alice", PasswordFile: file("password", c.password), LoginPage: server + "/door"}}
				case c.cookies:
					s.Host = map[string]config.Host{host: {Cookies: file("cookies", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts1\n")}}
				}
			})
			o, err := e.Seeds.SearchSeeds(t.Context(), seeds.SearchQuestion{Words: []string{"公告"}})
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || asked.Load() != 0 || tries.Load() > 1 {
					t.Errorf("%v after %d questions and %d tries", err, asked.Load(), tries.Load())
				}
				return
			}
			if err != nil || o.Hosts != c.hosts || logins.Load() != int64(c.logins) {
				t.Errorf("%d hosts, %d logins, %v", o.Hosts, logins.Load(), err)
			}
		})
	}
}

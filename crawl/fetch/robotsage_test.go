package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A host that stays closed is asked less and less often, at last once an hour,
// and the error says when; a good answer wipes the slate.
func TestRobotsBackoff(t *testing.T) {
	clock := newClock()
	site := &robotsSite{status: 503}
	base := serve(t, site.ServeHTTP)
	f := open(t, Config{AllowPrivate: true, Now: clock.now})
	fetch := func() *Error {
		_, err := f.Fetch(t.Context(), Request{URL: base + "/a"})
		var e *Error
		errors.As(err, &e)
		return e
	}
	waits := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60}
	for i, minutes := range waits {
		want := minutes * time.Minute
		if e := fetch(); e == nil || e.Kind != RobotsUnavailable || !e.Temporary() || e.RetryAfter != want || site.count() != i+1 {
			t.Fatalf("failure %d: %+v after asking %d times, want closed for %v", i+1, e, site.count(), want)
		}
		clock.advance(want - 1)
		if e := fetch(); e == nil || e.RetryAfter != 1 || site.count() != i+1 {
			t.Fatalf("failure %d: %+v a moment before; asked %d times", i+1, e, site.count())
		}
		clock.advance(1)
	}
	site.set(200, "")
	if e := fetch(); e != nil {
		t.Fatal(e)
	}
	clock.advance(robotsLife)
	site.set(503, "")
	if e := fetch(); e == nil || e.RetryAfter != time.Minute {
		t.Errorf("after a good answer: %+v, want a minute", e)
	}
}

// A host that says when to come back is taken at its word, within a minute and
// an hour.
func TestRobotsRetryAfter(t *testing.T) {
	cases := map[string]time.Duration{"600": 10 * time.Minute, "5": time.Minute, "-1": time.Minute, "1e12": time.Hour, "junk": time.Minute}
	for said, want := range cases {
		t.Run(said, func(t *testing.T) {
			site := &robotsSite{status: 429, header: map[string]string{"Retry-After": said}}
			base := serve(t, site.ServeHTTP)
			_, err := open(t, Config{AllowPrivate: true, Now: newClock().now}).Fetch(t.Context(), Request{URL: base})
			var e *Error
			if !errors.As(err, &e) || e.Kind != RobotsUnavailable || e.RetryAfter != want {
				t.Errorf("got %+v, want closed for %v", err, want)
			}
		})
	}
}

// Five redirects are followed, over hosts too; one more and there is no file.
// What cannot be reached behind a redirect closes the host for now, whatever
// the reason: the host itself is in order.
func TestRobotsRedirectChain(t *testing.T) {
	closed := serve(t, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /a") })
	cases := map[string]struct {
		hops int
		end  string
		kind Kind
	}{
		"five hops to another host": {5, other + "/rules", Robots},
		"six hops":                  {6, other + "/rules", ""},
		"to a host that is down":    {1, closed + "/robots.txt", RobotsUnavailable},
		"to the private network":    {2, "http://10.0.0.1/robots.txt", RobotsUnavailable},
		"to metadata in disguise":   {1, "http://0xa9fea9fe/robots.txt", RobotsUnavailable},
		"to another protocol":       {1, "ftp://files.test/robots.txt", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var pages atomic.Int32
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var hop int
				switch n, _ := fmt.Sscanf(r.URL.Path, "/hop%d", &hop); {
				case r.URL.Path == "/robots.txt" || n == 1:
					to := c.end
					if hop+1 < c.hops {
						to = fmt.Sprintf("/hop%d", hop+1)
					}
					w.Header().Set("Location", to)
					w.WriteHeader(http.StatusMovedPermanently)
				default:
					pages.Add(1)
				}
			})
			var seeds []string
			for _, u := range []string{base, other, closed} {
				seeds = append(seeds, strings.TrimPrefix(u, "http://"))
			}
			f := open(t, Config{SeedHosts: seeds})
			_, err := f.Fetch(t.Context(), Request{URL: base + "/a"})
			if kindOf(err) != c.kind || (pages.Load() > 0) != (c.kind == "") {
				t.Errorf("got %v, the page was asked for %d times; want kind %q", err, pages.Load(), c.kind)
			}
		})
	}
}

// The line that the size limit cuts in two is not read: half a rule may close
// the whole site.
func TestRobotsCutRule(t *testing.T) {
	head := "User-agent: *\nDisallow: /closed\n#"
	rule := "Disallow: /archive/old"
	for cut := 1; cut <= len(rule); cut++ {
		body := head + strings.Repeat("x", maxRobotsBody-len(head)-1-cut) + "\n" + rule
		if len(body) <= maxRobotsBody {
			body += strings.Repeat("/", maxRobotsBody)
		}
		site := &robotsSite{status: 200, body: body}
		base := serve(t, site.ServeHTTP)
		f := open(t, Config{AllowPrivate: true})
		for path, want := range map[string]bool{"/news": true, "/archive/new": true, "/closed": false} {
			if ok, by, err := f.Robots(t.Context(), base+path); err != nil || ok != want {
				t.Errorf("cut after %q: %s allowed %v by %q, %v", rule[:cut], path, ok, by, err)
			}
		}
	}
}

package fetch

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
)

// walled is a site with rules behind a firewall that refuses every request while it is shut.
type walled struct {
	mu     sync.Mutex
	shut   bool // for everybody
	file   int  // status of robots.txt besides
	status int  // of the refusal
	body   string
	asked  int // for robots.txt
}

func (g *walled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	robots := r.URL.Path == "/robots.txt"
	if robots {
		g.asked++
	}
	switch {
	case g.shut:
		w.WriteHeader(g.status)
		io.WriteString(w, g.body)
	case robots:
		w.WriteHeader(g.file)
		io.WriteString(w, "User-agent: *\nDisallow: /admin/\n")
	default:
		io.WriteString(w, "page")
	}
}

func (g *walled) set(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
}

func (g *walled) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked
}

const demand = "<title>安全验证</title>"

func refusing(t *testing.T, g *walled, clock *clock) func(path string) (*Response, *Error) {
	t.Helper()
	base := serve(t, g.ServeHTTP)
	f := open(t, Config{AllowPrivate: true, Now: clock.now, Challenge: func(b []byte) bool { return bytes.Equal(b, []byte(demand)) }})
	return func(path string) (*Response, *Error) {
		res, err := f.Fetch(t.Context(), Request{URL: base + path})
		var e *Error
		errors.As(err, &e)
		return res, e
	}
}

// A host that refuses everybody says nothing of its rules: when it lets us in again they
// are read before anything of it is taken.
func TestARefusalIsNoWordAboutRules(t *testing.T) {
	for name, g := range map[string]*walled{
		"a ban":       {status: 403, file: 200},
		"a login":     {status: 401, file: 200},
		"a challenge": {status: 200, body: demand, file: 200},
	} {
		t.Run(name, func(t *testing.T) {
			fetch := refusing(t, g, newClock())
			g.set(true)
			for range 3 {
				if res, e := fetch("/admin/a"); e != nil || res.Status != g.status {
					t.Fatalf("while it is shut: %+v, %v", res, e)
				}
			}
			if g.count() != 1 {
				t.Errorf("robots.txt was asked for %d times while it was shut", g.count())
			}
			g.set(false)
			for range 2 {
				if res, e := fetch("/admin/a"); e == nil || e.Kind != Robots {
					t.Errorf("when it is open again: %+v, %v", res, e)
				}
			}
			if _, e := fetch("/a"); e != nil {
				t.Error(e)
			}
			if g.count() != 2 {
				t.Errorf("robots.txt was asked for %d times, want 2", g.count())
			}
		})
	}
}

// Many hosts refuse this file alone: they are open, and asked for it no third time.
func TestAFileThatIsRefusedAlone(t *testing.T) {
	g := &walled{file: 403}
	fetch := refusing(t, g, newClock())
	for _, path := range []string{"/a", "/admin/a", "/b"} {
		if res, e := fetch(path); e != nil || string(res.Body) != "page" {
			t.Errorf("%s: %+v, %v", path, res, e)
		}
	}
	if g.count() != 2 {
		t.Errorf("robots.txt was asked for %d times, want 2", g.count())
	}
}

// Rules that were read hold where the file is refused later, until it can be read again.
func TestRulesOutliveARefusal(t *testing.T) {
	g, clock := &walled{status: 403, file: 200}, newClock()
	fetch := refusing(t, g, clock)
	if _, e := fetch("/a"); e != nil {
		t.Fatal(e)
	}
	g.set(true)
	for range 3 {
		clock.advance(robotsLife)
		if res, e := fetch("/admin/a"); e == nil || e.Kind != Robots {
			t.Errorf("%+v, %v", res, e)
		}
	}
	if g.count() != 4 {
		t.Errorf("robots.txt was asked for %d times, want 4", g.count())
	}
}

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// hostAt is the host of a test server, as it stands in URLs.
func hostAt(t *testing.T, s *httptest.Server) string {
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// What a host is asked by goes to it and to no other.
func TestDoorsOfOneHost(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: other\nDisallow: /closed\n")
			return
		}
		fmt.Fprintf(w, "%s|%s|%s|%s|%s", r.UserAgent(), r.Header.Get("X-Token"), user, password, r.Method)
	})
	a, b := httptest.NewServer(echo), httptest.NewServer(echo)
	defer a.Close()
	defer b.Close()
	f := open(t, Config{AllowPrivate: true, UserAgent: "usual/1"})
	get := func(address string) string {
		t.Helper()
		res, err := f.Fetch(t.Context(), Request{URL: address})
		if err != nil {
			return err.Error()
		}
		return string(res.Body)
	}
	if got := get(a.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("before: %s", got)
	}
	doors := map[string]Door{hostAt(t, a): {UserAgent: "other/2", Header: http.Header{"X-Token": {"abc"}}, User: "alice", Password: "geheim"}}
	if err := f.SetDoors(doors); err != nil {
		t.Fatal(err)
	}
	if got := get(a.URL + "/"); got != "other/2|abc|alice|geheim|GET" {
		t.Errorf("with a door: %s", got)
	}
	if got := get(a.URL + "/closed"); !strings.Contains(got, "robots.txt forbids") {
		t.Errorf("robots.txt is read under the other name now: %s", got)
	}
	if got := get(b.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("another host: %s", got)
	}
	if err := f.SetDoors(nil); err != nil {
		t.Fatal(err)
	}
	if got := get(a.URL + "/closed"); got != "usual/1||||GET" {
		t.Errorf("after: %s", got)
	}
	if err := f.SetDoors(map[string]Door{"x.cn": {Proxy: "ftp://p"}}); err == nil || !strings.Contains(err.Error(), "x.cn") {
		t.Errorf("%v", err)
	}
}

// A certificate that nobody vouches for is trusted by its fingerprint alone.
func TestCertificateByFingerprint(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "here") }))
	defer s.Close()
	s.Config.ErrorLog = nil
	sum := sha256.Sum256(s.Certificate().Raw)
	f := open(t, Config{AllowPrivate: true})
	_, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
	var fe *Error
	if !errors.As(err, &fe) || fe.Kind != TLS || Fingerprint(err) != hex.EncodeToString(sum[:]) {
		t.Fatalf("%v, fingerprint %q", err, Fingerprint(err))
	}
	wrong := sum
	wrong[0]++
	for name, c := range map[string]struct {
		print []byte
		good  bool
	}{"the right one": {sum[:], true}, "another one": {wrong[:], false}} {
		if err := f.SetDoors(map[string]Door{hostAt(t, s): {Certificate: c.print}}); err != nil {
			t.Fatal(err)
		}
		f.Reconsider()
		res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
		switch {
		case c.good && (err != nil || string(res.Body) != "here"):
			t.Errorf("%s: %v", name, err)
		case !c.good && (!errors.As(err, &fe) || fe.Kind != TLS || Fingerprint(err) != hex.EncodeToString(sum[:])):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A proxy of its own is asked for one host, and none where it says so.
func TestProxyOfOneHost(t *testing.T) {
	var proxied atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied.Add(1)
		fmt.Fprint(w, "by proxy")
	}))
	defer proxy.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "straight") }))
	defer s.Close()
	body := func(f *Fetcher) string {
		t.Helper()
		res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
		if err != nil {
			t.Fatal(err)
		}
		return string(res.Body)
	}
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	if err := f.SetDoors(map[string]Door{hostAt(t, s): {Proxy: proxy.URL}}); err != nil {
		t.Fatal(err)
	}
	if got := body(f); got != "by proxy" {
		t.Error(got)
	}
	g := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Proxy: proxy.URL})
	if err := g.SetDoors(map[string]Door{hostAt(t, s): {Proxy: Direct}}); err != nil {
		t.Fatal(err)
	}
	if got := body(g); got != "straight" || proxied.Load() != 1 {
		t.Errorf("%s, %d by proxy", got, proxied.Load())
	}
}

// A door is opened before the first request, and its own requests go through.
func TestDoorIsEntered(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /login\n")
		case r.URL.Path == "/login":
			http.SetCookie(w, &http.Cookie{Name: "in", Value: "1", Path: "/"})
		default:
			if _, err := r.Cookie("in"); err != nil {
				w.WriteHeader(http.StatusForbidden)
			}
		}
	}))
	defer s.Close()
	f := open(t, Config{AllowPrivate: true})
	calls := 0
	failing := errors.New("the key is lost")
	door := Door{Enter: func(ctx context.Context) error {
		if calls++; calls == 1 {
			return failing
		}
		_, err := f.Fetch(Entering(ctx), Request{URL: s.URL + "/login"})
		return err
	}}
	if err := f.SetDoors(map[string]Door{hostAt(t, s): door}); err != nil {
		t.Fatal(err)
	}
	var fe *Error
	if _, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"}); !errors.As(err, &fe) || fe.Kind != Login || !fe.Temporary() {
		t.Errorf("%v", err)
	}
	res, err := f.Fetch(t.Context(), Request{URL: s.URL + "/"})
	if err != nil || res.Status != 200 || calls != 2 {
		t.Errorf("%v, %v, %d calls", res, err, calls)
	}
}

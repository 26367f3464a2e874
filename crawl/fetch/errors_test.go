package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestFetchErrors(t *testing.T) {
	refused, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	closed := "http://" + refused.Addr().String()
	refused.Close()

	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		case "/hang-body":
			io.WriteString(w, "the first half")
			w.(http.Flusher).Flush()
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "half a page")
		case "/br":
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, "whatever")
		case "/bad-gzip":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("\x1f\x8b\x08\x00 and then nonsense, nonsense"))
		}
	})
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)

	noSuchHost := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "nowhere.test", IsNotFound: true}
	}
	resolverDown := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "server misbehaving", Name: "nowhere.test", IsTemporary: true}
	}
	direct := Config{AllowPrivate: true, IgnoreRobots: true}
	cases := map[string]struct {
		cfg       Config
		url       string
		kind      Kind
		temporary bool
	}{
		"refused":               {direct, closed, Connect, true},
		"timeout":               {Config{AllowPrivate: true, IgnoreRobots: true, Timeout: 30 * time.Millisecond}, plain + "/hang", Timeout, true},
		"timeout in the body":   {Config{AllowPrivate: true, IgnoreRobots: true, Timeout: 30 * time.Millisecond}, plain + "/hang-body", Timeout, true},
		"cut off":               {direct, plain + "/cut", Body, true},
		"unknown encoding":      {direct, plain + "/br", Body, true},
		"broken gzip":           {direct, plain + "/bad-gzip", Body, true},
		"unknown certificate":   {direct, secure.URL, TLS, true},
		"https to a plain port": {direct, strings.Replace(plain, "http:", "https:", 1), TLS, true},
		"no such host":          {Config{Dial: noSuchHost, IgnoreRobots: true}, "http://nowhere.test/", DNS, true},
		"resolver down":         {Config{Dial: resolverDown, IgnoreRobots: true}, "http://nowhere.test/", DNS, true},
		"loopback":              {Config{IgnoreRobots: true}, plain, Guard, false},
		"loopback by name":      {Config{IgnoreRobots: true}, strings.Replace(plain, "127.0.0.1", "localhost", 1), Guard, false},
		"other scheme":          {direct, "ftp://example.test/", BadURL, false},
		"no host":               {direct, "http:///path", BadURL, false},
		"not a URL":             {direct, "http://a b/\x00", BadURL, false},
		"address in disguise":   {direct, "http://0x7f.1/", BadURL, false},
		"refused by the parser": {direct, "http://exa^mple.test/", BadURL, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			res, err := open(t, c.cfg).Fetch(t.Context(), Request{URL: c.url})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %+v, %v; want an *Error", res, err)
			}
			if e.Kind != c.kind || e.Temporary() != c.temporary {
				t.Errorf("kind %q temporary %v, want %q %v (%v)", e.Kind, e.Temporary(), c.kind, c.temporary, err)
			}
			if s := err.Error(); strings.ContainsAny(s, "\n\r\x00\x1b") || !strings.Contains(s, ": ") {
				t.Errorf("message %q is not one plain line", s)
			}
		})
	}
}

// Cancelling ends a fetch at once, in the page as well as in robots.txt.
func TestFetchCancel(t *testing.T) {
	for _, path := range []string{"/page", "/robots.txt"} {
		t.Run(path, func(t *testing.T) {
			reached := make(chan struct{})
			done := make(chan struct{})
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == path {
					close(reached)
					select {
					case <-done:
					case <-r.Context().Done():
					}
				}
			})
			t.Cleanup(func() { close(done) })
			f := open(t, Config{AllowPrivate: true, Timeout: time.Hour})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-reached
				cancel()
			}()
			_, err := f.Fetch(ctx, Request{URL: base + "/page"})
			if kindOf(err) != Canceled || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want canceled", err)
			}
		})
	}
}

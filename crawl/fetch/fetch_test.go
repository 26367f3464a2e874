package fetch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serve starts a real server whose robots.txt is a 404 unless h answers it.
func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func open(t testing.TB, cfg Config) *Fetcher {
	t.Helper()
	f, err := New(cfg)
	must(t, err)
	t.Cleanup(f.Close)
	return f
}

func kindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

func TestFetchResponses(t *testing.T) {
	gbk := []byte("<html>\xd5\xd0\xb1\xea\xb9\xab\xb8\xe6</html>") // 招标公告
	text := []byte(strings.Repeat("tender notice ", 500))
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		header map[string]string
		status int
		body   []byte
		want   Response
	}{
		"plain page": {header: map[string]string{"Content-Type": "text/html", "ETag": `"v1"`, "Last-Modified": "Fri, 20 Nov 2026 07:00:00 GMT"}, status: 200, body: text,
			want: Response{ContentType: "text/html", ETag: `"v1"`, LastModified: "Fri, 20 Nov 2026 07:00:00 GMT", Body: text}},
		"declared charset leaves the bytes alone": {header: map[string]string{"Content-Type": "text/html; charset=gbk"}, status: 200, body: gbk,
			want: Response{ContentType: "text/html; charset=gbk", Body: gbk}},
		"wrong charset leaves the bytes alone": {header: map[string]string{"Content-Type": "text/html; charset=no-such"}, status: 200, body: gbk,
			want: Response{ContentType: "text/html; charset=no-such", Body: gbk}},
		"not found is a response":        {status: 404, body: []byte("gone"), want: Response{Body: []byte("gone")}},
		"busy with seconds":              {header: map[string]string{"Retry-After": "7"}, status: 503, want: Response{RetryAfter: 7 * time.Second}},
		"busy with a date":               {header: map[string]string{"Retry-After": "Fri, 20 Nov 2026 08:02:00 GMT"}, status: 429, want: Response{RetryAfter: 2 * time.Minute}},
		"busy for ever is capped":        {header: map[string]string{"Retry-After": "1e300"}, status: 503, want: Response{RetryAfter: maxRetryAfter}},
		"relative redirect":              {header: map[string]string{"Location": "../list.htm#top"}, status: 302, want: Response{Location: "/list.htm"}},
		"redirect without a target":      {status: 301},
		"redirect to a broken target":    {header: map[string]string{"Location": "http://[::1"}, status: 302},
		"redirect to another scheme":     {header: map[string]string{"Location": "javascript:alert(1)"}, status: 302},
		"redirect with a cookie":         {header: map[string]string{"Location": "/elsewhere", "Set-Cookie": "a=1"}, status: 302, want: Response{Location: "/elsewhere"}},
		"gzip":                           {header: map[string]string{"Content-Encoding": "gzip"}, status: 200, body: packed(t, asGzip, text), want: Response{Body: text}},
		"gzip on top of gzip":            {header: map[string]string{"Content-Encoding": "gzip, gzip"}, status: 200, body: packed(t, asGzip, packed(t, asGzip, text)), want: Response{Body: text}},
		"deflate with wrapper":           {header: map[string]string{"Content-Encoding": "deflate"}, status: 200, body: packed(t, asZlib, text), want: Response{Body: text}},
		"deflate without wrapper":        {header: map[string]string{"Content-Encoding": "deflate"}, status: 200, body: packed(t, asFlate, text), want: Response{Body: text}},
		"brotli":                         {header: map[string]string{"Content-Encoding": "br"}, status: 200, body: packed(t, asBrotli, text), want: Response{Body: text}},
		"brotli on top of zstd":          {header: map[string]string{"Content-Encoding": "zstd, br"}, status: 200, body: packed(t, asBrotli, packed(t, asZstd, text)), want: Response{Body: text}},
		"zstd":                           {header: map[string]string{"Content-Encoding": "zstd"}, status: 200, body: packed(t, asZstd, text), want: Response{Body: text}},
		"said brotli, is empty":          {header: map[string]string{"Content-Encoding": "br"}, status: 200},
		"said gzip, is plain":            {header: map[string]string{"Content-Encoding": "gzip"}, status: 200, body: text, want: Response{Body: text}},
		"charset as an encoding":         {header: map[string]string{"Content-Encoding": "utf-8, gzip"}, status: 200, body: packed(t, asGzip, text), want: Response{Body: text}},
		"partial content is the page":    {status: 206, body: text, want: Response{Status: 200, Body: text}},
		"changed by a proxy":             {status: 203, body: text, want: Response{Status: 200, Body: text}},
		"created, without a body":        {status: 201},
		"come again later":               {status: 202, body: text, want: Response{Body: text}},
		"said gzip, is empty":            {header: map[string]string{"Content-Encoding": "gzip"}, status: 200},
		"gzip by content type":           {header: map[string]string{"Content-Type": "application/gzip"}, status: 200, body: packed(t, asGzip, text), want: Response{ContentType: "application/gzip", Body: text}},
		"plain with a gzip content type": {header: map[string]string{"Content-Type": "application/x-gzip"}, status: 200, body: text, want: Response{ContentType: "application/x-gzip", Body: text}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					http.NotFound(w, r)
					return
				}
				for k, v := range c.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.status)
				w.Write(c.body)
			})
			f := open(t, Config{AllowPrivate: true, Now: func() time.Time { return now }})
			got, err := f.Fetch(t.Context(), Request{URL: base + "/info/page.htm"})
			must(t, err)
			want := c.want
			if want.Location != "" {
				want.Location = base + want.Location
			}
			status := cmp.Or(want.Status, c.status)
			if got.Status != status || got.URL != base+"/info/page.htm" || got.Truncated {
				t.Errorf("got status %d url %s truncated %v, want status %d", got.Status, got.URL, got.Truncated, status)
			}
			if !bytes.Equal(got.Body, want.Body) {
				t.Errorf("body: %d bytes %.40q, want %d bytes %.40q", len(got.Body), got.Body, len(want.Body), want.Body)
			}
			if want.ContentType != "" && got.ContentType != want.ContentType || got.ETag != want.ETag || got.LastModified != want.LastModified {
				t.Errorf("headers: %q %q %q, want %q %q %q", got.ContentType, got.ETag, got.LastModified, want.ContentType, want.ETag, want.LastModified)
			}
			if got.Location != want.Location || got.RetryAfter != want.RetryAfter {
				t.Errorf("location %q retry after %v, want %q %v", got.Location, got.RetryAfter, want.Location, want.RetryAfter)
			}
		})
	}
}

func TestFetchConditional(t *testing.T) {
	const since = "Fri, 20 Nov 2026 07:00:00 GMT"
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") == since {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, "whole page")
	})
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	cases := map[string]struct {
		req    Request
		status int
		body   string
	}{
		"unchanged":                     {Request{URL: base, ETag: `"v1"`, LastModified: since}, 304, ""},
		"changed":                       {Request{URL: base, ETag: `"v0"`, LastModified: since}, 200, "whole page"},
		"validator that cannot be sent": {Request{URL: base, ETag: "\"a\r\nX: b\"", LastModified: since}, 200, "whole page"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := f.Fetch(t.Context(), c.req)
			if err != nil || got.Status != c.status || string(got.Body) != c.body {
				t.Fatalf("got %+v, %v; want %d %q", got, err, c.status, c.body)
			}
		})
	}
}

// A web application firewall answers with a cookie and a redirect to the same
// page; a server that never stops doing so must not hold a worker.
func TestFetchCookiePage(t *testing.T) {
	var hits atomic.Int32
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		if _, err := r.Cookie("pass"); err == nil && r.URL.Path == "/page" {
			io.WriteString(w, "behind the wall")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "pass", Value: "1"})
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	got, err := f.Fetch(t.Context(), Request{URL: base + "/page"})
	if err != nil || got.Status != 200 || string(got.Body) != "behind the wall" {
		t.Fatalf("got %+v, %v; want the page behind the wall", got, err)
	}
	hits.Store(0)
	got, err = f.Fetch(t.Context(), Request{URL: base + "/endless"})
	if err != nil || got.Status != 302 || got.Location != base+"/endless" {
		t.Fatalf("got %+v, %v; want the redirect to itself", got, err)
	}
	if n := hits.Load(); n != 4 {
		t.Errorf("asked %d times, want 4: once and 3 redirects", n)
	}
}

func TestFollow(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /closed")
		case "/a":
			http.Redirect(w, r, "/b", http.StatusMovedPermanently)
		case "/b":
			http.Redirect(w, r, "/c", http.StatusFound)
		case "/to-closed":
			http.Redirect(w, r, "/closed/x", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			io.WriteString(w, r.URL.Path)
		}
	})
	f := open(t, Config{AllowPrivate: true})
	cases := map[string]struct {
		path string
		max  int
		end  string
		kind Kind
	}{
		"no redirect":          {"/c", 0, "/c", ""},
		"two redirects":        {"/a", 2, "/c", ""},
		"one too many":         {"/a", 1, "", Redirect},
		"a loop":               {"/loop", 10, "", Redirect},
		"robots on the target": {"/to-closed", 5, "", Robots},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := f.Follow(t.Context(), Request{URL: base + c.path}, c.max)
			if kindOf(err) != c.kind {
				t.Fatalf("error %v, want kind %q", err, c.kind)
			}
			if c.kind == "" && (got.URL != base+c.end || string(got.Body) != c.end) {
				t.Errorf("ended at %s with %q, want %s", got.URL, got.Body, c.end)
			}
		})
	}
}

// One fetcher, many workers, one collector: no worker gets another's page.
func TestFetchConcurrent(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, r.URL.Path)
	})
	f := open(t, Config{AllowPrivate: true})
	var wg sync.WaitGroup
	for worker := range 16 {
		wg.Go(func() {
			for i := range 20 {
				path := fmt.Sprintf("/%d/%d", worker, i)
				got, err := f.Fetch(t.Context(), Request{URL: base + path})
				if err != nil || string(got.Body) != path {
					t.Errorf("asked for %s, got %+v, %v", path, got, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		cfg  Config
		want string
	}{
		"proxy without scheme":    {Config{Proxy: "127.0.0.1:8080"}, "http://HOST:PORT"},
		"proxy of another scheme": {Config{Proxy: "ftp://p.test:1"}, "unknown scheme"},
		"proxy without host":      {Config{Proxy: "http://"}, "no proxy URL"},
		"user agent with newline": {Config{UserAgent: "a\nb"}, "user agent"},
		"negative body limit":     {Config{MaxBody: -1}, "negative"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %q", err, c.want)
			}
		})
	}
}

// A Refresh header of a short page leads on like a Location.
func TestRefreshHeader(t *testing.T) {
	for name, c := range map[string]struct {
		refresh, body string
		status        int
		to            string // path
	}{
		"at once":        {"0; url=/b", "", 302, "/b"},
		"after a notice": {"3;URL='/b'", "<p>请稍候</p>", 302, "/b"},
		"later":          {"60; url=/b", "", 200, ""},
		"a whole page":   {"0; url=/b", strings.Repeat("x", maxRefreshBody+1), 200, ""},
		"itself":         {"5", "x", 200, ""},
	} {
		base := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Refresh", c.refresh)
			io.WriteString(w, c.body)
		})
		f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
		res, err := f.Fetch(t.Context(), Request{URL: base + "/a"})
		if err != nil {
			t.Fatal(err)
		}
		if to := strings.TrimPrefix(res.Location, base); res.Status != c.status || to != c.to {
			t.Errorf("%s: status %d, to %q; want %d, %q", name, res.Status, to, c.status, c.to)
		}
	}
}

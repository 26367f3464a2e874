package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
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
	if err != nil {
		t.Fatal(err)
	}
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

func packed(t testing.TB, pack func(io.Writer) io.WriteCloser, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pack(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}

func asGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func asZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func asFlate(w io.Writer) io.WriteCloser {
	f, _ := flate.NewWriter(w, 6)
	return f
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
		"busy for ever is capped":        {header: map[string]string{"Retry-After": "1e300"}, status: 503, want: Response{RetryAfter: MaxRetryAfter}},
		"relative redirect":              {header: map[string]string{"Location": "../list.htm#top"}, status: 302, want: Response{Location: "/list.htm"}},
		"redirect without a target":      {status: 301},
		"redirect to a broken target":    {header: map[string]string{"Location": "http://[::1"}, status: 302},
		"redirect to another scheme":     {header: map[string]string{"Location": "javascript:alert(1)"}, status: 302},
		"redirect with a cookie":         {header: map[string]string{"Location": "/elsewhere", "Set-Cookie": "a=1"}, status: 302, want: Response{Location: "/elsewhere"}},
		"gzip":                           {header: map[string]string{"Content-Encoding": "gzip"}, status: 200, body: packed(t, asGzip, text), want: Response{Body: text}},
		"gzip on top of gzip":            {header: map[string]string{"Content-Encoding": "gzip, gzip"}, status: 200, body: packed(t, asGzip, packed(t, asGzip, text)), want: Response{Body: text}},
		"deflate with wrapper":           {header: map[string]string{"Content-Encoding": "deflate"}, status: 200, body: packed(t, asZlib, text), want: Response{Body: text}},
		"deflate without wrapper":        {header: map[string]string{"Content-Encoding": "deflate"}, status: 200, body: packed(t, asFlate, text), want: Response{Body: text}},
		"said gzip, is plain":            {header: map[string]string{"Content-Encoding": "gzip"}, status: 200, body: text, want: Response{Body: text}},
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
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			if want.Location != "" {
				want.Location = base + want.Location
			}
			if got.Status != c.status || got.URL != base+"/info/page.htm" || got.Truncated {
				t.Errorf("got status %d url %s truncated %v, want status %d", got.Status, got.URL, got.Truncated, c.status)
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

// A body stops at MaxBody decoded bytes, however it is packed.
func TestFetchBounds(t *testing.T) {
	const limit = 64 << 10
	zeros := make([]byte, 16<<20)
	bomb := packed(t, asGzip, zeros) // 16 KB that unpack to 16 MB
	emptyBlocks := append(packed(t, asGzip, nil)[:10], bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1<<20)...)
	cases := map[string]struct {
		path, encoding, ctype string
		body                  []byte
		size                  int
	}{
		"long body":                     {path: "/a", body: zeros[:limit+1], size: limit},
		"body of exactly the limit":     {path: "/a", body: zeros[:limit], size: limit},
		"content-encoding bomb":         {path: "/a", encoding: "gzip", body: bomb, size: limit},
		"bomb in a bomb":                {path: "/a", encoding: "gzip, gzip", body: packed(t, asGzip, bomb), size: limit},
		"sitemap.xml.gz bomb":           {path: "/sitemap.xml.gz", body: bomb, size: limit},
		"content-type bomb":             {path: "/a", ctype: "application/gzip", body: bomb, size: limit},
		"gzip of nothing but 5 MB long": {path: "/a", encoding: "gzip", body: emptyBlocks, size: 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				w.Header().Set("Content-Type", c.ctype)
				w.Write(c.body)
			})
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, MaxBody: limit})
			got, err := f.Fetch(t.Context(), Request{URL: base + c.path})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Body) != c.size || cap(got.Body) > 2*limit {
				t.Errorf("kept %d bytes (capacity %d), want %d", len(got.Body), cap(got.Body), c.size)
			}
			if want := len(c.body) > limit || c.encoding != "" || c.ctype != "" || strings.HasSuffix(c.path, ".gz"); got.Truncated != want {
				t.Errorf("truncated %v, want %v", got.Truncated, want)
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

func TestFetchErrors(t *testing.T) {
	refused, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
		"unknown certificate":   {direct, secure.URL, TLS, false},
		"https to a plain port": {direct, strings.Replace(plain, "http:", "https:", 1), TLS, false},
		"no such host":          {Config{Dial: noSuchHost, IgnoreRobots: true}, "http://nowhere.test/", DNS, false},
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

// One fetcher, many workers, one collector: nobody gets another's page.
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

func TestProxy(t *testing.T) {
	var asked atomic.Value
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "from the proxy")
	})
	f := open(t, Config{Proxy: proxy})
	got, err := f.Fetch(t.Context(), Request{URL: "http://www.example.test/list.htm"})
	if err != nil || string(got.Body) != "from the proxy" || asked.Load() != "http://www.example.test/list.htm" {
		t.Fatalf("got %+v, %v; the proxy was asked for %v", got, err, asked.Load())
	}
	for _, u := range []string{"http://127.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://localhost:8080/", "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal./"} {
		if _, err := f.Fetch(t.Context(), Request{URL: u}); kindOf(err) != Guard {
			t.Errorf("%s through a proxy: got %v, want the guard to refuse it", u, err)
		}
	}
	if s := asked.Load(); s != "http://www.example.test/list.htm" {
		t.Errorf("the proxy was asked for %v", s)
	}
}

// A dialer of the caller's own reaches hosts no resolver knows, on loopback too.
func TestDial(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	var dialled atomic.Value
	f := open(t, Config{IgnoreRobots: true, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialled.Store(addr)
		var d net.Dialer
		return d.DialContext(ctx, network, strings.TrimPrefix(base, "http://"))
	}})
	got, err := f.Fetch(t.Context(), Request{URL: "http://zb.example.test/"})
	if err != nil || string(got.Body) != "zb.example.test" || dialled.Load() != "zb.example.test:80" {
		t.Errorf("got %+v, %v after dialling %v", got, err, dialled.Load())
	}
}

// A SOCKS5 proxy gets the host name, not an address: it resolves.
func TestSOCKS5(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "behind socks") })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 300)
		io.ReadFull(c, buf[:2])      // version, number of methods
		io.ReadFull(c, buf[:buf[1]]) // methods
		c.Write([]byte{5, 0})        // no authentication
		io.ReadFull(c, buf[:5])      // version, connect, 0, domain name, its length
		n := int(buf[4])
		io.ReadFull(c, buf[:n+2]) // name and port
		asked <- string(buf[:n])
		c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		up, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			return
		}
		defer up.Close()
		go io.Copy(up, c)
		io.Copy(c, up)
	}()
	f := open(t, Config{IgnoreRobots: true, Proxy: "socks5://" + l.Addr().String()})
	got, err := f.Fetch(t.Context(), Request{URL: "http://www.example.test/"})
	if err != nil || string(got.Body) != "behind socks" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if host := <-asked; host != "www.example.test" {
		t.Errorf("the proxy was asked for %q", host)
	}
	f.Close() // ends the proxy's copying
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

// Whatever a server calls its bytes, what is kept stays in bounds.
func FuzzReadBody(f *testing.F) {
	f.Add([]byte("plain"), "", "text/html", "/a")
	f.Add(packed(f, asGzip, make([]byte, 9000)), "gzip", "", "/a")
	f.Add(packed(f, asZlib, make([]byte, 9000)), "deflate, gzip", "", "/a")
	f.Add(packed(f, asFlate, make([]byte, 9000)), "deflate", "", "/a")
	f.Add(packed(f, asGzip, packed(f, asGzip, []byte("x"))), "gzip", "application/gzip", "/s.xml.gz")
	f.Add([]byte{0x1f, 0x8b, 8, 0xff}, "GZIP", "", "/a")
	f.Fuzz(func(t *testing.T, body []byte, encoding, ctype, path string) {
		const limit = 4096
		res := &http.Response{
			Header:        http.Header{"Content-Encoding": {encoding}, "Content-Type": {ctype}},
			Body:          io.NopCloser(bytes.NewReader(body)),
			ContentLength: -1,
		}
		got, truncated, err := readBody(res, path, limit)
		if len(got) > limit || err != nil && (got != nil || truncated) {
			t.Errorf("%d bytes, truncated %v, error %v", len(got), truncated, err)
		}
		if encoding == "" && ctype == "" && !strings.HasSuffix(strings.ToLower(path), ".xml.gz") && !bytes.Equal(got, body[:min(len(body), limit)]) {
			t.Error("a plain body was changed")
		}
	})
}

func FuzzRedirectTarget(f *testing.F) {
	for _, s := range []string{"/a", "//b.test/x", "http://[::1", "javascript:1", "\\\\evil.test", "?q=\xb9\xab", "http://a.test/%zz#f"} {
		f.Add(s)
	}
	base, err := parseURL("http://h.test/dir/page.htm")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, location string) {
		got := redirectTarget(base, location)
		if got == "" {
			return
		}
		if !strings.HasPrefix(got, "http://") && !strings.HasPrefix(got, "https://") || strings.ContainsAny(got, "\r\n\x00 #") {
			t.Errorf("%q leads to %q", location, got)
		}
	})
}

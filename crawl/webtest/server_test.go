package webtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// client talks to the web through the dialer, without following redirects.
func client(t testing.TB, s *Server) *http.Client {
	tr := &http.Transport{DialContext: s.Dial, MaxIdleConnsPerHost: 4}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func serve(t testing.TB, w http.Handler) *Server {
	t.Helper()
	s, err := Serve(w)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// get returns a response with its body read.
func get(t testing.TB, c *http.Client, address string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.Do(req)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return res, string(body)
}

func TestServedIsRendered(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	s := serve(t, w)
	c := client(t, s)
	for _, address := range []string{"http://www.donghu.test/index.htm", "http://zbb.donghu.test/zbgg.htm", "http://cgzx.jiangting.test/zbgg/list2.htm"} {
		res, body := get(t, c, address)
		host, path := split(address)
		want := w.Page(host, path)
		if res.StatusCode != 200 || body != string(want.Body) || res.Header.Get("Content-Type") != want.ContentType {
			t.Errorf("%s: status %d, %d bytes, want %d", address, res.StatusCode, len(body), len(want.Body))
		}
	}
}

func TestConditionalGet(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	c := client(t, serve(t, w))
	const address = "http://zbb.donghu.test/zbgg.htm"
	first, _ := get(t, c, address)
	tag, modified := first.Header.Get("ETag"), first.Header.Get("Last-Modified")
	if tag == "" || modified == "" {
		t.Fatalf("validators %q and %q", tag, modified)
	}
	for name, step := range map[string]struct {
		header []string
		status int
	}{
		"the same tag":             {[]string{"If-None-Match", tag}, 304},
		"the tag, weak, in a list": {[]string{"If-None-Match", `"other", W/` + tag}, 304},
		"another tag":              {[]string{"If-None-Match", `"other"`}, 200},
		"not modified since":       {[]string{"If-Modified-Since", modified}, 304},
		"modified since":           {[]string{"If-Modified-Since", "Mon, 01 Jan 2024 00:00:00 GMT"}, 200},
		"the tag decides":          {[]string{"If-None-Match", `"other"`, "If-Modified-Since", modified}, 200},
		"a date that is none":      {[]string{"If-Modified-Since", "yesterday"}, 200},
	} {
		res, body := get(t, c, address, step.header...)
		if res.StatusCode != step.status || (step.status == 304) != (body == "") {
			t.Errorf("%s: status %d with %d bytes, want %d", name, res.StatusCode, len(body), step.status)
		}
	}
	w.Publish(1)
	if res, _ := get(t, c, address, "If-None-Match", tag, "If-Modified-Since", modified); res.StatusCode != 200 {
		t.Errorf("after a publication: status %d", res.StatusCode)
	}
	if res, _ := get(t, c, address, "If-Modified-Since", modified); res.StatusCode != 200 {
		t.Errorf("after a publication, by date: status %d", res.StatusCode)
	}
}

func TestRedirects(t *testing.T) {
	c := client(t, serve(t, demo(t, Options{Seed: 1})))
	for _, step := range []struct {
		from, to string
		status   int
	}{
		{"http://www.donghu.test/", "/index.htm", 302},
		{"http://zbb.donghu.test/index.htm", "/", 301},
		{"http://donghu.test/zbgg.htm", "http://www.donghu.test/zbgg.htm", 301},
		{"http://zbb.donghu.test/old/zbgg.htm", "/zbgg.htm", 301},
		{"http://cgzx.jiangting.test/zbgg/", "/zbgg/list.htm", 301},
		{"http://www.linlan.test/loop/a", "/loop/b", 302},
		{"http://www.linlan.test/loop/b", "/loop/a", 302},
	} {
		res, _ := get(t, c, step.from)
		if res.StatusCode != step.status || res.Header.Get("Location") != step.to {
			t.Errorf("%s: status %d to %q, want %d to %q", step.from, res.StatusCode, res.Header.Get("Location"), step.status, step.to)
		}
	}
}

func TestAsProxy(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	s := serve(t, w)
	tr := &http.Transport{Proxy: http.ProxyURL(s.ProxyURL())}
	t.Cleanup(tr.CloseIdleConnections)
	c := &http.Client{Transport: tr}
	_, body := get(t, c, "http://ztb.linlan.test/zbgs/list.htm")
	if want := w.Page("ztb.linlan.test", "/zbgs/list.htm"); body != string(want.Body) {
		t.Errorf("%d bytes through the proxy, want %d", len(body), len(want.Body))
	}
	if res, _ := get(t, c, "http://elsewhere.example/"); res.StatusCode != http.StatusBadGateway {
		t.Errorf("a foreign host through the proxy: status %d", res.StatusCode)
	}
	req, _ := http.NewRequest("POST", "http://ztb.linlan.test/ssjgy.jsp", strings.NewReader("q=1"))
	res, err := c.Do(req)
	must(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", res.StatusCode)
	}
}

func TestDialRefusesTheRestOfTheWorld(t *testing.T) {
	s := serve(t, http.NotFoundHandler())
	for _, addr := range []string{"example.com:80", "127.0.0.1:1", "www.donghu.test.example.com:80"} {
		if c, err := s.Dial(context.Background(), "tcp", addr); err == nil {
			c.Close()
			t.Errorf("dialled %s", addr)
		}
	}
	c, err := s.Dial(context.Background(), "tcp", "www.donghu.test:80")
	must(t, err)
	if c.RemoteAddr().String() != s.Addr {
		t.Errorf("connected to %s, not to %s", c.RemoteAddr(), s.Addr)
	}
	c.Close()
}

func TestFaults(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	s := serve(t, w)
	c := client(t, s)
	const address = "http://www.donghu.test/index.htm"
	gate := make(chan struct{})
	s.Fail(func(req *http.Request, n int) Fault {
		if req.Host != "www.donghu.test" {
			return Fault{}
		}
		switch n {
		case 1:
			return Fault{Status: 503, RetryAfter: "7"}
		case 2:
			return Fault{Cut: true}
		case 3:
			return Fault{Wait: gate}
		}
		return Fault{}
	})
	if res, _ := get(t, c, address); res.StatusCode != 503 || res.Header.Get("Retry-After") != "7" {
		t.Errorf("first: status %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	if res, _ := get(t, c, "http://zbb.donghu.test/"); res.StatusCode != 200 {
		t.Errorf("another host: status %d", res.StatusCode)
	}
	res, err := c.Get(address)
	must(t, err)
	part, err := io.ReadAll(res.Body)
	res.Body.Close()
	if !errors.Is(err, io.ErrUnexpectedEOF) || len(part) == 0 || int64(len(part)) >= res.ContentLength {
		t.Errorf("second: %d of %d bytes, %v", len(part), res.ContentLength, err)
	}
	done := make(chan int)
	go func() {
		res, err := c.Get(address)
		if err != nil {
			done <- 0
			return
		}
		res.Body.Close()
		done <- res.StatusCode
	}()
	select {
	case status := <-done:
		t.Errorf("third: answered %d before the gate opened", status)
	default:
		close(gate)
		if status := <-done; status != 200 {
			t.Errorf("third: status %d", status)
		}
	}
	s.Fail(nil)
	if res, _ := get(t, c, address); res.StatusCode != 200 {
		t.Errorf("after the faults: status %d", res.StatusCode)
	}
}

// A stalled answer must not keep a server from closing.
func TestCloseEndsAStall(t *testing.T) {
	s, err := Serve(demo(t, Options{Seed: 1}))
	must(t, err)
	reached := make(chan struct{})
	s.Fail(func(*http.Request, int) Fault { close(reached); return Fault{Wait: make(chan struct{})} })
	c := client(t, s)
	failed := make(chan error)
	go func() {
		res, err := c.Get("http://www.donghu.test/")
		if err == nil {
			res.Body.Close()
		}
		failed <- err
	}()
	<-reached
	s.Close()
	if err := <-failed; err == nil { // one that never ends is ended by the timeout of go test
		t.Error("the stalled request succeeded")
	}
}

// BenchmarkServe measures pages over keep-alive connections, client included.
func BenchmarkServe(b *testing.B) {
	w := demo(b, Options{Seed: 1, Pages: 1_000_000})
	s := serve(b, w)
	c := client(b, s)
	var paths []string
	for _, h := range w.hosts {
		for n := range 50 {
			pg := ref{kind: kindDetail, col: n % len(h.plan.columns), n: n * 3}
			paths = append(paths, "http://"+h.addr+"/"+string(h.appendPath(nil, pg, 0)))
		}
	}
	var next, size atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			res, err := c.Get(paths[int(next.Add(1))%len(paths)])
			if err != nil {
				b.Error(err)
				return
			}
			n, _ := io.Copy(io.Discard, res.Body)
			res.Body.Close()
			size.Add(n)
		}
	})
	b.ReportMetric(float64(size.Load())/float64(b.N), "B/page")
}

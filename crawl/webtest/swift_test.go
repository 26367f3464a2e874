package webtest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSwiftServesTheSameWeb(t *testing.T) {
	w := demo(t, Options{Pages: 2000, Hosts: 6})
	s, err := ServeSwift(w)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tr := &http.Transport{DialContext: DialTo(s.Addr())}
	defer tr.CloseIdleConnections()
	n := 0
	for truth := range w.Truths() {
		if n++; n > 50 {
			break
		}
		req, err := http.NewRequest("GET", truth.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		_, path, _ := strings.Cut(strings.TrimPrefix(truth.URL, "http://"), "/")
		want := w.Page(req.URL.Host, "/"+path)
		if res.StatusCode != want.Status || res.Header.Get("Content-Type") != want.ContentType ||
			res.Header.Get("ETag") != want.ETag || !bytes.Equal(body, want.Body) {
			t.Errorf("%s: status %d, type %q, %d bytes; want %d, %q, %d", truth.URL, res.StatusCode, res.Header.Get("Content-Type"),
				len(body), want.Status, want.ContentType, len(want.Body))
		}
	}
	if _, err := tr.DialContext(t.Context(), "tcp", "example.org:80"); err == nil {
		t.Error("the dialer leads out of the machine")
	}
}

// What is served is counted, whoever asks: a page once, however often it is asked
// for, as a site or as a proxy, and not by its header alone.
func TestSwiftCounts(t *testing.T) {
	w := demo(t, Options{Pages: 2000, Hosts: 6, Plain: true})
	s, err := ServeSwift(w)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	proxy := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: s.Addr()})}
	direct := &http.Transport{DialContext: DialTo(s.Addr())}
	defer proxy.CloseIdleConnections()
	defer direct.CloseIdleConnections()
	seed, page := w.Seeds()[0], "" // a page, where the seed itself leads elsewhere
	for truth := range w.Truths() {
		page = truth.URL
		break
	}
	ask := func(tr *http.Transport, method, address string, status int) {
		t.Helper()
		req, err := http.NewRequest(method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != status || method == "HEAD" && len(body) > 0 {
			t.Errorf("%s %s: status %d, %d bytes, %v", method, address, res.StatusCode, len(body), err)
		}
	}
	ask(direct, "HEAD", page, 200)
	if got := s.Served(); got.Pages != 0 || got.Requests != 1 || got.First.IsZero() {
		t.Errorf("after a header %+v", got)
	}
	ask(direct, "GET", page, 200)
	ask(proxy, "GET", page, 200)
	ask(proxy, "GET", Start, 200)
	ask(proxy, "GET", seed+"robots.txt", 200)
	ask(direct, "GET", seed+"nothing.htm", 404)
	if got := s.Served(); got.Pages != 2 || got.Requests != 6 {
		t.Errorf("%+v", got)
	}
	s.Reset()
	if got := s.Served(); got != (Served{}) {
		t.Errorf("after the reset %+v", got)
	}
}

package webtest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestSwiftServesTheSameWeb(t *testing.T) {
	w := demo(t, Options{Pages: 2000, Hosts: 6})
	s, err := ServeSwift(w)
	must(t, err)
	defer s.Close()
	tr := &http.Transport{DialContext: DialTo(s.Addr())}
	defer tr.CloseIdleConnections()
	n := 0
	for truth := range w.Truths() {
		if n++; n > 50 {
			break
		}
		req, err := http.NewRequest("GET", truth.URL, nil)
		must(t, err)
		res, err := tr.RoundTrip(req)
		must(t, err)
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		must(t, err)
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

package fetch

import (
	"io"
	"net/http"
	"testing"
)

// A server's own validators bring a 304 on the next visit, in whatever way the
// server judges them; those that would do harm are not sent.
func TestConditionalRoundTrip(t *testing.T) {
	const day = "Fri, 20 Nov 2026 07:00:00 GMT"
	cases := map[string]struct {
		etag, modified string // as the server sends them
		sent           [2]string
		second         int // status of the second visit
	}{
		"tag and day":          {`"v1"`, day, [2]string{`"v1"`, day}, 304},
		"tag alone":            {`"v1"`, "", [2]string{`"v1"`, ""}, 304},
		"weak tag":             {`W/"v1"`, "", [2]string{`W/"v1"`, ""}, 304},
		"bare tag":             {"v1-gzip", "", [2]string{"v1-gzip", ""}, 304},
		"empty tag":            {`""`, "", [2]string{`""`, ""}, 304},
		"day alone":            {"", day, [2]string{"", day}, 304},
		"day in other words":   {"", "20.11.2026", [2]string{"", "20.11.2026"}, 304},
		"tag that matches all": {"*", day, [2]string{"", day}, 304},
		"nothing":              {"", "", [2]string{"", ""}, 200},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var sent [2]string
			base := serve(t, func(w http.ResponseWriter, r *http.Request) {
				sent = [2]string{r.Header.Get("If-None-Match"), r.Header.Get("If-Modified-Since")}
				for k, v := range map[string]string{"ETag": c.etag, "Last-Modified": c.modified} {
					if v != "" {
						w.Header().Set(k, v)
					}
				}
				if sent != [2]string{} {
					w.WriteHeader(http.StatusNotModified)
					return
				}
				io.WriteString(w, "whole page")
			})
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
			first, err := f.Fetch(t.Context(), Request{URL: base})
			if err != nil || first.Status != 200 {
				t.Fatalf("first visit: %+v, %v", first, err)
			}
			second, err := f.Fetch(t.Context(), Request{URL: base, ETag: first.ETag, LastModified: first.LastModified})
			if err != nil || second.Status != c.second || sent != c.sent {
				t.Fatalf("second visit: %+v, %v after sending %q; want %d after %q", second, err, sent, c.second, c.sent)
			}
			if c.second == 304 && (len(second.Body) != 0 || second.Truncated) {
				t.Errorf("304 with a body of %d bytes", len(second.Body))
			}
		})
	}
}

// 304 says that nothing changed since a capture: without one to compare with it
// says nothing, and taking it for a page would lose the page.
func TestNotModifiedUnasked(t *testing.T) {
	base := hostile(t, say("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"))
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	cases := map[string]struct {
		req  Request
		kind Kind
	}{
		"unconditional":         {Request{}, Protocol},
		"validators not sent":   {Request{ETag: "*", LastModified: "a\r\nX: b"}, Protocol},
		"conditional by tag":    {Request{ETag: `"a"`}, ""},
		"conditional by day":    {Request{LastModified: "yesterday"}, ""},
		"tag unfit, day sent":   {Request{ETag: "\"a\x00\"", LastModified: "yesterday"}, ""},
		"header in the tag":     {Request{ETag: "\"a\"\r\nHost: evil.test"}, Protocol},
		"tag of 600 characters": {Request{ETag: `"` + string(make([]byte, 600)) + `"`}, Protocol},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.req.URL = base
			res, err := f.Fetch(t.Context(), c.req)
			if kindOf(err) != c.kind || err == nil && (res.Status != 304 || len(res.Body) != 0) {
				t.Errorf("got %+v, %v; want kind %q", res, err, c.kind)
			}
		})
	}
}

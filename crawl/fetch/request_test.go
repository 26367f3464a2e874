package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A request carries method, body, type and header as they were given, and a redirect of a
// POST is handed back like any other, whatever cookie it sets.
func TestRequestIsCarried(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
		case "/there":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			http.Redirect(w, r, "/there", http.StatusSeeOther)
		default:
			b, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s %s %s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("X-Requested-With"), r.Header.Get("Accept"), b)
		}
	})
	f := open(t, Config{SeedHosts: []string{strings.TrimPrefix(srv, "http://")}})
	const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		name string
		r    Request
		want string
	}{
		{"a form", Request{URL: "/list?a=1#post:page=2", Method: "POST", Body: []byte("page=2")}, "POST /list?a=1 " + defaultContentType + "  " + html + " page=2"},
		{"JSON", Request{URL: "/api", Method: "POST", Body: []byte(`{"p":2}`), ContentType: "application/json", Header: map[string]string{"X-Requested-With": "XMLHttpRequest", "Accept": "*/*"}},
			`POST /api application/json XMLHttpRequest */* {"p":2}`},
		{"a GET", Request{URL: "/api", Header: map[string]string{"X-Requested-With": "x"}}, "GET /api  x " + html + " "},
		{"an empty POST", Request{URL: "/api", Method: "POST"}, "POST /api " + defaultContentType + "  " + html + " "},
	} {
		c.r.URL = srv + c.r.URL
		res, err := f.Fetch(context.Background(), c.r)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if string(res.Body) != c.want {
			t.Errorf("%s: the server saw %q, want %q", c.name, res.Body, c.want)
		}
	}
	res, err := f.Fetch(context.Background(), Request{URL: srv + "/there", Method: "POST"})
	if err != nil || res.Status != http.StatusSeeOther || res.Location != srv+"/there" {
		t.Errorf("a POST that is sent elsewhere: %+v, %v", res, err)
	}
	if _, err := f.Fetch(context.Background(), Request{URL: srv + "/closed", Method: "POST"}); kindOf(err) != Robots {
		t.Errorf("a POST that robots.txt forbids: %v", err)
	}
}

// What would break the request, or be another one, is refused before anything is sent.
func TestRequestIsRefused(t *testing.T) {
	for name, r := range map[string]Request{
		"a body of a GET":    {Body: []byte("x")},
		"another method":     {Method: "DELETE"},
		"a huge body":        {Method: "POST", Body: make([]byte, MaxRequestBody+1)},
		"a line in a header": {Header: map[string]string{"A": "b\r\nC: d"}},
		"a header's name":    {Header: map[string]string{"A b": "c"}},
		"the host":           {Header: map[string]string{"host": "other.test"}},
		"the length":         {Method: "POST", Header: map[string]string{"content-length": "1"}},
		"a line in the type": {Method: "POST", ContentType: "a\nb"},
	} {
		if r.sendable() == nil {
			t.Errorf("%s is sent", name)
		}
	}
}

// Redirects are followed as browsers do, and what was for one host goes to no other.
func TestRedirected(t *testing.T) {
	post := Request{URL: "http://a.test/list", Method: "POST", Body: []byte("page=2"), ContentType: "text/x", ETag: `"1"`, Header: map[string]string{"X-Token": "t"}}
	for _, c := range []struct {
		status int
		to     string
		method string
		header bool
	}{
		{301, "http://a.test/2", "", true}, {302, "http://a.test/2", "", true}, {303, "http://a.test/2", "", true},
		{307, "http://a.test/2", "POST", true}, {308, "http://A.test/2", "POST", true},
		{307, "http://b.test/2", "", false}, {303, "http://b.test/2", "", false}, {307, "https://a.test/2", "", false},
	} {
		next := post.Redirected(&Response{Status: c.status, Location: c.to})
		if next.URL != c.to || next.Method != c.method || len(next.Header) > 0 != c.header || next.ETag != "" || len(next.Body) > 0 != (c.method != "") || next.ContentType != "" != (c.method != "") {
			t.Errorf("%d to %s: %+v", c.status, c.to, next)
		}
	}
}

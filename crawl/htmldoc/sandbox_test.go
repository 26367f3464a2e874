package htmldoc

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/html"
)

// Third-party code is contained: it is stopped, its panics are caught, and pages beyond its bounds
// never reach it. In a synctest bubble time passes only for endless code.
func TestRun(t *testing.T) {
	var release chan struct{} // ends the endless code
	type call func(*html.Node, *url.URL) (string, error)
	for _, c := range []struct {
		name, source, limit string
		f                   call
		ok                  bool
	}{
		{"well", "<p>x", "", func(*html.Node, *url.URL) (string, error) { return "x", nil }, true},
		{"error", "<p>x", "", func(*html.Node, *url.URL) (string, error) { return "x", errors.New("no") }, false},
		{"panic", "<p>x", "", func(*html.Node, *url.URL) (string, error) { panic("index out of range") }, false},
		{"no markup", "", "", func(*html.Node, *url.URL) (string, error) { return "x", nil }, false},
		{"too long", strings.Repeat("x", maxBytes+1), "test bytes 1048576", func(*html.Node, *url.URL) (string, error) { return "x", nil }, false},
		{"without end", "<p>x", "test time", func(*html.Node, *url.URL) (string, error) { <-release; return "x", nil }, false},
	} {
		run := func(t *testing.T) {
			release = make(chan struct{})
			defer close(release)
			tree := &Tree{URL: "http://a.test/", Source: c.source}
			start := time.Now()
			got, ok := RunParser(tree, "test", WholeDocument, c.f)
			if ok != c.ok || ok && got != "x" {
				t.Errorf("%q, %v", got, ok)
			}
			if limits := strings.Join(tree.Limits, ","); limits != c.limit {
				t.Errorf("limits %q, want %q", limits, c.limit)
			}
			want := time.Duration(0)
			if c.limit == "test time" {
				want = maxTime
			}
			if took := time.Since(start); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
		}
		t.Run(c.name, func(t *testing.T) { synctest.Test(t, run) })
	}
}

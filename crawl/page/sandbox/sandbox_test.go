package sandbox

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"angler/crawl/page/htmltree"

	"golang.org/x/net/html"
)

// What third-party code does to a page stays its own affair: it is stopped,
// its panics are caught, and pages beyond its bounds never reach it.
func TestRun(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
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
		t.Run(c.name, func(t *testing.T) {
			tree := &htmltree.Tree{URL: "http://a.test/", Source: c.source}
			start := time.Now()
			got, ok := Run(tree, "test", Whole, c.f)
			if ok != c.ok || ok && got != "x" {
				t.Errorf("%q, %v", got, ok)
			}
			if limits := strings.Join(tree.Limits, ","); limits != c.limit {
				t.Errorf("limits %q, want %q", limits, c.limit)
			}
			if took := time.Since(start); took > 20*maxTime {
				t.Errorf("took %v", took)
			}
		})
	}
}

//go:build unix && heavy

package tuitest

import (
	"net/http"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// Failed URLs are listed, retried by reason or host, and fetched.
func TestFrontierRetry(t *testing.T) {
	x := newCrawl(t, webtest.Options{})
	dir, server := x.dir, x.server
	const host = "www.donghu.test"
	server.Fail(func(req *http.Request, _ int) webtest.Fault {
		if req.Host == host && req.URL.Path != "/robots.txt" {
			return webtest.Fault{Status: 410}
		}
		return webtest.Fault{}
	})
	crawl := func() {
		t.Helper()
		x.run("crawl", "--depth", "1", "--max-pages", "300")
	}
	crawl()
	if r := Must(t, "frontier", "retry", dir, "no such reason"); !strings.Contains(r.Out, "what failed:") || !strings.Contains(r.Out, "HTTP status 410") {
		t.Errorf("what failed is not listed: %q", r.Out)
	}
	count := func(args ...string) float64 {
		t.Helper()
		r := Must(t, append([]string{"frontier", "retry", dir, "--json"}, args...)...)
		return Lines[map[string]any](t, r.Out)[0]["urls"].(float64)
	}
	if n := count("http STATUS 410"); n == 0 {
		t.Error("no URL was answered with 410")
	}
	if n := count("HTTP status 410"); n != 0 {
		t.Errorf("%v URLs are still marked", n)
	}
	crawl() // fails again
	if n := count("*.donghu.test"); n == 0 {
		t.Error("no URL of the host failed")
	}
	server.Fail(nil)
	crawl()
	if home := Must(t, "export", dir, "pages").Out; !strings.Contains(home, "http://"+host+"/") {
		t.Error("the host's pages did not come home")
	}
	for _, args := range [][]string{{""}, {"all", "--balance"}, {}} {
		expect(t, 2, "angler frontier retry", append([]string{"frontier", "retry", dir}, args...)...)
	}
}

//go:build unix

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// What failed is listed, tried again by reason or host, and comes home.
func TestFrontierRetry(t *testing.T) {
	web, server := serve(t, webtest.Options{})
	dir := workspace(t, web)
	proxy := server.ProxyURL().String()
	const host = "www.donghu.test"
	server.Fail(func(req *http.Request, _ int) webtest.Fault {
		if req.Host == host && req.URL.Path != "/robots.txt" {
			return webtest.Fault{Status: 410}
		}
		return webtest.Fault{}
	})
	crawl := func() {
		t.Helper()
		must(t, "crawl", dir, "--proxy", proxy, "--delay", "0", "--depth", "1", "--max-pages", "300")
	}
	crawl()
	if r := must(t, "frontier", dir, "--retry", "no such reason"); !strings.Contains(r.out, "what failed:") || !strings.Contains(r.out, "HTTP status 410") {
		t.Errorf("what failed is not listed: %q", r.out)
	}
	count := func(args ...string) float64 {
		t.Helper()
		r := must(t, append([]string{"frontier", dir, "--json", "--retry"}, args...)...)
		return lines[map[string]any](t, r.out)[0]["urls"].(float64)
	}
	if n := count("http STATUS 410"); n == 0 {
		t.Error("no URL was answered with 410")
	}
	if n := count("HTTP status 410"); n != 0 {
		t.Errorf("%v URLs are still marked", n)
	}
	crawl() // once more in vain
	if n := count("*.donghu.test"); n == 0 {
		t.Error("no URL of the host failed")
	}
	server.Fail(nil)
	crawl()
	if home := must(t, "export", dir, "pages").out; !strings.Contains(home, "http://"+host+"/") {
		t.Error("the host's pages did not come home")
	}
	for _, args := range [][]string{{"--retry", ""}, {"--retry", "all", "--balance"}} {
		if r := angler(t, append([]string{"frontier", dir}, args...)...); r.status != 2 || !strings.Contains(r.err, "--retry") {
			t.Errorf("%v: status %d, %q", args, r.status, r.err)
		}
	}
}

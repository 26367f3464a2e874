package seeds

import (
	"strings"
	"testing"
	"unicode/utf8"

	"angler/store/records"
)

func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{`{"results":[{"url":"http://a.test/","title":"x"}]}`, `{"results":null}`, "<html>", `{"unresponsive_engines":[["a","b"],[],[1]],"results":[]}`, `{"results":[{"url":"\ud800"},{`, "[[[[", `{"results":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := parseAnswer(body, 10)
		if err != nil && len(a.results) > 0 {
			t.Fatalf("an error and %d results", len(a.results))
		}
		if len(a.results) > 10 || len(a.silent) > maxSilent {
			t.Fatalf("%d results, %d silent engines", len(a.results), len(a.silent))
		}
		for _, r := range a.results {
			if len(r.Title) > records.MaxProposalText || !utf8.ValidString(r.Title) || strings.ContainsAny(r.Title, "\r\n") {
				t.Fatalf("title %q", r.Title)
			}
		}
	})
}

func FuzzSite(f *testing.F) {
	for _, s := range []string{"http://www.a.com/", "https://m.a.com:444/x", "http://[::1]/", "http://例子.com", "//x", "http://www.gov.cn", "http://3g.m.www.a.co.uk/"} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, address string, private bool) {
		host, root, err := siteOf(address, private)
		if err != nil {
			if host+root != "" {
				t.Fatalf("%q %q with %v", host, root, err)
			}
			return
		}
		if host == "" || len(host) > maxHost || strings.ContainsAny(host, "/?#@ \n") || !strings.HasSuffix(root, "/") || strings.Count(root, "/") != 3 {
			t.Fatalf("%q gives %q at %q", address, host, root)
		}
		if again, _, err := siteOf(root, private); err != nil || again != host {
			t.Fatalf("%q is %q, and its root %q, %v", address, host, again, err)
		}
	})
}

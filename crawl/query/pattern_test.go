package query

import (
	"strings"
	"testing"
)

func TestURLPattern(t *testing.T) {
	cases := map[string]struct {
		pattern, url string
		want         bool
	}{
		"host":                        {"x.test", "http://x.test/a", true},
		"subdomain":                   {"x.test", "https://www.x.test/", true},
		"not a longer name":           {"x.test", "http://yx.test/", false},
		"scheme and case are ignored": {"HTTPS://X.test", "http://x.test/", true},
		"port of the address":         {"x.test", "http://x.test:8080/", true},
		"path begins":                 {"x.test/xw", "http://x.test/xw/1.htm", true},
		"another path":                {"x.test/xw", "http://x.test/zb/xw", false},
		"star stays in a segment":     {"x.test/*/list", "http://x.test/zb/list.htm", true},
		"star does not cross":         {"x.test/*/list", "http://x.test/a/b/list.htm", false},
		"two stars cross":             {"x.test/**list", "http://x.test/a/b/list.htm", true},
		"host with a star":            {"*.x.test/zb", "http://w.x.test/zb", true},
		"slash alone is the host":     {"x.test/", "http://x.test/anything", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			match, err := URLPattern(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if match(c.url) != c.want {
				t.Errorf("%q and %q: %v", c.pattern, c.url, !c.want)
			}
		})
	}
	for _, bad := range []string{"", " ", "*", "http://", "**/", strings.Repeat("a", 600)} {
		if _, err := URLPattern(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func FuzzURLPattern(f *testing.F) {
	f.Add("x.test/*/l**", "http://x.test/a/lll")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		if len(url) > 2000 {
			return
		}
		if match, err := URLPattern(pattern); err == nil {
			match(url)
		}
	})
}

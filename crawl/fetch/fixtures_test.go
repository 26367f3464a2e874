package fetch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"angler/crawl/webtest/realpages"
)

// fixture says what a published robots.txt means for one crawler.
type fixture struct {
	file, agent  string
	open, closed []string // paths that are allowed and forbidden
	delay        time.Duration
	sitemaps     []string
	why          string // a deliberate difference from crawler-commons
}

// fixtures are the files of crawler-commons with what its own tests and RFC
// 9309 expect of them. Where we differ on purpose, why says it.
var fixtures = []fixture{
	{file: "astore.amazon.com-robots.txt", agent: "angler", open: []string{"/", "/a?b"}, delay: 5 * time.Second},
	{file: "crawl-delay-group-merging.txt", agent: "mybot", open: []string{"/", "/login/a"}, closed: []string{"/private/a"}, delay: 10 * time.Second},
	{file: "crawl-delay-group-merging.txt", agent: "yourbot", open: []string{"/"}, closed: []string{"/private/a", "/login/a"}},
	{file: "crawl-delay-group-merging.txt", agent: "angler", open: []string{"/", "/private/a", "/login/a"}, delay: 30 * time.Second},
	{file: "directive-typos-robots.txt", agent: "bot1", open: []string{"/"}, closed: []string{"/desallow/", "/dissalow/"}},
	{file: "directive-typos-robots.txt", agent: "bot2", open: []string{"/"}, closed: []string{"/useragent/"}},
	{file: "directive-typos-robots.txt", agent: "bot3", open: []string{"/"}, closed: []string{"/useg-agent/"}},
	{file: "directive-typos-robots.txt", agent: "bot4", open: []string{"/"}, closed: []string{"/useragent-no-colon/"}},
	{file: "dos-line-endings.txt", agent: "angler", open: []string{"/"}, delay: time.Second},
	{file: "extended-standard-robots.txt", agent: "bot1", open: []string{"/"}},
	{file: "extended-standard-robots.txt", agent: "bot4", open: []string{"/"}, why: "Request-rate is no standard: the delay per host of the settings holds"},
	{file: "extension-robots.txt", agent: "mybot", open: []string{"/", "/secret/"}, closed: []string{"/private/a"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "extension-robots.txt", agent: "otherbot", open: []string{"/private/"}, closed: []string{"/admin/a"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "extension-robots.txt", agent: "angler", open: []string{"/", "/private/", "/admin/"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "extensions-group-merging.txt", agent: "mybot", open: []string{"/"}, closed: []string{"/private/", "/login/"}},
	{file: "extensions-group-merging.txt", agent: "yourbot", open: []string{"/"}, closed: []string{"/private/", "/login/"}},
	{file: "extensions-group-merging.txt", agent: "angler", open: []string{"/llms.txt"}, closed: []string{"/", "/a"}},
	{file: "format-errors-robots.txt", agent: "bot1", open: []string{"/"}, closed: []string{"/whitespace-before-colon/", "/no-colon/"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "format-errors-robots.txt", agent: "bot2", open: []string{"/"}, closed: []string{"/no-colon-useragent/"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "format-errors-robots.txt", agent: "bot3", open: []string{"/whitespace-before-colon"}, closed: []string{"/", "/other"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "malformed-path.txt", agent: "angler", open: []string{"/wiki/foo", "/wiki/Wikipedia_talk%3AMediation_Committee/"},
		closed: []string{"/wiki/Wikipedia_talk:Mediation_Committee/", "/wiki/Wikipedia_talk%3Mediation_Committee/"}},
	{file: "many-user-agents.txt", agent: "wget", closed: []string{"/", "/a"}},
	{file: "many-user-agents.txt", agent: "angler", open: []string{"/", "/a"}, closed: []string{"/bot-trap/", "/forum/x"}},
	{file: "merge-rules.txt", agent: "wget", open: []string{"/foo/bar", "/ckh/bar", "/"}, closed: []string{"/tmp/bar"}},
	{file: "merge-rules.txt", agent: "curl", closed: []string{"/", "/ckh/bar"}},
	{file: "merge-rules.txt", agent: "angler", open: []string{"/ckh/bar"}, closed: []string{"/foo/bar", "/tmp/bar"}},
	{file: "precedence-of-rules.txt", agent: "testy", open: []string{"/foo/bar", "/x"}, closed: []string{"/foo", "/foo/baz"}},
	{file: "precedence-of-rules.txt", agent: "wget", open: []string{"/foo", "/index.html"}, closed: []string{"/x"}},
	{file: "relative-sitemap-robots.txt", agent: "angler", open: []string{"/"}, closed: []string{"/cache/a", "/docs/"}, sitemaps: []string{"http://h.test/sitemap.xml"}},
	{file: "rfc9309-example-longest-match-robots.txt", agent: "foobot", open: []string{"/example/page/a"}, closed: []string{"/example/page/disallowed.gif"}},
	{file: "rfc9309-example-rule-group-merging.txt", agent: "examplebot", open: []string{"/x"}, closed: []string{"/foo", "/bar", "/baz"}},
	{file: "rfc9309-example-rule-group-merging.txt", agent: "bazbot", open: []string{"/foo"}, closed: []string{"/baz"}},
	{file: "rfc9309-example-rule-group-merging.txt", agent: "angler", open: []string{"/baz"}, closed: []string{"/foo", "/bar"}},
	{file: "rfc9309-example-simple-robots.txt", agent: "angler", open: []string{"/publications/", "/x.gif?y"}, closed: []string{"/x.gif", "/example/a"}},
	{file: "rfc9309-example-simple-robots.txt", agent: "foobot", open: []string{"/example/page.html", "/example/allowed.gif"}, closed: []string{"/", "/publications/"}},
	{file: "rfc9309-example-simple-robots.txt", agent: "bazbot", open: []string{"/"}, closed: []string{"/example/page.html"}},
	{file: "rfc9309-example-simple-robots.txt", agent: "quxbot", open: []string{"/", "/example/page.html"}},
	{file: "robots-with-utf16be-bom.txt", agent: "angler", open: []string{"/"}, closed: []string{"/profile", "/a/output/print"}, sitemaps: []string{"http://www.newsweek.com/sitemap_index.xml"}},
	{file: "robots-with-utf16le-bom.txt", agent: "angler", open: []string{"/"}, closed: []string{"/profile", "/a/output/print"}, sitemaps: []string{"http://www.newsweek.com/sitemap_index.xml"}},
	{file: "robots-with-utf8-bom.txt", agent: "googlebot", open: []string{"/"}, closed: []string{"/profile", "/a/output/print"}, sitemaps: []string{"http://www.newsweek.com/sitemap_index.xml"}},
	{file: "sitemap-robots-dedup.txt", agent: "angler", open: []string{"/"}, sitemaps: []string{"http://example.org/sitemap.xml"}},
	{file: "sitemap-robots.txt", agent: "angler", open: []string{"/"}, sitemaps: []string{
		"http://domain.com/sitemap.xml", "http://domain.com/dir/my-sitemap.xml", "http://domain.com/dir/MixedCased-sitemap.xml"}},
	{file: "twitter.com-robots.txt", agent: "slurp", open: []string{"/"}, closed: []string{"/a?b", "/x/with_friends"}, delay: time.Second},
	{file: "twitter.com-robots.txt", agent: "angler", open: []string{"/"}, closed: []string{"/?a", "/x/with_friends"}},
	{file: "wildcards.txt", agent: "angler", open: []string{"/", "/wishlist/universal-x"},
		closed: []string{"/gp/registry/wishlist/x/reserve", "/a/gcrnsts", "/gp/cart"}, sitemaps: amazon},
	{file: "wildcards.txt", agent: "googlebot", open: []string{"/"}, closed: []string{"/rss/people/x/reviews", "/gp/pdp/rss/x/reviews"}, sitemaps: amazon},
	{file: "www.flot.com-robots.txt", agent: "angler", open: []string{"/"}, closed: []string{"/bitrix/a", "/img/"}, sitemaps: []string{"http://flot.com/sitemap_index.xml"}},
}

var amazon = []string{
	"http://www.amazon.com/sitemap-manual-index.xml",
	"http://www.amazon.com/sitemap_vendor_videos_us.xml",
	"http://www.amazon.com/sitemap_vod_index.xml",
	"http://www.amazon.com/sitemaps.f3053414d236e84.SitemapIndex_0.xml.gz",
	"http://www.amazon.com/sitemaps.1946f6b8171de60.SitemapIndex_0.xml.gz",
	"http://www.amazon.com/sitemaps.bbb7d657c7e29fa.SitemapIndex_0.xml.gz",
	"http://www.amazon.com/sitemaps.11aafed315ee654.SitemapIndex_0.xml.gz",
	"http://www.amazon.com/sitemaps.c21f969b5f03d33.SitemapIndex_0.xml.gz",
}

// Every published fixture of crawler-commons means what its tests say.
func TestRobotsFixtures(t *testing.T) {
	dir := realpages.Path(t, "robots")
	files, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	for _, name := range files {
		if !slices.ContainsFunc(fixtures, func(c fixture) bool { return c.file == filepath.Base(name) }) {
			t.Errorf("nothing is expected of %s", filepath.Base(name))
		}
	}
	checks := 0
	for _, c := range fixtures {
		t.Run(c.file+" "+c.agent, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(dir, c.file))
			must(t, err)
			r := parseRules(body, c.agent, "http://h.test/robots.txt")
			for want, paths := range map[bool][]string{true: c.open, false: c.closed} {
				for _, path := range paths {
					checks++
					if got, rule := r.allow(path); got != want {
						t.Errorf("%s: allowed %v by %q", path, got, rule)
					}
				}
			}
			if r.delay != c.delay {
				t.Errorf("delay %v, want %v", r.delay, c.delay)
			}
			if !slices.Equal(r.sitemaps, c.sitemaps) {
				t.Errorf("sitemaps %q, want %q", r.sitemaps, c.sitemaps)
			}
			if c.why != "" {
				t.Logf("differs on purpose: %s", c.why)
			}
		})
	}
	t.Logf("%d files, %d checks of paths", len(files), checks)
}

package fetch

import (
	"testing"
	"time"

	"github.com/temoto/robotstxt"
)

func TestRules(t *testing.T) {
	cases := map[string]struct {
		file, path string
		allowed    bool
		rule       string
	}{
		"no rules":                          {"", "/a", true, ""},
		"prefix":                            {"User-agent: *\nDisallow: /a", "/abc", false, "Disallow: /a"},
		"prefix is anchored":                {"User-agent: *\nDisallow: /a", "/b/a", true, ""},
		"longest rule wins":                 {"User-agent: *\nDisallow: /\nAllow: /news/", "/news/1", true, "Allow: /news/"},
		"allow wins a tie":                  {"User-agent: *\nDisallow: /page\nAllow: /page", "/page", true, "Allow: /page"},
		"end of the URL":                    {"User-agent: *\nDisallow: /\nAllow: /$", "/", true, "Allow: /$"},
		"end of the URL, not a part":        {"User-agent: *\nDisallow: /\nAllow: /$", "/secret/", false, "Disallow: /"},
		"wildcard":                          {"User-agent: *\nDisallow: /*.php$", "/x/y.php", false, "Disallow: /*.php$"},
		"wildcard with end":                 {"User-agent: *\nDisallow: /*.php$", "/x/y.php?a=1", true, ""},
		"wildcard is anchored":              {"User-agent: *\nDisallow: /a*b", "/x/acb", true, ""},
		"only a star":                       {"User-agent: *\nDisallow: *", "/x", false, "Disallow: *"},
		"query":                             {"User-agent: *\nDisallow: /*?", "/list?page=2", false, "Disallow: /*?"},
		"empty disallow allows":             {"User-agent: *\nDisallow:", "/x", true, ""},
		"own group before the star":         {"User-agent: *\nDisallow: /\n\nUser-agent: angler\nDisallow: /x", "/y", true, ""},
		"own group with a version":          {"User-agent: Angler/2.0\nDisallow: /x", "/x", false, "Disallow: /x"},
		"own groups are merged":             {"User-agent: angler\nDisallow: /x\nUser-agent: other\nDisallow: /z\nUser-agent: angler\nDisallow: /y", "/y", false, "Disallow: /y"},
		"own empty group allows all":        {"User-agent: *\nDisallow: /\nUser-agent: angler\nDisallow:", "/x", true, ""},
		"another crawler of a similar name": {"User-agent: anglerfish\nDisallow: /", "/x", true, ""},
		"many agents, one group":            {"User-agent: a\nUser-agent: *\nUser-agent: b\nDisallow: /x", "/x", false, "Disallow: /x"},
		"crawl-delay between agents":        {"User-agent: *\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x", "/x", false, "Disallow: /x"},
		"rule before any group":             {"Disallow: /x\nUser-agent: *\nDisallow: /y", "/x", true, ""},
		"one bad line spoils nothing":       {"User-agent: *\nCrawl-delay: soon\nDisallow: /q", "/q", false, "Disallow: /q"},
		"blank before the colon":            {"User-agent : *\ndisallow : /ws/", "/ws/1", false, "Disallow: /ws/"},
		"no colon":                          {"User-agent *\nDisallow /ws/", "/ws/1", false, "Disallow: /ws/"},
		"comment":                           {"User-agent: * # all\nDisallow: /a # not this", "/a", false, "Disallow: /a"},
		"old line ends":                     {"User-agent: *\rDisallow: /a\r\rAllow: /b", "/a", false, "Disallow: /a"},
		"byte order mark":                   {"\xef\xbb\xbfUser-agent: *\nDisallow: /a", "/a", false, "Disallow: /a"},
		"UTF-16":                            {"\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00/\x00", "/a", false, "Disallow: /"},
		"path without a slash":              {"User-agent: *\nDisallow: a", "/a", false, "Disallow: a"},
		"Chinese path in the file":          {"User-agent: *\nDisallow: /公告/", "/%E5%85%AC%E5%91%8A/1", false, "Disallow: /公告/"},
		"escapes in small letters":          {"User-agent: *\nDisallow: /%e5%85%ac", "/%E5%85%AC", false, "Disallow: /%e5%85%ac"},
		"needless escapes":                  {"User-agent: *\nDisallow: /%61", "/a", false, "Disallow: /%61"},
		"escaped slash is no slash":         {"User-agent: *\nDisallow: /a/b", "/a%2Fb", true, ""},
		"broken escape":                     {"User-agent: *\nDisallow: /a%3Mb", "/a%3Mb", false, "Disallow: /a%3Mb"},
		"escaped dollar at the end":         {"User-agent: *\nDisallow: /price-%24", "/price-$5", false, "Disallow: /price-%24"},
		"escaped dollar is no end":          {"User-agent: *\nDisallow: /price%24", "/price", true, ""},
		"escaped dollar in the path":        {"User-agent: *\nDisallow: /price-$5", "/price-%245", false, "Disallow: /price-$5"},
		"dollar before the end":             {"User-agent: *\nDisallow: /a$b", "/a$bc", false, "Disallow: /a$b"},
		"dollar in the path is no sign":     {"User-agent: *\nDisallow: /a$", "/a$", true, ""},
		"two dollars":                       {"User-agent: *\nDisallow: /a$$", "/a$", false, "Disallow: /a$$"},
		"escaped star":                      {"User-agent: *\nDisallow: /a%2Ab", "/a*b", false, "Disallow: /a%2Ab"},
		"escaped star is no wildcard":       {"User-agent: *\nDisallow: /a%2ab", "/axb", true, ""},
		"star before a star":                {"User-agent: *\nDisallow: /a*%2A$", "/axx%2A", false, "Disallow: /a*%2A$"},
		"bracket and its escape":            {"User-agent: *\nDisallow: /a<b", "/a%3Cb", false, "Disallow: /a<b"},
		"escape of a bracket":               {"User-agent: *\nDisallow: /a%3cb", "/a<b", false, "Disallow: /a%3cb"},
		"escaped bar and brace":             {"User-agent: *\nDisallow: /%7B%7c", "/{|}", false, "Disallow: /%7B%7c"},
		"misspelt rule":                     {"User-agent: *\nDissalow: /a", "/a", false, "Disallow: /a"},
		"misspelt agent":                    {"Useragent: angler\nDisallow: /a\nUser agent: *\nDisallow: /b", "/b", true, ""},
		"robots.txt itself":                 {"User-agent: *\nDisallow: /", "/robots.txt", true, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := parseRules([]byte(c.file), "angler", "http://h.test/robots.txt")
			if ok, rule := r.allow(c.path); ok != c.allowed || rule != c.rule {
				t.Errorf("got %v by %q, want %v by %q", ok, rule, c.allowed, c.rule)
			}
		})
	}
}

func TestRulesCrawlDelay(t *testing.T) {
	cases := map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 10":                                    10 * time.Second,
		"User-agent: *\nCrawl-delay: 0.5":                                   500 * time.Millisecond,
		"User-agent: *\nCrawl-delay: 86400":                                 MaxCrawlDelay,
		"User-agent: *\nCrawl-delay: -1":                                    0,
		"User-agent: *\nCrawl-delay: NaN":                                   0,
		"User-agent: *\nCrawl-delay: 1e999":                                 0,
		"User-agent: *\nCrawl-delay: 9\nUser-agent: angler\nCrawl-delay: 3": 3 * time.Second,
		"User-agent: other\nCrawl-delay: 9":                                 0,
	}
	for file, want := range cases {
		if got := parseRules([]byte(file), "angler", "").delay; got != want {
			t.Errorf("%q: delay %v, want %v", file, got, want)
		}
	}
}

func TestProductToken(t *testing.T) {
	cases := map[string]string{
		DefaultUserAgent: "angler",
		"Mozilla/5.0 (compatible; MyBot/2.1; +http://x)": "mybot",
		"plain": "plain",
	}
	for ua, want := range cases {
		if got := productToken(ua); got != want {
			t.Errorf("%q: got %q, want %q", ua, got, want)
		}
	}
}

// On rules without wildcards the widely used parser agrees with ours.
func TestRulesAgreeWithTemoto(t *testing.T) {
	file := "User-agent: *\nDisallow: /admin\nAllow: /admin/open/\nDisallow: /search?\nUser-agent: angler\nDisallow: /tmp\nAllow: /tmp/ok"
	their, err := robotstxt.FromString(file)
	must(t, err)
	for _, agent := range []string{"angler", "other"} {
		ours := parseRules([]byte(file), agent, "")
		for _, path := range []string{"/", "/admin", "/admin/x", "/admin/open/1", "/search", "/search?q=1", "/tmp", "/tmp/ok/1", "/tmpx", "/x/tmp"} {
			if got, _ := ours.allow(path); got != their.TestAgent(path, agent) {
				t.Errorf("%s for %s: ours %v, theirs %v", path, agent, got, !got)
			}
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /%zz\nCrawl-delay: 3\nSitemap: /s.xml"), "/a/b")
	f.Add([]byte("\xff\xfeU\x00"), "/")
	f.Add([]byte("User-agent *\rDisallow\t****$$"), "/%")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r := parseRules(body, "angler", "http://h.test/robots.txt")
		if r.delay < 0 || r.delay > MaxCrawlDelay || len(r.sitemaps) > maxSitemaps || len(r.list) > maxRules {
			t.Errorf("out of bounds: delay %v, %d sitemaps, %d rules", r.delay, len(r.sitemaps), len(r.list))
		}
		ok, rule := r.allow(path)
		if rule == "" && !ok {
			t.Errorf("%q is forbidden by no rule", path)
		}
		if again, _ := r.allow(normalEscapes(path, false)); again != ok && path != "/robots.txt" && normalEscapes(path, false) != "/robots.txt" {
			t.Errorf("%q: %v, and %v once normalised", path, ok, again)
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "-3", "NaN", "1e309", "Fri, 20 Nov 2026 08:02:00 GMT", "soon"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if d := RetryAfter(s, now); d < 0 || d > maxRetryAfter {
			t.Errorf("%q: %v", s, d)
		}
	})
}

package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/run"
	"angler/store/config"
)

// filtered is how often the filter gave a verdict.
func filtered(e *crawl.Engine, reason string) int {
	for _, f := range e.Snapshot().Filtered {
		if f.Reason == reason {
			return f.N
		}
	}
	return 0
}

// discoverPages runs a discovery and publishes a snapshot that shows its end.
func discoverPages(t *testing.T, e *crawl.Engine, pages int) {
	t.Helper()
	discover(t, e.Runs, run.Options{MaxPages: pages})
	e.Attend()() // publishes
}

// endless is a site where every page links to twenty new ones.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>%s</title><a href=/>home</a>", r.URL.Path)
	for i := range 20 {
		fmt.Fprintf(w, "<p><a href='/p%s%c'>next %d</a> %s", strings.TrimPrefix(r.URL.Path, "/p"), 'a'+i, i, r.URL.Path)
	}
}

// A host cannot fill the frontier: while too many of its URLs wait, unknown ones
// are left out, counted and said; the run goes on with those that wait.
func TestHostURLs(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		bound, most, least int // waiting at the end
		refused            bool
	}{
		"bounded":         {50, 900, 30, true}, // soft by what is on its way
		"no bound":        {0, 5000, 900, false},
		"the usual bound": {config.Default().Crawl.HostURLs, 5000, 900, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, _ := site(t, http.HandlerFunc(endless), func(s *config.Settings) {
				s.Crawl.HostURLs, s.Crawl.Workers, s.Crawl.Depth, s.Crawl.Strategy = c.bound, 2, 100, "bfs"
				if c.refused { // so that commits keep up
					s.Crawl.Delay = config.Duration(20 * time.Millisecond)
				}
			})
			discoverPages(t, e, 60)
			waits := e.Workspace().Counts().Waiting
			if waits > c.most || waits < c.least {
				t.Errorf("%d URLs wait, want %d … %d", waits, c.least, c.most)
			}
			if n := filtered(e, "too many on one host"); (n > 0) != c.refused {
				t.Errorf("%d were refused", n)
			}
			if n := saying(e, "host a.test wait", "host_urls"); (n == 1) != c.refused || n > 1 {
				t.Errorf("it was said %d times", n)
			}
			// Known links are kept whatever the bound: the page's way home, too.
			if home, ok := e.Workspace().Lookup("http://a.test/"); !ok {
				t.Error("no home page")
			} else if in, err := e.Workspace().OutLinks(home + 1); err != nil || len(in) == 0 {
				t.Errorf("the second page has links %v, %v", in, err)
			}
			consistent(t, e)
			// The next run begins with what is stored, and says so again.
			before := e.Workspace().Counts().URLs
			discoverPages(t, e, 30)
			if grown := e.Workspace().Counts().URLs - before; c.refused && grown > 500 {
				t.Errorf("the second run made %d URLs known", grown)
			}
		})
	}
}

// Indexes of sitemaps that name each other, themselves, or more files than a site
// can have are read up to a bound, and it is said what is left out.
func TestSitemapBounds(t *testing.T) {
	const index, list = `<sitemapindex>%s</sitemapindex>`, `<urlset><url><loc>http://a.test/%s</loc></url></urlset>`
	entry := func(format string, args ...any) string {
		return "<sitemap><loc>http://a.test" + fmt.Sprintf(format, args...) + "</loc></sitemap>"
	}
	var mu sync.Mutex
	asked := map[string]int{}
	h := func(robots string, file func(path string) string) http.Handler {
		clear(asked)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked[r.URL.Path]++
			mu.Unlock()
			switch {
			case r.URL.Path == "/robots.txt":
				fmt.Fprint(w, robots)
			case strings.HasPrefix(r.URL.Path, "/s"):
				w.Header().Set("Content-Type", "text/xml")
				fmt.Fprint(w, file(r.URL.Path))
			default:
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, "<title>page %s</title><p>of its own %s", r.URL.Path, r.URL.Path)
			}
		})
	}
	count := func(prefix string) (n int) {
		for path := range asked {
			if strings.HasPrefix(path, prefix) {
				n++
			}
		}
		return n
	}
	cases := map[string]struct {
		file    func(path string) string
		files   int // sitemaps read
		refused bool
		says    []string
	}{
		"three in a row": {func(path string) string {
			if len(path) < len("/sxxx") {
				return fmt.Sprintf(index, entry("%sx", path))
			}
			return fmt.Sprintf(list, "listed")
		}, 4, false, nil},
		"one in the other without end": {func(path string) string { return fmt.Sprintf(index, entry("%sx", path)) }, 4, true,
			[]string{"/sxxx is the 4th index in a row"}},
		"itself and back": {func(path string) string { return fmt.Sprintf(index, entry("/s")+entry("/sx")+entry("%s", path)) }, 2, false, nil},
		"too many": {func(path string) string {
			if path != "/s" {
				return fmt.Sprintf(list, path[2:])
			}
			var b strings.Builder
			for i := range 700 {
				b.WriteString(entry("/s%d", i))
			}
			return fmt.Sprintf(index, b.String())
		}, 500, true, nil},
		"too many in a file": {func(string) string {
			var b strings.Builder
			for i := range 50_010 {
				fmt.Fprintf(&b, "<url><loc>http://b.test/%d</loc></url>", i) // out of scope: not fetched
			}
			return "<urlset>" + b.String() + "</urlset>"
		}, 1, false, []string{"was cut short", "urls 50000"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, _ := site(t, h("Sitemap: http://a.test/s\n", c.file), func(s *config.Settings) { s.Crawl.Sitemaps = true; s.Crawl.Depth = 9 })
			discoverPages(t, e, 0)
			if n := count("/s"); n != c.files {
				t.Errorf("%d sitemaps were read, want %d", n, c.files)
			}
			if n := filtered(e, "too many sitemaps"); (n > 0) != c.refused {
				t.Errorf("%d were refused", n)
			}
			if c.says != nil && saying(e, c.says...) != 1 {
				t.Errorf("%q was said %d times", c.says, saying(e, c.says...))
			}
			// A second run reads no more of them.
			discoverPages(t, e, 0)
			if n := count("/s"); n != c.files {
				t.Errorf("after a second run %d sitemaps were read, want %d", n, c.files)
			}
			consistent(t, e)
		})
	}
}

// Two sites on one machine share its delay, whatever their own is; without one
// they are as fast as before.
func TestHostsOfOneAddress(t *testing.T) {
	t.Parallel()
	const pause, pages = 100 * time.Millisecond, 8
	for name, c := range map[string]struct {
		setting string
		least   time.Duration
	}{
		"by the setting":              {pause.String(), (pages - 3) * pause},
		"a quarter of no delay: none": {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var seeds []string
			for i := range 2 {
				s := httptest.NewServer(http.HandlerFunc(endless))
				t.Cleanup(s.Close)
				seeds = append(seeds, s.URL+fmt.Sprintf("/p%c", 'x'+i))
			}
			dir := created(t, func(set *config.Settings) {
				set.Seeds, set.Crawl.Delay, set.Crawl.IPDelay, set.Crawl.AllowPrivate, set.Crawl.IgnoreRobots = seeds, 0, c.setting, true, true
			})
			e := opened(t, dir, crawl.Options{})
			must(t, e.Words(context.Background()))
			begun := time.Now()
			discoverPages(t, e, pages)
			if took := time.Since(begun); took < c.least {
				t.Errorf("%d pages of two hosts on one address in %v, want at least %v", pages, took, c.least)
			}
		})
	}
}

package crawl_test

import (
	"context"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
	"angler/store"
	"angler/store/config"
)

func TestSitemapsFeedTheFrontier(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name  string
		set   func(*config.Settings)
		reads bool
	}{
		{"named by robots.txt", func(*config.Settings) {}, true},
		{"switched off", func(s *config.Settings) { s.Crawl.Sitemaps = false }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Depth 1: seeds, what they link to, and what sitemaps list.
			b := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 1; c.set(s) }})
			discover(t, b.Runs)
			sitemaps, listed := 0, 0
			for u := range each(t, b.Workspace().URLs()) {
				if strings.HasSuffix(u.URL, "/sitemap.xml") {
					sitemaps++
					if u.Depth != 0 || u.State != store.Complete {
						t.Errorf("%s is %v at depth %d", u.URL, u.State, u.Depth)
					}
					ids, err := b.Workspace().OutLinks(u.ID)
					must(t, err)
					listed += len(ids)
				}
			}
			if c.reads != (sitemaps > 0) || c.reads != (listed > 30) {
				t.Errorf("%d sitemaps with %d addresses read", sitemaps, listed)
			}
			consistent(t, b.Engine)
		})
	}
}

func TestSitemapsNamedByTheUser(t *testing.T) {
	b := openDemo(t, "", crawl.Options{})
	seed := b.Web().Seeds()[0]
	for _, c := range []struct{ url, says string }{
		{"http://elsewhere.test/sitemap.xml", "within the scope"},
		{"no address", "within the scope"},
	} {
		d := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Sitemaps = []string{c.url} }})
		if _, err := d.Runs.Discover(context.Background(), run.Options{MaxPages: 1}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("sitemap %q: %v", c.url, err)
		}
	}
	// A page that is no sitemap is an exception that says so.
	d := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Sitemaps = []string{seed + "robots.txt"}; s.Crawl.Depth = 0 }})
	discover(t, d.Runs)
	id, ok := d.Workspace().Lookup(seed + "robots.txt")
	u, err := d.Workspace().URL(id)
	if !ok || err != nil || u.State == store.Waiting {
		t.Errorf("the named file was not read: %+v, %v", u, err)
	}
}

package crawl

import (
	"time"

	"angler/crawl/fetch"
	"angler/crawl/settings"
)

// seedFetcher returns a fetcher for lists of sites. With server it is for the configured search server, which
// may be in this machine's network and whose robots.txt does not apply.
func (r *parts) seedFetcher(max int, server bool) (*fetch.Fetcher, error) {
	set := r.settings.Now()
	c := r.fetching(3*time.Duration(set.Crawl.Timeout), max)
	if server {
		c.AllowPrivate, c.IgnoreRobots, c.SeedHosts = true, true, nil
		if settings.Near(set.Suggest.SearXNG) {
			c.Proxy = "" // the proxy leads out of this network
		}
	}
	f, err := fetch.New(c)
	if err != nil {
		return nil, err
	}
	return f, r.hostAuth.Attach(f)
}

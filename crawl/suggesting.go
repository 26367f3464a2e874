package crawl

import (
	"time"

	"angler/crawl/fetch"
	"angler/crawl/settings"
)

// fetcherToSuggest makes a fetcher for lists of sites, or with server for the search
// server, which the settings name: it may stand in this machine's network, and its
// robots.txt speaks to others.
func (r *rooms) fetcherToSuggest(max int, server bool) (*fetch.Fetcher, error) {
	set := r.settings.Now()
	c := r.fetching(3*time.Duration(set.Crawl.Timeout), max)
	if server {
		c.AllowPrivate, c.IgnoreRobots, c.SeedHosts = true, true, nil
		if settings.Near(set.Suggest.SearXNG) {
			c.Proxy = "" // it leads out of this network
		}
	}
	f, err := fetch.New(c)
	if err != nil {
		return nil, err
	}
	return f, r.hostAuth.Attach(f)
}

package crawl

import (
	"context"
	"strings"

	"angler/crawl/hostauth"
	"angler/crawl/urls"
	"angler/crawl/view"
)

// TryLogin tests the access to a host, HOST or HOST:PORT. It logs in if [host] in angler.toml names a form.
// Otherwise it fetches the host's first seed, or its front page. A successful login is kept.
func (c *core) TryLogin(ctx context.Context, host string) hostauth.LoginReport {
	host = strings.ToLower(host)
	address := "https://" + host + "/"
	for _, seed := range c.settings.Now().Seeds {
		if urls.HostOf(seed) == host {
			address = seed
			break
		}
	}
	return c.hostAuth.Try(ctx, host, address)
}

// Closed returns the hosts that refuse access, in alphabetical order, at most 50.
func (r *Runs) Closed() []view.BlockedHost { return r.c.hostAuth.Blocked() }

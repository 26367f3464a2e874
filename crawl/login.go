package crawl

import (
	"context"
	"strings"

	"angler/crawl/hostauth"
	"angler/crawl/urls"
	"angler/crawl/view"
)

// TryLogin opens the door of a host, HOST or HOST:PORT, and says what came: it logs in
// where [host] in angler.toml names a form, and else asks for the first seed of the host,
// or its front page. A login that succeeds counts from then on.
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

// Closed are the hosts that do not let us in, in alphabetical order, at most 50.
func (r *Runs) Closed() []view.BlockedHost { return r.c.hostAuth.Blocked() }

package fetch

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// lookupTime is the time limit of Private for the resolver.
const lookupTime = 2 * time.Second

// Private returns the error with which the guard would refuse an address: the host is no seed, and
// its spelling or all its resolved addresses are not public. It returns nil if the address is
// allowed, if the resolver does not answer within two seconds, and behind a proxy, which resolves
// names itself. It is safe for concurrent use.
func (f *Fetcher) Private(ctx context.Context, address string) error {
	g := f.transport.guard
	u, err := url.Parse(address)
	if g == nil || err != nil {
		return nil
	}
	if err := g.checkURL(u); err != nil || f.transport.byProxy {
		return err
	}
	host, port := hostPort(u)
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // checked above
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	r := f.cfg.resolver
	if r == nil {
		r = net.DefaultResolver
	}
	all, err := r.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	var why error
	for _, a := range all {
		if why = g.check(host, port, a); why == nil {
			return nil
		}
	}
	return why
}

package seeds

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"angler/crawl/fetch"
	"angler/crawl/urls"
)

// This file says which site an address from outside is of, and which are none.

// Why an address is no site that could become a seed.
var (
	errPrivate = errors.New("not of the public internet")
	errNoSite  = errors.New("no site")
)

// longestHost bounds a host with its port, in bytes: a name of DNS, and a colon and five
// digits.
const longestHost = 253 + 6

// mirrors are the labels before a site's name that show the same site.
var mirrors = []string{"www", "m", "wap", "mobile", "3g"}

// siteOf returns the name that stands for the site of an address, and the address of its
// first page. http and https, www. and m. are one site; other subdomains and ports are
// sites of their own, because a purchasing office has its own and shares a domain with a
// whole university. An address within a private network is no site unless private.
func siteOf(address string, private bool) (host, root string, err error) {
	if len(address) > urls.MaxLength {
		return "", "", errNoSite
	}
	c, err := urls.Canonical(address)
	if err != nil {
		return "", "", errNoSite
	}
	scheme, _, _ := strings.Cut(c, "://")
	host = urls.HostOf(c)
	root = scheme + "://" + host + "/"
	name, port := host, ""
	if h, p, err := net.SplitHostPort(host); err == nil {
		name, port = h, p
	}
	if name == "" || len(host) > longestHost {
		return "", "", errNoSite
	}
	if ip, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		if !private && !fetch.Public(ip) {
			return "", "", errPrivate
		}
		return host, root, nil
	}
	if !private && urls.LocalName(name) {
		return "", "", errPrivate
	}
	short := bare(name)
	if port != "" {
		short += ":" + port
	}
	return short, root, nil
}

// bare is a name without what stands before it for another view of the same site. The
// site of www.gov.cn stays: gov.cn is no site but the end of many.
func bare(name string) string {
	first, rest, ok := strings.Cut(name, ".")
	if !ok || !slices.Contains(mirrors, first) {
		return name
	}
	if _, err := publicsuffix.EffectiveTLDPlusOne(rest); err != nil {
		return name
	}
	return rest
}

// domainOf is the registrable domain of a host: what one owner has. It is the host where
// there is none.
func domainOf(host string) string {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return d
	}
	return name
}

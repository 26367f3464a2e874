package seeds

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// This file derives the site of a foreign address.

// Reasons why an address cannot become a seed.
var (
	errPrivate = errors.New("not of the public internet")
	errNoSite  = errors.New("no site")
)

// maxHost is the maximum length of a host with its port in bytes: a DNS name, a colon and five digits.
const maxHost = 253 + 6

// mirrors lists subdomains that show the same site.
var mirrors = []string{"www", "m", "wap", "mobile", "3g"}

// siteOf returns the name of an address's site and the address of its first page. http and https, www. and m. count
// as one site. Other subdomains and ports are separate sites: a purchasing office shares its domain with a whole
// university. A private address is an error unless private is set.
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
	if name == "" || len(host) > maxHost {
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
	short := withoutMirror(name)
	if port != "" {
		short += ":" + port
	}
	return short, root, nil
}

// Site returns the host under which an address would be proposed, and its canonical form. An address in scope or,
// unless private is set, of a private network is an error.
func Site(address string, scope *urls.Scope, private bool) (host, canonical string, err error) {
	if canonical, err = canonicalSeed(address); err != nil {
		return "", "", err
	}
	if host, _, err = siteOf(canonical, private); err != nil {
		return "", "", fmt.Errorf("%s cannot be a seed: %w", htmldoc.CleanLine(address, maxShown), err)
	}
	if scope.Contains(canonical) {
		return "", "", fmt.Errorf("%s is in scope already", htmldoc.CleanLine(address, maxShown))
	}
	return host, canonical, nil
}

// withoutMirror removes a mirror's subdomain. The site of www.gov.cn stays, because gov.cn is a public suffix.
func withoutMirror(name string) string {
	first, rest, ok := strings.Cut(name, ".")
	if !ok || !slices.Contains(mirrors, first) {
		return name
	}
	if _, err := publicsuffix.EffectiveTLDPlusOne(rest); err != nil {
		return name
	}
	return rest
}

// domainOf returns the registrable domain of a host, or the host if there is no such domain.
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

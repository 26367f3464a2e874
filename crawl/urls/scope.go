package urls

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// The kinds of scope.
const (
	ScopeSite    = "site"    // the seed's host and its subdomains; from www.X everything under X (P0 2.2.3)
	ScopeHost    = "host"    // the seed's host and port only
	ScopePrefix  = "prefix"  // the seed's directory and below
	ScopePattern = "pattern" // URLs that an include pattern matches
)

// Scope decides which canonical URLs belong to a crawl. It is immutable and safe for concurrent use.
type Scope struct {
	kind             string
	sites            map[string]bool // site: domain names
	hosts            map[string]bool // host: name and port
	prefixes         []string        // prefix: without the scheme
	include, exclude []*regexp.Regexp
}

// NewScope returns a scope of a kind ("" means site) for seed URLs. A URL is in scope if the kind or an include
// pattern matches and no exclude pattern does. Patterns are Go regular expressions over the canonical URL,
// unanchored. Errors name the wrong seed or pattern.
func NewScope(kind string, seeds, include, exclude []string) (*Scope, error) {
	s := &Scope{kind: kind, sites: map[string]bool{}, hosts: map[string]bool{}}
	switch kind {
	case "":
		s.kind = ScopeSite
	case ScopeSite, ScopeHost, ScopePrefix:
	case ScopePattern:
		if len(include) == 0 {
			return nil, fmt.Errorf("scope %q needs at least one include pattern", kind)
		}
	default:
		return nil, fmt.Errorf("unknown scope %q: use site, host, prefix or pattern", kind)
	}
	for _, raw := range seeds {
		seed, err := Canonical(raw)
		if err != nil {
			return nil, fmt.Errorf("seed %q: %w", raw, err)
		}
		s.hosts[HostOf(seed)] = true
		s.sites[strings.TrimPrefix(hostname(seed), "www.")] = true
		_, rest, _ := strings.Cut(seed, "://")
		rest, _, _ = strings.Cut(rest, "?")
		s.prefixes = append(s.prefixes, rest[:strings.LastIndexByte(rest, '/')+1])
	}
	var err error
	if s.include, err = compile("include", include); err != nil {
		return nil, err
	}
	if s.exclude, err = compile("exclude", exclude); err != nil {
		return nil, err
	}
	return s, nil
}

func compile(what string, patterns []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("%s pattern %q is no regular expression: %w", what, p, err)
		}
		out = append(out, re)
	}
	return out, nil
}

// Contains reports whether a canonical URL, or that of an Address, is in scope.
func (s *Scope) Contains(canonical string) bool {
	canonical = Bare(canonical)
	return s.admits(canonical) && !s.excludes(canonical)
}

// Follows reports whether to follow a redirect between canonical URLs: the target is in scope, or, in a scope of
// sites, on a host of the same registered domain.
func (s *Scope) Follows(from, to string) bool {
	if s.Contains(to) {
		return true
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(hostname(to))
	if s.kind != ScopeSite || err != nil || s.excludes(Bare(to)) || !s.Contains(from) || !strings.Contains(site, ".") {
		return false
	}
	_, bad := netip.ParseAddr(strings.Trim(hostname(to), "[]"))
	return bad != nil && (hostname(from) == site || strings.HasSuffix(hostname(from), "."+site))
}

// excludes reports whether an exclude pattern matches.
func (s *Scope) excludes(canonical string) bool {
	for _, re := range s.exclude {
		if re.MatchString(canonical) {
			return true
		}
	}
	return false
}

func (s *Scope) admits(canonical string) bool {
	switch s.kind {
	case ScopeSite:
		for host := hostname(canonical); host != ""; {
			if s.sites[host] {
				return true
			}
			if host[0] == '[' {
				break
			}
			_, host, _ = strings.Cut(host, ".")
		}
	case ScopeHost:
		if s.hosts[HostOf(canonical)] {
			return true
		}
	case ScopePrefix:
		_, rest, _ := strings.Cut(canonical, "://")
		for _, p := range s.prefixes {
			if strings.HasPrefix(rest, p) {
				return true
			}
		}
	}
	for _, re := range s.include {
		if re.MatchString(canonical) {
			return true
		}
	}
	return false
}

// HostOf returns the host of an absolute URL, with its port if present.
func HostOf(canonical string) string {
	_, rest, ok := strings.Cut(canonical, "://")
	if !ok {
		return ""
	}
	for i := range len(rest) {
		if c := rest[i]; c == '/' || c == '?' || c == '#' {
			return rest[:i]
		}
	}
	return rest
}

// hostname returns the host without its port; an IPv6 address keeps its brackets.
func hostname(canonical string) string {
	host := HostOf(canonical)
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.IndexByte(host[i:], ']') < 0 {
		return host[:i]
	}
	return host
}

// private lists name endings unknown in the public Internet (RFC 6761, 6762, 8375, and usual names of private
// networks).
var private = []string{"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp",
	"private", "home.arpa", "invalid", "onion"}

// LocalName reports whether a host's name, by its spelling, is valid in one network only.
func LocalName(host string) bool {
	return !strings.Contains(host, ".") ||
		slices.ContainsFunc(private, func(end string) bool { return strings.HasSuffix(host, "."+end) })
}

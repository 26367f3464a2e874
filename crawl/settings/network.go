package settings

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/urls"
	"angler/store/config"
)

// This file guards settings that direct the server's requests. A remote admin may change the load, but must not open
// the server's own network, whatever its owner opened for local use.

// localOnly lists the settings that cannot be changed over SSH. They decide which addresses are reached and how, and
// how much disk one host may take. Others allocate resources at the opening and could keep the server from starting.
var localOnly = []string{"crawl.proxy", "crawl.allow_private", "crawl.public_only", "crawl.frontier_memory",
	"crawl.host_urls", "crawl.max_body_mb", "attachments.max_mb",
	"render.browser", "render.tabs", "render.memory_mb", "render.restart", "suggest.searxng",
	"assistant.url", "assistant.model", "assistant.key_env", "assistant.budget", "store.backups", "store.expected_urls",
	"store.false_positive", "words.segmenter"}

// urlSettings lists the settings with URLs to fetch.
var urlSettings = []string{"seeds", "sitemaps"}

// remoteHostSettings lists the host settings that a remote admin may change. Others make the server read files, send passwords or
// trust certificates.
var remoteHostSettings = []string{"delay", "per_host", "render", "worker"}

var errOwners = errors.New("over SSH this stays as it is; change angler.toml on the server")

// resolver returns the form in which a URL is fetched: parsers may disagree about host and path.
var resolver = urls.NewResolver(0)

// publicSeed returns why a remote person may not add a URL as a seed. The fetcher allows seeds private addresses,
// because a local person chose them. A remote seed must therefore be a public name, not an IP address. The fetcher
// checks the name's addresses at every connection: remote seeds are fetched at public addresses only
// (crawl.public_only).
func publicSeed(raw string) error {
	if strings.ContainsAny(raw, "\\@\t\r\n") {
		return fmt.Errorf("over SSH a seed is written plainly; %q has a user, or a character that hides where it leads",
			raw)
	}
	canonical, err := resolver.Canonical(raw)
	if err != nil {
		return fmt.Errorf("%q is not a URL; write http://HOST/PATH", raw)
	}
	u, err := url.Parse(canonical)
	if err != nil {
		return fmt.Errorf("%q is not a URL; write http://HOST/PATH", raw)
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case strings.ContainsRune(host, ':'), last == "", last[0] < 'a':
		return fmt.Errorf("over SSH a seed has a public name; %q is a number", host)
	case urls.LocalName(host):
		return fmt.Errorf("over SSH a seed has a public name; %q is one of the server's own network", host)
	}
	return nil
}

// publicSeeds applies publicSeed to the seeds of a remote person.
func (h *Editor) publicSeeds(list []string) error {
	if !h.Remote {
		return nil
	}
	for _, u := range list {
		if err := publicSeed(u); err != nil {
			return err
		}
	}
	return nil
}

// may returns why the editor's person may not set a value.
func (h *Editor) may(key, value string) error {
	do := auth.Settings
	if strings.HasPrefix(key, "terms.") {
		do = auth.TuneTerms
	}
	if err := h.May(do); err != nil || !h.Remote {
		return err
	}
	set := h.l.Now()
	switch {
	case slices.Contains(localOnly, key):
		return errOwners
	case strings.HasPrefix(key, config.HostsKey+"."):
		if _, name, ok := config.SplitHostKey(key); ok && !slices.Contains(remoteHostSettings, name) {
			return errOwners
		}
	case key == config.HostsKey:
		now, err := config.Items(value)
		if err != nil {
			return nil // CheckSetting reports the error
		}
		for host := range set.Host {
			if !slices.Contains(now, host) {
				return errOwners
			}
		}
	case slices.Contains(urlSettings, key):
		next, err := config.Default().With(key, value)
		if err != nil {
			return nil // CheckSetting reports the error
		}
		known := set.Seeds
		if key == "sitemaps" {
			known = set.Sitemaps
		}
		return h.publicSeeds(slices.DeleteFunc(slices.Concat(next.Seeds, next.Sitemaps), func(u string) bool {
			return slices.Contains(known, u)
		}))
	}
	return nil
}

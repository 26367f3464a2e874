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

// This file guards what decides where the server's requests go. An admin at the
// other end of a line answers for the load, not for the network the server
// stands in: that one stays closed to them, whatever its owner has opened for
// the workbench on the machine itself.

// owners are the settings that cannot be changed over SSH: which addresses are
// reached and by what way, how much of the disk one host may take, and what is
// allotted when the workspace is opened, which could keep the server from
// starting.
var owners = []string{"crawl.proxy", "crawl.allow_private", "crawl.public_only", "crawl.frontier_memory", "crawl.host_urls", "crawl.max_body_mb", "attachments.max_mb",
	"render.browser", "render.tabs", "render.memory_mb", "render.restart", "suggest.searxng",
	"store.backups", "store.expected_urls", "store.false_positive", "words.segmenter"}

// addresses are the settings that list URLs to be fetched.
var addresses = []string{"seeds", "sitemaps"}

// load are the settings of a host that an admin may change over a line: the others have
// the server read files, send passwords or trust certificates.
var load = []string{"delay", "per_host", "render", "worker"}

var errOwners = errors.New("over SSH this stays as it is; change angler.toml on the server")

// resolver brings a URL to the form in which it is fetched: what one parser
// takes for a path, another takes for a host.
var resolver = urls.NewResolver(nil, 0)

// publicSeed reports why over a line a URL is no seed. The fetcher lets seeds
// have private addresses, because who names one means it; over a line a seed
// must be a name that everyone knows, and no number. Where such a name leads is
// checked by the fetcher at every connection: what was named over a line is
// fetched at public addresses only (crawl.public_only).
func publicSeed(raw string) error {
	if strings.ContainsAny(raw, "\\@\t\r\n") {
		return fmt.Errorf("over SSH a seed is written plainly; %q has a user, or a character that hides where it leads", raw)
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

// publicSeeds reports why the editor's person may not name one of the seeds.
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

// may reports why the editor's person may not give a setting a value.
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
	case slices.Contains(owners, key):
		return errOwners
	case strings.HasPrefix(key, config.HostsKey+"."):
		if _, name, ok := config.SplitHostKey(key); ok && !slices.Contains(load, name) {
			return errOwners
		}
	case key == config.HostsKey:
		now, err := config.Items(value)
		if err != nil {
			return nil // CheckSetting says what is wrong with it
		}
		for host := range set.Host {
			if !slices.Contains(now, host) {
				return errOwners
			}
		}
	case slices.Contains(addresses, key):
		next, err := config.Default().With(key, value)
		if err != nil {
			return nil // CheckSetting says what is wrong with it
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

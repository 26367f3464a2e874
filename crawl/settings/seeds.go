package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"angler/crawl/urls"
	"angler/store"
)

// This file is about the seeds, and which of them may lead into the network
// that this machine stands in. A host named at this machine may have private
// addresses (see fetch.Fetcher.SetSeedHosts). A host named from another machine
// is fetched at public addresses only, whatever its name resolves to: it is
// listed in crawl.public_only. Somebody at this machine can take it out of that
// list, or name the host as a seed there.

// AddSeeds adds addresses to the seeds and to a running discovery. It returns
// how many are new.
func (h *Hand) AddSeeds(raw []string) (int, error) {
	l := h.l
	var canonical []string
	for _, s := range raw {
		c, err := l.Resolver.Canonical(s)
		if err != nil {
			return 0, fmt.Errorf("%q is no http address (%v)", s, err)
		}
		canonical = append(canonical, c)
	}
	added, old, set, err := h.addSeeds(canonical)
	if err != nil {
		return 0, err
	}
	if err := l.Hooks.Seeded(canonical); err != nil {
		return added, err
	}
	l.Events.Did(h.by, fmt.Sprintf("%d seeds added", added))
	return added, l.Hooks.Changed(old, set)
}

func (h *Hand) addSeeds(canonical []string) (added int, old, set *store.Settings, err error) {
	l := h.l
	l.mu.Lock()
	defer l.mu.Unlock()
	err = l.Store.ChangeSettings(func(s *store.Settings) {
		named := slices.Clone(s.Seeds)
		s.AddSeeds(canonical)
		h.trust(s, named, canonical)
	})
	if err != nil {
		return 0, nil, nil, err
	}
	old = l.now.Load()
	next, file := old.Clone(), l.Store.Settings()
	next.Seeds, next.Crawl.PublicOnly = file.Seeds, file.Crawl.PublicOnly
	l.file.Seeds, l.file.Crawl.PublicOnly = file.Seeds, file.Crawl.PublicOnly
	return len(next.Seeds) - len(old.Seeds), old, &next, l.take(&next)
}

// trust says for the hosts of seeds that were just given whether their private
// addresses may be fetched. before are the seeds until then: what a remote person
// names again stays as open as it was.
func (h *Hand) trust(s *store.Settings, before, given []string) {
	open, hosts, closed := hostsOf(before), hostsOf(given), lowered(s.Crawl.PublicOnly)
	if !h.remote {
		s.Crawl.PublicOnly = slices.DeleteFunc(s.Crawl.PublicOnly, func(h string) bool { return hosts[strings.ToLower(h)] })
		return
	}
	for host := range hosts {
		if !open[host] && !closed[host] {
			s.Crawl.PublicOnly = append(s.Crawl.PublicOnly, host)
		}
	}
	slices.Sort(s.Crawl.PublicOnly)
}

// hostsOf is the set of the hosts of URLs, HOST or HOST:PORT in lower case.
func hostsOf(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, u := range list {
		out[strings.ToLower(urls.HostOf(u))] = true
	}
	return out
}

func lowered(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, h := range list {
		out[strings.ToLower(h)] = true
	}
	return out
}

// SeedHosts may be fetched from even where they are private: somebody at this
// machine named them.
func SeedHosts(set *store.Settings) []string {
	closed := lowered(set.Crawl.PublicOnly)
	return slices.DeleteFunc(slices.Collect(maps.Keys(hostsOf(set.Seeds))), func(h string) bool { return closed[h] })
}

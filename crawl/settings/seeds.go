package settings

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/urls"
	"angler/message"
	"angler/store/config"
)

// This file manages seeds and their access to this machine's network. A host named locally may have private
// addresses (see fetch.Fetcher.SetSeedHosts). A host named remotely is fetched at public addresses only and is
// listed in crawl.public_only. A local person can remove it from that list, or name the host as a seed.

// AddSeeds adds addresses to the seeds and to a running discovery. It returns the number of new ones.
func (h *Editor) AddSeeds(raw []string) (int, error) {
	if err := cmp.Or(h.May(auth.Seeds), h.publicSeeds(raw)); err != nil {
		return 0, err
	}
	l := h.l
	var canonical []string
	for _, s := range raw {
		c, err := l.Resolver.Canonical(s)
		if err != nil {
			return 0, fmt.Errorf("%q is no http address (%v)", s, err)
		}
		canonical = append(canonical, c)
	}
	old, set, err := l.changeSeeds(func(s *config.Settings) {
		named := slices.Clone(s.Seeds)
		s.AddSeeds(canonical)
		h.trust(s, named, canonical)
	})
	if err != nil {
		return 0, err
	}
	added := len(set.Seeds) - len(old.Seeds)
	if err := l.Hooks.Seeded(canonical); err != nil {
		return added, err
	}
	l.Events.Did(h.Name, message.Of("%d seeds added", added))
	return added, l.Hooks.Changed(old, set)
}

// changeSeeds changes the stored seeds and applies them and crawl.public_only, and no other stored setting, to the
// present settings.
func (l *Live) changeSeeds(change func(*config.Settings)) (old, set *config.Settings, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Store.ChangeSettings(change); err != nil {
		return nil, nil, err
	}
	old = l.now.Load()
	next, file := old.Clone(), l.Store.Settings()
	next.Seeds, next.Crawl.PublicOnly = file.Seeds, file.Crawl.PublicOnly
	l.file.Seeds, l.file.Crawl.PublicOnly = file.Seeds, file.Crawl.PublicOnly
	return old, &next, l.apply(&next)
}

// trust decides whether the private addresses of new seeds' hosts may be fetched. before are the earlier seeds; a
// host among them keeps its access when a remote person names it again.
func (h *Editor) trust(s *config.Settings, before, given []string) {
	open, hosts, closed := hostsOf(before), hostsOf(given), lowered(s.Crawl.PublicOnly)
	if !h.Remote {
		s.Crawl.PublicOnly = slices.DeleteFunc(s.Crawl.PublicOnly,
			func(h string) bool { return hosts[strings.ToLower(h)] })
		return
	}
	for host := range hosts {
		if !open[host] && !closed[host] {
			s.Crawl.PublicOnly = append(s.Crawl.PublicOnly, host)
		}
	}
	slices.Sort(s.Crawl.PublicOnly)
}

// hostsOf returns the set of the URLs' hosts, HOST or HOST:PORT in lower case.
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

// SeedHosts returns the hosts that may have private addresses: a local person named them.
func SeedHosts(set *config.Settings) []string {
	closed := lowered(set.Crawl.PublicOnly)
	return slices.DeleteFunc(slices.Collect(maps.Keys(hostsOf(set.Seeds))), func(h string) bool { return closed[h] })
}

// Plant adds proposed addresses to the seeds and removes others. A proposed host never opens this machine's network:
// it is listed in crawl.public_only, even if an admin accepts it.
func (l *Live) Plant(add, remove []string) error {
	var fresh []string
	old, set, err := l.changeSeeds(func(s *config.Settings) {
		before := slices.Clone(s.Seeds)
		s.AddSeeds(add)
		fresh = slices.Clone(s.Seeds[len(before):])
		(&Editor{Actor: auth.Actor{Remote: true}}).trust(s, before, fresh)
		s.Seeds = slices.DeleteFunc(s.Seeds, func(u string) bool { return slices.Contains(remove, u) })
		left, gone := hostsOf(s.Seeds), hostsOf(remove)
		s.Crawl.PublicOnly = slices.DeleteFunc(s.Crawl.PublicOnly,
			func(h string) bool { h = strings.ToLower(h); return gone[h] && !left[h] })
	})
	if err != nil {
		return err
	}
	if len(fresh) > 0 {
		if err := l.Hooks.Seeded(fresh); err != nil {
			return err
		}
	}
	return l.Hooks.Changed(old, set)
}

// Near reports whether an address, by its spelling, belongs to this machine or its network.
func Near(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		return !fetch.Public(ip)
	}
	return !strings.Contains(u.Hostname(), ".")
}

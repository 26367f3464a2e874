package crawl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file is about the seeds, and which of them may lead into the network that
// this machine stands in. Who names a host at the machine itself means it: its
// private addresses are fetched (see fetch.Fetcher.SetSeedHosts). A host named
// from another machine is fetched at public addresses only, whatever its name
// resolves to: it is written down in crawl.public_only, which the person who owns
// the machine can take it out of, or undo by naming the host there.

// AddSeeds adds addresses to the seeds and to a running discovery. It returns
// how many are new.
func (e *Engine) AddSeeds(raw []string) (int, error) {
	var canonical []string
	for _, s := range raw {
		c, err := e.resolver.Canonical(s)
		if err != nil {
			return 0, fmt.Errorf("%q is no http address (%v)", s, err)
		}
		canonical = append(canonical, c)
	}
	e.desk.Lock()
	err := e.ws.ChangeSettings(func(s *store.Settings) {
		named := slices.Clone(s.Seeds)
		s.AddSeeds(canonical)
		e.vouch(s, named, canonical)
	})
	before := len(e.set.Seeds)
	if err == nil {
		now := e.ws.Settings()
		e.set.Seeds, e.set.Crawl.PublicOnly = now.Seeds, now.Crawl.PublicOnly
		err = e.rescope()
	}
	added := len(e.set.Seeds) - before
	e.desk.Unlock()
	if err != nil {
		return 0, err
	}
	e.runMu.Lock()
	r := e.run
	e.runMu.Unlock()
	if r != nil && r.task == view.Discovery {
		found, err := e.ws.Seed(canonical)
		if err != nil {
			return added, err
		}
		r.admit(found)
	}
	e.did(fmt.Sprintf("%d seeds added", added))
	return added, nil
}

// vouch says for the hosts of seeds that were just given whether their private
// addresses may be fetched. before are the seeds until then: what a far person
// names again stays as open as it was.
func (e *Engine) vouch(s *store.Settings, before, given []string) {
	open, hosts, closed := hostsOf(before), hostsOf(given), lowered(s.Crawl.PublicOnly)
	if !e.far {
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

// seedHosts may be fetched from even where they are private: somebody at this
// machine named them.
func seedHosts(set *store.Settings) []string {
	closed := lowered(set.Crawl.PublicOnly)
	return slices.DeleteFunc(slices.Collect(maps.Keys(hostsOf(set.Seeds))), func(h string) bool { return closed[h] })
}

// CheckSeeds makes the seeds of new settings canonical and reports the first
// thing that would keep a discovery from starting.
func CheckSeeds(set *store.Settings) error {
	if len(set.Seeds) == 0 {
		return errors.New("no seeds; give at least one with --seed URL or --seeds FILE")
	}
	for i, s := range set.Seeds {
		if !strings.Contains(s, "://") {
			s = "http://" + s
		}
		c, err := urls.Canonical(s)
		if err != nil {
			return fmt.Errorf("seed %q is no http address (%v); write http://HOST/", set.Seeds[i], err)
		}
		set.Seeds[i] = c
	}
	if _, err := urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude); err != nil {
		return err
	}
	return nil
}

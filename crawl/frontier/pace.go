package frontier

import (
	"time"

	"angler/store/config"
)

// Pace is how one host is asked where that differs from the others.
type Pace struct {
	Delay   time.Duration // in the place of Config.Delay; negative = that
	PerHost int           // in the place of Config.PerHost; 0 = that
}

// SetPaces changes Config.Paces: the delay counts from the next release of each host on.
// It costs one pass over all hosts. What is in flight goes on.
func (f *Frontier) SetPaces(paces map[string]Pace) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(paces) == 0 && len(f.cfg.Paces) == 0 {
		return
	}
	f.cfg.Paces = paces
	for _, h := range f.hosts.all {
		f.hosts.unplace(h)
		h.own = f.cfg.pace(h.name)
		f.hosts.place(h)
	}
	f.dispatch()
}

// pace is the one of a host; nil = that of all.
func (c *Config) pace(name string) *Pace {
	if p, own := c.Paces[name]; own {
		return &p
	}
	return nil
}

// plain is the delay of a host that does not throttle.
func (h *host) plain(cfg *Config) time.Duration {
	if h.own != nil && h.own.Delay >= 0 {
		return h.own.Delay
	}
	return cfg.Delay
}

// most is how many fetches of a host that answers may be in flight.
func (h *host) most(cfg *Config) int {
	if h.own != nil && h.own.PerHost > 0 {
		return h.own.PerHost
	}
	return cfg.PerHost
}

// PacesOf are the hosts whose politeness the settings name.
func PacesOf(hosts map[string]config.Host) map[string]Pace {
	var out map[string]Pace
	for name, h := range hosts {
		if h.Delay == nil && h.PerHost == 0 {
			continue
		}
		p := Pace{Delay: -1, PerHost: h.PerHost}
		if h.Delay != nil {
			p.Delay = time.Duration(*h.Delay)
		}
		if out == nil {
			out = map[string]Pace{}
		}
		out[name] = p
	}
	return out
}

package fetch

import (
	"cmp"
	"strings"
	"time"

	"angler/crawl/urls"
	"angler/store/config"
)

// Pace is the request rate of a host.
type Pace struct {
	// Delay is the minimum time between the end of a request and the start of the next. With
	// parallel requests it is between two starts.
	Delay time.Duration

	// PerHost is the maximum of parallel requests (0 = 1), once the host has responded and while it
	// neither fails nor throttles. A Crawl-delay also applies between two starts.
	PerHost int

	// Address is the minimum time between two request starts to an address that several hosts
	// share, see Outcome.Address. Negative = a quarter of the host's delay; 0 = no such delay.
	Address time.Duration
}

// PaceOf returns the pace of a host by the settings. The search server has suggest.delay.
func PaceOf(set *config.Settings, host string) Pace {
	address, err := set.Crawl.AddressDelay()
	if err != nil { // impossible with checked settings
		address = -1
	}
	p := Pace{Delay: set.DelayOf(host), PerHost: cmp.Or(set.Host[host].PerHost, set.Crawl.PerHost), Address: address}
	if s := set.Suggest.SearXNG; s != "" && strings.EqualFold(urls.HostOf(s), host) {
		p.Delay = time.Duration(set.Suggest.Delay)
	}
	return p
}

// maxParallel returns the maximum of parallel requests to a host that responds.
func (p *Pace) maxParallel() int { return max(p.PerHost, 1) }

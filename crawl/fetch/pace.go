package fetch

import (
	"cmp"
	"strings"
	"time"

	"angler/crawl/urls"
	"angler/store/config"
)

// Pace is how a host is asked.
type Pace struct {
	// Delay is the least time between the end of a request and the start of the next;
	// where several may be under way, between two starts.
	Delay time.Duration

	// PerHost is how many requests may be under way (1 when 0), once the host has answered
	// and while it neither fails nor throttles. A Crawl-delay is the least time between two
	// starts as well as after an end.
	PerHost int

	// Address is the least time between the starts of two requests to one address that
	// several hosts share, see Outcome.Address; negative = a quarter of the host's delay,
	// 0 = addresses do not matter.
	Address time.Duration
}

// PaceOf is the pace of a host by the settings: that of the search server is
// suggest.delay.
func PaceOf(set *config.Settings, host string) Pace {
	address, err := set.Crawl.AddressDelay()
	if err != nil { // checked settings have none
		address = -1
	}
	p := Pace{Delay: set.DelayOf(host), PerHost: cmp.Or(set.Host[host].PerHost, set.Crawl.PerHost), Address: address}
	if s := set.Suggest.SearXNG; s != "" && strings.EqualFold(urls.HostOf(s), host) {
		p.Delay = time.Duration(set.Suggest.Delay)
	}
	return p
}

// most is how many requests to a host that answers may be under way.
func (p *Pace) most() int { return max(p.PerHost, 1) }

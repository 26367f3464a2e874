package frontier

import (
	"net/netip"
	"time"
)

// Many hosts may be one machine: a provider's customers, the departments of a
// university. Politeness to each of them alone would ask that machine as many
// times as fast. So an address that several hosts share has a delay of its own,
// from the start of one fetch to the start of the next.
//
// The address of a host becomes known with its first answer. A host that comes to
// the top of the heap of ready ones while its address is not ready is held: it
// rests until then. What it has waited for its own delay is not touched by that,
// and decides between equals, so none of an address' hosts starves.

// shareOfDelay is how much shorter the delay of an address is than that of a host,
// unless Config says otherwise.
const shareOfDelay = 4

// address is a machine that answers for some hosts.
type address struct {
	hosts int
	next  int64 // not asked before
}

// addresses knows which host has answered from where.
type addresses struct {
	byAddr map[netip.Addr]*address
}

// meet notes the address from which a host has answered; one that is not valid
// says nothing.
func (as *addresses) meet(h *host, at netip.Addr) {
	if !at.IsValid() {
		return
	}
	a := as.byAddr[at]
	if a != nil && a == h.addr {
		return
	}
	if a == nil {
		if as.byAddr == nil {
			as.byAddr = make(map[netip.Addr]*address)
		}
		a = new(address)
		as.byAddr[at] = a
	}
	if h.addr != nil {
		h.addr.hosts--
	}
	a.hosts++
	h.addr = a
}

// ask begins a fetch of a host: its address is not asked again for a while.
func (h *host) ask(cfg *Config, now int64) {
	if h.addr == nil {
		return
	}
	d := cfg.AddressDelay
	if d < 0 {
		d = max(h.delay(cfg), h.crawl) / shareOfDelay
	}
	h.addr.next = max(h.addr.next, now+int64(d))
}

// ripe reports whether a host may be asked now, and makes those rest that share
// an address which may not.
func (hs *hosts) ripe() bool {
	hs.ripen(&hs.ready)
	hs.ripen(&hs.errands)
	return hs.any()
}

// ripen lets those on top of a heap rest that may not be asked now.
func (hs *hosts) ripen(heap *[]*host) {
	for len(*heap) > 0 {
		h := (*heap)[0]
		if h.addr == nil || h.addr.hosts < 2 || h.addr.next == 0 {
			return
		}
		now := hs.clock.now()
		if h.addr.next <= now {
			return
		}
		hs.unplace(h)
		h.held = h.addr.next
		hs.placeAt(h, now)
	}
}

// wakes is when a host that rests may be looked at again.
func (h *host) wakes() int64 { return max(h.next, h.held) }

// reason says why a host rests.
func (h *host) reason() WaitReason {
	if h.held > h.next {
		return politeness
	}
	return h.why
}

// SetAddressDelay changes Config.AddressDelay. No host is held for what its address
// was asked before. It costs one pass over all hosts when the delay differs.
func (f *Frontier) SetAddressDelay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cfg.AddressDelay == d {
		return
	}
	f.cfg.AddressDelay = d
	for _, a := range f.hosts.addresses.byAddr {
		a.next = 0
	}
	for _, h := range f.hosts.all {
		f.hosts.unplace(h)
		h.held = 0
		f.hosts.place(h)
	}
	f.dispatch()
}

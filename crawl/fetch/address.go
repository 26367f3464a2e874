package fetch

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// peers remembers the address at which a host was last reached, by the dialled HOST:PORT. It is
// safe for concurrent use.
type peers struct {
	mu sync.RWMutex
	at map[string]netip.Addr
}

// Address returns the address at which host (with its port, if it has one) was last reached. It is
// invalid before the first connection, behind a proxy, and with Config.Dial, which may lead
// anywhere.
func (f *Fetcher) Address(host string) netip.Addr {
	p := &f.transport.peers
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.at[host]
}

// dialer wraps a dialer that records the reached address.
func (p *peers) dialer(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err == nil {
			p.note(addr, c.RemoteAddr())
		}
		return c, err
	}
}

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// note stores an address under the host as written in URLs, without default ports.
func (p *peers) note(dialled string, remote net.Addr) {
	tcp, ok := remote.(*net.TCPAddr)
	host, port, err := net.SplitHostPort(dialled)
	if !ok || err != nil {
		return
	}
	switch {
	case port != "80" && port != "443":
		host = dialled
	case net.ParseIP(host).To4() == nil && net.ParseIP(host) != nil:
		host = "[" + host + "]"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.at) >= maxSites {
		clear(p.at) // the next connection stores each again
	}
	if p.at == nil {
		p.at = make(map[string]netip.Addr)
	}
	p.at[host] = tcp.AddrPort().Addr().Unmap().WithZone("")
}

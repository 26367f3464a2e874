package fetch

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// peers remembers at which address a host was reached last, by the HOST:PORT that
// was dialled. It is safe for concurrent use.
type peers struct {
	mu sync.RWMutex
	at map[string]netip.Addr
}

// Address is where host (with its port, if it has one) was reached last; not
// valid before its first connection, behind a proxy, and with a dialer of the
// caller's own, which may lead anywhere.
func (f *Fetcher) Address(host string) netip.Addr {
	p := &f.transport.peers
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.at[host]
}

// dialer makes a dialer note whom it has reached.
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

// note notes an address under the host as it stands in URLs, where the usual
// ports are left out.
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
		clear(p.at) // each is known again with its next connection
	}
	if p.at == nil {
		p.at = make(map[string]netip.Addr)
	}
	p.at[host] = tcp.AddrPort().Addr().Unmap().WithZone("")
}

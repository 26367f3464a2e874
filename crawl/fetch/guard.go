package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// guardError refuses an address. It is shown like any failed fetch.
type guardError struct{ what string }

func (e *guardError) Error() string { return e.what }

// class is the class of an address. The zero value means public.
type class string

const (
	public    class = ""
	loopback  class = "loopback"
	private   class = "private"
	linkLocal class = "link-local"
	multicast class = "multicast"
	thisNet   class = "of this network"
	sharedNAT class = "carrier-grade NAT"
	metadata  class = "a cloud's metadata service"
	tunnel    class = "a tunnel"
	reserved  class = "reserved"
)

// Networks that netip's predicates do not name, or put into a milder class. The first match
// decides. 198.18.0.0/15 is missing on purpose: local proxies assign made-up addresses from it to
// every name, and it leads nowhere else.
var guarded = []struct {
	prefix netip.Prefix
	class  class
}{
	{netip.MustParsePrefix("169.254.169.254/32"), metadata},
	{netip.MustParsePrefix("fd00:ec2::254/128"), metadata},
	{netip.MustParsePrefix("100.100.100.200/32"), metadata},
	{netip.MustParsePrefix("168.63.129.16/32"), metadata},
	{netip.MustParsePrefix("192.0.0.192/32"), metadata},
	{netip.MustParsePrefix("0.0.0.0/8"), thisNet},
	{netip.MustParsePrefix("100.64.0.0/10"), sharedNAT},
	{netip.MustParsePrefix("192.0.0.0/24"), reserved},
	{netip.MustParsePrefix("240.0.0.0/4"), reserved},
	{netip.MustParsePrefix("fec0::/10"), private},
	{netip.MustParsePrefix("64:ff9b:1::/48"), private}, // NAT64 within a network (RFC 8215)
	{netip.MustParsePrefix("2001::/32"), tunnel},       // Teredo
}

// IPv6 networks with an IPv4 address in the last four bytes, and 6to4, which has it after the
// prefix.
var (
	carriers = []netip.Prefix{
		netip.MustParsePrefix("64:ff9b::/96"),
		netip.MustParsePrefix("::ffff:0:0:0/96"), // RFC 2765
		netip.MustParsePrefix("::/96"),
	}
	sixTo4 = netip.MustParsePrefix("2002::/16")
)

// classOf returns the class of an address, in IPv4, in IPv6 and in IPv6 addresses that contain an
// IPv4 one.
func classOf(a netip.Addr) class {
	a = a.WithZone("").Unmap()
	for _, g := range guarded {
		if g.prefix.Contains(a) {
			return g.class
		}
	}
	switch {
	case a.IsLoopback():
		return loopback
	case a.IsPrivate():
		return private
	case a.IsLinkLocalUnicast():
		return linkLocal
	case a.IsMulticast():
		return multicast
	case a.IsUnspecified():
		return thisNet
	}
	if a.Is6() {
		b := a.As16()
		if sixTo4.Contains(a) {
			return classOf(netip.AddrFrom4([4]byte(b[2:6])))
		}
		for _, p := range carriers {
			if p.Contains(a) {
				return classOf(netip.AddrFrom4([4]byte(b[12:16])))
			}
		}
	}
	return public
}

// Public reports whether an address is public.
func Public(a netip.Addr) bool { return classOf(a) == public }

// guard refuses addresses that the public Internet cannot reach. Direct connections are checked by
// the dialled address, after the name was resolved, so DNS rebinding gains nothing. A proxy
// resolves names itself, so behind one only the spelling of a host is checked. It is safe for
// concurrent use.
//
// Seeds are exempt, by exact host and port, because an analyst chose them. The exemption depends on
// the spelling. A literal address allows itself, localhost allows loopback. Any other name allows
// private networks, but neither loopback nor metadata services, because seeds may come from a
// search engine. A name that once had a public address never allows a private one.
type guard struct {
	seeds atomic.Pointer[map[string]*seedHost] // by host:port
}

type seedHost struct {
	wasPublic atomic.Bool
}

func newGuard(hosts []string) *guard {
	g := new(guard)
	g.seeds.Store(&map[string]*seedHost{})
	g.set(hosts)
	return g
}

// set replaces the seeds and keeps the data of those that stay.
func (g *guard) set(hosts []string) {
	for {
		old := g.seeds.Load()
		seeds := make(map[string]*seedHost, 2*len(hosts))
		for _, h := range hosts {
			for _, key := range seedKeys(h) {
				if seeds[key] = (*old)[key]; seeds[key] == nil {
					seeds[key] = new(seedHost)
				}
			}
		}
		if g.seeds.CompareAndSwap(old, &seeds) {
			return
		}
	}
}

// seedKeys returns the keys of HOST or HOST:PORT as written in a URL; without a port, for both
// default ports.
func seedKeys(host string) []string {
	if h, port, err := net.SplitHostPort(host); err == nil {
		return []string{hostKey(h, port)}
	}
	host = strings.Trim(host, "[]")
	return []string{hostKey(host, "80"), hostKey(host, "443")}
}

func hostKey(host, port string) string {
	return net.JoinHostPort(plainHost(host), port)
}

// plainHost returns a host in the spelling that net/http sends: a proxy reads full-width digits as
// digits.
func plainHost(host string) string {
	if strings.IndexFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if a, err := idna.Lookup.ToASCII(host); err == nil {
			host = a
		}
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().String()
	}
	return host
}

// local reports whether a name means this machine.
func local(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

// check returns an error if address a must not be connected to for a URL with host and port.
func (g *guard) check(host, port string, a netip.Addr) error {
	host = plainHost(host)
	c := classOf(a)
	seed := (*g.seeds.Load())[hostKey(host, port)]
	switch literal, err := netip.ParseAddr(host); {
	case seed == nil:
	case c == public:
		seed.wasPublic.Store(true)
	case err == nil:
		if literal == a.WithZone("").Unmap() {
			return nil
		}
	case seed.wasPublic.Load():
		return &guardError{fmt.Sprintf("address %s is %s, and %s had a public one before", a, c, host)}
	case c == loopback && local(host), c == private, c == sharedNAT:
		return nil
	}
	if c == public {
		return nil
	}
	return &guardError{fmt.Sprintf("address %s is %s", a, c)}
}

// checkURL refuses hosts that are private by their spelling, for connections through a proxy. It
// resolves nothing.
func (g *guard) checkURL(u *url.URL) error {
	host, port := hostPort(u)
	if a, err := netip.ParseAddr(host); err == nil {
		return g.check(host, port, a)
	}
	switch {
	case obscureIPv4(host):
		return &guardError{fmt.Sprintf("host %q is a number", host)}
	case (*g.seeds.Load())[hostKey(host, port)] != nil:
	case local(host):
		return &guardError{host + " is this machine"}
	case host == "metadata.google.internal":
		return &guardError{fmt.Sprintf("%s is %s", host, metadata)}
	}
	return nil
}

// hostPort returns the host of a URL as the guard compares it, and its port.
func hostPort(u *url.URL) (host, port string) {
	port = "80"
	if u.Scheme == "https" {
		port = "443"
	}
	return plainHost(u.Hostname()), cmp.Or(u.Port(), port)
}

// dialer returns a DialContext that checks every address before dialling.
func (g *guard) dialer(d *net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, &guardError{fmt.Sprintf("address %s cannot be read", addr)}
		}
		one := *d
		one.Control = func(_, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				return &guardError{fmt.Sprintf("address %s cannot be read", address)}
			}
			return g.check(host, port, ap.Addr())
		}
		return one.DialContext(ctx, network, addr)
	}
}

// obscureIPv4 reports hosts that the WHATWG URL standard calls "ending in a number" and that are no
// dotted address.
func obscureIPv4(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(last, "0x")
	if !ok {
		return false
	}
	if hex == "" {
		return true
	}
	_, err := strconv.ParseUint(hex, 16, 64)
	return err == nil
}

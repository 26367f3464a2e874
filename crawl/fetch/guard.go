package fetch

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
)

// guardError refuses an address. The engine shows it like any failed fetch.
type guardError struct{ what string }

func (e *guardError) Error() string { return e.what }

// guardControl is a net.Dialer.Control: it sees the address after the name was
// resolved and before the connection is opened, so a name that changes its
// address between a check and the dial (DNS rebinding) gains nothing.
func guardControl(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return &guardError{fmt.Sprintf("address %s cannot be read", address)}
	}
	return guardAddr(ap.Addr())
}

// guardHost refuses hosts that are private by their spelling, for connections
// that a proxy opens.
func guardHost(host string) error {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return guardAddr(a)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "metadata.google.internal" {
		return &guardError{fmt.Sprintf("%s is this machine or its cloud", host)}
	}
	return nil
}

// Networks that netip's own predicates do not name. 198.18.0.0/15 is missing on
// purpose: local proxies give every name a made-up address from it, and it
// leads nowhere else.
var guarded = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "of this network"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"}, // with Alibaba's metadata service 100.100.100.200
	{netip.MustParsePrefix("168.63.129.16/32"), "a cloud's metadata service"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("fec0::/10"), "private"},
}

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
	sixTo4  = netip.MustParsePrefix("2002::/16")
	v4Compa = netip.MustParsePrefix("::/96")
)

// guardAddr refuses what is not the public Internet: loopback, private,
// link-local (cloud metadata among them), multicast, unspecified and the list
// above, in IPv4, in IPv6 and in IPv6 addresses that carry an IPv4 one.
func guardAddr(a netip.Addr) error {
	a = a.WithZone("").Unmap()
	what := ""
	switch {
	case a.IsLoopback():
		what = "loopback"
	case a.IsPrivate():
		what = "private"
	case a.IsLinkLocalUnicast():
		what = "link-local"
	case a.IsMulticast():
		what = "multicast"
	case a.IsUnspecified():
		what = "unspecified"
	}
	for _, g := range guarded {
		if what == "" && g.prefix.Contains(a) {
			what = g.what
		}
	}
	if what != "" {
		return &guardError{fmt.Sprintf("address %s is %s", a, what)}
	}
	if a.Is6() {
		b := a.As16()
		switch {
		case nat64.Contains(a), v4Compa.Contains(a):
			return guardAddr(netip.AddrFrom4([4]byte(b[12:16])))
		case sixTo4.Contains(a):
			return guardAddr(netip.AddrFrom4([4]byte(b[2:6])))
		}
	}
	return nil
}

// obscureIPv4 reports hosts that the WHATWG URL standard calls "ending in a
// number" without being a dotted address.
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

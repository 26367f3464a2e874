package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// A host's address is known once it was reached, and only if it is the host's own.
func TestAddress(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "here") })
	u, err := url.Parse(base)
	must(t, err)
	here, lo := u.Host, netip.MustParseAddr("127.0.0.1")
	z := webtest.NewNameServer(map[string][][]string{"a.test": {{"127.0.0.1"}}, "b.test": {{"127.0.0.1"}}, "xn--fsqu00a.test": {{"127.0.0.1"}}})
	cases := map[string]struct {
		cfg  Config
		host string
		want netip.Addr
	}{
		"by name":        {Config{AllowPrivate: true, resolver: z.Resolver()}, "a.test:" + u.Port(), lo},
		"by its address": {Config{AllowPrivate: true}, here, lo},
		"a dialer of one's own": {Config{Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, here)
		}}, "a.test", netip.Addr{}},
		"behind a proxy": {Config{Proxy: base, AllowPrivate: true}, "a.test", netip.Addr{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.cfg.IgnoreRobots = true
			f := open(t, c.cfg)
			if a := f.Address(c.host); a.IsValid() {
				t.Errorf("known before it was reached: %v", a)
			}
			if _, err := f.Fetch(t.Context(), Request{URL: "http://" + c.host + "/"}); err != nil {
				t.Fatal(err)
			}
			if a := f.Address(c.host); a != c.want {
				t.Errorf("%v, want %v", a, c.want)
			}
			if a := f.Address("elsewhere.test"); a.IsValid() {
				t.Errorf("a host that was never asked: %v", a)
			}
		})
	}
}

// The usual ports are left out as in URLs, and IPv6 hosts keep their brackets.
func TestAddressNames(t *testing.T) {
	at := func(s string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)) }
	for dialled, want := range map[string]string{
		"a.test:80": "a.test", "a.test:443": "a.test", "a.test:8080": "a.test:8080", "192.0.2.7:80": "192.0.2.7",
		"[2001:db8::1]:443": "[2001:db8::1]", "[2001:db8::1]:8443": "[2001:db8::1]:8443",
	} {
		f := open(t, Config{})
		f.transport.peers.note(dialled, at("[::ffff:192.0.2.1]:80"))
		if a := f.Address(want); a != netip.MustParseAddr("192.0.2.1") {
			t.Errorf("%s: %s is at %v", dialled, want, a)
		}
		f.transport.peers.note(dialled, &net.UnixAddr{Name: strings.Repeat("x", 3)})
		if a := f.Address(want); !a.IsValid() {
			t.Errorf("%s: forgotten", dialled)
		}
	}
}

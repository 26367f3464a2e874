package fetch

import (
	"net/netip"
	"testing"
)

func TestClassOf(t *testing.T) {
	cases := map[string]bool{ // address → may be fetched
		"93.184.216.34":      true,
		"2606:2800:220:1::1": true,
		"198.18.0.5":         true,
		"172.15.0.1":         true,
		"100.128.0.1":        true,
		"64:ff9b::5db8:d822": true,
		"127.0.0.1":          false,
		"127.9.9.9":          false,
		"::1":                false,
		"10.1.2.3":           false,
		"172.16.0.1":         false,
		"192.168.1.1":        false,
		"fd00:ec2::254":      false,
		"169.254.169.254":    false,
		"fe80::1%eth0":       false,
		"fec0::1":            false,
		"100.100.100.200":    false,
		"168.63.129.16":      false,
		"192.0.0.192":        false,
		"0.0.0.0":            false,
		"0.1.2.3":            false,
		"::":                 false,
		"224.0.0.1":          false,
		"ff02::1":            false,
		"255.255.255.255":    false,
		"::ffff:127.0.0.1":   false,
		"::ffff:192.168.0.1": false,
		"::10.0.0.1":         false,
		"64:ff9b::a00:1":     false,
		"64:ff9b::a9fe:a9fe": false,
		"2002:7f00:1::1":     false,
		"2002:c0a8:101::":    false,
		"::ffff:0:a00:1":     false,
		"64:ff9b:1::a00:1":   false,
		"2001::1":            false,
	}
	for addr, ok := range cases {
		if c := classOf(netip.MustParseAddr(addr)); (c == public) != ok {
			t.Errorf("%s: got %q, want public %v", addr, c, ok)
		}
	}
}

func TestObscureIPv4(t *testing.T) {
	cases := map[string]bool{
		"127.1": true, "2130706433": true, "0x7f.1": true, "0x7f000001": true, "1.2.3.0x4": true, "10.0.0.010": true, "1.2.3.4.": true,
		"127.0.0.1": false, "::1": false, "www.163.com": false, "a.0xdef.test": false, "0xcafe.test": false, "host.": false,
	}
	for host, want := range cases {
		if got := obscureIPv4(host); got != want {
			t.Errorf("%s: got %v, want %v", host, got, want)
		}
	}
}

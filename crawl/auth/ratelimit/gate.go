// Package ratelimit decides which connections of strangers a server serves, how long
// a refusal waits, and which lines about strangers its log keeps.
//
// Nothing here knows SSH or HTTP, reads a clock or rolls dice: the time and the random
// number are arguments. What is remembered of addresses is bounded, and the
// address heard of longest ago is forgotten first. The danger is an attacker
// with many addresses, who makes the server forget all of them: then refusals
// come quickly again, and no client gets a place that is not theirs.
package ratelimit

import (
	"container/list"
	"net"
)

// maxHosts is how many addresses are remembered for each purpose.
const maxHosts = 4096

// prefix is the number of bits of an IPv6 address that tell its owner: whoever
// has one address of a /64 has all of them.
const prefix = 64

// Owner returns what an address is counted by: an IPv4 address itself, of an
// IPv6 address its /64.
func Owner(host string) string {
	ip := net.ParseIP(host)
	switch {
	case ip == nil:
		return host
	case ip.To4() != nil:
		return ip.To4().String()
	}
	return ip.Mask(net.CIDRMask(prefix, 128)).String() + "/64"
}

// Places bound the connections without a login. Random early drop:
// up to Begin of them every new one is served, from there on one is turned away
// with a chance that grows from Rate to certainty at Full. This is the idea of
// MaxStartups in OpenSSH's sshd_config(5). A flood thus never shuts the door at
// once, and who tries again soon gets in.
type Places struct {
	Begin int
	Rate  float64 // 0 to 1
	Full  int
}

// chance returns how probably a new connection is turned away while n wait, 0
// to 1.
func (p Places) chance(n int) float64 {
	switch {
	case n >= p.Full:
		return 1
	case n < p.Begin:
		return 0
	}
	return p.Rate + (1-p.Rate)*float64(n-p.Begin)/float64(p.Full-p.Begin)
}

// Gate has places of two kinds. An address with a recent login
// has places that no other address can take.
type Gate struct {
	Strangers Places // of all addresses without a recent login
	Known     Places // of all the others
}

// Waiting counts the connections without a login.
type Waiting struct{ Strangers, Known int }

// Turned says why a connection is turned away; "" is none.
func (g *Gate) Turned(w Waiting, known bool, random float64) (why string) {
	all, n := g.Strangers, w.Strangers
	if known {
		all, n = g.Known, w.Known
	}
	if random < all.chance(n) {
		return "too many connections wait for a login"
	}
	return ""
}

// Victim returns which of n things gives way to a new one.
func Victim(n int, random float64) int { return min(int(random*float64(n)), n-1) }

// book remembers something of the addresses heard of last.
type book[V any] struct {
	at   map[string]*list.Element
	list list.List // the latest first
}

type page[V any] struct {
	owner string
	value V
}

// look returns what is remembered of an owner; nil is nothing.
func (b *book[V]) look(owner string) *V {
	if e := b.at[owner]; e != nil {
		return &e.Value.(*page[V]).value
	}
	return nil
}

// note returns the page of an owner, a new one of the zero value when there is
// none, and makes it the latest.
func (b *book[V]) note(owner string) *V {
	if e := b.at[owner]; e != nil {
		b.list.MoveToFront(e)
		return &e.Value.(*page[V]).value
	}
	if b.at == nil {
		b.at = map[string]*list.Element{}
	}
	if len(b.at) >= maxHosts {
		last := b.list.Back()
		delete(b.at, b.list.Remove(last).(*page[V]).owner)
	}
	p := &page[V]{owner: owner}
	b.at[owner] = b.list.PushFront(p)
	return &p.value
}

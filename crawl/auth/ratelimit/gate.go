// Package ratelimit decides which connections of strangers a server accepts, how long a refusal is
// delayed, and which lines about strangers its log keeps.
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

// maxHosts is the number of remembered addresses for each purpose.
const maxHosts = 4096

// prefix is the number of bits of an IPv6 address that identify its owner, who has the whole /64.
const prefix = 64

// Owner returns the key under which an address is counted: an IPv4 address itself, or the /64 of an
// IPv6 address.
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

// Places bound the connections without a login by random early drop. Up to Begin every new one is
// accepted. From there on one is refused with a probability that grows from Rate to 1 at Full. This
// is the idea of MaxStartups in OpenSSH's sshd_config(5). So a flood never blocks all others at
// once, and a client that retries soon succeeds.
type Places struct {
	Begin int
	Rate  float64 // 0 … 1
	Full  int
}

// chance returns the probability, 0 … 1, that a new connection is refused while n wait.
func (p Places) chance(n int) float64 {
	switch {
	case n >= p.Full:
		return 1
	case n < p.Begin:
		return 0
	}
	return p.Rate + (1-p.Rate)*float64(n-p.Begin)/float64(p.Full-p.Begin)
}

// Gate has two kinds of places. An address with a recent login has places that no stranger can
// take.
type Gate struct {
	Strangers Places // of addresses without a recent login
	Known     Places // of the others
}

// Waiting counts the connections without a login.
type Waiting struct{ Strangers, Known int }

// Turned says why a connection is refused; "" means that it is accepted.
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

// Victim returns which of n connections is closed for a new one.
func Victim(n int, random float64) int { return min(int(random*float64(n)), n-1) }

// book stores data about the addresses seen last.
type book[V any] struct {
	at   map[string]*list.Element
	list list.List // the latest first
}

type page[V any] struct {
	owner string
	value V
}

// look returns the data of an owner, or nil.
func (b *book[V]) look(owner string) *V {
	if e := b.at[owner]; e != nil {
		return &e.Value.(*page[V]).value
	}
	return nil
}

// note returns the data of an owner, zero for a new one, and makes it the latest.
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

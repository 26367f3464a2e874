package webtest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers DNS queries over a pipe without a socket, so that tests use the real resolver, dialer and
// guard. An invented name with a real address is dialled. The n-th lookup of a name gets its n-th answer; the last
// answer repeats. It is safe for concurrent use.
type nameServer struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   int
}

// NewNameServer returns a server with answers by name. Each lookup has a list of IPv4 addresses, empty for none.
func NewNameServer(answers map[string][][]string) *nameServer { return &nameServer{answers: answers} }

// Asked returns the number of lookups.
func (z *nameServer) Asked() int {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.asked
}

func (z *nameServer) next(name string) []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.asked++
	a := z.answers[name]
	if len(a) == 0 {
		return nil
	}
	if len(a) > 1 {
		z.answers[name] = a[1:]
	}
	return a[0]
}

// Resolver returns a resolver that queries the server over a pipe.
func (z *nameServer) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go z.serve(server)
		return client, nil
	}}
}

func (z *nameServer) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		raw := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, raw); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(raw) != nil || len(m.Questions) != 1 {
			return
		}
		q := m.Questions[0]
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		if q.Type == dnsmessage.TypeA { // the AAAA query of the same lookup does not count
			for _, a := range z.next(strings.TrimSuffix(q.Name.String(), ".")) {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0},
					Body:   &dnsmessage.AResource{A: netip.MustParseAddr(a).As4()}})
			}
		}
		out, err := m.Pack()
		if err != nil {
			return
		}
		c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...))
	}
}

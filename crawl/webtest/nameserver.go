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

// NameServer answers DNS messages over a pipe and opens no socket, so that the resolver,
// the dialer and what guards them are the real ones. A made-up name with a real address
// is dialled. It answers questions for addresses; the n-th lookup of a name gets its n-th
// answer, and the last one from then on. It is safe for concurrent use.
type NameServer struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   int
}

// NewNameServer returns a server with the answers to each name: for each lookup the IPv4
// addresses, none for a name without an address.
func NewNameServer(answers map[string][][]string) *NameServer { return &NameServer{answers: answers} }

// Asked is how many lookups there were.
func (z *NameServer) Asked() int {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.asked
}

func (z *NameServer) next(name string) []string {
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

// Resolver speaks DNS with the zone over a pipe.
func (z *NameServer) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go z.serve(server)
		return client, nil
	}}
}

func (z *NameServer) serve(c net.Conn) {
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
		if q.Type == dnsmessage.TypeA { // the same moment's AAAA question is no lookup of its own
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

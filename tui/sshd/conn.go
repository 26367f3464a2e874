package sshd

import (
	"cmp"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/auth/ratelimit"
)

type connKey struct{} // key of the *conn in a connection's context

// conn is one client's connection. It ignores deadlines set by others and closes itself after too
// long without a session.
type conn struct {
	net.Conn
	s      *Server
	owner  string // key under which its address is counted, see ratelimit.Owner
	number uint64 // number in order of arrival
	grace  timer

	// Used by the goroutine of the login.
	offered int // keys

	// Guarded by s.mu. key is "" before the client has proved one.
	key     string // its wire form
	who     auth.Actor
	revoked bool // the key has lost its rights

	mu       sync.Mutex
	sessions int
}

// peer is a client's address. It carries the connection, which the libraries wrap.
type peer struct {
	net.Addr
	c *conn
}

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return peer{c.Conn.RemoteAddr(), c} }

// SetDeadline, SetReadDeadline and SetWriteDeadline do nothing, see conn.
func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// count adds n sessions; a connection without sessions is closed after the grace period.
func (c *conn) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions += n; c.sessions > 0 {
		c.grace.Stop()
	} else {
		c.grace.Reset(c.s.c.Limits.Login)
	}
}

// admit starts a connection, or closes it if there are too many.
func (s *Server) admit(nc net.Conn) {
	from, now := hostOf(nc.RemoteAddr()), s.c.Now()
	c := &conn{Conn: nc, s: s, owner: ratelimit.Owner(from)}
	known := s.logins.Known(c.owner, now)
	s.mu.Lock()
	why := "the server is ending"
	var victim *conn
	if !s.ending {
		waiting, here := s.waiting(c.owner, now)
		if why = s.gate.Turned(waiting, known, s.c.Random()); why == "" && len(here) >= s.c.Limits.Guests {
			victim = here[ratelimit.Victim(len(here), s.c.Random())]
			delete(s.conns, victim)
		}
	}
	if why == "" {
		s.came++
		c.number = s.came
		s.conns[c] = struct{}{}
		s.wg.Add(1)
		c.grace = s.c.AfterFunc(s.c.Limits.Login, func() { c.Close() })
	}
	s.mu.Unlock()
	if why != "" {
		s.warn(c.owner, "turned away", "from", from, "why", why)
		nc.Close()
		return
	}
	if victim != nil {
		s.warn(c.owner, "gave way", "from", from, "why", "too many connections of this address wait for a login")
		victim.Close()
	}
	go func() {
		defer s.gone(c)
		defer c.grace.Stop()
		s.ssh.HandleConn(c)
	}()
}

// waiting counts the connections without a login, and lists those of an owner's address in order.
// The caller holds s.mu.
func (s *Server) waiting(owner string, now time.Time) (w ratelimit.Waiting, here []*conn) {
	for c := range s.conns {
		if c.key != "" {
			continue
		}
		if c.owner == owner {
			here = append(here, c)
		}
		if s.logins.Known(c.owner, now) {
			w.Known++
		} else {
			w.Strangers++
		}
	}
	slices.SortFunc(here, func(a, b *conn) int { return cmp.Compare(a.number, b.number) })
	return w, here
}

func (s *Server) gone(c *conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.wg.Done()
}

// spareConns is how many connections one key may have beyond its sessions: a person without a free
// session must be able to connect and read why.
const spareConns = 4

// proved moves the connection from the strangers' quota to that of its key.
func (s *Server) proved(c *conn, key string, who auth.Actor) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, same := 0, 0
	for o := range s.conns {
		if o.key != "" {
			all++
		}
		if o.key == key {
			same++
		}
	}
	switch l := s.c.Limits; {
	case same >= l.Each+spareConns:
		return errors.New("too many connections of this key")
	case all >= 2*l.Sessions+spareConns:
		return errors.New("too many connections of everybody")
	}
	c.key, c.who = key, who
	s.logins.Succeeded(c.owner, s.c.Now())
	return nil
}

// noChannel refuses every channel other than a session: forwarded ports, agents and screens.
func (s *Server) noChannel(_ *ssh.Server, sc *gossh.ServerConn, offer gossh.NewChannel, _ ssh.Context) {
	s.refused(sc, "channel "+offer.ChannelType())
	_ = offer.Reject(gossh.UnknownChannelType, "unsupported channel type")
}

// noRequest refuses every global request. Clients only use them to check the server, so they are
// not logged.
func (s *Server) noRequest(ctx ssh.Context, _ *ssh.Server, r *gossh.Request) (bool, []byte) {
	if sc, ok := ctx.Value(ssh.ContextKeyConn).(*gossh.ServerConn); ok && strings.Contains(r.Type, "forward") {
		s.refused(sc, "request "+r.Type)
	}
	return false, nil
}

// refused logs a denied request of a logged-in client.
func (s *Server) refused(sc *gossh.ServerConn, what string) {
	p, key, err := who(sc)
	if err == nil {
		s.warn(key, "refused", "name", p.Name, "role", string(p.Role), "from", hostOf(sc.RemoteAddr()), "key",
			fingerprint(key), "what", loggable(what))
	}
}

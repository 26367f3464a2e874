// Package remote serves the workbench over SSH: every session has its own
// cursor and screen over the one engine, every key its person and role.
//
// Nothing but the workbench and four commands can be reached: no shell, no
// subsystem, no forwarding, no password. A client is never waited for. The
// engine hands snapshots to a channel that holds one, the screen sends the
// newest frame when the last one has gone (package wire), and everything a
// client can make grow is bounded by Limits. A session costs about one percent
// of a core while a crawl runs, and no byte while nothing changes. Whoever can
// write authorized_keys can do everything, so a file that others can write is
// not used, and an option that is not understood refuses its key.
package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	"github.com/charmbracelet/wish"
	gossh "golang.org/x/crypto/ssh"

	"angler/crawl"
	"angler/store/version"
	"angler/tui/remote/wire"
)

// Limits bound what clients may take. Zero values mean the default.
type Limits struct {
	Sessions int           // attached at once; 32
	Each     int           // of those, with one key; half of Sessions
	Guests   int           // connections of one address that have no session yet; 16
	Idle     time.Duration // a workbench without a key is ended after it; 24 h
	Stall    time.Duration // a client that reads nothing for so long is dropped; 10 min
	Login    time.Duration // to authenticate, and without a session; 20 s
	Attempts int           // failed logins from one address in ten minutes before it is turned away; 20
	Bytes    int           // a second to one workbench, on the average; wire.DefaultPace
	Leave    time.Duration // what a server that ends leaves its sessions; 1 s
}

func (l *Limits) fill() {
	or := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	if l.Sessions <= 0 {
		l.Sessions = 32
	}
	if l.Each <= 0 {
		l.Each = max(2, l.Sessions/2)
	}
	if l.Guests <= 0 {
		l.Guests = 16
	}
	if l.Attempts <= 0 {
		l.Attempts = 20
	}
	if l.Bytes <= 0 {
		l.Bytes = wire.DefaultPace.Bytes
	}
	or(&l.Idle, 24*time.Hour)
	or(&l.Stall, 10*time.Minute)
	or(&l.Login, 20*time.Second)
	or(&l.Leave, time.Second)
}

// Config says what to serve and to whom.
type Config struct {
	Engine   *crawl.Engine
	HostKey  []byte                 // PEM
	Keys     func() ([]byte, error) // authorized_keys as it is now; asked at every login
	KeysPath string                 // where it is, for the log
	Theme    string                 // of sessions, see tui.Options
	Limits   Limits
	Log      *slog.Logger // nil: nothing is logged
}

// Server serves one engine. It is safe for concurrent use.
type Server struct {
	c     Config
	ssh   *ssh.Server
	tries attempts
	ctx   context.Context // ends when serving ends

	mu     sync.Mutex
	conns  map[*conn]struct{}
	open   map[*session]struct{}
	ending bool
	told   string         // problems of authorized_keys that the log has
	wg     sync.WaitGroup // connections

	exports map[string]int // under way, by key
}

// New makes a server; it touches nothing before Serve.
func New(c Config) (*Server, error) {
	c.Limits.fill()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{c: c, conns: map[*conn]struct{}{}, open: map[*session]struct{}{}, exports: map[string]int{}}
	s.tries.most = c.Limits.Attempts
	var err error
	s.ssh, err = wish.NewServer(
		wish.WithHostKeyPEM(c.HostKey),
		wish.WithVersion("angler_"+version.Number),
		wish.WithBannerHandler(s.banner),
		wish.WithPublicKeyAuth(s.publicKey),
		wish.WithKeyboardInteractiveAuth(s.explain),
		func(srv *ssh.Server) error {
			srv.ServerConfigCallback = func(ssh.Context) *gossh.ServerConfig { return &gossh.ServerConfig{MaxAuthTries: 8} }
			srv.ConnCallback = func(ctx ssh.Context, nc net.Conn) net.Conn {
				ctx.SetValue(connKey{}, nc)
				return nc
			}
			srv.ConnectionFailedCallback = s.failed
			// No other channel, no global request, no subsystem is known.
			srv.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.session}
			srv.RequestHandlers = map[string]ssh.RequestHandler{}
			srv.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
			return nil
		})
	return s, err
}

type connKey struct{}

// conn is one client's connection. Deadlines set by others are not its own: it
// closes itself when it has no session for too long.
type conn struct {
	net.Conn
	s     *Server
	from  string // what attempts counts its client by
	grace *time.Timer

	mu       sync.Mutex
	sessions int
}

// SetDeadline, SetReadDeadline and SetWriteDeadline do nothing, see conn.
func (c *conn) SetDeadline(time.Time) error      { return nil }
func (c *conn) SetReadDeadline(time.Time) error  { return nil }
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// count adds n sessions; a connection without any is closed after the grace.
func (c *conn) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions += n; c.sessions > 0 {
		c.grace.Stop()
	} else {
		c.grace.Reset(c.s.c.Limits.Login)
	}
}

func (c *conn) guest() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions == 0
}

// Serve accepts connections until ctx ends, then gives the sessions
// Limits.Leave to say good-bye, closes everything and waits for it. It returns
// nil when it was told to end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	s.wg.Go(func() { s.watch(ctx) })
	var err error
	for {
		var nc net.Conn
		nc, err = l.Accept()
		if err == nil {
			s.admit(nc)
			continue
		}
		var ne net.Error
		if ctx.Err() != nil || !errors.As(err, &ne) {
			break
		}
		// Out of descriptors, or the like: it may pass.
		s.c.Log.Warn("cannot accept a connection", "err", err)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	cancel()
	s.end()
	return err
}

// admit starts a connection, or closes it when there are too many.
func (s *Server) admit(nc net.Conn) {
	from := hostOf(nc.RemoteAddr())
	c := &conn{Conn: nc, s: s, from: s.tries.key(from)}
	s.mu.Lock()
	// Nobody without a key may take the places of those who have one.
	full := s.ending || len(s.conns) >= 2*s.c.Limits.Sessions+16 || s.guests(c.from) >= s.c.Limits.Guests
	if !full {
		s.conns[c] = struct{}{}
		s.wg.Add(1)
	}
	s.mu.Unlock()
	if full || s.tries.tooMany(from, time.Now()) {
		s.c.Log.Warn("turned away", "from", from, "full", full)
		if !full {
			s.gone(c)
		}
		nc.Close()
		return
	}
	c.grace = time.AfterFunc(s.c.Limits.Login, func() { c.Close() })
	go func() {
		defer s.gone(c)
		defer c.grace.Stop()
		s.ssh.HandleConn(c)
	}()
}

// guests counts the connections of an address that have no session. s.mu is
// held.
func (s *Server) guests(from string) int {
	n := 0
	for c := range s.conns {
		if c.from == from && c.guest() {
			n++
		}
	}
	return n
}

func (s *Server) gone(c *conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.wg.Done()
}

// end closes every connection, at once those that have no session.
func (s *Server) end() {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-time.After(s.c.Limits.Leave):
	}
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	<-done
}

// enter registers a session, or says why there are too many. One key cannot
// take all places: a viewer's key must not keep an admin out.
func (s *Server) enter(x *session) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for o := range s.open {
		if o.key == x.key {
			same++
		}
	}
	switch {
	case s.ending:
		return "the server is ending"
	case len(s.open) >= s.c.Limits.Sessions:
		return fmt.Sprintf("%d sessions are attached already; try again later", s.c.Limits.Sessions)
	case same >= s.c.Limits.Each:
		return fmt.Sprintf("%d sessions are attached with this key already; leave one", s.c.Limits.Each)
	}
	s.open[x] = struct{}{}
	return ""
}

func (s *Server) leave(x *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, x)
}

func (s *Server) attached() []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.open))
}

// Package sshd serves the workbench over SSH: every session has its own cursor and screen over the
// one engine, every key its person and role.
//
// Clients reach only the workbench and a few commands: no shell, no subsystem, no forwarding, no
// password. The server never waits for a client. The engine puts snapshots into a channel that
// holds one, the screen sends the newest frame after the last one was sent (package terminal), and
// Limits bounds everything that a client can make grow. A session costs about one percent of a core
// during a crawl, and no byte while nothing changes. Write access to authorized_keys gives all
// rights, so a file that others can write is refused, and an unknown option disables its key.
package sshd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	"github.com/charmbracelet/wish"

	"angler/crawl"
	"angler/crawl/auth/ratelimit"
	"angler/store/config"
	"angler/tui/terminal"
)

// Limits bound the clients. Zero values mean the default.
type Limits struct {
	Sessions int           // concurrent sessions; 32
	Each     int           // of them with one key; half of Sessions
	Guests   int           // connections of one address without a login; a further one replaces any of them; 16
	Waiting  int           // the same for all addresses without a recent login, and for all others; 64
	Idle     time.Duration // a workbench without keys is closed after it; 24 h
	Stall    time.Duration // a client that does not read is dropped after it; 10 min
	Login    time.Duration // for the login, and without a session; 20 s
	Attempts int           // failed logins from one address before refusals are delayed; 5
	Bytes    int           // average bytes a second to one workbench; terminal.FarPace
	Leave    time.Duration // time for sessions when the server ends; 1 s
}

func (l *Limits) fill() {
	orElse(&l.Sessions, 32)
	orElse(&l.Each, max(2, l.Sessions/2))
	orElse(&l.Guests, 16)
	orElse(&l.Waiting, 64)
	orElse(&l.Attempts, 5)
	orElse(&l.Bytes, terminal.FarPace.Bytes)
	orElse(&l.Idle, 24*time.Hour)
	orElse(&l.Stall, 10*time.Minute)
	orElse(&l.Login, 20*time.Second)
	orElse(&l.Leave, time.Second)
}

// orElse sets a limit that is not given.
func orElse[T int | time.Duration](limit *T, usual T) {
	if *limit <= 0 {
		*limit = usual
	}
}

// Config holds the engine, the keys and the limits of a server.
type Config struct {
	Engine   *crawl.Engine
	HostKey  []byte                 // PEM
	Keys     func() ([]byte, error) // the current authorized_keys; called at every login
	KeysPath string                 // its path, for the log
	Theme    string                 // of sessions, see tui.Options
	Limits   Limits
	Log      *slog.Logger // nil: no log

	Now       func() time.Time                     // nil: time.Now
	After     func(time.Duration) <-chan time.Time // nil: time.After
	AfterFunc func(time.Duration, func()) timer    // nil: time.AfterFunc
	Random    func() float64                       // 0 ≤ x < 1; nil: math/rand's
}

// timer calls a function later unless it is stopped, like a time.Timer of time.AfterFunc.
type timer interface {
	Stop() bool
	Reset(time.Duration) bool
}

func (c *Config) fill() {
	c.Limits.fill()
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	if c.AfterFunc == nil {
		c.AfterFunc = func(d time.Duration, f func()) timer { return time.AfterFunc(d, f) }
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
}

// Server serves one engine. It is safe for concurrent use.
type Server struct {
	c      Config
	ssh    *ssh.Server
	gate   ratelimit.Gate
	logins ratelimit.Logins
	pace   ratelimit.Pace  // of commands, by key
	lines  ratelimit.Lines // of the log, by address or key
	ctx    context.Context // ends with the server

	mu     sync.Mutex
	conns  map[*conn]struct{}
	came   uint64 // connections so far
	open   map[*session]struct{}
	ending bool
	read   keysRead
	wg     sync.WaitGroup // connections

	exports map[string]int // running exports, by key
}

// New makes a server without side effects.
func New(c Config) (*Server, error) {
	c.fill()
	s := &Server{c: c, conns: map[*conn]struct{}{}, open: map[*session]struct{}{}, exports: map[string]int{}}
	all := ratelimit.Places{Begin: (c.Limits.Waiting + 1) / 2, Rate: .3, Full: c.Limits.Waiting}
	s.gate = ratelimit.Gate{Strangers: all, Known: all}
	s.logins.Free, s.logins.Most = c.Limits.Attempts, c.Limits.Login/(maxKeysTried+2)
	s.pace.Rate, s.lines.Each, s.lines.All = commandPace, linesOfOne, linesOfAll
	var err error
	s.ssh, err = wish.NewServer(
		wish.WithHostKeyPEM(c.HostKey),
		wish.WithVersion("angler_"+config.Version),
		wish.WithBannerHandler(s.banner),
		wish.WithPublicKeyAuth(s.publicKey),
		wish.WithKeyboardInteractiveAuth(s.explain),
		func(srv *ssh.Server) error {
			srv.ServerConfigCallback = s.config
			srv.ConnCallback = func(ctx ssh.Context, nc net.Conn) net.Conn {
				ctx.SetValue(connKey{}, nc)
				return nc
			}
			srv.ConnectionFailedCallback = s.failed
			// Other channels, global requests and subsystems are refused.
			srv.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.session, "default": s.noChannel}
			srv.RequestHandlers = map[string]ssh.RequestHandler{"default": s.noRequest}
			srv.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
			return nil
		})
	return s, err
}

// Serve accepts connections until ctx ends, then gives the sessions Limits.Leave to end, closes
// everything and waits. It returns nil if ctx ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	s.greet(l.Addr())
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
		// Lack of descriptors or similar: it may pass.
		s.warn("", "cannot accept a connection", "err", err)
		select {
		case <-s.c.After(100 * time.Millisecond):
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

// end closes every connection; those without sessions at once.
func (s *Server) end() {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-s.c.After(s.c.Limits.Leave):
	}
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	<-done
}

// enter registers a session, or says why there are too many. One key cannot take all places: a
// viewer's key must not keep an admin out.
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
	case x.conn.revoked:
		return errRevoked.Error()
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

package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/store/config"
	"angler/store/secrets"
	"angler/tui/tuitest"
)

func TestMain(m *testing.M) { os.Exit(tuitest.Main(m)) }

// patience bounds the wait for an expected event.
const patience = 2 * time.Minute

// site is a server over the demo web, and the keys of three people.
type site struct {
	t          testing.TB
	b          *demo.Engine
	s          *Server
	addr       string
	host       gossh.PublicKey
	keys       map[string]gossh.Signer
	log        *syncBuffer
	cancel     context.CancelFunc
	ended      chan error
	file       atomic.Pointer[[]byte] // authorized_keys
	unreadable atomic.Bool            // unreadable authorized_keys
	wire       atomic.Int64           // bytes sent by the server, including SSH's own
	clock      *clock                 // the server's; nil: that of the machine
}

func newSite(t testing.TB, l Limits) *site {
	t.Helper()
	return newDemoSite(t, Config{Limits: l, Random: func() float64 { return .999 }})
}

func newDemoSite(t testing.TB, c Config) *site {
	t.Helper()
	b, err := demo.Open(context.Background(), os.DirFS("../../testdata/web"), filepath.Join(t.TempDir(), "ws"), crawl.Options{By: "server"})
	must(t, err)
	x := newSiteWith(t, b.Engine, b.Close, c)
	x.b = b
	return x
}

// newStoodSite is a server whose clock stands still until the test advances it.
func newStoodSite(t testing.TB, l Limits) *site {
	t.Helper()
	c := newClock()
	x := newDemoSite(t, c.config(l))
	x.clock = c
	return x
}

// newCrawledSite is a server over a workspace with about 240 pages, three samples and 50 notices. A
// nil clock is that of the machine.
func newCrawledSite(t testing.TB, l Limits, c *clock) *site {
	t.Helper()
	b, err := demo.Open(context.Background(), os.DirFS("../../testdata/web"), tuitest.Copy(t, tuitest.Sampled), crawl.Options{By: "server",
		Override: func(s *config.Settings) { s.Terms.Propose = false }}) // proposed terms would come at any moment
	must(t, err)
	set := Config{Limits: l, Random: func() float64 { return .999 }}
	if c != nil {
		set = c.config(l)
	}
	x := newSiteWith(t, b.Engine, b.Close, set)
	x.b, x.clock = b, c
	return x
}

// newSiteOf is a server over an engine, which shut closes.
func newSiteOf(t testing.TB, e *crawl.Engine, shut func() error, l Limits) *site {
	t.Helper()
	return newSiteWith(t, e, shut, Config{Limits: l, Random: func() float64 { return .999 }})
}

// newSiteWith is newSiteOf with the test's clock and random numbers. Otherwise no connection is
// refused before all places are taken.
func newSiteWith(t testing.TB, e *crawl.Engine, shut func() error, c Config) *site {
	t.Helper()
	x := &site{t: t, keys: map[string]gossh.Signer{}, log: &syncBuffer{}, ended: make(chan error, 1)}
	var authorized bytes.Buffer
	for _, p := range []struct{ name, role string }{{"wang", "analyst"}, {"li", "viewer"}, {"zhou", "admin"}} {
		x.keys[p.name] = newKey(t)
		fmt.Fprintf(&authorized, "role=%s,name=\"%s\" %s", p.role, p.name, gossh.MarshalAuthorizedKey(x.keys[p.name].PublicKey()))
	}
	x.setKeys(authorized.Bytes())
	host, err := secrets.HostKey(e.Workspace().Dir())
	must(t, err)
	signer, err := gossh.ParsePrivateKey(host)
	must(t, err)
	x.host = signer.PublicKey()
	c.Engine, c.HostKey, c.KeysPath, c.Log = e, host, "KEYS", slog.New(slog.NewTextHandler(x.log, nil))
	c.Keys = func() ([]byte, error) {
		if x.unreadable.Load() {
			return nil, errors.New("too many open files")
		}
		return *x.file.Load(), nil
	}
	x.s, err = New(c)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	x.addr = listener.Addr().String()
	listener = &countingListener{listener, &x.wire}
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	go func() { x.ended <- x.s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		x.stop()
		if err := shut(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func (x *site) setKeys(file []byte) { x.file.Store(&file) }

// stop ends the server and waits for it.
func (x *site) stop() {
	x.cancel()
	waitFor(x.t, "the server has ended", func() bool {
		if x.clock != nil {
			x.clock.pass(x.s.c.Limits.Leave)
		}
		select {
		case err, ok := <-x.ended:
			if ok {
				close(x.ended)
			}
			if err != nil {
				x.t.Errorf("Serve: %v", err)
			}
			return true
		default:
			return false
		}
	})
}

func newKey(t testing.TB) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	s, err := gossh.NewSignerFromKey(private)
	must(t, err)
	return s
}

func (x *site) dial(key gossh.Signer) (*gossh.Client, error) {
	c := x.config()
	if key != nil {
		c = x.config(gossh.PublicKeys(key))
	}
	return gossh.Dial("tcp", x.addr, c)
}

// config is the configuration of a client.
func (x *site) config(auth ...gossh.AuthMethod) *gossh.ClientConfig {
	return &gossh.ClientConfig{User: "anyone", HostKeyCallback: gossh.FixedHostKey(x.host), Timeout: patience, Auth: auth}
}

// run runs a command of a person and returns its output, its messages and its exit status.
func (x *site) run(name, command string) (out, says string, status int) {
	x.t.Helper()
	c := x.attach(name)
	defer c.Close()
	return x.runOn(c, command)
}

// runOn is run on a connection.
func (x *site) runOn(c *gossh.Client, command string) (out, says string, status int) {
	x.t.Helper()
	s, err := c.NewSession()
	must(x.t, err)
	var errs bytes.Buffer
	s.Stderr = &errs
	b, err := s.Output(command)
	var exit *gossh.ExitError
	if errors.As(err, &exit) {
		return string(b), errs.String(), exit.ExitStatus()
	}
	must(x.t, err)
	return string(b), errs.String(), 0
}

// sessions and conns count those of the server.
func (x *site) sessions() int { x.s.mu.Lock(); defer x.s.mu.Unlock(); return len(x.s.open) }
func (x *site) conns() int    { x.s.mu.Lock(); defer x.s.mu.Unlock(); return len(x.s.conns) }

// refusedSession fails the test unless the server refuses a session with a message.
func refusedSession(t *testing.T, c *gossh.Client, says string) {
	t.Helper()
	_, err := c.NewSession()
	var refused *gossh.OpenChannelError
	if !errors.As(err, &refused) || !strings.Contains(refused.Message, says) {
		t.Errorf("one session more: %v, want %q", err, says)
	}
}

// attach opens a person's connection.
func (x *site) attach(name string) *gossh.Client {
	x.t.Helper()
	c, err := x.dial(x.keys[name])
	must(x.t, err)
	x.t.Cleanup(func() { c.Close() })
	return c
}

// personsTerminal is a person's view of a workbench.
type personsTerminal struct {
	t    testing.TB
	s    *gossh.Session
	in   io.WriteCloser
	out  *syncBuffer
	over chan error
}

func (x *site) workbench(c *gossh.Client, w, h int) *personsTerminal {
	x.t.Helper()
	s, err := c.NewSession()
	must(x.t, err)
	return x.workbenchOn(s, "xterm-256color", w, h)
}

// workbenchOn opens a workbench on a session.
func (x *site) workbenchOn(s *gossh.Session, term string, w, h int) *personsTerminal {
	x.t.Helper()
	var err error
	t := &personsTerminal{t: x.t, s: s, out: &syncBuffer{}, over: make(chan error, 1)}
	s.Stdout = t.out
	if t.in, err = s.StdinPipe(); err != nil {
		x.t.Fatal(err)
	}
	must(x.t, s.RequestPty(term, h, w, gossh.TerminalModes{}))
	must(x.t, s.Shell())
	go func() { t.over <- s.Wait() }()
	return t
}

func (t *personsTerminal) press(keys string) {
	t.t.Helper()
	if _, err := io.WriteString(t.in, keys); err != nil {
		t.t.Fatal(err)
	}
}

// sees waits until all texts have arrived since the last call.
func (t *personsTerminal) sees(texts ...string) {
	t.t.Helper()
	waitFor(t.t, fmt.Sprintf("%q; there was %.3000q", texts, t.out.String()), func() bool {
		got := plain(t.out.String())
		for _, w := range texts {
			if !strings.Contains(got, w) {
				return false
			}
		}
		return true
	})
	t.out.Reset()
}

// samples goes from Home, the first screen, to the samples, and waits until all texts have arrived.
func (t *personsTerminal) samples(texts ...string) {
	t.t.Helper()
	waitFor(t.t, "the first screen", func() bool { // Home, or the last screen of a person of this name
		s := plain(t.out.String())
		return strings.Contains(s, "[0 Home]") || strings.Contains(s, "[1 Samples]")
	})
	t.press("1")
	t.sees(append(texts, "[1 Samples]")...)
}

// plain removes the control sequences.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '[' {
			for i += 2; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("never: %s", what)
		}
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
	n  int64
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += int64(len(p))
	return b.b.Write(p)
}
func (b *syncBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }
func (b *syncBuffer) Reset()         { b.mu.Lock(); defer b.mu.Unlock(); b.b.Reset() }
func (b *syncBuffer) Count() int64   { b.mu.Lock(); defer b.mu.Unlock(); return b.n }

// stuck returns the number of sessions with a write that has lasted for 50 ms.
func (s *Server) stuck() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for x := range s.open {
		if x.out.stalled() > 50*time.Millisecond {
			n++
		}
	}
	return n
}

// strangers counts the connections of unknown addresses without a login, and atTheDoor all of an
// address.
func (x *site) strangers() int {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	w, _ := x.s.waiting("", time.Now())
	return w.Strangers
}

func (x *site) atTheDoor(owner string) int {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	_, here := x.s.waiting(owner, time.Now())
	return len(here)
}

// countingListener counts the bytes that its connections send.
type countingListener struct {
	net.Listener
	n *atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &countingConn{c, l.n}, nil
}

type countingConn struct {
	net.Conn
	n *atomic.Int64
}

func (c *countingConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.n.Add(int64(n))
	return n, err
}

package remote

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
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
	"angler/store"
	"angler/topic"
)

// patience bounds how long a test waits for what must come.
const patience = 2 * time.Minute

// site is a server over the demo web, and the keys of three people.
type site struct {
	t      *testing.T
	b      *demo.Bench
	s      *Server
	addr   string
	host   gossh.PublicKey
	keys   map[string]gossh.Signer
	log    *syncBuffer
	cancel context.CancelFunc
	ended  chan error
	file   atomic.Pointer[[]byte] // authorized_keys
	wire   atomic.Int64           // bytes the server sent, SSH's own included
}

func newSite(t *testing.T, l Limits) *site {
	t.Helper()
	b, err := demo.Open(context.Background(), os.DirFS("../../testdata/web"), filepath.Join(t.TempDir(), "ws"), crawl.Options{By: "server"})
	if err != nil {
		t.Fatal(err)
	}
	x := &site{t: t, b: b, keys: map[string]gossh.Signer{}, log: &syncBuffer{}, ended: make(chan error, 1)}
	var authorized bytes.Buffer
	for _, p := range []struct{ name, role string }{{"wang", "analyst"}, {"li", "viewer"}, {"zhou", "admin"}} {
		x.keys[p.name] = newKey(t)
		fmt.Fprintf(&authorized, "role=%s,name=\"%s\" %s", p.role, p.name, gossh.MarshalAuthorizedKey(x.keys[p.name].PublicKey()))
	}
	x.setKeys(authorized.Bytes())
	host, err := store.HostKey(b.Workspace().Dir())
	if err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.ParsePrivateKey(host)
	if err != nil {
		t.Fatal(err)
	}
	x.host = signer.PublicKey()
	x.s, err = New(Config{Engine: b.Engine, HostKey: host, KeysPath: "KEYS", Limits: l,
		Keys: func() ([]byte, error) { return *x.file.Load(), nil }, Log: slog.New(slog.NewTextHandler(x.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x.addr = listener.Addr().String()
	listener = &countingListener{listener, &x.wire}
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	go func() { x.ended <- x.s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		x.stop()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func (x *site) setKeys(file []byte) { x.file.Store(&file) }

// stop ends the server and waits for it.
func (x *site) stop() {
	x.cancel()
	if err, ok := <-x.ended; ok {
		close(x.ended)
		if err != nil {
			x.t.Errorf("Serve: %v", err)
		}
	}
}

func newKey(t *testing.T) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gossh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (x *site) dial(key gossh.Signer) (*gossh.Client, error) {
	c := &gossh.ClientConfig{User: "anyone", HostKeyCallback: gossh.FixedHostKey(x.host), Timeout: patience}
	if key != nil {
		c.Auth = []gossh.AuthMethod{gossh.PublicKeys(key)}
	}
	return gossh.Dial("tcp", x.addr, c)
}

// attach opens somebody's connection.
func (x *site) attach(name string) *gossh.Client {
	x.t.Helper()
	c, err := x.dial(x.keys[name])
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(func() { c.Close() })
	return c
}

// terminal is a workbench as somebody sees it.
type terminal struct {
	t    *testing.T
	s    *gossh.Session
	in   io.WriteCloser
	out  *syncBuffer
	over chan error
}

func (x *site) workbench(c *gossh.Client, w, h int) *terminal {
	x.t.Helper()
	s, err := c.NewSession()
	if err != nil {
		x.t.Fatal(err)
	}
	t := &terminal{t: x.t, s: s, out: &syncBuffer{}, over: make(chan error, 1)}
	s.Stdout = t.out
	if t.in, err = s.StdinPipe(); err != nil {
		x.t.Fatal(err)
	}
	if err := s.RequestPty("xterm-256color", h, w, gossh.TerminalModes{}); err != nil {
		x.t.Fatal(err)
	}
	if err := s.Shell(); err != nil {
		x.t.Fatal(err)
	}
	go func() { t.over <- s.Wait() }()
	return t
}

func (t *terminal) press(keys string) {
	t.t.Helper()
	if _, err := io.WriteString(t.in, keys); err != nil {
		t.t.Fatal(err)
	}
}

// sees waits until all of the texts have come, since the last call.
func (t *terminal) sees(texts ...string) {
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

// plain takes the control sequences out of what was sent.
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

func waitFor(t *testing.T, what string, ok func() bool) {
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

// crawled runs a discovery with three samples to its end.
func (x *site) crawled() {
	x.t.Helper()
	for _, u := range x.b.TenderLists(3) {
		if _, err := x.b.AddSample(context.Background(), u, ""); err != nil {
			x.t.Fatal(err)
		}
	}
	if _, err := x.b.Discover(context.Background(), crawl.RunOptions{MaxPages: 300}); err != nil {
		x.t.Fatal(err)
	}
}

func TestTwoViewersAndAnAnalyst(t *testing.T) {
	x := newSite(t, Limits{})
	x.crawled()
	wang, li, zhou := x.workbench(x.attach("wang"), 120, 40), x.workbench(x.attach("li"), 100, 30), x.workbench(x.attach("li"), 80, 24)
	wang.sees("[1 Samples]", "idle")
	li.sees("[1 Samples]", "read only")
	zhou.sees("[1 Samples]")
	waitFor(t, "three are attached", func() bool { return len(x.b.Snapshot().Viewers) == 3 })

	// Each has a screen of its own.
	li.press("5")
	li.sees("[5 Harvest]")
	wang.press("3")
	wang.sees("[3 Threshold]", "now θ")

	// What the analyst does everyone is told, with who and when.
	wang.press("]]]\r")
	waitFor(t, "θ is applied", func() bool { return x.b.Config().Theta != 0 })
	li.sees(" → ", "by wang, ")
	ev := x.eventBy("wang")
	if !strings.HasPrefix(ev.What, "θ .") || !strings.Contains(ev.What, " → ") {
		t.Errorf("the event is %+v", ev)
	}

	// A viewer's write key says why it is off, and changes nothing.
	li.press("u")
	li.sees("role=viewer")
	if x.b.Config().Theta == 0 {
		t.Error("a viewer undid the analyst's threshold")
	}
	// Another analyst may undo what wang did: undo is for everyone.
	admin := x.workbench(x.attach("zhou"), 80, 24)
	admin.sees("idle")
	admin.press("u")
	waitFor(t, "θ is automatic again", func() bool { return x.b.Config().Theta == 0 })
	if ev := x.eventBy("zhou"); ev.What != "undo: "+"θ .300 → .330" {
		t.Errorf("the undo is %+v", ev)
	}

	// Leaving takes one out of the list, and needs no confirmation.
	wang.press("q")
	if err := <-wang.over; err != nil {
		t.Errorf("wang's session ended with %v", err)
	}
	if got := wang.out.String(); !strings.Contains(got, "\x1b[?1049l") || !strings.Contains(got, "\x1b[?25h") {
		t.Errorf("the terminal is not given back: %q", got)
	}
	waitFor(t, "wang is gone", func() bool { return len(x.b.Snapshot().Viewers) == 3 })
}

// eventBy waits for the newest event to be somebody's.
func (x *site) eventBy(name string) (ev crawl.Event) {
	x.t.Helper()
	waitFor(x.t, "an event by "+name, func() bool {
		if list := x.b.Snapshot().Events; len(list) > 0 {
			ev = list[len(list)-1]
		}
		return ev.By == name
	})
	return ev
}

func TestColoursAndSizeComeFromTheSession(t *testing.T) {
	x := newSite(t, Limits{})
	open := func(env map[string]string, term string) *terminal {
		s, err := x.attach("wang").NewSession()
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range env {
			if err := s.Setenv(k, v); err != nil {
				t.Fatalf("%s is refused", k)
			}
		}
		w := &terminal{t: t, s: s, out: &syncBuffer{}, over: make(chan error, 1)}
		s.Stdout = w.out
		if w.in, err = s.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := s.RequestPty(term, 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "a frame", func() bool { return strings.Contains(plain(w.out.String()), "[1 Samples]") })
		return w
	}
	for _, c := range []struct {
		name, term string
		env        map[string]string
		want, not  string
	}{
		{"true colour", "xterm-256color", map[string]string{"COLORTERM": "truecolor"}, "38;2;", ""},
		{"256 colours", "xterm-256color", nil, "38;5;", "38;2;"},
		{"no colour", "xterm-256color", map[string]string{"NO_COLOR": "1"}, "1m", "38;"},
		{"a dumb terminal", "dumb", nil, "", "38;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(c.env, c.term)
			got := w.out.String()
			if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("want %q, not %q: %.1500q", c.want, c.not, got)
			}
			w.out.Reset()
			if err := w.s.WindowChange(30, 132); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "a repaint of 30 rows", func() bool {
				return strings.Contains(w.out.String(), "\x1b[2J") && strings.Contains(w.out.String(), "\x1b[30;")
			})
		})
	}
	s, err := x.attach("wang").NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Setenv("LD_PRELOAD", "/tmp/x.so"); err == nil {
		t.Error("any variable is accepted")
	}
}

func TestMouseBurstSplitAtEveryByte(t *testing.T) {
	x := newSite(t, Limits{})
	x.crawled()
	w := x.workbench(x.attach("wang"), 120, 40)
	w.sees("[1 Samples]", "candidates")
	burst := "\x1b[<64;39;12M\x1b[<0;30;9M\x1b[<32;31;9M\x1b[<0;31;9m\x1b[<65;40;13M"
	for i := range len(burst) {
		w.press(burst[i : i+1])
	}
	for cut := 1; cut < len(burst); cut++ {
		w.press(burst[:cut])
		w.press(burst[cut:])
	}
	w.press("6")
	w.sees("[6 Label]")
	if n := x.b.Snapshot().Counts.Labels; n != 0 {
		t.Errorf("%d labels were given by the mouse", n)
	}
	// Chinese typed byte by byte filters as what it is.
	w.press("1/")
	for _, c := range []byte("公告") {
		w.press(string([]byte{c}))
	}
	w.sees("公告")
	w.press("\r")
	if ev := x.b.Snapshot().Events; len(ev) > 0 && ev[len(ev)-1].By == "wang" {
		t.Errorf("something was done: %+v", ev[len(ev)-1])
	}
}

func TestWrongKeyIsToldHowToGetIn(t *testing.T) {
	x := newSite(t, Limits{})
	if _, err := x.dial(nil); err == nil {
		t.Fatal("somebody without a key got in")
	}
	stranger := newKey(t)
	if _, err := x.dial(stranger); err == nil {
		t.Fatal("an unknown key got in")
	}
	said := ""
	c := &gossh.ClientConfig{User: "x", HostKeyCallback: gossh.FixedHostKey(x.host), Auth: []gossh.AuthMethod{
		gossh.PublicKeys(stranger),
		gossh.KeyboardInteractive(func(_, instruction string, questions []string, _ []bool) ([]string, error) {
			said += instruction
			return make([]string, len(questions)), nil
		})}}
	if _, err := gossh.Dial("tcp", x.addr, c); err == nil {
		t.Fatal("an unknown key got in")
	}
	line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(stranger.PublicKey())))
	if !strings.Contains(said, "authorized_keys") || !strings.Contains(said, line) {
		t.Errorf("the stranger was told %q", said)
	}
	c.Auth = []gossh.AuthMethod{gossh.Password("x")}
	if _, err := gossh.Dial("tcp", x.addr, c); err == nil {
		t.Fatal("a password got in")
	}
	waitFor(t, "the log tells", func() bool { return strings.Contains(x.log.String(), "login failed") })
}

func TestNobodyGetsInByDefault(t *testing.T) {
	x := newSite(t, Limits{})
	x.setKeys(nil)
	said := ""
	_, err := gossh.Dial("tcp", x.addr, &gossh.ClientConfig{User: "x", HostKeyCallback: gossh.FixedHostKey(x.host),
		Auth: []gossh.AuthMethod{gossh.PublicKeys(x.keys["zhou"])}, BannerCallback: func(m string) error { said = m; return nil }})
	if err == nil {
		t.Fatal("somebody got in")
	}
	if !strings.Contains(said, "nobody may log in yet") || !strings.Contains(said, "role=") || !strings.Contains(said, "authorized_keys") {
		t.Errorf("the banner is %q", said)
	}
}

func TestTooManyFailedLogins(t *testing.T) {
	x := newSite(t, Limits{Attempts: 3})
	for range 5 { // probes that only knock are no attempts
		c, err := net.Dial("tcp", x.addr)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	waitFor(t, "the probes are gone", func() bool { return strings.Count(x.log.String(), "login failed") == 5 })
	if x.s.tries.tooMany("127.0.0.1", time.Now()) {
		t.Fatal("probes lock the address out")
	}
	for range 3 {
		if _, err := x.dial(newKey(t)); err == nil {
			t.Fatal("an unknown key got in")
		}
	}
	waitFor(t, "the address is turned away", func() bool { return x.s.tries.tooMany("127.0.0.1", time.Now()) })
	if _, err := x.dial(x.keys["wang"]); err == nil {
		t.Error("the address is let in again at once")
	}
	if x.s.tries.tooMany("127.0.0.2", time.Now()) {
		t.Error("another address is turned away too")
	}
	if x.s.tries.tooMany("127.0.0.1", time.Now().Add(triesFor+time.Second)) {
		t.Error("the address is turned away for ever")
	}
}

func TestLabelUnderOnesOwnName(t *testing.T) {
	x := newSite(t, Limits{})
	x.crawled()
	rows, err := x.b.Candidates(context.Background())
	if err != nil || len(rows) == 0 {
		t.Fatal(err)
	}
	if err := x.b.As("wang").SetLabel(rows[0].ID, topic.Yes); err != nil {
		t.Fatal(err)
	}
	labels, err := x.b.LabelRows()
	if err != nil || len(labels) != 1 || labels[0].By != "wang" {
		t.Errorf("labels %+v, %v", labels, err)
	}
}

// waiting is how many sessions have a write that has lasted for 50 ms.
func (s *Server) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for x := range s.open {
		if x.out.Stalled() > 50*time.Millisecond {
			n++
		}
	}
	return n
}

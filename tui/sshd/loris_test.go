package sshd

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/message"
	"angler/topic"
)

// A slow client, and one that stops during the handshake, lose their connection at the time limit
// for a login.
func TestSlowAndHalfOpenHandshakes(t *testing.T) {
	const login = 20 * time.Second
	x := newStoodSite(t, Limits{Login: login})
	for _, c := range []struct {
		name  string
		begin string // sent at once
		drip  string // sent before the time limit; "": nothing
	}{
		{"nothing", "", ""},
		{"a version that never ends", "SSH-2.0-", "x"},
		{"lines before the version", "", "\n"},
		{"a version and no more", "SSH-2.0-loris\r\n", ""},
		{"a packet of which half comes", "SSH-2.0-loris\r\n\x00\x00\x04\x00\x08\x14", "x"},
		{"a packet of 2 GB", "SSH-2.0-loris\r\n\x7f\xff\xff\xff\x08\x14", "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nc, err := net.Dial("tcp", x.addr)
			must(t, err)
			defer nc.Close()
			_, err = io.WriteString(nc, c.begin)
			must(t, err)
			var over atomic.Bool // some are closed at once
			go func() {
				_, _ = io.Copy(io.Discard, nc)
				over.Store(true)
			}()
			waitFor(t, "it has its time", func() bool { return over.Load() || x.conns() == 1 && x.clock.due(login) == 1 })
			for range 4 {
				x.clock.pass(login / 4)
				_, _ = io.WriteString(nc, c.drip) // the server may have closed it
			}
			waitFor(t, "the connection is closed", over.Load)
			waitFor(t, "nothing is left of it", func() bool { return x.conns() == 0 })
		})
	}
}

// raw is a client that handles its channels itself.
func (x *site) raw(name string) (gossh.Conn, net.Conn) {
	x.t.Helper()
	nc, err := net.Dial("tcp", x.addr)
	must(x.t, err)
	c, chans, reqs, err := gossh.NewClientConn(nc, x.addr, x.config(gossh.PublicKeys(x.keys[name])))
	must(x.t, err)
	go gossh.DiscardRequests(reqs)
	go func() {
		for n := range chans {
			_ = n.Reject(gossh.Prohibited, "")
		}
	}()
	x.t.Cleanup(func() { c.Close() })
	return c, nc
}

// Of many channels on one connection few become sessions; the others get the reason, and the server
// accepts the next client.
func TestManyChannels(t *testing.T) {
	x := newSite(t, Limits{Sessions: 6, Login: time.Hour})
	c, _ := x.raw("li")
	open := 0
	for range 200 {
		_, reqs, err := c.OpenChannel("session", nil)
		var refused *gossh.OpenChannelError
		switch {
		case err == nil:
			open++
			go gossh.DiscardRequests(reqs)
		case !errors.As(err, &refused) || !strings.Contains(refused.Message, "with this key"):
			t.Fatal(err)
		}
	}
	if open != 3 {
		t.Errorf("%d channels of one key are open, want 3", open)
	}
	x.workbench(x.attach("wang"), 80, 24).samples()
}

// One key cannot take the connections of others, however it distributes them.
func TestManyConnectionsOfOneKey(t *testing.T) {
	x := newSite(t, Limits{Sessions: 4, Login: time.Hour})
	for range 2 + spareConns {
		x.attach("li")
	}
	if c, err := x.dial(x.keys["li"]); err == nil {
		c.Close()
		t.Error("one key has more connections than it may")
	}
	waitFor(t, "the log tells", func() bool { return strings.Contains(x.log.String(), "too many connections of this key") })
	x.attach("wang")
}

// A client that reads nothing of a command's output, and one that never closes its channel, keep no
// place.
func TestWindowsAndChannelsThatStayShut(t *testing.T) {
	const login = 1000 * time.Hour
	// The server checks for waiting writes when its clock says so. Until then no slow write on a busy
	// machine counts as a client that does not read.
	x := newStoodSite(t, Limits{Stall: 50 * time.Millisecond, Login: login})
	none := func() bool { return x.sessions() == 0 }

	// The session's answer waits for a reader: the client's window is full.
	c, _ := x.raw("li")
	ch, reqs, err := c.OpenChannel("session", nil)
	must(t, err)
	go gossh.DiscardRequests(reqs)
	waitFor(t, "the session is there", func() bool { return !none() })
	_, err = ch.SendRequest("exec", true, gossh.Marshal(struct{ Command string }{"tail"}))
	must(t, err)
	filled := make(chan struct{})
	go func() { // fills a buffer without a reader
		defer close(filled)
		for i := 1; !none(); i++ {
			_ = x.b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Topic.ChangeConfig(func(c *topic.Config) message.Text {
				c.Theta = float64(i%99+1) / 100
				return message.Plain(strings.Repeat("x", 100<<10))
			})
		}
	}()
	waitFor(t, "it is dropped", func() bool { x.clock.pass(recheck); return strings.Contains(x.log.String(), "reads nothing") })
	waitFor(t, "the place is free", none)
	<-filled

	// The client stops reading, so the close of its channel is not answered.
	nc, err := net.Dial("tcp", x.addr)
	must(t, err)
	st := &stopping{nc, make(chan struct{})}
	client, err := x.clientOn(st, x.keys["li"])
	must(t, err)
	s, err := client.NewSession()
	must(t, err)
	close(st.stop)
	go func() { _ = s.Start("status") }()
	waitFor(t, "the command has ended", func() bool { return strings.Contains(x.log.String(), "run=status status=0") })
	waitFor(t, "the place is free", func() bool { x.clock.pass(login); return none() })
	nc.Close()
}

// Little of a client's environment is kept.
func TestEnvironmentIsBounded(t *testing.T) {
	x := newSite(t, Limits{})
	s, err := x.attach("li").NewSession()
	must(t, err)
	taken := 0
	for i := range 100 {
		if s.Setenv(fmt.Sprintf("LC_%d", i), strings.Repeat("x", 1000)+"\x1b[2J") == nil {
			taken++
		}
	}
	if taken != maxEnv {
		t.Errorf("%d variables were taken, want %d", taken, maxEnv)
	}
	for _, name := range []string{"PATH", "LD_PRELOAD", "LC_" + strings.Repeat("x", maxValue), "ANGLER_WATCH", "HTTP_PROXY"} {
		o, err := x.attach("li").NewSession()
		must(t, err)
		if o.Setenv(name, "x") == nil {
			t.Errorf("%s is taken", name)
		}
		o.Close()
	}
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	for o := range x.s.open {
		for k, v := range o.env {
			if len(k) > maxValue || len(v) > maxValue || strings.Contains(v, "\x1b") {
				t.Errorf("%.40q is %.40q", k, v)
			}
		}
	}
}

// No command reaches a shell, a file or another program.
func TestCommandsAreWords(t *testing.T) {
	x := newSite(t, Limits{})
	c := x.attach("zhou")
	for _, command := range []string{"status;id", "status|id", "status && id", "status $(id)", "status `id`", "status\nid", "status\x00id", "status --json=/etc/passwd", "export pages > /tmp/x",
		"export pages --format ../../x", "export -o /tmp/x pages", "../status", "/bin/status", "-oProxyCommand=id", "export pages --newest -1", "status " + strings.Repeat("-", 30<<10)} {
		out, says, status := x.runOn(c, command)
		if status != 2 || out != "" || !strings.HasPrefix(says, "angler: ") || len(says) > 1000 {
			t.Errorf("%.60q: %v, wrote %.100q, said %.300q", command, status, out, says)
		}
	}
}

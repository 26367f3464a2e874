package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// dialFrom logs in from an address of the loopback network.
func (x *site) dialFrom(from string, key gossh.Signer) (*gossh.Client, error) {
	nc, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).Dial("tcp", x.addr)
	if err != nil {
		return nil, err
	}
	return x.clientOn(nc, key)
}

// clientOn logs in over a connection.
func (x *site) clientOn(nc net.Conn, key gossh.Signer) (*gossh.Client, error) {
	sc, chans, reqs, err := gossh.NewClientConn(nc, x.addr, x.config(gossh.PublicKeys(key)))
	if err != nil {
		nc.Close()
		return nil, err
	}
	return gossh.NewClient(sc, chans, reqs), nil
}

// flood keeps as many silent connections open as the server allows, from many addresses, and
// replaces those that end, until the test ends.
func (x *site) flood() {
	ctx, cancel := context.WithCancel(context.Background())
	var flooders sync.WaitGroup
	x.t.Cleanup(func() { cancel(); flooders.Wait() })
	for i := range 24 {
		flooders.Go(func() {
			from := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}
			for ctx.Err() == nil {
				nc, err := (&net.Dialer{LocalAddr: from}).DialContext(ctx, "tcp", x.addr)
				if err != nil {
					continue
				}
				stop := context.AfterFunc(ctx, func() { nc.Close() })
				_, _ = io.Copy(io.Discard, nc) // until the server closes it
				stop()
				nc.Close()
			}
		})
	}
	waitFor(x.t, "strangers have every place of theirs", func() bool { return x.strangers() == x.s.c.Limits.Waiting })
}

// A flood of strangers does not lock out a known address, and takes no session.
func TestFloodOfStrangers(t *testing.T) {
	x := newSite(t, Limits{Waiting: 12, Login: time.Hour})
	before, err := x.dialFrom("127.0.0.9", x.keys["wang"])
	must(t, err)
	before.Close()
	x.flood()
	for range 20 {
		c, err := x.dialFrom("127.0.0.9", x.keys["wang"])
		if err != nil {
			t.Fatalf("wang, whose address is known, is locked out: %v", err)
		}
		if out, _, status := x.runOn(c, "status"); status != 0 || out == "" {
			t.Fatalf("status: %q, %v", out, status)
		}
		c.Close()
	}
	if _, err := x.dialFrom("127.0.0.10", x.keys["li"]); err == nil {
		t.Error("there was a place for an unknown address: the flood was none")
	}
	if n := strings.Count(x.log.String(), "turned away"); n > linesOfAll.Burst+1 {
		t.Errorf("the flood wrote %d lines", n)
	}
}

// While places are free, strangers are refused at random, so that a retry succeeds.
func TestEarlyDropIsRandom(t *testing.T) {
	var dice atomic.Int64
	x := newDemoSite(t, Config{Limits: Limits{Waiting: 12, Login: time.Hour}, Random: func() float64 { return float64(dice.Load()) / 1000 }})
	dice.Store(999)
	for i := range 6 {
		nc, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}}).Dial("tcp", x.addr)
		must(t, err)
		defer nc.Close()
	}
	waitFor(t, "six wait", func() bool { return x.strangers() == 6 })
	for _, c := range []struct {
		dice int64
		in   bool
	}{{0, false}, {299, false}, {300, true}, {999, true}} {
		dice.Store(c.dice)
		client, err := x.dialFrom("127.0.0.20", x.keys["li"])
		if (err == nil) != c.in {
			t.Errorf("dice %d: %v", c.dice, err)
		}
		if err == nil {
			client.Close()
			x.s.logins.Succeeded("127.0.0.20", time.Time{}) // a stranger again
		}
		waitFor(t, "it is gone", func() bool { return x.conns() == 6 })
	}
}

// waits collects the delays of a server, and ends those below a second at once.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) After(d time.Duration) <-chan time.Time {
	if d >= recheck {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, d)
	now := make(chan time.Time, 1)
	now <- time.Time{}
	return now
}

func (w *waits) take() []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.list
	w.list = nil
	return list
}

// Failed logins delay the refusals of their address. A valid key from there is not delayed, even
// during failures.
func TestFailedLoginsSlowDownNotOut(t *testing.T) {
	var w waits
	x := newDemoSite(t, Config{Limits: Limits{Attempts: 3, Login: 5 * time.Second}, After: w.After, AfterFunc: newClock().AfterFunc})
	for range 5 { // connections without a key are no failed logins
		c, err := net.Dial("tcp", x.addr)
		must(t, err)
		c.Close()
	}
	waitFor(t, "the probes are gone", func() bool { return strings.Count(x.log.String(), "login failed") == 5 })
	for i, want := range []time.Duration{0, 0, 0, 0, 100, 200, 400, 500, 500} {
		if _, err := x.dialFrom("127.0.0.1", newKey(t)); err == nil {
			t.Fatal("an unknown key got in")
		}
		waitFor(t, "it is counted", func() bool {
			return i < 3 || x.s.logins.Delay("127.0.0.1", time.Now()) == time.Duration(min(500, 100<<(i-3)))*time.Millisecond
		})
		got := w.take()
		if want == 0 && len(got) > 0 || want > 0 && (len(got) != 1 || got[0] != want*time.Millisecond) {
			t.Errorf("failed login %d waited %v, want %v ms", i+1, got, int(want))
		}
		if i < 3 {
			waitFor(t, "it is in the log", func() bool { return strings.Count(x.log.String(), "keys=1") == i+1 })
		}
	}
	c, err := x.dialFrom("127.0.0.1", x.keys["wang"])
	if err != nil {
		t.Fatalf("the colleague of the same address is locked out: %v", err)
	}
	c.Close()
	if got := w.take(); len(got) > 0 {
		t.Errorf("the right key waited %v", got)
	}
	if _, err := x.dialFrom("127.0.0.2", newKey(t)); err == nil {
		t.Fatal("an unknown key got in")
	}
	if got := w.take(); len(got) > 0 {
		t.Errorf("another address waited %v", got)
	}
}

// A client that leaves before the answer also counts as failed.
func TestLeavingBeforeTheAnswerCounts(t *testing.T) {
	x := newSite(t, Limits{})
	nc, err := net.Dial("tcp", x.addr)
	must(t, err)
	_, _, _, err = gossh.NewClientConn(nc, x.addr, x.config(gossh.PublicKeys(newKey(t)),
		gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) {
			_ = nc.(*net.TCPConn).SetLinger(0) // a reset, not an end
			nc.Close()
			return nil, errors.New("gone")
		})))
	if err == nil {
		t.Fatal("let in")
	}
	waitFor(t, "it is counted", func() bool { return strings.Contains(x.log.String(), "keys=1") })
}

// ticks is a clock whose waits end when the test decides.
type ticks struct {
	asked chan time.Duration
	fire  chan time.Time
}

func (c *ticks) After(d time.Duration) <-chan time.Time {
	if d > recheck { // waits of sessions, and of the server's end, which no test ends
		return nil
	}
	c.asked <- d
	return c.fire
}

// look lets a waiting watch check again. change runs while it waits: the check before is done, and
// the next one sees it.
func (c *ticks) look(t *testing.T, want time.Duration, change func()) {
	t.Helper()
	if d := <-c.asked; d != want {
		t.Errorf("the next look comes after %v, want %v", d, want)
	}
	if change != nil {
		change()
	}
	c.fire <- time.Time{}
}

// A key that is removed, or has fewer rights, ends its sessions at the second check, at most 1.2 s
// after the change.
func TestRevokedKeyEndsItsSessions(t *testing.T) {
	cases := []struct {
		name string
		line string // of li
		ends bool
	}{
		{"the line is gone", "", true},
		{"the role is another", "role=analyst,name=\"li\" ", true},
		{"the same with a comment", "# a comment\nrole=viewer,name=\"li\" ", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			clock := &ticks{make(chan time.Duration), make(chan time.Time)}
			x := newDemoSite(t, Config{Limits: Limits{Leave: time.Hour}, After: clock.After})
			// The server's end does not wait for sessions: they are closed first.
			client := x.attach("li")
			defer client.Close()
			other := x.attach("wang")
			li, wang := x.workbench(client, 80, 24), x.workbench(other, 80, 24)
			li.samples()
			wang.samples()
			second, err := client.NewSession()
			must(t, err)
			out, err := second.StdoutPipe()
			must(t, err)
			must(t, second.Start("tail"))
			clock.look(t, recheck, nil)

			line := ""
			if c.line != "" {
				line = c.line + string(gossh.MarshalAuthorizedKey(x.keys["li"].PublicKey()))
			}
			all := *x.file.Load()
			clock.look(t, recheck, func() {
				x.setKeys([]byte(fmt.Sprintf("role=analyst,name=\"wang\" %s%s", gossh.MarshalAuthorizedKey(x.keys["wang"].PublicKey()), line)))
			})
			if c.ends {
				clock.look(t, surely, nil)
				if err := <-li.over; err == nil || !strings.Contains(li.out.String(), "taken out") {
					t.Errorf("li's workbench ended with %v: %q", err, li.out.String())
				}
				_, _ = io.Copy(io.Discard, out)
				var exit *gossh.ExitError
				if err := second.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
					t.Errorf("li's tail ended with %v", err)
				}
				x.setKeys(all) // and no session starts again on that connection
				if _, err := client.NewSession(); err == nil {
					t.Error("a further session on the connection of a revoked key")
				}
			} else {
				clock.look(t, recheck, nil)
				li.press("5")
				li.sees("[5 Harvest]")
				client.Close()
				<-li.over
			}
			wang.press("5")
			wang.sees("[5 Harvest]")
			wang.press("q")
			<-wang.over
			client.Close()
			other.Close()
			x.stopWith(clock)
		})
	}
}

// stopWith ends a server whose watch may wait for the test.
func (x *site) stopWith(clock *ticks) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.stop()
	}()
	for {
		select {
		case <-clock.asked:
		case <-done:
			return
		}
	}
}

// An editor that empties the file before writing the new one ends no session, nor does a file that
// is unreadable for a moment.
func TestAFileInTheMakingEndsNothing(t *testing.T) {
	clock := &ticks{make(chan time.Duration), make(chan time.Time)}
	x := newDemoSite(t, Config{Limits: Limits{Leave: time.Hour}, After: clock.After})
	client := x.attach("li")
	li := x.workbench(client, 80, 24)
	li.samples()
	all := *x.file.Load()
	unreadable := func(is bool) func() { return func() { x.unreadable.Store(is) } }
	clock.look(t, recheck, nil)
	clock.look(t, recheck, func() { x.setKeys(nil) })
	clock.look(t, surely, func() { x.setKeys(all) })
	for range unread {
		clock.look(t, recheck, unreadable(true))
	}
	clock.look(t, recheck, unreadable(false))
	li.press("5")
	li.sees("[5 Harvest]")
	for range unread + 1 { // for good
		clock.look(t, recheck, unreadable(true))
	}
	clock.look(t, surely, nil)
	<-li.over
	if !strings.Contains(li.out.String(), "taken out") {
		t.Errorf("li's last words are %q", li.out.String())
	}
	client.Close()
	x.stopWith(clock)
}

//go:build unix && heavy

package tuitest

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// TestSSHFlood fills the places of strangers from many addresses, and lets logins fail at the
// address of a colleague, who still gets in.
func TestSSHFlood(t *testing.T) {
	x := startServer(t, "--every", "0")
	from := func(address string) []string { return []string{"-b", address, "127.0.0.1", "status"} }
	if r := x.ssh("wang", from("127.0.0.9")...); r.Status != 0 {
		t.Fatalf("before the flood: %+v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var flooders sync.WaitGroup
	defer flooders.Wait()
	defer cancel()
	for i := range 128 {
		d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}}
		flooders.Go(func() {
			for ctx.Err() == nil {
				nc, err := d.DialContext(ctx, "tcp", "127.0.0.1:"+x.port)
				if err != nil {
					continue
				}
				stop := context.AfterFunc(ctx, func() { nc.Close() })
				_, _ = io.Copy(io.Discard, nc) // silent until it is refused or times out
				stop()
				nc.Close()
			}
		})
	}
	eventually(t, "strangers are turned away", func() bool { return strings.Contains(x.logged(), "too many connections wait") })
	for range 20 { // a silent computer behind the colleague's address
		nc, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}).Dial("tcp", "127.0.0.1:"+x.port)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
	}
	for range 8 { // one whose logins fail
		if r := x.ssh("stranger", from("127.0.0.9")...); r.Status != 255 || !strings.Contains(r.Err, "no key of yours") {
			t.Fatalf("a stranger of a known address: %+v", r)
		}
	}
	for range 5 {
		if r := x.ssh("wang", from("127.0.0.9")...); r.Status != 0 || !strings.HasPrefix(r.Out, "ws · ") {
			t.Fatalf("the colleague is locked out: %+v", r)
		}
	}
	if n := strings.Count(x.logged(), "\n"); n > 200 {
		t.Errorf("the flood wrote %d lines into the log", n)
	}
}

// TestSSHUndoAsks undoes another person's action over SSH.
func TestSSHUndoAsks(t *testing.T) {
	x := startServer(t)
	wang, zhou := x.attach("wang", 120, 30), x.attach("zhou", 120, 30)
	eventually(t, "the first round's discovery has ended", func() bool { return strings.Contains(x.state(), `"state":"idle"`) })
	zhou.samples()
	wang.samples("招标公告")
	wang.press("/", "招标公告", "Enter")
	wang.wait("/招标公告")
	wang.press("s")
	wang.wait("1 sample")
	zhou.press("u")
	zhou.wait("undo wang's “sample ", "? y/n")
	zhou.press("n")
	zhou.wait("nothing was undone", "1 sample")
	zhou.press("u")
	zhou.wait("undo wang's “sample ", "? y/n")
	zhou.press("y")
	zhou.wait("undone: sample ")
	wang.press("s")
	wang.wait("1 sample")
	wang.press("u") // recent and one's own
	wang.wait("undone: sample ")
}

package cli

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// manager listens like a service manager.
func manager(t *testing.T, name string) *net.UnixConn {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func heard(t *testing.T, c *net.UnixConn) string {
	t.Helper()
	b := make([]byte, 4096)
	must(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	n, err := c.Read(b)
	must(t, err)
	return string(b[:n])
}

func env(vars map[string]string) func(string) string {
	return func(k string) string { return vars[k] }
}

func TestMessages(t *testing.T) {
	sockets := []string{filepath.Join(t.TempDir(), "s")}
	if runtime.GOOS == "linux" {
		sockets = append(sockets, fmt.Sprintf("@angler-notify-%d", os.Getpid()))
	}
	for _, socket := range sockets {
		t.Run(socket[:1], func(t *testing.T) {
			c := manager(t, socket)
			s := newServiceManager(env(map[string]string{"NOTIFY_SOCKET": socket}), 1)
			if s.socket == "" {
				t.Fatal("no service manager is named")
			}
			for _, m := range []struct {
				send func()
				want string
			}{
				{func() { s.ready("serving\non 1.2.3.4") }, "READY=1\nSTATUS=serving on 1.2.3.4"},
				{s.sayAlive, "WATCHDOG=1"},
				{func() { s.status("idle") }, "STATUS=idle"},
				{s.stopping, "STOPPING=1\nSTATUS=storing what was fetched"},
			} {
				m.send()
				if got := heard(t, c); got != m.want {
					t.Errorf("heard %q, want %q", got, m.want)
				}
			}
			s.reloading()
			first := heard(t, c)
			s.reloading()
			second := heard(t, c)
			if !strings.HasPrefix(first, "RELOADING=1\nMONOTONIC_USEC=") || len(second) == len(first) && second < first || strings.HasSuffix(first, "=0") {
				t.Errorf("heard %q, then %q", first, second)
			}
		})
	}
}

func TestNobodyAsks(t *testing.T) {
	for _, socket := range []string{"", "relative", "vsock:2:1234", filepath.Join(t.TempDir(), "nobody")} {
		s := newServiceManager(env(map[string]string{"NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "2000000"}), 1)
		s.ready("")
		s.sayAlive()
		if (s.socket != "") != strings.HasPrefix(socket, "/") {
			t.Errorf("%q: asked %v", socket, s.socket != "")
		}
	}
}

func TestAliveEvery(t *testing.T) {
	for _, c := range []struct {
		usec, pid string
		want      time.Duration
	}{
		{"20000000", "", 10 * time.Second}, {"20000000", "7", 10 * time.Second}, {"20000000", "8", 0},
		{"", "7", 0}, {"0", "7", 0}, {"-5", "7", 0}, {"x", "7", 0}, {"1", "7", time.Millisecond},
	} {
		s := newServiceManager(env(map[string]string{"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": c.usec, "WATCHDOG_PID": c.pid}), 7)
		if got := s.alive; got != c.want {
			t.Errorf("WATCHDOG_USEC=%s WATCHDOG_PID=%s: %v, want %v", c.usec, c.pid, got, c.want)
		}
	}
}

//go:build unix

package tuitest

import (
	"net"
	"strings"
	"testing"
	"time"
)

// datagrams is a service manager's socket.
type datagrams struct {
	t *testing.T
	c *net.UnixConn
}

func listenDatagrams(t *testing.T, path string) *datagrams {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return &datagrams{t, c}
}

// wait returns the next message with a prefix and skips others.
func (d *datagrams) wait(prefix string) string {
	d.t.Helper()
	must(d.t, d.c.SetReadDeadline(time.Now().Add(patience)))
	b := make([]byte, 4096)
	for {
		n, err := d.c.Read(b)
		if err != nil {
			d.t.Fatalf("no message that begins with %q: %v", prefix, err)
		}
		if s := string(b[:n]); strings.HasPrefix(s, prefix) {
			return s
		}
	}
}

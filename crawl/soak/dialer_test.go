package soak

import (
	"context"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"angler/crawl/webtest"
)

// network dials the web's server for every host, and can be broken: then new
// connections fail, and those that are open break when they are used.
type network struct {
	server webtest.Server // its Dial
	mu     sync.Mutex     // guards what follows
	kind   string
	left   int
	until  time.Time
}

// fail breaks the next n uses.
func (w *network) fail(kind string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kind, w.left, w.until = kind, n, time.Now().Add(longest)
}

// broken returns how the network fails now, "" when it does not.
func (w *network) broken() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left == 0 || time.Now().After(w.until) {
		w.left = 0
		return ""
	}
	w.left--
	return w.kind
}

// dial fits crawl.Options.Dial.
func (w *network) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(addr)
	switch w.broken() {
	case "nxdomain":
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
	case "refuse":
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case "reset":
		return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNRESET)}
	}
	c, err := w.server.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &conn{c, w}, nil
}

// conn breaks with its network.
type conn struct {
	net.Conn
	network *network
}

func (c *conn) Write(b []byte) (int, error) {
	if c.network.broken() != "" {
		c.Conn.Close()
		return 0, &net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("write", syscall.ECONNRESET)}
	}
	return c.Conn.Write(b)
}

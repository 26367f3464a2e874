package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/idna"
)

// plainHTTP is an http.RoundTripper for requests that plainTakes accepts. Set its fields before the
// first request. It is safe for concurrent use.
type plainHTTP struct {
	Dial           func(ctx context.Context, network, addr string) (net.Conn, error)
	MaxHead        int64         // bytes of a response head, including all 1xx
	MaxIdlePerHost int           // idle connections per host
	MaxIdle        int           // idle connections of all hosts
	IdleTime       time.Duration // lifetime of an idle connection

	mu     sync.Mutex
	idle   map[string][]*conn // by address; the last used one is at the end
	kept   int                // connections in idle
	expiry *time.Timer        // closes expired idle connections; nil = none is idle
}

const (
	readBuffer = 16 << 10 // most pages fit in one read
	// checkAfter is the idle time after which a connection is checked before use: the server may have
	// closed it or sent unrequested data.
	checkAfter = 500 * time.Millisecond
	// checkTime is the time limit of that check.
	checkTime = time.Millisecond
	max1xx    = 5 // as in net/http
)

// plainTakes reports whether plainHTTP can send a request.
func plainTakes(req *http.Request) bool {
	return req.URL.Scheme == "http" && req.Method == http.MethodGet && (req.Body == nil || req.Body == http.NoBody)
}

// RoundTrip implements http.RoundTripper. The response's body must be closed. Closing it before its
// end closes the connection.
func (t *plainHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	addr, err := address(req)
	if err != nil {
		return nil, err
	}
	for {
		c, used := t.take(addr), true
		if c == nil {
			used = false
			if c, err = t.connect(req.Context(), addr); err != nil {
				return nil, err
			}
		}
		res, err := c.exchange(req)
		if err == nil {
			return res, nil
		}
		c.end()
		var silent *silentError
		switch {
		case req.Context().Err() != nil:
			return nil, req.Context().Err()
		case !errors.As(err, &silent):
			return nil, err
		case !used:
			return nil, silent.err
		}
		// The server closed the idle connection while the request was sent: retry.
	}
}

// address returns the address to dial for a request.
func address(req *http.Request) (string, error) {
	host, port := req.URL.Hostname(), req.URL.Port()
	for _, b := range []byte(host) {
		if b >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(host)
			if err != nil {
				return "", err
			}
			host = ascii
			break
		}
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(host, port), nil
}

// conn is a connection. Only one goroutine at a time uses it.
type conn struct {
	t     *plainHTTP
	addr  string
	net   net.Conn
	head  head // below r
	r     *bufio.Reader
	w     *bufio.Writer
	since time.Time // start of the idle time
}

// head bounds the bytes read for a response head.
type head struct {
	r    io.Reader
	left int64 // negative = no bound
}

func (h *head) Read(p []byte) (int, error) {
	if h.left == 0 {
		return 0, errLongHead
	}
	if h.left > 0 && int64(len(p)) > h.left {
		p = p[:h.left]
	}
	n, err := h.r.Read(p)
	if h.left > 0 {
		h.left -= int64(n)
	}
	return n, err
}

var errLongHead = errors.New("the headers exceeded their bound")

// silentError is an error before the first byte of a response.
type silentError struct{ err error }

func (e *silentError) Error() string { return e.err.Error() }
func (e *silentError) Unwrap() error { return e.err }

func (t *plainHTTP) connect(ctx context.Context, addr string) (*conn, error) {
	n, err := t.Dial(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &conn{t: t, addr: addr, net: n, w: bufio.NewWriter(n)}
	c.head.r = n
	c.r = bufio.NewReaderSize(&c.head, readBuffer)
	return c, nil
}

// exchange sends a request and reads the response head. The response's body returns the connection.
// After an error the connection is unusable.
func (c *conn) exchange(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	free := context.AfterFunc(ctx, c.interrupt)
	res, err := c.ask(req)
	if err != nil {
		free()
		return nil, err
	}
	b := &body{ReadCloser: res.Body, ctx: ctx, c: c, free: free, last: res.Close || req.Close}
	if res.Body == http.NoBody {
		b.done()
		return res, nil
	}
	res.Body = b
	return res, nil
}

// interrupt cancels the present and all later operations of the connection.
func (c *conn) interrupt() { c.net.SetDeadline(time.Unix(1, 0)) }

func (c *conn) ask(req *http.Request) (*http.Response, error) {
	err := req.Write(c.w)
	if err == nil {
		err = c.w.Flush()
	}
	if err != nil {
		return nil, &silentError{err}
	}
	c.head.left = c.t.MaxHead
	if _, err := c.r.Peek(1); err != nil {
		return nil, &silentError{err}
	}
	for range max1xx + 1 {
		res, err := http.ReadResponse(c.r, req)
		switch {
		case err != nil:
			return nil, err
		case res.StatusCode >= 200 || res.StatusCode == http.StatusSwitchingProtocols || res.StatusCode < 100:
			c.head.left = -1
			return res, nil
		}
	}
	return nil, fmt.Errorf("too many 1xx informational responses")
}

func (c *conn) end() { c.net.Close() }

// body is the body of a response.
type body struct {
	io.ReadCloser
	ctx  context.Context
	c    *conn       // nil after it was returned or closed
	free func() bool // detaches the context; false = the context has ended the connection
	last bool        // the connection cannot be reused
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == nil:
	case err == io.EOF:
		b.done()
	case b.ctx.Err() != nil:
		b.Close()
		err = b.ctx.Err()
	default:
		b.Close()
	}
	return n, err
}

// Close closes the connection if the body was not read to its end. It does not read the rest, which
// has no bound.
func (b *body) Close() error {
	if b.c != nil {
		b.free()
		b.c.end()
		b.c = nil
	}
	return nil
}

// done returns the connection after the end of the body.
func (b *body) done() {
	c := b.c
	if c == nil {
		return
	}
	b.c = nil
	// Data after the body's end answers no request.
	if !b.free() || b.last || c.r.Buffered() > 0 {
		c.end()
		return
	}
	c.t.keep(c)
}

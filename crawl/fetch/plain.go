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

// plainHTTP is an http.RoundTripper for requests that plainTakes accepts. Its fields are set
// before the first request. Safe for concurrent use.
type plainHTTP struct {
	Dial           func(ctx context.Context, network, addr string) (net.Conn, error)
	MaxHead        int64         // bytes of an answer's head, all 1xx together
	MaxIdlePerHost int           // connections kept for the next request, a host
	MaxIdle        int           // and of all hosts
	IdleTime       time.Duration // how long they are kept

	mu   sync.Mutex
	idle map[string][]*conn // by address; the one used last is at the end
	kept int                // connections in idle
	tidy *time.Timer        // closes what has been idle for too long; nil = nothing is idle
}

const (
	readBuffer = 16 << 10 // most pages come in one read
	// suspect is how long a connection may be idle until it is looked at before it is used:
	// the server may have closed it, or have said something that answers nothing.
	suspect = 500 * time.Millisecond
	// glance is how long that look may take.
	glance = time.Millisecond
	max1xx = 5 // as net/http has it
)

// plainTakes reports whether a request is one for this plainHTTP.
func plainTakes(req *http.Request) bool {
	return req.URL.Scheme == "http" && req.Method == http.MethodGet && (req.Body == nil || req.Body == http.NoBody)
}

// RoundTrip implements http.RoundTripper. The body of the answer must be closed; that
// ends the connection unless the body was read to its end.
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
		// The server closed the connection while it was idle, as the request went out.
	}
}

// address is what is dialled for a request.
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

// conn is a connection. One goroutine uses it at a time.
type conn struct {
	t     *plainHTTP
	addr  string
	net   net.Conn
	head  head // under r
	r     *bufio.Reader
	w     *bufio.Writer
	since time.Time // idle since
}

// head bounds what may be read until the head of an answer is over.
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

// silentError is what came in place of the first byte of an answer.
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

// exchange sends a request and reads the head of its answer. The answer's body gives the
// connection back. After an error the connection is of no use.
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

// interrupt ends what the connection waits for, and all it might wait for later.
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

// body is the body of an answer.
type body struct {
	io.ReadCloser
	ctx  context.Context
	c    *conn       // nil once it was given back or closed
	free func() bool // the context deletes the connection; false = it has ended it
	last bool        // nothing may follow on this connection
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

// Close does not read what is left of the body, which has no bound: without its end the
// connection is closed.
func (b *body) Close() error {
	if b.c != nil {
		b.free()
		b.c.end()
		b.c = nil
	}
	return nil
}

// done gives the connection back after the end of the body.
func (b *body) done() {
	c := b.c
	if c == nil {
		return
	}
	b.c = nil
	// What came after the end answers nothing that was asked.
	if !b.free() || b.last || c.r.Buffered() > 0 {
		c.end()
		return
	}
	c.t.keep(c)
}

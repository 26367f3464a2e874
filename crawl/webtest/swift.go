package webtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// swift serves a web on loopback with minimal HTTP/1.1 work: it reads the request line and Host, skips the rest, and
// writes header and page at once. It costs a quarter of net/http's server, so a benchmark on one machine measures
// the crawler, not the site. It supports no faults, conditional requests, or methods beyond GET and HEAD. Every host
// has the same robots.txt without a delay. Tests should use Serve.
type swift struct {
	web *Web
	l   net.Listener
}

// ServeSwift starts a server on its own loopback port. The caller must Close it.
func ServeSwift(web *Web) (*swift, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("swift web: %w", err)
	}
	s := &swift{web: web, l: l}
	go s.accept()
	return s, nil
}

// Addr returns host:port of the server.
func (s *swift) Addr() string { return s.l.Addr().String() }

// Close stops listening; connections end with their clients.
func (s *swift) Close() error { return s.l.Close() }

func (s *swift) accept() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		go s.serve(c)
	}
}

// DialTo returns a dialer that connects to addr for any host under .test and refuses all others.
func DialTo(addr string) func(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return func(ctx context.Context, network, to string) (net.Conn, error) {
		if !strings.HasSuffix(hostName(to), ".test") {
			return nil, fmt.Errorf("dial %s: the generated web has hosts under .test only", to)
		}
		return d.DialContext(ctx, network, addr)
	}
}

const swiftRobots = "User-agent: *\nDisallow: /admin/\n"

func (s *swift) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReaderSize(c, 4096)
	var out []byte
	for {
		path, host, head, err := readRequest(in)
		if err != nil {
			return
		}
		out = s.answer(out[:0], host, path, head)
		if err := c.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			return
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

var errRequest = errors.New("no GET or HEAD request of HTTP/1.1")

func readRequest(in *bufio.Reader) (path, host string, head bool, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return "", "", false, err
	}
	rest, get := bytes.CutPrefix(line, []byte("GET "))
	if !get {
		rest, head = bytes.CutPrefix(line, []byte("HEAD "))
	}
	target, _, ok := bytes.Cut(rest, []byte(" HTTP/1.1"))
	if !get && !head || !ok {
		return "", "", false, errRequest
	}
	path = string(target)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", "", false, err
		}
		if len(line) <= 2 {
			return path, host, head, nil
		}
		if len(line) > 5 && bytes.EqualFold(line[:5], []byte("host:")) {
			host = hostName(string(bytes.TrimSpace(line[5:])))
		}
	}
}

// answer appends a whole response, or only its header.
func (s *swift) answer(b []byte, host, path string, head bool) []byte {
	r := s.web.pool.Get().(*renderer)
	defer s.web.pool.Put(r)
	res := response{Status: http.StatusOK, ContentType: "text/plain", Body: []byte(swiftRobots)}
	if path != "/robots.txt" {
		bare, query, _ := strings.Cut(path, "?")
		res = s.web.respond(r, host, bare, query)
	}
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(res.Status), 10)
	b = append(append(b, ' '), http.StatusText(res.Status)...)
	for _, h := range [...]struct{ name, value string }{
		{"Content-Type", res.ContentType}, {"Location", res.Location}, {"ETag", res.ETag},
	} {
		if h.value != "" {
			b = append(append(append(append(b, "\r\n"...), h.name...), ": "...), h.value...)
		}
	}
	if !res.LastModified.IsZero() {
		b = append(b, "\r\nLast-Modified: "...)
		b = res.LastModified.UTC().AppendFormat(b, http.TimeFormat)
	}
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(res.Body)), 10)
	b = append(b, "\r\n\r\n"...)
	if head {
		return b
	}
	return append(b, res.Body...)
}

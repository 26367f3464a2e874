package webtest

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ServeHTTP serves all hosts of the web, by the Host header, or as a forward proxy by the host of an absolute
// request address. It supports If-None-Match and If-Modified-Since.
func (w *Web) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		rw.Header().Set("Allow", "GET, HEAD")
		rw.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if hostName(req.Host) == SearchHost {
		w.search(rw, req)
		return
	}
	r := w.pool.Get().(*renderer)
	defer w.pool.Put(r)
	res := w.respond(r, hostName(req.Host), req.URL.Path, req.URL.RawQuery)
	head := rw.Header()
	if res.Location != "" {
		head["Location"] = []string{res.Location}
	}
	if res.ETag != "" {
		head["Etag"] = []string{res.ETag}
	}
	if !res.LastModified.IsZero() {
		head["Last-Modified"] = []string{res.LastModified.UTC().Format(http.TimeFormat)}
	}
	if res.Disposition != "" {
		head["Content-Disposition"] = []string{res.Disposition}
	}
	if res.Status == http.StatusOK && notModified(req, &res) {
		rw.WriteHeader(http.StatusNotModified)
		return
	}
	head["Content-Type"] = []string{res.ContentType}
	head["Content-Length"] = []string{strconv.Itoa(len(res.Body))}
	rw.WriteHeader(res.Status)
	if req.Method == http.MethodGet {
		rw.Write(res.Body)
	}
}

// notModified follows RFC 9110 13.2.2: the date counts only without an entity tag.
func notModified(req *http.Request, res *response) bool {
	if match := req.Header.Get("If-None-Match"); match != "" {
		if res.ETag == "" {
			return false
		}
		for tag := range strings.SplitSeq(match, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == res.ETag || tag == "*" {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(req.Header.Get("If-Modified-Since"))
	return err == nil && !res.LastModified.IsZero() && !res.LastModified.Truncate(time.Second).After(since)
}

func hostName(hostport string) string {
	if i := strings.LastIndexByte(hostport, ':'); i >= 0 {
		hostport = hostport[:i]
	}
	return strings.ToLower(hostport)
}

// A Fault is the fault of one request. The zero value is none.
type Fault struct {
	Status     int             // reply with this status and no page
	Body       string          // reply with this HTML instead of the page
	RetryAfter string          // Retry-After header with Status
	Cut        bool            // drop the connection in the middle of the body
	Wait       <-chan struct{} // reply only after this is closed
}

// Server serves a handler on its own loopback port. It is safe for concurrent use.
type Server struct {
	Addr string // 127.0.0.1:port
	URL  string // http://127.0.0.1:port

	handler http.Handler
	server  *http.Server
	closed  chan struct{}
	close   func() error
	fault   atomic.Pointer[func(req *http.Request, n int) Fault]
	mu      sync.Mutex
	counts  map[string]int // requests to each host while Fail is active
}

// Serve starts a server for a web, or for any handler around one. The caller must Close it.
func Serve(handler http.Handler) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("demo web: %w", err)
	}
	s := &Server{
		Addr: l.Addr().String(), URL: "http://" + l.Addr().String(),
		handler: handler, closed: make(chan struct{}), counts: map[string]int{},
	}
	s.server = &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // ignore clients that disconnect
	}
	s.close = sync.OnceValue(func() error {
		close(s.closed)
		return s.server.Close()
	})
	go s.server.Serve(l)
	return s, nil
}

// Close stops the server and every connection. Further calls do nothing.
func (s *Server) Close() error { return s.close() }

// Fail calls f before each request, with the number of requests to its host (from 1) since Fail was called. A nil f
// ends the faults. f may be called concurrently; an f without faults serves as a log.
func (s *Server) Fail(f func(req *http.Request, n int) Fault) {
	s.mu.Lock()
	s.counts = map[string]int{}
	s.mu.Unlock()
	if f == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&f)
}

// ServeHTTP serves with the handler, or with the fault of Fail.
func (s *Server) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	f := s.fault.Load()
	if f == nil {
		s.handler.ServeHTTP(rw, req)
		return
	}
	host := hostName(req.Host)
	s.mu.Lock()
	s.counts[host]++
	n := s.counts[host]
	s.mu.Unlock()
	fault := (*f)(req, n)
	if fault.Wait != nil {
		select {
		case <-fault.Wait:
		case <-req.Context().Done():
			return
		case <-s.closed: // otherwise the client would get an empty page
			panic(http.ErrAbortHandler)
		}
	}
	if fault.Cut {
		rw = &cutWriter{rw}
	}
	if fault.Status != 0 {
		if fault.RetryAfter != "" {
			rw.Header().Set("Retry-After", fault.RetryAfter)
		}
		rw.WriteHeader(fault.Status)
		return
	}
	if fault.Body != "" {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, fault.Body) // ignore clients that disconnect
		return
	}
	s.handler.ServeHTTP(rw, req)
}

// cutWriter sends half of the body and drops the connection.
type cutWriter struct{ http.ResponseWriter }

func (c *cutWriter) Write(b []byte) (int, error) {
	if _, err := c.ResponseWriter.Write(b[:len(b)/2]); err != nil {
		return 0, err
	}
	if f, ok := c.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}

// Dial connects to the server for any host under .test and refuses all others, so that a test cannot leave the
// machine. It fits http.Transport.DialContext.
func (s *Server) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if name := hostName(addr); addr != s.Addr && !strings.HasSuffix(name, ".test") {
		return nil, fmt.Errorf("dial %s: the demo web has hosts under .test only", name)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, s.Addr)
}

// ProxyURL returns the server's address as a forward proxy.
func (s *Server) ProxyURL() *url.URL { return &url.URL{Scheme: "http", Host: s.Addr} }

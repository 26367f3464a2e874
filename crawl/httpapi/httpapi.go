// Package httpapi serves a workspace to programs over HTTP: a JSON API with an OpenAPI document, MCP over streamable
// HTTP, a feed, a calendar, a stream of new notices, metrics and health. Config.Pages adds pages for browsers.
//
// Every request but the login, the style sheet, and metrics from this machine needs a token (secrets.AddToken). One
// table (routes.go) makes the mux, the OpenAPI document and docs/agents.md. An answer costs what crawl/api costs, and
// one small file is read to check the token. Requests are bounded in bytes, time and number. The danger is a browser
// that another site leads here: a request with a foreign Host or Origin is refused before its token is read, and the
// cookie of a login is never sent by other sites.
package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/auth"
	"angler/crawl/auth/ratelimit"
	"angler/crawl/mcp"
	"angler/store/secrets"
)

// Bounds of requests.
const (
	maxBody     = 1 << 20          // bytes
	maxHeader   = 16 << 10         // bytes
	maxQuery    = 8 << 10          // bytes
	answerTime  = 30 * time.Second // of an ordinary request
	recheck     = time.Second      // how often the tokens of requests under way are checked
	maxStreams  = 64
	maxOfToken  = 16 // streams of one token
	maxAtOnce   = 32 // answers being computed; further ones wait
	restBeside  = 31 // beside a run answers come one by one, with a rest of so many times their duration
	maxConns    = 1024
	writeMargin = 10 * time.Second
)

// The rates of one token and of wrong tokens of one address. Beyond them the answer is 429.
var (
	tokenPace = ratelimit.Rate{Burst: 200, Every: 20 * time.Millisecond}
	wrongPace = ratelimit.Rate{Burst: 20, Every: time.Second}
)

// Config says what to serve.
type Config struct {
	Engine  *crawl.Engine
	Service *api.Service // of Engine, see api.Live
	Pages   http.Handler // pages behind the login; nil means a short text at /
	Propose bool         // analysts' tokens get the tools of /mcp that propose
	TLS     bool         // cookies are sent over TLS only
	Hosts   []string     // names under which browsers reach the server, besides IP addresses and localhost
	Log     *slog.Logger // nil: nothing is logged
	Now     func() time.Time
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	c      Config
	dir    string
	mux    *http.ServeMux
	pace   ratelimit.Pace // of answers, by token
	wrong  ratelimit.Lines
	lines  ratelimit.Lines // of the log, by address
	places chan struct{}   // answers being computed
	beside chan struct{}   // the one answer being computed beside a run, or resting
	since  changes

	mu    sync.Mutex
	calls map[*call]struct{}
}

// call is a request with a token that is under way.
type call struct {
	token  *secrets.Token
	cancel context.CancelFunc
	stream bool
}

// New returns a Server. ctx bounds the making alone.
func New(ctx context.Context, c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Server{c: c, dir: c.Engine.Workspace().Dir(), mux: http.NewServeMux(), places: make(chan struct{}, maxAtOnce),
		beside: make(chan struct{}, 1),
		calls:  map[*call]struct{}{}}
	s.pace.Rate = tokenPace
	s.wrong.Each, s.wrong.All = wrongPace, ratelimit.Rate{Burst: 2000, Every: time.Millisecond}
	s.lines.Each = ratelimit.Rate{Burst: 5, Every: time.Minute}
	s.lines.All = ratelimit.Rate{Burst: 50, Every: 10 * time.Second}
	reading, err := mcp.NewServer(ctx, c.Service, false)
	if err != nil {
		return nil, err
	}
	proposing, err := mcp.NewServer(ctx, c.Service, true)
	if err != nil {
		return nil, err
	}
	agents := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		if by, known := r.Context().Value(callKey{}).(*call); c.Propose && known &&
			auth.Role(by.token.Role).Denied(auth.Propose) == "" {
			return proposing
		}
		return reading
	},
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody,
			DisableLocalhostProtection: true}) // guard has looked at Host and Origin
	s.mux.Handle("/mcp", s.signedIn(s.bounded(agents)))
	for _, r := range routes() {
		s.mux.Handle("GET "+r.path, s.signedIn(r.handler(s)))
	}
	s.mux.HandleFunc("GET /metrics", s.local(s.metrics))
	s.mux.HandleFunc("GET /healthz", s.local(s.health))
	s.mux.HandleFunc("POST /login", s.login)
	s.mux.HandleFunc("POST /logout", s.logout)
	s.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		problem(w, http.StatusNotFound, "no such question; GET /api/v1/openapi.json lists them")
	})
	pages := c.Pages
	if pages == nil {
		pages = http.HandlerFunc(plainPage)
	}
	s.mux.Handle("GET /login", pages)
	s.mux.Handle("GET /notices/{file}", s.signedIn(s.markdownOr(s.bounded(pages))))
	behind := s.signedIn(s.bounded(pages))
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".css") { // of the login, too
			pages.ServeHTTP(w, r)
			return
		}
		behind.ServeHTTP(w, r)
	})
	return s, nil
}

// Public reports whether an address such as :8080 or 127.0.0.1:0 can be reached from other machines.
func Public(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "localhost" {
		return err != nil
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.IsLoopback()
}

// Serve answers until ctx ends. cert has the certificate of TLS; nil means plain HTTP. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert *tls.Certificate) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: answerTime,
		WriteTimeout: answerTime + writeMargin, IdleTimeout: time.Minute, MaxHeaderBytes: maxHeader,
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // it would quote requests of strangers
		BaseContext: func(net.Listener) context.Context { return ctx }}
	if cert != nil {
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS12}
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	go s.watch(ctx)
	l = &bounded{Listener: l, places: make(chan struct{}, maxConns)}
	var err error
	if cert != nil {
		err = server.ServeTLS(l, "", "")
	} else {
		err = server.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// bounded is a listener with so many connections at once.
type bounded struct {
	net.Listener
	places chan struct{}
}

// Accept waits for a place.
func (b *bounded) Accept() (net.Conn, error) {
	b.places <- struct{}{}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &placed{Conn: c, leave: sync.OnceFunc(func() { <-b.places })}, nil
}

// placed is a connection that gives its place back.
type placed struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *placed) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; "+
		"base-uri 'none'; frame-ancestors 'none'")
	if s.c.TLS {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if status, why := s.guard(r); status != 0 {
		problem(w, status, why)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	s.mux.ServeHTTP(w, r)
}

// guard refuses requests that another site may have caused, and tokens in addresses. Status 0 lets a request pass.
func (s *Server) guard(r *http.Request) (status int, why string) {
	if !s.ours(r.Host) {
		return http.StatusMisdirectedRequest, "the Host of the request is not a name of this server; ask for it by IP " +
			"address or localhost, or add the name with --http-host"
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if _, host, _ := strings.Cut(origin, "://"); host != r.Host {
			return http.StatusForbidden, "requests from pages of other sites are refused"
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if r.Method != http.MethodGet && (site == "cross-site" || site == "same-site") {
		return http.StatusForbidden, "requests from pages of other sites are refused"
	}
	if len(r.URL.RawQuery) > maxQuery {
		return http.StatusRequestURITooLong, fmt.Sprintf("the query has more than %d bytes", maxQuery)
	}
	q := strings.ToLower(r.URL.RawQuery + " " + r.URL.Path)
	if strings.Contains(q, secrets.TokenPrefix) ||
		slices.ContainsFunc([]string{"token", "access_token"}, r.URL.Query().Has) {
		return http.StatusBadRequest, "a token must not stand in an address, because addresses are logged; send it as " +
			"Authorization: Bearer, and replace this one"
	}
	return 0, ""
}

// ours reports whether a Host header names this server. An IP address cannot be rebound by DNS.
func (s *Server) ours(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" {
		return true
	}
	return slices.Contains(s.c.Hosts, name)
}

// watch ends requests whose token was removed or changed, until ctx ends.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		s.mu.Lock()
		var open []*call
		for c := range s.calls {
			open = append(open, c)
		}
		s.mu.Unlock()
		for _, c := range open {
			if !c.token.Valid() {
				s.c.Log.Warn("ended: the token was removed", "name", c.token.Name)
				c.cancel()
			}
		}
	}
}

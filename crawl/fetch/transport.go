package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// exchange is what one HTTP request brought back. The request's context carries
// it down through colly and http.Client to the transport, which fills it. One
// goroutine uses it at a time. After a cookie redirect it holds the last round
// trip.
type exchange struct {
	limit     int  // decoded bytes to keep
	parts     bool // what came before a transfer broke is kept
	status    int
	header    http.Header
	location  string
	body      []byte
	truncated bool
	broken    error // how the transfer broke; nil = it is whole
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// response copies what the last round trip left; now dates a Retry-After that
// names a day.
func (x *exchange) response(url string, now time.Time) *Response {
	res := &Response{
		URL:          url,
		Status:       x.status,
		ContentType:  oneLine(x.header.Get("Content-Type"), maxContentType),
		ETag:         entityTag(x.header.Get("ETag")),
		LastModified: modified(x.header.Get("Last-Modified")),
		RetryAfter:   retryAfter(x.header.Get("Retry-After"), now),
		Location:     x.location,
		Body:         x.body,
		Truncated:    x.truncated,
	}
	if x.broken != nil {
		res.Partial, res.ETag, res.LastModified = brokenWhy(x.broken), "", "" // the next visit asks for all of it
	}
	return res
}

// transport is the http.RoundTripper under colly. It reads a body whole, within
// bounds, and hands an empty one up: colly would copy it once more, re-encode
// it by its declared charset and unpack .xml.gz without a bound.
type transport struct {
	base    *way
	guard   *guard // nil: every address is allowed
	byProxy bool   // a proxy dials, so only the spelling of a host can be checked
	peers   peers
	closed  atomic.Bool

	changing sync.Mutex                              // one change of doors at a time
	doors    atomic.Pointer[map[string]*hostOptions] // by host; nil = none
}

func newTransport(cfg Config, proxy *url.URL) *transport {
	var g *guard
	if !cfg.AllowPrivate && (cfg.Dial == nil || proxy != nil) {
		g = newGuard(cfg.SeedHosts)
	}
	rt := &transport{guard: g, byProxy: proxy != nil}
	rt.base = rt.wayBy(cfg, proxy)
	return rt
}

// way makes connections and sends requests by them.
type way struct {
	http  *http.Transport
	plain *plainHTTP // for the requests that it takes; nil over a proxy
}

func (w *way) RoundTrip(req *http.Request) (*http.Response, error) {
	if w.plain != nil && plainTakes(req) {
		return w.plain.RoundTrip(req)
	}
	return w.http.RoundTrip(req)
}

func (w *way) CloseIdleConnections() {
	if w.plain != nil {
		w.plain.CloseIdleConnections()
	}
	w.http.CloseIdleConnections()
}

// wayBy makes connections that lead over a proxy, or straight to hosts without one.
func (rt *transport) wayBy(cfg Config, proxy *url.URL) *way {
	g, dial := rt.guard, cfg.Dial
	if dial == nil {
		d := &net.Dialer{Timeout: min(cfg.Timeout, 15*time.Second), KeepAlive: 30 * time.Second, Resolver: cfg.resolver}
		dial = d.DialContext
		if g != nil && proxy == nil {
			dial = g.dialer(d)
		}
		if proxy == nil {
			dial = rt.peers.dialer(dial)
		}
	}
	t := &http.Transport{
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // body.go unpacks
		TLSHandshakeTimeout:    min(cfg.Timeout, 10*time.Second),
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHead,
		ReadBufferSize:         16 << 10, // most pages come in one read
	}
	if proxy != nil {
		t.Proxy = http.ProxyURL(proxy)
		// All connections go to one host, the proxy.
		t.MaxIdleConnsPerHost = 64
		return &way{http: t}
	}
	return &way{t, &plainHTTP{Dial: dial, MaxHead: maxHead, MaxIdlePerHost: maxIdlePerHost, MaxIdle: maxIdle, IdleTime: idleTime}}
}

const (
	maxIdle        = 256 // many hosts, few connections each: well under the usual 1 024 file descriptors
	maxIdlePerHost = 16
	maxHead        = 256 << 10
)

// idleTime is how long a connection stays open without a request. Tests change it before
// they make a fetcher.
var idleTime = 30 * time.Second

// close closes the connections that are idle, and from now on those that become
// idle.
func (t *transport) close() {
	t.closed.Store(true)
	t.base.CloseIdleConnections()
	if doors := t.doors.Load(); doors != nil {
		for _, d := range *doors {
			if d.way != nil {
				d.way.CloseIdleConnections()
			}
		}
	}
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	way, byProxy := t.base, t.byProxy
	if d := t.at(req.URL.Host); d != nil && d.way != nil {
		way, byProxy = d.way, d.byProxy
	}
	defer func() {
		if t.closed.Load() { // a request makes the pool keep connections again
			way.CloseIdleConnections()
		}
	}()
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		x = &exchange{limit: defaultMaxBody}
	}
	if t.guard != nil && byProxy {
		if err := t.guard.checkURL(req.URL); err != nil {
			return nil, err
		}
	}
	res, err := way.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if err := believable(req, res); err != nil {
		return nil, err
	}
	x.status, x.header, x.location = res.StatusCode, res.Header, ""
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		x.location = redirectTarget(req.URL, res.Header.Get("Location"))
		if x.location != req.URL.String() || res.Header.Get("Set-Cookie") == "" || req.Method != http.MethodGet {
			// Without a Location http.Client returns the response: it would turn
			// one it cannot parse into an error. What is left is the page that
			// sets a cookie and sends us to itself; fewCookiePages counts it.
			res.Header.Del("Location")
		}
	}
	x.body, x.truncated, x.broken, err = readBody(res, req.URL.Path, x.limit)
	if x.broken != nil && !x.parts {
		err = x.broken
	}
	if err != nil {
		return nil, &bodyError{err}
	}
	res.Body = http.NoBody
	res.ContentLength = 0
	res.Uncompressed = true // or colly looks for gzip in the empty body
	return res, nil
}

// believable refuses answers that mean nothing: a status outside 200 … 999 (of
// the 1xx only 101 gets here, and no request asked to switch protocols), and 304 to
// a request that named no capture to compare with.
func believable(req *http.Request, res *http.Response) error {
	switch c := res.StatusCode; {
	case c < 200 || c > 999:
		return &protocolError{fmt.Sprintf("status %d means nothing", c)}
	case c == http.StatusNotModified && req.Header.Get("If-None-Match") == "" && req.Header.Get("If-Modified-Since") == "":
		return &protocolError{"status 304 to an unconditional request"}
	}
	return nil
}

// protocolError marks an answer that breaks HTTP.
type protocolError struct{ what string }

func (e *protocolError) Error() string { return e.what }

// bodyError marks an error that came after the headers.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

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

	"angler/crawl/htmldoc"
)

// exchange is the result of one HTTP request. The request's context carries it through colly and
// http.Client to the transport, which fills it. Only one goroutine at a time uses it. After a
// cookie redirect it holds the last round trip.
type exchange struct {
	limit     int  // decoded bytes to keep
	parts     bool // keep the received part of a broken transfer
	status    int
	header    http.Header
	location  string
	body      []byte
	truncated bool
	broken    error // how the transfer broke; nil = complete
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// response returns the result of the last round trip. now is the base of a Retry-After date.
func (x *exchange) response(url string, now time.Time) *Response {
	res := &Response{
		URL:          url,
		Status:       x.status,
		ContentType:  oneLine(x.header.Get("Content-Type"), maxContentType),
		ETag:         entityTag(x.header.Get("ETag")),
		LastModified: modified(x.header.Get("Last-Modified")),
		RetryAfter:   RetryAfter(x.header.Get("Retry-After"), now),
		Location:     x.location,
		Body:         x.body,
		Truncated:    x.truncated,
	}
	if x.broken != nil {
		// so that the next visit fetches the whole page
		res.Partial, res.ETag, res.LastModified = brokenWhy(x.broken), "", ""
	}
	return res
}

// A Refresh header of a page that is shorter than this and is shown for a shorter time counts as a redirect.
const (
	maxRefreshBody = 2000 // bytes
	maxRefreshWait = 15   // seconds
)

// transport is the http.RoundTripper below colly. It reads a whole body within bounds and passes an
// empty one up. colly would copy the body, re-encode it by its declared charset and decompress
// .xml.gz without a bound.
type transport struct {
	base    *way
	guard   *guard // nil = every address is allowed
	byProxy bool   // a proxy dials, so only the spelling of a host is checked
	peers   peers
	closed  atomic.Bool

	changing sync.Mutex                              // serializes SetHostOptions
	hosts    atomic.Pointer[map[string]*hostOptions] // by host; nil = none
}

func newTransport(cfg Config, proxy *url.URL) *transport {
	var g *guard
	if !cfg.AllowPrivate && (cfg.Dial == nil || proxy != nil) {
		g = newGuard(cfg.SeedHosts)
	}
	rt := &transport{guard: g, byProxy: proxy != nil}
	rt.base = rt.newWay(cfg, proxy)
	return rt
}

// way opens connections and sends requests over them.
type way struct {
	http  *http.Transport
	plain *plainHTTP // for requests that plainTakes accepts; nil with a proxy
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

// newWay returns a way through a proxy; nil = direct.
func (rt *transport) newWay(cfg Config, proxy *url.URL) *way {
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
		DisableCompression:     true, // body.go decompresses
		TLSHandshakeTimeout:    min(cfg.Timeout, 10*time.Second),
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHead,
		ReadBufferSize:         16 << 10, // most pages fit in one read
	}
	if proxy != nil {
		t.Proxy = http.ProxyURL(proxy)
		// All connections go to the proxy.
		t.MaxIdleConnsPerHost = 64
		return &way{http: t}
	}
	return &way{t, &plainHTTP{Dial: dial, MaxHead: maxHead, MaxIdlePerHost: maxIdlePerHost, MaxIdle: maxIdle,
		IdleTime: idleTime}}
}

const (
	maxIdle        = 256 // many hosts with few connections each: below the usual 1024 file descriptors
	maxIdlePerHost = 16
	maxHead        = 256 << 10
)

// idleTime is the lifetime of an idle connection. Tests change it before they create a Fetcher.
var idleTime = 30 * time.Second

// close closes idle connections, and connections that become idle later.
func (t *transport) close() {
	t.closed.Store(true)
	t.base.CloseIdleConnections()
	if hosts := t.hosts.Load(); hosts != nil {
		for _, d := range *hosts {
			if d.way != nil {
				d.way.CloseIdleConnections()
			}
		}
	}
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	way, byProxy := t.base, t.byProxy
	if d := t.optionsOf(req.URL.Host); d != nil && d.way != nil {
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
			// Without a Location http.Client returns the response; it would fail on an unparsable
			// one. A page that sets a cookie and redirects to itself keeps its Location;
			// fewCookiePages counts it.
			res.Header.Del("Location")
		}
	}
	x.body, x.truncated, x.broken, err = readBody(res, req.URL.Path, x.limit)
	if x.status >= 300 && (x.broken != nil || breaks(err)) {
		x.broken, err = nil, nil // the status says enough
	}
	if len(x.body) > 0 && carriesPage(x.status) {
		x.status = http.StatusOK
	}
	if x.status == http.StatusOK && len(x.body) <= maxRefreshBody {
		if after, target := htmldoc.ParseRefresh(res.Header.Get("Refresh")); target != "" && after <= maxRefreshWait {
			x.status, x.location = http.StatusFound, redirectTarget(req.URL, target)
		}
	}
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

// carriesPage reports whether a body with this status is the page that was asked for. Browsers show it as they show
// that of status 200. Status 202 stays: its body asks to come again.
func carriesPage(status int) bool {
	switch status {
	case http.StatusCreated, http.StatusNonAuthoritativeInfo, http.StatusPartialContent:
		return true
	}
	return false
}

// believable refuses invalid responses: a status outside 200 … 999, and 304 to an unconditional
// request. Of the 1xx only 101 gets here, and no request asked to switch protocols.
func believable(req *http.Request, res *http.Response) error {
	switch c := res.StatusCode; {
	case c < 200 || c > 999:
		return &protocolError{fmt.Sprintf("status %d means nothing", c)}
	case c == http.StatusNotModified && req.Header.Get("If-None-Match") == "" &&
		req.Header.Get("If-Modified-Since") == "":
		return &protocolError{"status 304 to an unconditional request"}
	}
	return nil
}

// protocolError marks a response that violates HTTP.
type protocolError struct{ what string }

func (e *protocolError) Error() string { return e.what }

// bodyError marks an error after the headers.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }

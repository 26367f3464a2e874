// Package fetch fetches one document at a time over HTTP, politely (robots.txt) and safely (an
// address guard, bounds on everything a server sends). It follows no redirect, retries nothing and
// does not pause: the caller handles the target of a redirect like any other link.
//
// A colly collector is the HTTP front, used synchronously from any number of goroutines. The
// transport below it (transport.go) reads, decompresses and bounds bodies, because colly re-encodes
// bodies with a declared charset and decompresses some gzip without a bound. A fetch costs about
// 100 µs of one core on loopback. The danger is the server: it may lie about length, encoding and
// type, redirect into the private network, send a compression bomb or never end.
//
// plainHTTP sends GET requests over plain HTTP/1.1 without a goroutine per connection; it supports
// no TLS, proxies or request bodies. net/http keeps two goroutines per connection and passes every
// request and response between them, which costs a crawl more than the request itself. net/http's
// code writes requests and reads responses; this package bounds the response head.
package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/http/httpguts"

	"angler/store/config"
	"angler/store/secrets"
)

// Defaults of Config.
const (
	DefaultUserAgent = config.UserAgent
	defaultTimeout   = 20 * time.Second
	defaultMaxBody   = 4 << 20
)

// Config configures a Fetcher. The zero value is a careful crawler on the public web.
type Config struct {
	UserAgent string // "" = DefaultUserAgent; its product token selects the robots.txt group
	// Proxy is http://, https://, socks5:// or socks5h:// HOST:PORT; "" = direct. The environment
	// is ignored.
	Proxy   string
	Timeout time.Duration // per exchange, connecting and reading included; 0 = 20 s
	MaxBody int           // bytes kept of a decoded body; 0 = 4 MB

	// Dial opens connections, to the proxy if there is one. It disables the address guard: the
	// caller is responsible for the targets.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// AllowPrivate allows loopback, private and link-local addresses. This is dangerous on a
	// machine that can reach services which trust their network.
	AllowPrivate bool

	// SeedHosts are the hosts of the seeds, HOST or HOST:PORT as in their URLs. Only they may have
	// private addresses; see Fetcher.SetSeedHosts.
	SeedHosts []string

	// Jar keeps cookies, also after Close; nil = in memory until Close.
	Jar http.CookieJar

	// Challenge reports whether a body with a good status is a firewall's page; nil = never.
	Challenge func(body []byte) bool

	IgnoreRobots bool             // ignore robots.txt
	Now          func() time.Time // nil = time.Now

	resolver *net.Resolver // for tests; nil = the system's
}

// Request describes one request. ETag or LastModified of an earlier capture makes it conditional,
// and the reply may be 304.
type Request struct {
	URL          string // canonical absolute http or https URL; a fragment is not sent
	ETag         string
	LastModified string

	Method      string            // "" = GET; POST is the only other
	Body        []byte            // body of a POST, at most MaxRequestBody
	ContentType string            // type of Body; "" = defaultContentType
	Header      map[string]string // added to the standard fields or replacing them

	Parts bool // keep the received part of a broken body; false = it is an error
}

// MaxRequestBody bounds a request body, in bytes.
const MaxRequestBody = 1 << 20

// defaultContentType is the type of a body without ContentType: a form.
const defaultContentType = "application/x-www-form-urlencoded"

// Response is a server's response of any status.
type Response struct {
	URL          string        // the URL that responded
	Status       int           // 200 … 999
	ContentType  string        // without control characters
	ETag         string        // usable in a conditional request; "" = none
	LastModified string        // likewise; text as sent
	RetryAfter   time.Duration // 0 … maxRetryAfter; 0 = none
	Location     string        // absolute target of a redirect; "" = none or unreadable
	Body         []byte        // decompressed, in its own charset, at most MaxBody bytes
	Truncated    bool          // Body was cut at MaxBody
	Partial      string        // how the transfer of Body broke; "" = complete
	Took         time.Duration
}

// Fetcher fetches documents. It is safe for concurrent use. It keeps cookies, connections and
// robots.txt files in memory until Close.
type Fetcher struct {
	cfg       Config
	product   string // product token of the user agent, lower case
	client    *http.Client
	transport *transport
	collector *colly.Collector // never fetches: carriers are its clones
	carriers  sync.Pool        // of *carrier
	robots    *robots
	proxy     *url.URL // nil = direct
	life      context.Context
	end       context.CancelFunc
}

// New checks cfg and returns a Fetcher. The error names the wrong setting and its correct form.
func New(cfg Config) (*Fetcher, error) {
	cfg.UserAgent = cmp.Or(cfg.UserAgent, DefaultUserAgent)
	if !httpguts.ValidHeaderFieldValue(cfg.UserAgent) {
		return nil, fmt.Errorf("user agent %q holds a control character: use printable text", cfg.UserAgent)
	}
	if cfg.Timeout < 0 || cfg.MaxBody < 0 {
		return nil, fmt.Errorf("timeout %v and body limit %d must not be negative", cfg.Timeout, cfg.MaxBody)
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, defaultTimeout)
	cfg.MaxBody = cmp.Or(cfg.MaxBody, defaultMaxBody)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	proxy, err := parseProxy(cfg.Proxy)
	if err != nil {
		return nil, err
	}

	f := &Fetcher{cfg: cfg, product: productToken(cfg.UserAgent), proxy: proxy}
	f.life, f.end = context.WithCancel(context.Background())
	f.transport = newTransport(cfg, proxy)
	f.client = &http.Client{
		Transport:     f.transport,
		Jar:           cmp.Or[http.CookieJar](cfg.Jar, newJar()),
		CheckRedirect: fewCookiePages,
	}
	f.robots = newRobots(f)

	// A literal and Init instead of colly.NewCollector: the constructor lets
	// COLLY_* variables of the environment change the settings.
	f.collector = &colly.Collector{}
	f.collector.Init()
	f.collector.UserAgent = cfg.UserAgent
	f.collector.AllowURLRevisit = true
	f.collector.ParseHTTPErrorResponse = true
	f.collector.MaxBodySize = 0 // the transport bounds the decoded body
	// Fetch applies robots.txt; robots.go says why colly's check is not enough.
	f.collector.IgnoreRobotsTxt = true
	f.collector.SetClient(f.client)
	if err := f.keepCookies(); err != nil {
		return nil, err
	}
	f.carriers.New = func() any { return f.newCarrier() }
	return f, nil
}

// parseProxy parses a proxy address; nil for "".
func parseProxy(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	const want = "write it as http://HOST:PORT or socks5://HOST:PORT"
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("proxy %q is no proxy URL: %s", secrets.RedactAddress(s), want)
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u, nil
	}
	return nil, fmt.Errorf("proxy %q has an unknown scheme: %s", secrets.RedactAddress(s), want)
}

// Close closes idle connections and cancels robots.txt requests in flight. Fetches in flight
// continue until their own contexts end. Connections that become idle later are closed, too.
func (f *Fetcher) Close() {
	f.end()
	f.transport.close()
}

// Closed reports whether Close was called.
func (f *Fetcher) Closed() bool { return f.transport.closed.Load() }

// SetSeedHosts replaces Config.SeedHosts, for seeds added during a crawl. Each seed allows exactly
// its host and port; without a port, 80 and 443. A literal address allows itself, and localhost
// allows loopback. Any other name allows private networks unless it had a public address before. It
// is safe for concurrent use.
func (f *Fetcher) SetSeedHosts(hosts []string) {
	if f.transport.guard != nil {
		f.transport.guard.set(hosts)
	}
}

// Fetch fetches one document. It checks robots.txt first, which it fetches for a new host, then
// sends one request. Any status is a Response, such as 404 or 503. It follows no redirects except
// one to the same URL that sets a cookie, as web application firewalls send (at most 3). Every
// error is an *Error; ctx cancels the call promptly.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (*Response, error) {
	start := f.cfg.Now()
	u, err := parseURL(r.URL)
	if err != nil {
		return nil, &Error{Kind: BadURL, URL: r.URL, Err: err}
	}
	if err := r.sendable(); err != nil {
		return nil, &Error{Kind: BadURL, URL: r.URL, Err: err}
	}
	if err := f.admitted(ctx, u); err != nil {
		return nil, err
	}
	k := f.carriers.Get().(*carrier)
	res, err := k.carry(ctx, &r, u.Host)
	f.carriers.Put(k)
	if err != nil {
		return nil, err
	}
	if err := f.confirmed(ctx, u, res); err != nil {
		return nil, err
	}
	res.Took = f.cfg.Now().Sub(start)
	return res, nil
}

// Redirected returns the request that follows a redirect, as browsers send it. 307 and 308 repeat
// method and body on the same host; all others send GET. Header is kept for the same host only, and
// conditions are dropped.
func (r Request) Redirected(res *Response) Request {
	next := Request{URL: res.Location}
	same := sameHost(r.URL, res.Location)
	if same {
		next.Header = r.Header
	}
	if r.Method == http.MethodPost && same &&
		(res.Status == http.StatusTemporaryRedirect || res.Status == http.StatusPermanentRedirect) {
		next.Method, next.Body, next.ContentType = r.Method, r.Body, r.ContentType
	}
	return next
}

func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.Scheme == y.Scheme && strings.EqualFold(x.Host, y.Host)
}

// Follow is Fetch that follows up to max redirects, for single commands. Each target passes
// robots.txt and guard. It returns the last response with its URL. One redirect more is an *Error
// of Kind Redirect.
func (f *Fetcher) Follow(ctx context.Context, r Request, max int) (*Response, error) {
	return f.FollowUntil(ctx, r, max, func(*Response) bool { return false })
}

// FollowUntil is Follow that stops at the first response for which done returns true.
func (f *Fetcher) FollowUntil(ctx context.Context, r Request, max int, done func(*Response) bool) (*Response, error) {
	for hop := 0; ; hop++ {
		res, err := f.Fetch(ctx, r)
		if err != nil || done(res) || res.Location == "" {
			return res, err
		}
		if hop >= max {
			return nil, &Error{Kind: Redirect, URL: r.URL,
				Err: fmt.Errorf("more than %d redirects, the last to %s", max, res.Location)}
		}
		r = r.Redirected(res)
	}
}

// parseURL accepts fetchable URLs. It refuses hosts that end in a number but are no dotted IPv4
// address, because resolvers and proxies read 0x7f.1 and 2130706433 as 127.0.0.1.
func parseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		if ue, ok := err.(*url.Error); ok {
			err = ue.Err
		}
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("scheme %q: only http and https are fetched", u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("no host")
	}
	if obscureIPv4(u.Hostname()) {
		return nil, fmt.Errorf("host %q is a number: write an address as 192.0.2.1", u.Hostname())
	}
	return u, nil
}

// header sets the request header: the standard fields, the host's options, and the request's own
// fields. A stored validator that cannot be sent is omitted, which costs one unconditional fetch.
// Both validators are sent if known, because servers that know entity tags ignore the date (RFC
// 9110 section 13.1.3).
func (f *Fetcher) header(h http.Header, host string, r *Request) {
	h.Set("User-Agent", f.cfg.UserAgent)
	h.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	h.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.5")
	h.Set("Accept-Encoding", "gzip, deflate") // set explicitly, so that net/http does not decompress
	if d := f.transport.optionsOf(host); d != nil {
		for name, values := range d.header {
			h[name] = values
		}
	}
	if tag := entityTag(r.ETag); tag != "" {
		h.Set("If-None-Match", tag)
	}
	if day := modified(r.LastModified); day != "" {
		h.Set("If-Modified-Since", day)
	}
	if r.Method == http.MethodPost {
		h.Set("Content-Type", cmp.Or(r.ContentType, defaultContentType))
	}
	for name, value := range r.Header {
		h.Set(name, value)
	}
}

// fewCookiePages lets http.Client follow at most 3 cookie redirects to the same URL.
func fewCookiePages(_ *http.Request, via []*http.Request) error {
	if len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}

// productToken returns the name that robots.txt files use for a crawler: the first word of the user
// agent, or the name after "compatible;".
func productToken(ua string) string {
	ua = strings.ToLower(ua)
	if _, after, ok := strings.Cut(ua, "compatible;"); ok {
		ua = strings.TrimSpace(after)
	}
	if i := strings.IndexAny(ua, "/ ;()+,\t"); i >= 0 {
		ua = ua[:i]
	}
	return ua
}

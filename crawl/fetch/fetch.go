// Package fetch brings one document at a time over HTTP: politely (robots.txt),
// safely (an address guard, bounds on everything a server can send) and without
// deciding anything else. It follows no redirect, retries nothing and waits for
// nothing: the engine puts a redirect's target through scope, robots.txt, dedup
// and politeness like any other link.
//
// A colly collector is the HTTP front, used synchronously from any number of
// goroutines; the transport below it (transport.go) reads, unpacks and bounds
// the bodies, because colly re-encodes bodies with a declared charset and
// unpacks some gzip without a bound. A fetch costs some 100 µs of one core on
// loopback. The danger is the server: it may lie about length, encoding and
// type, redirect into the private network, unpack to gigabytes or never end.
//
// plainHTTP sends GET requests over plain HTTP/1.1 without goroutines of the
// connections' own, directly and without TLS, proxies or bodies of requests. net/http
// keeps two goroutines a connection and hands every request and answer from one to the
// next, which costs a crawl more than the request itself. Requests are written, and
// answers read, by net/http's own code; the head of an answer is bounded here.
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

// Config says how to fetch. The zero value is a careful crawler on the public
// web.
type Config struct {
	UserAgent string        // DefaultUserAgent when empty; its product token selects the robots.txt group
	Proxy     string        // "" = direct, else http://, https://, socks5:// or socks5h:// HOST:PORT; the environment is not asked
	Timeout   time.Duration // of one exchange, connecting and reading included; 20 s when 0
	MaxBody   int           // bytes kept of a decoded body; 4 MB when 0

	// Dial opens connections (to the proxy, if there is one). It switches the
	// address guard off: the caller that passes a dialer answers for where it leads.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// AllowPrivate opens loopback, private and link-local addresses. Dangerous
	// on a machine that can reach services which trust their network.
	AllowPrivate bool

	// SeedHosts are the hosts of the seeds, HOST or HOST:PORT as in their URLs.
	// They may have private addresses while everything else may not; see
	// Fetcher.SetSeedHosts for what each opens.
	SeedHosts []string

	// Jar keeps cookies, also after Close; nil = in memory until then.
	Jar http.CookieJar

	// Challenge reports whether a body that came with a good status is a firewall's, in
	// place of every page; nil = none is.
	Challenge func(body []byte) bool

	IgnoreRobots bool             // fetch whatever robots.txt says
	Now          func() time.Time // time.Now when nil

	resolver *net.Resolver // of the tests; nil: the system's
}

// Request names one document. ETag and LastModified, when known from an earlier
// capture, make it a conditional request that may be answered by 304.
type Request struct {
	URL          string // canonical absolute http or https URL; a fragment is not sent
	ETag         string
	LastModified string

	Method      string            // "" = GET; POST is the only other
	Body        []byte            // of a POST, at most MaxRequestBody
	ContentType string            // of Body; "" = defaultContentType
	Header      map[string]string // besides, or instead of, what every request says of itself

	Parts bool // a body whose transfer broke is kept as far as it came; false = it is an error
}

// MaxRequestBody bounds what is sent, in bytes.
const MaxRequestBody = 1 << 20

// defaultContentType is that of a body nothing is said of: a form.
const defaultContentType = "application/x-www-form-urlencoded"

// Response is what the server sent, whatever its status.
type Response struct {
	URL          string        // the URL that answered
	Status       int           // 200 … 999
	ContentType  string        // as sent, without control characters
	ETag         string        // fit to be sent back; "" when there is none
	LastModified string        // likewise, as written
	RetryAfter   time.Duration // 0 … maxRetryAfter; 0 = not said
	Location     string        // absolute target of a redirect; "" when there is none that can be read
	Body         []byte        // unpacked, in its own charset, at most MaxBody bytes
	Truncated    bool          // Body was cut at MaxBody
	Partial      string        // how the transfer of Body broke; "" = it did not
	Took         time.Duration
}

// Fetcher fetches. It is safe for concurrent use. Cookies, connections and
// robots.txt files are kept in memory until Close.
type Fetcher struct {
	cfg       Config
	product   string // product token of the user agent, lower case
	client    *http.Client
	transport *transport
	collector *colly.Collector // never fetches itself: carriers are its clones
	carriers  sync.Pool        // of *carrier
	robots    *robots
	proxy     *url.URL // nil = direct
	life      context.Context
	end       context.CancelFunc
}

// New checks cfg and returns a Fetcher. The error says which setting is wrong
// and what it should look like.
func New(cfg Config) (*Fetcher, error) {
	if cfg.UserAgent == "" {
		cfg.UserAgent = DefaultUserAgent
	}
	if !httpguts.ValidHeaderFieldValue(cfg.UserAgent) {
		return nil, fmt.Errorf("user agent %q holds a control character: use printable text", cfg.UserAgent)
	}
	if cfg.Timeout < 0 || cfg.MaxBody < 0 {
		return nil, fmt.Errorf("timeout %v and body limit %d must not be negative", cfg.Timeout, cfg.MaxBody)
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = defaultMaxBody
	}
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
	// robots.txt is honoured in Fetch; robots.go says why colly's check is not enough.
	f.collector.IgnoreRobotsTxt = true
	f.collector.SetClient(f.client)
	if err := f.keepCookies(); err != nil {
		return nil, err
	}
	f.carriers.New = func() any { return f.newCarrier() }
	return f, nil
}

// parseProxy returns nil for the empty string.
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

// Close closes the idle connections and ends the robots.txt loads in flight.
// Fetches in flight end on their own contexts, and what they leave idle is closed
// too, so that no connection stays open once all have returned.
func (f *Fetcher) Close() {
	f.end()
	f.transport.close()
}

// Closed reports whether Close was called.
func (f *Fetcher) Closed() bool { return f.transport.closed.Load() }

// SetSeedHosts replaces Config.SeedHosts, for seeds added while a crawl runs.
// Each opens exactly its host and port, 80 and 443 when it names none: a literal
// address itself, localhost the loopback addresses, any other name the addresses
// of a private network unless it has had a public one. Safe for concurrent use.
func (f *Fetcher) SetSeedHosts(hosts []string) {
	if f.transport.guard != nil {
		f.transport.guard.set(hosts)
	}
}

// Fetch gets one document. It asks robots.txt first (fetching it when its host
// is new), sends one request and returns what came, whatever the status: a 404
// or 503 is a Response. Redirects are not followed, except a redirect to the
// very same URL that sets a cookie, as web application firewalls send before
// the page (at most 3). Every error is an *Error; ctx ends the call promptly.
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

// Redirected is the request that follows from a redirect, as browsers make it: 307 and 308
// send the same to the other address, all others ask for it with GET. Header goes to the
// same host alone, and conditions to no host.
func (r Request) Redirected(res *Response) Request {
	next := Request{URL: res.Location}
	same := sameHost(r.URL, res.Location)
	if same {
		next.Header = r.Header
	}
	if r.Method == http.MethodPost && same && (res.Status == http.StatusTemporaryRedirect || res.Status == http.StatusPermanentRedirect) {
		next.Method, next.Body, next.ContentType = r.Method, r.Body, r.ContentType
	}
	return next
}

func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.Scheme == y.Scheme && strings.EqualFold(x.Host, y.Host)
}

// Follow is Fetch for one-off commands: it follows up to max redirects, each
// target through robots.txt and guard, and returns the last response, whose URL
// says where it came from. One redirect too many is an *Error of Kind Redirect.
func (f *Fetcher) Follow(ctx context.Context, r Request, max int) (*Response, error) {
	return f.FollowUntil(ctx, r, max, func(*Response) bool { return false })
}

// FollowUntil is Follow that ends with the first response of which done says so.
func (f *Fetcher) FollowUntil(ctx context.Context, r Request, max int, done func(*Response) bool) (*Response, error) {
	for hop := 0; ; hop++ {
		res, err := f.Fetch(ctx, r)
		if err != nil || done(res) || res.Location == "" {
			return res, err
		}
		if hop >= max {
			return nil, &Error{Kind: Redirect, URL: r.URL, Err: fmt.Errorf("more than %d redirects, the last to %s", max, res.Location)}
		}
		r = r.Redirected(res)
	}
}

// parseURL accepts what can be fetched. Hosts that end in a number but are no
// dotted IPv4 address are refused: resolvers read 0x7f.1 and 2130706433 as
// 127.0.0.1, and a proxy would too.
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

// header fills the request header: what every request says, what the host's door adds,
// and what this request asks for. A validator that cannot be sent (it came
// from a server) is left out, which costs one unconditional fetch. Both go out
// when both are known: servers that know entity tags ignore the day (RFC 9110
// section 13.1.3), and some know only the day.
func (f *Fetcher) header(h http.Header, host string, r *Request) {
	h.Set("User-Agent", f.cfg.UserAgent)
	h.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	h.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.5")
	h.Set("Accept-Encoding", "gzip, deflate") // set by hand, so net/http leaves the unpacking to us
	if d := f.transport.at(host); d != nil {
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

// fewCookiePages lets http.Client follow at most 3 of the redirects that the
// transport leaves it.
func fewCookiePages(_ *http.Request, via []*http.Request) error {
	if len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}

// productToken finds the name that robots.txt files know a crawler by: the
// first word of the user agent, or the name after "compatible;" in one that
// poses as a browser.
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

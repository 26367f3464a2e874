package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// robots.txt is fetched, cached and applied here. colly's own check is disabled for these reasons:
// its request has no context. Its cache never expires and its keys lack the scheme. A file with one
// bad line is an error for every page of the host. Its matcher (temoto/robotstxt 1.1.2) does not
// anchor patterns, so "Allow: /$" allows every path that ends in a slash, and "Disallow: /a$"
// forbids /b/a.
const (
	robotsLife    = 24 * time.Hour // RFC 9309 section 2.4
	robotsPart    = time.Hour      // of a file whose transfer broke
	robotsRetry   = time.Minute    // closes the host for this long after the first failure to read the file
	robotsRetries = 6              // doublings with consecutive failures; the bound is an hour
	robotsHops    = 5              // redirects followed (RFC 9309 section 2.3.1.2)
	maxRobotsBody = 512 << 10      // bytes read; RFC 9309 section 2.5 requires at least 500 KiB
	maxSites      = 20000          // cached files; a crawl of more hosts reads some again
)

// MaxCrawlDelay bounds the Crawl-delay of a robots.txt.
const MaxCrawlDelay = 30 * time.Second

// site is the robots.txt of one scheme and host. Fields after ready are written before ready is
// closed and never again.
type site struct {
	ready    chan struct{}
	rules    rules
	err      *Error // the file could not be read
	fails    int    // consecutive failures, this one included
	read     time.Time
	lifetime time.Duration // validity after read

	earlier    *rules // rules read before; nil = never
	confirming bool   // requested again after the host responded although it had refused the file
	refused    bool   // the host refused the file and may refuse everything
}

// left returns how long a file is still valid; 0 = expired. A clock that was set back does not
// extend it.
func (s *site) left(now time.Time) time.Duration {
	if age := now.Sub(s.read); age >= 0 && age < s.lifetime {
		return s.lifetime - age
	}
	return 0
}

// robots caches the files by "scheme://host". It is safe for concurrent use.
type robots struct {
	f      *Fetcher
	client *http.Client // no cookies, no redirects: the same transport
	mu     sync.Mutex
	sites  map[string]*site

	refused atomic.Bool // some host refused the file at some time
}

func newRobots(f *Fetcher) *robots {
	return &robots{
		f: f,
		client: &http.Client{
			Transport:     f.transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		sites: make(map[string]*site),
	}
}

func siteKey(u *url.URL) string { return u.Scheme + "://" + strings.ToLower(u.Host) }

// permitted returns nil if robots.txt allows u.
func (f *Fetcher) permitted(ctx context.Context, u *url.URL) error {
	if f.cfg.IgnoreRobots {
		return nil
	}
	s, err := f.robots.site(ctx, u)
	if err != nil {
		return err
	}
	if ok, rule := s.rules.allow(pathOf(u)); !ok {
		return &Error{Kind: Robots, URL: u.String(), Err: errors.New(rule)}
	}
	return nil
}

// Robots reports whether robots.txt allows rawURL, and the deciding rule as written in the file; ""
// = none. It fetches the file of a new host. The error is an *Error, of Kind RobotsUnavailable if
// the host counts as closed for now. With Config.IgnoreRobots everything is allowed.
func (f *Fetcher) Robots(ctx context.Context, rawURL string) (allowed bool, rule string, err error) {
	u, err := parseURL(rawURL)
	if err != nil {
		return false, "", &Error{Kind: BadURL, URL: rawURL, Err: err}
	}
	if f.cfg.IgnoreRobots {
		return true, "robots.txt is ignored by the settings", nil
	}
	s, err := f.robots.site(ctx, u)
	if err != nil {
		return false, "", err
	}
	allowed, rule = s.rules.allow(pathOf(u))
	return allowed, rule, nil
}

// CrawlDelay returns the Crawl-delay of host (with its port, if it has one), 0 … MaxCrawlDelay; 0
// before its first fetch.
func (f *Fetcher) CrawlDelay(host string) time.Duration {
	var d time.Duration
	for _, s := range f.robots.known(host) {
		d = max(d, s.rules.delay)
	}
	return d
}

// Sitemaps returns the absolute URLs of the sitemaps in the robots.txt of host, at most 100; none
// before its first fetch.
func (f *Fetcher) Sitemaps(host string) []string {
	var out []string
	for _, s := range f.robots.known(host) {
		out = append(out, s.rules.sitemaps...)
	}
	return out
}

// known returns the loaded files of host.
func (r *robots) known(host string) []*site {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*site
	for _, scheme := range []string{"https", "http"} {
		s := r.sites[scheme+"://"+strings.ToLower(host)]
		if s != nil && s.loaded() {
			out = append(out, s)
		}
	}
	return out
}

func (s *site) loaded() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// site returns the file that applies to u and loads it if it is new or expired. Concurrent callers
// share one load, which continues if its caller is canceled.
func (r *robots) site(ctx context.Context, u *url.URL) (*site, error) {
	key := siteKey(u)
	r.mu.Lock()
	s := r.sites[key]
	if s == nil || s.loaded() && s.left(r.f.cfg.Now()) == 0 {
		s = r.begin(key, s, false)
	}
	r.mu.Unlock()
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, &Error{Kind: Canceled, URL: u.String(), Err: context.Cause(ctx)}
	}
	if s.err != nil {
		e := &Error{Kind: s.err.Kind, URL: u.String(), Err: s.err.Err, under: s.err.under}
		if e.Temporary() && e.Kind != Canceled {
			e.RetryAfter = s.left(r.f.cfg.Now())
		}
		return nil, e
	}
	return s, nil
}

// begin loads a file. old is its previous state, nil = none; asked means that the host responded
// meanwhile. The caller holds r.mu.
func (r *robots) begin(key string, old *site, asked bool) *site {
	r.makeRoom()
	s := &site{ready: make(chan struct{}), confirming: asked}
	if old != nil {
		s.fails, s.earlier = old.fails, old.earlier
		if old.err == nil && !old.refused {
			s.earlier = &old.rules
		}
	}
	r.sites[key] = s
	go r.load(s, key)
	return s
}

// makeRoom deletes expired files, then any, if the cache is full.
func (r *robots) makeRoom() {
	if len(r.sites) < maxSites {
		return
	}
	now := r.f.cfg.Now()
	for key, s := range r.sites {
		if s.loaded() && (s.left(now) == 0 || len(r.sites) > maxSites*9/10) {
			delete(r.sites, key)
		}
	}
}

// load fetches and parses one file and closes s.ready.
func (r *robots) load(s *site, key string) {
	defer close(s.ready)
	at := key + "/robots.txt"
	file, err := r.fetch(at)
	s.read = r.f.cfg.Now()
	if file.refused {
		r.refuse(s)
		return
	}
	if err == nil {
		s.fails, s.lifetime = 0, robotsLife
		if file.part {
			s.lifetime = robotsPart
		}
		s.rules = parseRules(file.body, r.f.productFor(key), at)
		return
	}
	wait := robotsRetry << min(s.fails, robotsRetries)
	s.fails++
	s.err = classify(r.f.life, at, err)
	s.lifetime = max(min(wait, time.Hour), s.err.RetryAfter)
	switch s.err.Kind {
	case Guard, DNS, TLS, BadURL, Canceled:
		// The host itself is unreachable; the error's own kind says more.
	default:
		s.err = &Error{Kind: RobotsUnavailable, URL: at, Err: s.err.Err, under: s.err.Kind}
	}
}

// Reconsider forgets hosts whose robots.txt could not be fetched because they were unreachable.
// Call it when a retry makes sense earlier than planned: a run starts, the network is back, or an
// analyst retries. Hosts that responded without rules stay closed. It is safe for concurrent use.
func (f *Fetcher) Reconsider() {
	f.robots.mu.Lock()
	defer f.robots.mu.Unlock()
	for key, s := range f.robots.sites {
		if s.loaded() && s.err != nil && s.err.Unreachable() {
			delete(f.robots.sites, key)
		}
	}
}

// forget deletes the files of the hosts that match.
func (r *robots) forget(match func(host string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, s := range r.sites {
		if _, host, _ := strings.Cut(key, "://"); s.loaded() && match(host) {
			delete(r.sites, key)
		}
	}
}

// productFor returns the product token for the robots.txt of a site.
func (f *Fetcher) productFor(key string) string {
	_, host, _ := strings.Cut(key, "://")
	if d := f.transport.optionsOf(host); d != nil {
		return d.product
	}
	return f.product
}

// robotsFile is a reply to the request for a robots.txt.
type robotsFile struct {
	body    []byte // nil = the host has no such file
	refused bool   // the host refused the file
	part    bool   // the transfer broke: body is its beginning
}

// fetch requests a robots.txt. An error means that the host counts as closed: it is unreachable, or sent 5xx or 429.
// Other 4xx, and too many redirects, mean no file (RFC 9309 section 2.3.1). Config.Timeout applies
// to all redirects together.
func (r *robots) fetch(at string) (robotsFile, error) {
	ctx, cancel := context.WithTimeout(r.f.life, r.f.cfg.Timeout)
	defer cancel()
	for hop := 0; hop <= robotsHops; hop++ {
		x := &exchange{limit: maxRobotsBody, parts: true}
		req, err := http.NewRequestWithContext(withExchange(ctx, x), http.MethodGet, at, nil)
		if err == nil {
			r.f.header(req.Header, req.URL.Host, &Request{})
			_, err = r.client.Do(req) // the transport has read and closed the body
		}
		switch {
		case err != nil && hop > 0:
			// The target of the redirect is unreachable, not the host itself.
			return robotsFile{}, &Error{Kind: RobotsUnavailable, URL: at, Err: classify(r.f.life, at, err)}
		case err != nil:
			return robotsFile{}, err
		case x.status >= 500 || x.status == http.StatusTooManyRequests:
			return robotsFile{}, &Error{Kind: RobotsUnavailable, URL: at, Err: fmt.Errorf("status %d", x.status),
				RetryAfter: RetryAfter(x.header.Get("Retry-After"), r.f.cfg.Now())}
		case r.f.refuses(x.status, x.body):
			return robotsFile{refused: true}, nil
		case x.location != "":
			at = x.location
		case x.status >= 200 && x.status < 300:
			if x.truncated || x.broken != nil { // a truncated rule may forbid more than the whole one
				x.body = x.body[:bytes.LastIndexAny(x.body, "\r\n")+1]
			}
			return robotsFile{body: x.body, part: x.broken != nil}, nil
		default:
			return robotsFile{}, nil
		}
	}
	return robotsFile{}, nil
}

// pathOf returns the part of u that rules are matched against.
func pathOf(u *url.URL) string {
	p := u.EscapedPath()
	if p == "" {
		p = "/"
	}
	if u.RawQuery != "" {
		p += "?" + u.RawQuery
	}
	return p
}

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

// robots.txt is fetched, kept and applied here, with colly's own check switched
// off, because that check cannot be made to behave: its request carries no
// context, its cache never expires and is keyed without the scheme, a file with
// one bad line is an error for every page of the host, and its matcher
// (temoto/robotstxt 1.1.2) does not anchor patterns, so "Allow: /$" opens every
// path that ends in a slash and "Disallow: /a$" closes /b/a.
const (
	robotsLife    = 24 * time.Hour // RFC 9309 section 2.4
	robotsRetry   = time.Minute    // how long a file that could not be read keeps its host closed,
	robotsRetries = 6              // doubled with every failure in a row, at most so often: an hour
	robotsHops    = 5              // redirects followed (RFC 9309 section 2.3.1.2)
	maxRobotsBody = 512 << 10      // bytes read (RFC 9309 section 2.5 asks for at least 500 KiB)
	maxSites      = 20000          // files kept; a crawl of more hosts reads some again
)

// MaxCrawlDelay caps what a robots.txt may ask for.
const MaxCrawlDelay = 30 * time.Second

// site is the robots.txt of one scheme and host. The fields after ready are
// written before it is closed and never again.
type site struct {
	ready chan struct{}
	rules rules
	err   *Error // the file could not be read
	fails int    // failures in a row, this one included
	read  time.Time
	life  time.Duration // from then on

	was     *rules // as they were read before; nil = never
	asked   bool   // after the host had answered although it refused the file
	refused bool   // the host refused the file, and may refuse everything
}

// left is for how long a file is still valid; 0 = it has expired. A clock that was
// set back makes it no younger.
func (s *site) left(now time.Time) time.Duration {
	if age := now.Sub(s.read); age >= 0 && age < s.life {
		return s.life - age
	}
	return 0
}

// robots keeps the files by "scheme://host". Safe for concurrent use.
type robots struct {
	f      *Fetcher
	client *http.Client // no cookies, no redirects: the same transport
	mu     sync.Mutex
	sites  map[string]*site

	refused atomic.Bool // by some host, at some time
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

// permitted returns nil if robots.txt lets us fetch u.
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

// Robots says whether robots.txt allows rawURL and which rule decides, as it
// stands in the file ("" when none does). It reads the file when the host is
// new; the error is an *Error, of Kind RobotsUnavailable when the host counts
// as closed for now. With Config.IgnoreRobots everything is allowed.
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

// CrawlDelay returns the Crawl-delay that host (with its port, if it has one)
// asks for, 0 … MaxCrawlDelay; 0 before its first fetch.
func (f *Fetcher) CrawlDelay(host string) time.Duration {
	var d time.Duration
	for _, s := range f.robots.known(host) {
		d = max(d, s.rules.delay)
	}
	return d
}

// Sitemaps returns the absolute URLs of the sitemaps that the robots.txt of
// host names, at most 100; none before its first fetch.
func (f *Fetcher) Sitemaps(host string) []string {
	var out []string
	for _, s := range f.robots.known(host) {
		out = append(out, s.rules.sitemaps...)
	}
	return out
}

// known returns the files of host that are loaded.
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

// site returns the file that governs u, loading it if it is new or too old. Any
// number of callers share one load, which outlives the caller that began it.
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

// begin asks for a file, again where old is what is known of it; asked: the host has
// answered meanwhile. r.mu is locked.
func (r *robots) begin(key string, old *site, asked bool) *site {
	r.makeRoom()
	s := &site{ready: make(chan struct{}), asked: asked}
	if old != nil {
		s.fails, s.was = old.fails, old.was
		if old.err == nil && !old.refused {
			s.was = &old.rules
		}
	}
	r.sites[key] = s
	go r.load(s, key)
	return s
}

// makeRoom drops expired files, then any, when the cache is full.
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

// load fetches and reads one file and closes s.ready.
func (r *robots) load(s *site, key string) {
	defer close(s.ready)
	at := key + "/robots.txt"
	body, refused, err := r.fetch(at)
	s.read = r.f.cfg.Now()
	if refused {
		r.refuse(s)
		return
	}
	if err == nil {
		s.fails, s.life = 0, robotsLife
		s.rules = parseRules(body, r.f.productFor(key), at)
		return
	}
	wait := robotsRetry << min(s.fails, robotsRetries)
	s.fails++
	s.err = classify(r.f.life, at, err)
	s.life = max(min(wait, time.Hour), s.err.RetryAfter)
	switch s.err.Kind {
	case Guard, DNS, TLS, BadURL, Canceled:
		// The host itself is out of reach; its own kind says more.
	default:
		s.err = &Error{Kind: RobotsUnavailable, URL: at, Err: s.err.Err, under: s.err.Kind}
	}
}

// Reconsider forgets that hosts could not be reached when their robots.txt was
// asked for, when there is reason to ask them sooner than was planned: a run
// begins, the network is back, or a person wants to try. Hosts that answered, but
// with no rules, stay closed. Safe for concurrent use.
func (f *Fetcher) Reconsider() {
	f.robots.mu.Lock()
	defer f.robots.mu.Unlock()
	for key, s := range f.robots.sites {
		if s.loaded() && s.err != nil && s.err.Unreachable() {
			delete(f.robots.sites, key)
		}
	}
}

// forget drops the files of the hosts that match.
func (r *robots) forget(match func(host string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, s := range r.sites {
		if _, host, _ := strings.Cut(key, "://"); s.loaded() && match(host) {
			delete(r.sites, key)
		}
	}
}

// productFor is the name under which the robots.txt of a site is read.
func (f *Fetcher) productFor(key string) string {
	_, host, _ := strings.Cut(key, "://")
	if d := f.transport.at(host); d != nil {
		return d.product
	}
	return f.product
}

// fetch returns the body of a robots.txt, nil when there is none, that the host refuses
// it, or why the host must count as closed: it cannot be reached, or answers 5xx or 429.
// Other 4xx, and more redirects than we follow, mean there is no file (RFC 9309
// section 2.3.1). Config.Timeout holds for all redirects together.
func (r *robots) fetch(at string) (body []byte, refused bool, err error) {
	ctx, cancel := context.WithTimeout(r.f.life, r.f.cfg.Timeout)
	defer cancel()
	for hop := 0; hop <= robotsHops; hop++ {
		x := &exchange{limit: maxRobotsBody}
		req, err := http.NewRequestWithContext(withExchange(ctx, x), http.MethodGet, at, nil)
		if err == nil {
			r.f.header(req.Header, req.URL.Host, &Request{})
			_, err = r.client.Do(req) // the transport has read and closed the body
		}
		switch {
		case err != nil && hop > 0:
			// Where the file was moved to is out of reach; the host itself is not.
			return nil, false, &Error{Kind: RobotsUnavailable, URL: at, Err: classify(r.f.life, at, err)}
		case err != nil:
			return nil, false, err
		case x.status >= 500 || x.status == http.StatusTooManyRequests:
			return nil, false, &Error{Kind: RobotsUnavailable, URL: at, Err: fmt.Errorf("status %d", x.status),
				RetryAfter: retryAfter(x.header.Get("Retry-After"), r.f.cfg.Now())}
		case r.f.refuses(x.status, x.body):
			return nil, true, nil
		case x.location != "":
			at = x.location
		case x.status >= 200 && x.status < 300:
			if x.truncated { // a rule cut in two may forbid more than the whole one
				x.body = x.body[:bytes.LastIndexAny(x.body, "\r\n")+1]
			}
			return x.body, false, nil
		default:
			return nil, false, nil
		}
	}
	return nil, false, nil
}

// pathOf is the part of u that rules are matched against.
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

package secrets

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"angler/store/records"
)

// This file keeps the cookies of a workspace: in memory for the requests of a crawl, and in the
// database, so that a login outlives a restart.
//
// A valid cookie is as good as a password. So the rows of a site are encrypted (AES-256-GCM). The
// key is in a file beside the database that only its owner can read; the first stored cookie makes
// it. A copy of the database without the key, as in a backup without secrets, reveals no cookie.
// Rows that the key does not decrypt are deleted.
//
// Hosts are hostile: a site has at most 50 cookies of 4 KB, all sites together at most 8 MB, and
// the oldest are deleted first. Cookies for a public suffix such as com.cn or for another site are
// refused. Expired cookies are deleted; cookies without an expiry are kept for a week.

// CookieBucket holds the encrypted cookies of each site. Its keys are 16 bytes that only the key
// file relates to the site's name.
var CookieBucket = []byte("cookies")

// CookieKeyFile is the key file in a workspace.
const CookieKeyFile = "cookies.key"

// Bounds.
const (
	MaxCookies     = 50      // of a site (RFC 6265 section 6.1)
	maxCookieSize  = 4 << 10 // bytes of name and value
	MaxCookieBytes = 8 << 20 // bytes of all cookies together

	sessionLife = 7 * 24 * time.Hour // of a cookie without an expiry
	saveAfter   = 5 * time.Second    // delay in which changes are gathered
	rowKey      = 16                 // bytes
)

// cookie is one stored cookie.
type cookie struct {
	Name     string    `json:"n"`
	Value    string    `json:"v"`
	From     string    `json:"u"`           // address that set it, without query
	Domain   string    `json:"d,omitempty"` // "": for the host alone
	Path     string    `json:"p,omitempty"`
	Secure   bool      `json:"s,omitempty"`
	HTTPOnly bool      `json:"h,omitempty"`
	Expires  time.Time `json:"e,omitzero"` // zero: none was given
	Set      time.Time `json:"t"`
}

func (c *cookie) size() int { return len(c.Name) + len(c.Value) }

func (c *cookie) over(now time.Time) bool {
	if c.Expires.IsZero() {
		return now.Sub(c.Set) >= sessionLife
	}
	return !c.Expires.After(now)
}

// site holds the cookies of one domain.
type site struct {
	Name    string    `json:"name"`
	Cookies []*cookie `json:"cookies"`
	// Login is a hash of the credentials of the login that set these cookies; "" means none.
	Login string    `json:"login,omitempty"`
	At    time.Time `json:"at,omitzero"` // of the login
}

// workspace is a *store.Workspace that stores cookies.
type workspace interface {
	records.DB
	Dir() string
}

// CookieJar holds the cookies of a workspace; it is an http.CookieJar and safe for concurrent use.
type CookieJar struct {
	ws  workspace // nil: cookies are not stored
	now func() time.Time
	// Failed is called if cookies cannot be stored. It may be nil; set it before the first use.
	Failed func(error)

	saving sync.Mutex // only one save at a time; taken before mu

	mu     sync.Mutex // guards the fields below
	jar    *cookiejar.Jar
	sites  map[string]*site
	size   int             // bytes of all cookies
	dirty  map[string]bool // sites that differ from the database
	orphan [][]byte        // keys of unreadable rows
	key    []byte          // nil until the first cookie is stored
	timer  *time.Timer
	told   bool
	closed bool
}

// OpenCookieJar reads the cookies of a workspace. With ws nil or keep false it stores none. An
// error means that the key is unreadable or that others can read it; the jar then works without
// storing.
func OpenCookieJar(ws workspace, keep bool, now func() time.Time) (*CookieJar, error) {
	j := &CookieJar{ws: ws, now: now, sites: map[string]*site{}, dirty: map[string]bool{}}
	// New never fails; its error is reserved for future options.
	j.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if ws == nil {
		return j, nil
	}
	key, err := readKey(ws.Dir())
	if err != nil {
		j.ws = nil
		return j, err
	}
	j.key = key
	if err := j.load(); err != nil {
		return j, err
	}
	if !keep {
		j.ws = nil
	}
	return j, nil
}

// http returns a cookie as it was set, with an absolute expiry.
func (c *cookie) http() *http.Cookie {
	return &http.Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure,
		HttpOnly: c.HTTPOnly, Expires: c.Expires}
}

// Cookies implements http.CookieJar.
func (j *CookieJar) Cookies(u *url.URL) []*http.Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.jar.Cookies(u)
}

// SetCookies implements http.CookieJar.
func (j *CookieJar) SetCookies(u *url.URL, list []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	for _, c := range list {
		j.set(u, c, now)
	}
	j.bound()
	if len(j.dirty) > 0 {
		j.soon()
	}
}

// set stores one cookie if u may set it. The caller holds the lock.
func (j *CookieJar) set(u *url.URL, c *http.Cookie, now time.Time) {
	name, domain, ok := home(u.Hostname(), c.Domain)
	if !ok || len(c.Name)+len(c.Value) > maxCookieSize {
		return
	}
	x := &cookie{Name: c.Name, Value: c.Value, From: origin(u), Domain: domain, Path: pathOf(u, c.Path),
		Secure: c.Secure, HTTPOnly: c.HttpOnly, Set: now}
	switch {
	case c.MaxAge > 0:
		x.Expires = now.Add(time.Duration(min(c.MaxAge, 400*24*3600)) * time.Second)
	case c.MaxAge < 0:
		x.Expires = time.Unix(1, 0)
	case !c.Expires.IsZero():
		x.Expires = c.Expires.UTC()
	}
	s := j.sites[name]
	at := s.find(x)
	if x.over(now) {
		if at >= 0 {
			j.size -= s.Cookies[at].size()
			s.Cookies = append(s.Cookies[:at], s.Cookies[at+1:]...)
			j.dirty[name] = true
		}
		j.jar.SetCookies(u, []*http.Cookie{{Name: c.Name, Domain: domain, Path: c.Path, MaxAge: -1}})
		return
	}
	if s == nil {
		s = &site{Name: strings.Clone(name)}
		j.sites[s.Name] = s
	}
	switch {
	case at >= 0:
		was := s.Cookies[at]
		if was.same(x) {
			x.Set = was.Set
		} else {
			j.dirty[name] = true
		}
		j.size += x.size() - was.size()
		s.Cookies[at] = x
	case len(s.Cookies) >= MaxCookies:
		return
	default:
		s.Cookies = append(s.Cookies, x)
		j.size += x.size()
		j.dirty[name] = true
	}
	j.jar.SetCookies(u, []*http.Cookie{c})
}

// same reports whether a repeated cookie brings nothing new: the value is equal and the expiry
// nearly so. Servers repeat their cookies in every reply.
func (c *cookie) same(x *cookie) bool {
	if c.Value != x.Value || c.Secure != x.Secure || c.HTTPOnly != x.HTTPOnly ||
		c.Expires.IsZero() != x.Expires.IsZero() {
		return false
	}
	if x.Expires.IsZero() {
		return x.Set.Sub(c.Set) < sessionLife/4
	}
	return x.Expires.Sub(c.Expires).Abs() < max(x.Expires.Sub(x.Set)/4, time.Minute)
}

func (s *site) find(x *cookie) int {
	if s == nil {
		return -1
	}
	for i, c := range s.Cookies {
		if c.Name == x.Name && c.Path == x.Path && c.Domain == x.Domain &&
			(c.Domain != "" || hostOf(c.From) == hostOf(x.From)) {
			return i
		}
	}
	return -1
}

func hostOf(from string) string {
	u, err := url.Parse(from)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// pathOf returns the path of a cookie: its own, or the folder of the address that set it (RFC 6265
// section 5.1.4).
func pathOf(u *url.URL, own string) string {
	if strings.HasPrefix(own, "/") {
		return own
	}
	if i := strings.LastIndexByte(u.Path, '/'); i > 0 && u.Path[0] == '/' {
		return u.Path[:i]
	}
	return "/"
}

// origin returns the part of an address that matters for its cookies.
func origin(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host),
		Path: u.Path[:strings.LastIndexByte(u.Path, '/')+1]}).String()
}

// home returns the site under which a cookie that host sets for domain is stored, and its domain
// ("" means the host alone). It returns false if host must not set it (RFC 6265 section 5.3).
func home(host, domain string) (name, own string, ok bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	if host == "" || len(host) > 255 {
		return "", "", false
	}
	if domain == "" || domain == host {
		if suffix, _ := publicsuffix.PublicSuffix(host); domain == "" || suffix == host ||
			strings.Contains(host, ":") || isAddress(host) {
			return host, "", true
		}
		return host, domain, true
	}
	if !strings.HasSuffix(host, "."+domain) || isAddress(host) {
		return "", "", false
	}
	if suffix, _ := publicsuffix.PublicSuffix(domain); suffix == domain || strings.HasSuffix(domain, ".") {
		return "", "", false
	}
	return domain, domain, true
}

// isAddress reports whether host is a dotted IPv4 address.
func isAddress(host string) bool { return strings.Trim(host, "0123456789.") == "" }

// bound deletes the sites with the oldest cookies until the total is within bounds. The caller
// holds the lock.
func (j *CookieJar) bound() {
	for j.size > MaxCookieBytes && len(j.sites) > 1 {
		var oldest *site
		var when time.Time
		for _, s := range j.sites {
			if at := s.newest(); oldest == nil || at.Before(when) {
				oldest, when = s, at
			}
		}
		j.drop(oldest)
	}
}

func (s *site) newest() (at time.Time) {
	for _, c := range s.Cookies {
		if c.Set.After(at) {
			at = c.Set
		}
	}
	return at
}

func (j *CookieJar) drop(s *site) {
	for _, c := range s.Cookies {
		j.size -= c.size()
		if u, err := url.Parse(c.From); err == nil {
			j.jar.SetCookies(u, []*http.Cookie{{Name: c.Name, Domain: c.Domain, Path: c.Path, MaxAge: -1}})
		}
	}
	delete(j.sites, s.Name)
	j.dirty[s.Name] = true
}

// LoggedIn records that the cookies of a host come from a login, and writes them at once. what is a
// hash of the credentials.
func (j *CookieJar) LoggedIn(host, what string) error {
	j.mu.Lock()
	name := strings.ToLower(hostname(host))
	s := j.sites[name]
	if s == nil {
		s = &site{Name: name}
		j.sites[name] = s
	}
	s.Login, s.At = what, j.now()
	j.dirty[name] = true
	j.mu.Unlock()
	return j.save()
}

// Login returns what LoggedIn recorded of a host and when, while its cookies are valid; otherwise
// "".
func (j *CookieJar) Login(host string) (what string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.sites[strings.ToLower(hostname(host))]
	if s == nil || s.Login == "" {
		return "", at
	}
	for _, scheme := range []string{"https", "http"} {
		if len(j.jar.Cookies(&url.URL{Scheme: scheme, Host: host, Path: "/"})) > 0 {
			return s.Login, s.At
		}
	}
	for _, c := range s.Cookies { // these have a path of their own
		if !c.over(j.now()) {
			return s.Login, s.At
		}
	}
	return "", at
}

// Forget deletes the cookies of a host and the record of its login.
func (j *CookieJar) Forget(host string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for at := strings.ToLower(hostname(host)); at != ""; {
		if s := j.sites[at]; s != nil {
			j.drop(s)
		}
		_, rest, ok := strings.Cut(at, ".")
		if suffix, _ := publicsuffix.PublicSuffix(at); !ok || suffix == rest {
			break
		}
		at = rest
	}
	j.soon()
}

// hostname returns a host without its port.
func hostname(host string) string { return (&url.URL{Host: host}).Hostname() }

// Names lists the names of the cookies that a request for an address would send.
func (j *CookieJar) Names(u *url.URL) (names []string) {
	for _, c := range j.Cookies(u) {
		names = append(names, c.Name)
	}
	return names
}

// Close writes the changes; later cookies are not stored.
func (j *CookieJar) Close() error {
	err := j.save()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	if j.timer != nil {
		j.timer.Stop()
	}
	return err
}

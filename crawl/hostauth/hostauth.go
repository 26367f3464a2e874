// Package hostauth logs in to hosts that require a login.
//
// It turns the [host] settings of angler.toml into options of fetch.Fetcher: passwords, tokens,
// headers and cookies, read from the files and variables that the settings name. It reads login
// forms, sends them, and records blocked hosts.
//
// A login happens before the first fetch of its host, unless stored cookies are valid, and again
// when a page has become a login page. After a failed login the host pauses for an hour, then two,
// up to a day, or until its settings change, because repeated logins may lock an account. Captchas
// are not solved and bans are not evaded; both are reported.
//
// Secrets must not leak. Files that other users can read are refused. Errors never contain file
// contents. A password is sent only to its host or to one of the same site, and never from https to
// http. isLoginPage and similar functions use only the bytes, cost one search for a word on most
// pages, and are safe for concurrent use.
package hostauth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/fetch"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/secrets"
)

// Bounds of the intervals between logins.
const (
	firstWait  = time.Hour
	maxWait    = 24 * time.Hour
	minRenewal = 5 * time.Minute // between two renewals of a login
)

// Config holds the parts of a HostAuth.
type Config struct {
	Dir    string // folder of the workspace, for relative file names
	Jar    *secrets.CookieJar
	Events *view.EventLog
	Now    func() time.Time
	Getenv func(name string) string
}

// HostAuth manages the logins of a workspace. It is safe for concurrent use.
type HostAuth struct {
	Config
	mu       sync.Mutex // guards the fields below; never held during input or output
	fetchers []*fetch.Fetcher
	set      map[string]config.Host
	hosts    map[string]*host
	troubles map[string]view.BlockedHost  // blocks met by runs, by host
	closed   map[string]view.BlockedHost  // blocks found by Look, by host
	now      map[string]fetch.HostOptions // options in force
}

// host is the login state of a host with a login form.
type host struct {
	name string
	turn *semaphore.Weighted // taken during a login

	// HostAuth.mu guards the fields below.
	login    formLogin
	settings string    // hash of the login's settings
	loggedIn bool      // logged in now or by stored cookies
	at       time.Time // time of the login
	worked   bool      // a page was fetched since then
	renewed  time.Time // last renewal because a page required it
	fails    int       // consecutive failures
	next     time.Time // no attempt before this time
	err      error     // error of the last attempt
}

// New returns a HostAuth without blocked hosts.
func New(c Config) *HostAuth {
	return &HostAuth{Config: c, hosts: map[string]*host{}, troubles: map[string]view.BlockedHost{}}
}

// Attach makes a fetcher use the logins until it is closed. The fetcher that needs a login makes
// it; the first attached one makes logins without a request.
func (d *HostAuth) Attach(f *fetch.Fetcher) error {
	d.mu.Lock()
	d.fetchers = append(slices.DeleteFunc(d.fetchers, (*fetch.Fetcher).Closed), f)
	now := d.now
	d.mu.Unlock()
	return f.SetHostOptions(now)
}

// Adopt applies the settings of hosts and reads files and environment now. An unreadable one blocks
// only its host, is logged, and is listed by Blocked.
func (d *HostAuth) Adopt(set map[string]config.Host) error {
	d.mu.Lock()
	same := reflect.DeepEqual(d.set, set) && len(set) == 0
	d.mu.Unlock()
	if same {
		return nil
	}
	options, hosts, troubles := map[string]fetch.HostOptions{}, map[string]*host{}, map[string]view.BlockedHost{}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		s := set[name]
		option, login, err := d.read(name, &s)
		if err != nil {
			err := err
			options[name] = fetch.HostOptions{Enter: func(context.Context) error { return err }}
			troubles[name] = view.BlockedHost{Host: name, Kind: view.BlockSettings, Why: err.Error(), Since: d.Now()}
			continue
		}
		if login != nil {
			h := &host{name: name, turn: semaphore.NewWeighted(1), login: *login, settings: login.hash()}
			hosts[name] = h
			option.Enter = func(ctx context.Context) error { return d.enter(ctx, h) }
		}
		options[name] = option
	}
	d.mu.Lock()
	for name, h := range hosts {
		if was := d.hosts[name]; was != nil && was.settings == h.settings {
			h.loggedIn, h.at, h.worked, h.fails, h.next, h.err =
				was.loggedIn, was.at, was.worked, was.fails, was.next, was.err
			if t, ok := d.troubles[name]; ok && h.err != nil {
				troubles[name] = t
			}
		} else if what, at := d.Jar.Login(name); what == h.settings {
			h.loggedIn, h.at = true, at
		}
	}
	for name, t := range d.troubles {
		if passing(t.Kind) && reflect.DeepEqual(d.set[name], set[name]) {
			troubles[name] = t // its settings did not change
		}
	}
	for name, t := range troubles {
		if was, ok := d.troubles[name]; ok && was.Why == t.Why {
			t.Since = was.Since
			troubles[name] = t
		} else if t.Kind == view.BlockSettings {
			defer d.Events.Note("error", "host %s is not asked: %s", name, t.Why)
		}
	}
	d.set, d.hosts, d.now, d.troubles = set, hosts, options, troubles
	fetchers := slices.Clone(d.fetchers)
	d.mu.Unlock()
	var err error
	for _, f := range fetchers {
		err = cmp.Or(err, f.SetHostOptions(options))
	}
	d.Events.Show()
	return err
}

// read returns the options of a host's settings, and its login; nil without one.
func (d *HostAuth) read(name string, s *config.Host) (options fetch.HostOptions, login *formLogin, err error) {
	options = fetch.HostOptions{UserAgent: s.UserAgent, Proxy: s.Proxy}
	if options.Certificate, err = s.Fingerprint(); err != nil {
		return options, nil, err
	}
	if options.Header, err = s.Header(); err != nil {
		return options, nil, err
	}
	for key, values := range options.Header {
		for i, v := range values {
			if values[i], err = d.value(v); err != nil {
				return options, nil, fmt.Errorf("header %s: %w", key, err)
			}
		}
	}
	secret, err := d.secret(s)
	if err != nil {
		return options, nil, err
	}
	if s.LoginPage != "" {
		fields, err := s.Fields()
		if err != nil {
			return options, nil, err
		}
		for key, v := range fields {
			if fields[key], err = d.value(v); err != nil {
				return options, nil, fmt.Errorf("field %s: %w", key, err)
			}
		}
		login = &formLogin{Page: s.LoginPage, Fields: fields, User: s.User, Secret: secret, SecretField: s.LoginSecret,
			Text: s.LoginText}
	} else if s.User != "" {
		options.User, options.Password = s.User, secret
	}
	if s.Cookies != "" {
		err = d.takeCookies(name, s.Cookies)
	}
	return options, login, err
}

// hash returns a hash of the login's settings, to detect changes.
func (l *formLogin) hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q", l.Page, l.User, l.Secret, l.SecretField, l.Text)
	for _, name := range slices.Sorted(maps.Keys(l.Fields)) {
		fmt.Fprintf(h, " %q %q", name, l.Fields[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// enter logs in unless logged in already. It waits for a login in progress.
func (d *HostAuth) enter(ctx context.Context, h *host) error {
	if done, err := d.settled(h); done {
		return err
	}
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer h.turn.Release(1)
	if done, err := d.settled(h); done {
		return err
	}
	_, err := d.login(ctx, h)
	return err
}

// settled returns done = true if no login is needed, or the error while the host pauses.
func (d *HostAuth) settled(h *host) (done bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hosts[h.name] != h { // the settings changed; the next fetch uses the new ones
		return true, nil
	}
	if h.loggedIn {
		return true, nil
	}
	if h.err != nil && d.Now().Before(h.next) {
		return true, h.err
	}
	return false, nil
}

// login tries a login and stores the result. The caller holds the host's turn.
func (d *HostAuth) login(ctx context.Context, h *host) (LoginReport, error) {
	f := cmp.Or(fetch.Asking(ctx), d.fetcher()) // a search server may have an address that pages must not have
	if f == nil {
		return LoginReport{}, errors.New("no fetcher to try the login with")
	}
	r := logIn(fetch.Entering(ctx), f, d.Jar, h.name, &h.login)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if r.Err == nil {
		if err := d.Jar.LoggedIn(h.name, h.settings); err != nil {
			d.Events.Note("warn", "the login of %s will not outlive a restart: %v", h.name, err)
		}
	}
	d.mu.Lock()
	now := d.Now()
	h.loggedIn, h.err, h.at, h.worked = r.Err == nil, r.Err, now, false
	if r.Err == nil {
		h.fails = 0
		delete(d.troubles, h.name)
	} else {
		h.next = now.Add(min(firstWait<<min(h.fails, 10), maxWait))
		h.fails++
		t := view.BlockedHost{Host: h.name, Kind: view.BlockLoginFailed, Why: secrets.Redact(r.Err.Error()), Since: now,
			Next: h.next}
		if was, ok := d.troubles[h.name]; ok && was.Kind == t.Kind {
			t.Since = was.Since
		}
		d.troubles[h.name] = t
	}
	d.mu.Unlock()
	if r.Err != nil {
		d.Events.Note("error", "the login of host %s failed: %v; it is not asked until %s, or until its settings change", h.name, r.Err, h.next.Format("2006-01-02 15:04"))
	} else {
		d.Events.Note("info", "logged in to host %s", h.name)
	}
	d.Events.Show()
	return r, r.Err
}

func (d *HostAuth) fetcher() *fetch.Fetcher {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.fetchers) == 0 {
		return nil
	}
	return d.fetchers[0]
}

// Known reports whether a host has credentials. Then a login page is unexpected even on a first
// visit.
func (d *HostAuth) Known(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.set[name]
	return ok && s.Logs()
}

// Worked records that a host returned a page.
func (d *HostAuth) Worked(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h := d.hosts[name]; h != nil {
		h.worked = true
	}
}

// LoginVerdict is the consequence of a page that requires a login.
type LoginVerdict int

// The verdicts.
const (
	Closed   LoginVerdict = iota // no login to renew: the host pauses
	Renewed                      // the login was renewed: request the page again
	NotOurs                      // the login is valid, but not for this page
	Rejected                     // the renewed login failed: the host pauses
)

// Again handles a page of a host that requires a login; asked is the time of the request. It logs
// in again if the login may have expired.
func (d *HostAuth) Again(ctx context.Context, name string, asked time.Time) LoginVerdict {
	d.mu.Lock()
	h := d.hosts[name]
	d.mu.Unlock()
	if h == nil {
		return Closed
	}
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return Renewed // undecided: the URL waits as before
	}
	defer h.turn.Release(1)
	d.mu.Lock()
	switch {
	case d.hosts[name] != h || h.loggedIn && h.at.After(asked):
		d.mu.Unlock()
		return Renewed // another caller renewed it meanwhile
	case !h.loggedIn:
		d.mu.Unlock()
		return Rejected
	case !h.worked && d.Now().Sub(h.at) < firstWait, !h.renewed.IsZero() && d.Now().Sub(h.renewed) < minRenewal:
		d.mu.Unlock()
		return NotOurs // another login would not help
	}
	h.loggedIn, h.renewed = false, d.Now()
	d.mu.Unlock()
	if _, err := d.login(ctx, h); err != nil && ctx.Err() == nil {
		return Rejected
	}
	return Renewed
}

// Opened records that a host responds again.
func (d *HostAuth) Opened(name string) {
	d.mu.Lock()
	t, ok := d.troubles[name]
	if ok = ok && passing(t.Kind); ok {
		delete(d.troubles, name)
	}
	d.mu.Unlock()
	if ok {
		d.Events.Show()
	}
}

// maxTroubles bounds the result of Blocked.
const maxTroubles = 50

// Blocked returns the blocked hosts, in alphabetical order, at most 50.
func (d *HostAuth) Blocked() []view.BlockedHost {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := maps.Clone(d.closed)
	if all == nil {
		all = map[string]view.BlockedHost{}
	}
	maps.Copy(all, d.troubles)
	var out []view.BlockedHost
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(out) < maxTroubles {
			out = append(out, all[name])
		}
	}
	return out
}

// value returns a header's or field's value, read from its variable or file.
func (d *HostAuth) value(v string) (string, error) {
	if name, ok := strings.CutPrefix(v, "env:"); ok {
		return d.variable(strings.TrimSpace(name))
	}
	if path, ok := strings.CutPrefix(v, "file:"); ok {
		return d.file(strings.TrimSpace(path))
	}
	return v, nil
}

package revisit

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// FetchResult is the result of one request.
type FetchResult uint8

// The results.
const (
	Answered    FetchResult = iota // a page, a redirect, or 304
	Missing                        // 404 or 410
	Refused                        // 401, 403, 407, 429, 451, or a captcha page
	Failed                         // another status, or a broken or invalid response
	Unreachable                    // no response
	Login                          // a page that was open requires a login
)

// Bounds of the verdicts.
const (
	hostsAway   = 5  // consecutive unreachable hosts, all distinct: the network is away
	triesAway   = 4  // consecutive requests, if no other host is left to ask
	rowBanned   = 6  // consecutive refusals of one host: a ban
	rowMissing  = 8  // consecutive missing pages of one host: the host may be at fault
	maxReturned = 64 // requests of a series that are handed back
	maxHosts    = 1 << 14

	// A banned host pauses this long, doubled with every refusal after a pause.
	minRest = 5 * time.Minute
	maxRest = 4 * time.Hour
)

// HostMonitor detects bans, outages and missing series. T is the value handed back for a request.
// It is safe for concurrent use.
type HostMonitor[T any] struct {
	Now func() time.Time // set before the first use

	mu      sync.Mutex // guards the fields below
	row     []T        // consecutive unanswered requests
	tries   int        // their number
	silent  map[string]bool
	ignored map[string]bool // hosts that were silent while the network worked
	since   time.Time       // start of the outage; zero = none known
	good    map[string]bool // hosts that responded
	recent  [8]answer       // of different hosts
	next    int
	hosts   map[string]*host[T] // hosts with data
}

type answer struct{ host, url string }

// host is the state of a host with refusals or missing pages.
type host[T any] struct {
	row     []T
	refused int
	missing int
	folder  string
	several bool // refusals in more than one folder
	rests   int
	until   time.Time // end of its pause; zero = not banned
}

// hostVerdict is the consequence of a report. The zero value means none.
type hostVerdict[T any] struct {
	Away   bool      // an outage began
	Silent int       // with Away: hosts that led to it
	Here   bool      // a host responded during an outage: call Back
	Until  time.Time // the host is banned and pauses until then; zero = no change
	Row    int       // consecutive refusals, with Until
	Lifted bool      // a banned host responded
	Back   []T       // values of requests that were not at fault
}

// hostState is the state before a request's failure is judged.
type hostState struct {
	Away    bool
	Banned  bool // the request's host
	Until   time.Time
	Missing bool // its missing pages are consecutive
	Closed  bool // its refusals are consecutive but within one folder
}

// Begin clears series of failures, which belong to one run. Bans stay.
func (w *HostMonitor[T]) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endRow()
	w.since, w.ignored = time.Time{}, nil
	for name, h := range w.hosts {
		if h.until.IsZero() {
			delete(w.hosts, name)
		}
		h.row = nil
	}
}

// Stand returns the state of a host.
func (w *HostMonitor[T]) Stand(name string) (s hostState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.Away = !w.since.IsZero()
	if h := w.hosts[name]; h != nil {
		s.Banned, s.Until, s.Missing = !h.until.IsZero(), h.until, h.missing >= rowMissing
		s.Closed = h.refused >= rowBanned && !s.Banned
	}
	return s
}

// Report records the result of a request for url on a host. wait is the server's Retry-After. x is
// handed back if the request is not at fault. left returns hosts that are left to ask; it is called
// only if few are silent. seen reports whether pages are stored, so that there was a network once.
// Both are called under the lock and must not use the HostMonitor.
func (w *HostMonitor[T]) Report(name, url string, r FetchResult, wait time.Duration, x T, seen func() bool,
	left func() []string) (v hostVerdict[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r == Unreachable {
		return w.unreachable(name, x, seen, left)
	}
	if r == Failed {
		return v // neither an outage nor a ban
	}
	if v.Here = !w.since.IsZero(); !v.Here {
		w.endRow()
	}
	h := w.hosts[name]
	switch r {
	case Answered:
		w.answered(name, url)
		if h != nil {
			v.Lifted = !h.until.IsZero()
			delete(w.hosts, name)
		}
	case Missing:
		h = w.host(name)
		h.missing++
		h.refused, h.row = 0, nil
	case Refused:
		here := v.Here
		v = w.refused(w.host(name), name, url, wait, x)
		v.Here = here
	case Login:
		here := v.Here
		v = w.closed(w.host(name), wait, x)
		v.Here = here
	}
	return v
}

func (w *HostMonitor[T]) answered(name, url string) {
	delete(w.ignored, name)
	for i := range w.recent {
		if w.recent[i].host == name {
			w.recent[i].url = url
			return
		}
	}
	w.recent[w.next] = answer{name, url}
	w.next = (w.next + 1) % len(w.recent)
	if w.good == nil {
		w.good = map[string]bool{}
	}
	if len(w.good) < maxHosts && !w.good[name] {
		w.good[strings.Clone(name)] = true
	}
}

func (w *HostMonitor[T]) host(name string) *host[T] {
	if h := w.hosts[name]; h != nil {
		return h
	}
	if w.hosts == nil || len(w.hosts) >= maxHosts {
		w.hosts = map[string]*host[T]{}
	}
	h := &host[T]{}
	w.hosts[strings.Clone(name)] = h
	return h
}

// refused counts a refusal. If the host responds elsewhere, refusals within one folder mean a
// closed folder, not a ban.
func (w *HostMonitor[T]) refused(h *host[T], name, url string, wait time.Duration, x T) (v hostVerdict[T]) {
	now := w.Now()
	h.refused++
	h.missing = 0
	if !h.until.IsZero() {
		if now.Before(h.until) {
			v.Back = []T{x} // in flight when the pause began
			return v
		}
		return w.ban(h, now, wait)
	}
	if f := folder(url); h.refused == 1 {
		h.folder, h.several = f, false
	} else if f != h.folder {
		h.several = true
	}
	if h.row = append(h.row, x); len(h.row) > maxReturned {
		h.row = h.row[1:]
	}
	if h.refused < rowBanned || w.good[name] && !h.several {
		return v
	}
	v = w.ban(h, now, wait)
	v.Back, h.row = h.row, nil
	return v
}

// closed counts a page that requires a login although it was open. The host pauses at once, because
// further requests would get the same response.
func (w *HostMonitor[T]) closed(h *host[T], wait time.Duration, x T) hostVerdict[T] {
	h.refused++
	h.missing = 0
	if now := w.Now(); !now.Before(h.until) {
		return w.ban(h, now, wait)
	}
	return hostVerdict[T]{Back: []T{x}} // in flight when the pause began
}

func (w *HostMonitor[T]) ban(h *host[T], now time.Time, wait time.Duration) hostVerdict[T] {
	rest := min(minRest<<min(h.rests, 20), maxRest)
	h.rests++
	h.until = now.Add(max(rest, min(wait, maxRest)))
	return hostVerdict[T]{Until: h.until, Row: h.refused}
}

// folder returns a URL up to the last slash of its path.
func folder(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path[:strings.LastIndexByte(path, '/')+1]
}

// unreachable counts a request without a response.
func (w *HostMonitor[T]) unreachable(name string, x T, seen func() bool, left func() []string) (v hostVerdict[T]) {
	if !w.since.IsZero() || w.ignored[name] {
		return v
	}
	if w.silent == nil {
		w.silent = map[string]bool{}
	}
	w.silent[strings.Clone(name)] = true
	w.tries++
	if w.row = append(w.row, x); len(w.row) > maxReturned {
		w.row = w.row[1:]
	}
	if len(w.good) == 0 && !seen() {
		return v // there may never have been a network, or the address is wrong
	}
	if len(w.silent) < hostsAway {
		if w.tries < triesAway {
			return v
		}
		hosts := left()
		if len(hosts) == 0 || slices.ContainsFunc(hosts, func(h string) bool { return !w.silent[h] && !w.ignored[h] }) {
			return v
		}
	}
	v = hostVerdict[T]{Away: true, Silent: len(w.silent), Back: w.row}
	w.row, w.tries = nil, 0
	w.since = w.Now()
	return v
}

// endRow clears the silent hosts. The caller holds the lock.
func (w *HostMonitor[T]) endRow() {
	if w.tries == 0 && len(w.silent) == 0 {
		return
	}
	w.row, w.tries = nil, 0
	clear(w.silent)
}

// away returns the start of the outage; zero = none known.
func (w *HostMonitor[T]) away() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.since
}

// Met reports whether any host has responded.
func (w *HostMonitor[T]) Met() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.good) > 0
}

// Recent returns one address of each host that responded last.
func (w *HostMonitor[T]) Recent() (urls []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.recent {
		if a.url != "" {
			urls = append(urls, a.url)
		}
	}
	return urls
}

// Back ends an outage: the named host responded. It returns the other silent hosts, sorted. These
// are ignored until they respond.
func (w *HostMonitor[T]) Back(name string) (silent []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ignored == nil {
		w.ignored = map[string]bool{}
	}
	for h := range w.silent {
		if h != name {
			w.ignored[h] = true
			silent = append(silent, h)
		}
	}
	w.since = time.Time{}
	w.endRow()
	slices.Sort(silent)
	return silent
}

// Banned returns the banned hosts with the end of their pause.
func (w *HostMonitor[T]) Banned() map[string]time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := map[string]time.Time{}
	for name, h := range w.hosts {
		if !h.until.IsZero() {
			list[name] = h.until
		}
	}
	return list
}

// Forgive ends the bans of the hosts that match.
func (w *HostMonitor[T]) Forgive(match func(host string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name := range w.hosts {
		if match(name) {
			delete(w.hosts, name)
		}
	}
}

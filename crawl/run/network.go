package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// This file reacts to consecutive failures. A host that refuses requests pauses, and during a
// network outage no URL is handed out. In both cases the affected URLs keep their place.

// Watch detects bans and outages from failures, over all runs of a process.
type Watch = revisit.HostMonitor[failedURL]

// failedURL is a URL of a series of failures, with its row before the fetch.
type failedURL struct {
	*tag
	url *store.URL
}

// Bounds of the interval between two probes during an outage.
const (
	minProbe = 2 * time.Second
	maxProbe = time.Minute
)

// outage describes an outage of the network.
type outage struct {
	Since time.Time // start; zero = no outage
	Next  time.Time // time of the next probe
	Cause string    // error of the last request
}

// err returns the error of a run that ends because of an outage.
func (n outage) err() error {
	return fmt.Errorf("%w since %s (%s): check the connection or --proxy, and run it again; what waits goes on waiting",
		ErrAway, n.Since.Format(time.TimeOnly), n.Cause)
}

// cutOff returns an error if the time of a run ended during an outage.
func (n *network) cutOff() error {
	if now := n.state(); !now.Since.IsZero() && errors.Is(n.r.ctx.Err(), context.DeadlineExceeded) {
		return now.err()
	}
	return nil
}

// network waits during an outage and probes the network from time to time.
type network struct {
	r     *Run
	order sync.Mutex // held while a failed fetch is passed to the writer; guards tag.excused and tag.sent

	mu      sync.Mutex // guards what follows
	now     outage
	begun   time.Time // start of the outage; monotonic if Now is
	tries   int
	targets []string
	stop    func() bool // stops the timer
	closed  bool
	cancel  context.CancelFunc // cancels the probe in flight
	probing sync.WaitGroup
}

// state returns the outage; its zero value if there is none.
func (n *network) state() outage {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.now
}

// report passes the result of a request to the Watch before the host is released, and reacts at
// once. URLs to restore wait until the capture is with the writer, see put.
func (n *network) report(c visit, u *store.URL) {
	r, host, f := n.r, c.entry.Host, &c.failure
	if !c.asked {
		return
	}
	v := r.Watch.Report(host, u.URL, f.result, f.wait, failedURL{c.tag, u}, n.stored, n.hostsLeft)
	if c.again && !v.Away {
		v.Back = nil // trouble excused this failure already
	}
	c.inRow = v.Back
	if v.Here {
		n.goOnline(u.URL)
	}
	switch {
	case v.Away:
		n.goOffline(v.Back, v.Silent, f.Failure.Error())
	case !v.Until.IsZero() && f.result == revisit.Login:
		r.front.Rest(host, v.Until)
		r.HostAuth.Asks(host, u.URL, f.Failure, v.Until)
	case !v.Until.IsZero():
		r.front.Rest(host, v.Until)
		r.Events.Note("warn", "host %s refuses us (%s, %d times in a row): it rests until %s; a longer delay may help, on the Crawl screen or as crawl.delay in angler.toml",
			host, f.Failure, v.Row, v.Until.Format("15:04"))
		r.HostAuth.Refuses(host, u.URL, f.Failure, v.Until)
		r.Listener.Changed()
	case v.Lifted:
		r.HostAuth.Opened(host)
		r.Events.Note("info", "host %s answers again", host)
	}
}

// put passes a failed fetch to the writer, then restores the URLs that its failure excuses.
func (n *network) put(c visit) {
	row := c.inRow // the writer owns the tag after Put
	n.order.Lock()
	for _, x := range row {
		x.excused = x.excused || !x.sent // its own worker will put it
	}
	if u := c.before; c.excused && u != nil {
		c.State, c.Fails, c.Retry, c.Failure = u.State, u.Fails, u.Retry, cmp.Or(u.Failure, c.failure.refused())
		c.again = true
	}
	c.sent = true
	n.r.writer.Put(c.Capture, c.tag)
	n.order.Unlock()
	n.giveBack(row)
}

// connected reports whether the network ever worked: a host answered in this process, or pages are
// stored.
func (n *network) connected() bool { return n.stored() || n.r.Watch.Met() }

// stored reports whether any page is stored.
func (n *network) stored() bool { return n.r.Store.Counts().Pages > 0 }

// hostsLeft returns the names of up to 8 hosts with URLs to fetch, the fullest first.
func (n *network) hostsLeft() (names []string) {
	r := n.r
	for _, h := range r.front.View(0, 8).Hosts {
		if h.Waiting+h.Busy > 0 {
			names = append(names, h.Host)
		}
	}
	return names
}

// giveBack restores URLs to their rows before the failure.
func (n *network) giveBack(list []failedURL) {
	r := n.r
	seen := map[uint64]bool{} // the first failure of a URL counts
	for _, x := range list {
		u := x.url
		n.order.Lock()
		done := seen[u.ID] || x.excused
		n.order.Unlock()
		if done {
			continue
		}
		seen[u.ID] = true
		now, err := r.Store.URL(u.ID)
		if err != nil || now == nil || now.State == store.Complete && u.State != store.Complete {
			continue // fetched meanwhile
		}
		r.writer.Put(&store.Capture{ID: u.ID, State: u.State, Fails: u.Fails, Retry: u.Retry,
			Failure: cmp.Or(u.Failure, x.failure.refused())}, &tag{entry: x.entry, returned: true})
		r.front.Retry(x.entry, r.Now())
	}
}

// goOffline begins an outage.
func (n *network) goOffline(back []failedURL, silent int, cause string) {
	r := n.r
	r.front.Hold()
	n.mu.Lock()
	n.now = outage{Since: r.Now(), Cause: cause}
	n.begun, n.tries = r.Now(), 0
	n.targets = r.Watch.Recent()
	for _, x := range back {
		n.targets = append(n.targets, x.url.URL)
	}
	n.planProbe()
	n.mu.Unlock()
	r.Events.Note("error", "the network is away: %d hosts in a row cannot be reached (%s); the crawl waits and resumes",
		silent, cause)
	r.Listener.Changed()
}

// planProbe sets the timer of the next probe. The caller holds the lock.
func (n *network) planProbe() {
	r := n.r
	if n.closed {
		return
	}
	d := min(minProbe<<min(n.tries, 10), maxProbe)
	if r.opt.AwayFor > 0 {
		d = min(d, max(r.opt.AwayFor-r.Now().Sub(n.begun), 0))
	}
	n.now.Next = r.Now().Add(d)
	n.stop = r.AfterFunc(d, n.probe)
}

// probe requests one URL to see whether the network works again.
func (n *network) probe() {
	r := n.r
	n.mu.Lock()
	if n.closed || n.now.Since.IsZero() {
		n.mu.Unlock()
		return
	}
	if r.opt.AwayFor > 0 && r.Now().Sub(n.begun) >= r.opt.AwayFor {
		err := n.now.err()
		n.mu.Unlock()
		r.fail(err)
		return
	}
	target := n.targets[n.tries%len(n.targets)]
	n.tries++
	ctx, cancel := context.WithCancel(r.ctx)
	n.cancel = cancel
	n.probing.Add(1)
	n.mu.Unlock()
	defer n.probing.Done()
	defer cancel()
	r.PageWorkers.Reconsider()
	b, err := r.PageWorkers.Do(ctx, PageJob{Request: fetch.Request{URL: target}})
	r.Metrics.Fetched(b.Response, err)
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		n.goOnline(target)
		return
	}
	n.mu.Lock()
	n.now.Cause = fetch.Cause(err)
	n.planProbe()
	n.mu.Unlock()
	r.Listener.Changed()
}

// goOnline ends an outage: target answered.
func (n *network) goOnline(target string) {
	r := n.r
	n.mu.Lock()
	if n.now.Since.IsZero() {
		n.mu.Unlock()
		return // another caller ended it
	}
	took := r.Now().Sub(n.begun)
	n.now = outage{}
	if n.stop != nil {
		n.stop()
	}
	n.mu.Unlock()
	host := urls.HostOf(target)
	silent := r.Watch.Back(host)
	r.PageWorkers.Reconsider()
	r.front.Forgive(func(host string) bool { return !slices.Contains(silent, host) })
	r.front.Unhold()
	if len(silent) > 8 {
		silent = append(silent[:8:8], "…")
	}
	r.Events.Note("info", "the network is there again after %s, as %s says; the crawl goes on (before it did not answer: %s)", took.Round(time.Second), host, strings.Join(silent, ", "))
	r.Listener.Changed()
}

// close stops probing and waits for the probe in flight.
func (n *network) close() {
	n.mu.Lock()
	n.closed = true
	if n.stop != nil {
		n.stop()
	}
	if n.cancel != nil {
		n.cancel()
	}
	n.mu.Unlock()
	n.probing.Wait()
}

// restoreBans pauses the hosts that an earlier run found banned.
func (n *network) restoreBans() {
	r := n.r
	for host, until := range r.Watch.Banned() {
		r.front.Rest(host, until)
	}
}

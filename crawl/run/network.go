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

// This file is what follows from rows of failures: a host that refuses us rests,
// and while the network is away nothing is handed out. In both cases the URLs
// that met it keep their place.

// Watch tells bans and outages from failures, over all runs of a process.
type Watch = revisit.HostMonitor[Failed]

// Failed is a URL that failed in a row, as it stood before.
type Failed struct {
	*tag
	url *store.URL
}

// Distances of the tries while the network is away.
const (
	probeFirst = 2 * time.Second
	probeMost  = time.Minute
)

// absence is what is known of a network that is away.
type absence struct {
	Since time.Time // it has been away since; zero = it is there
	Next  time.Time // when it is tried again
	Cause string    // what the last request met
}

// err is that of a run that could not wait any longer.
func (n absence) err() error {
	return fmt.Errorf("%w since %s (%s): check the connection or --proxy, and run it again; what waits goes on waiting",
		ErrAway, n.Since.Format(time.TimeOnly), n.Cause)
}

// cutOff is the error of a run whose time was up while the network was away.
func (n *network) cutOff() error {
	if now := n.state(); !now.Since.IsZero() && errors.Is(n.r.ctx.Err(), context.DeadlineExceeded) {
		return now.err()
	}
	return nil
}

// network waits while the network is away and tries it from time to time.
type network struct {
	r     *Run
	order sync.Mutex // held while a failed fetch is handed to the writer; guards excused and sent of tags

	mu      sync.Mutex // guards what follows
	now     absence
	begun   time.Time // monotonic, where the clock is
	tries   int
	targets []string
	stop    func() bool // of the timer
	closed  bool
	cancel  context.CancelFunc // of the try under way
	probing sync.WaitGroup
}

// state returns whether the network is away.
func (n *network) state() absence {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.now
}

// weigh tells the watch what a request met, before its host is free, and does what
// follows from it at once. What is to be given back waits until the capture is on
// its way to the disk, see put.
func (n *network) weigh(c visit, u *store.URL) {
	r, host, f := n.r, c.entry.Host, &c.failure
	if !c.asked {
		return
	}
	v := r.Watch.Report(host, u.URL, f.result, f.wait, Failed{c.tag, u}, n.stored, n.hostsLeft)
	if c.again && !v.Away {
		v.Back = nil // trouble has seen the ban already
	}
	c.inRow = v.Back
	if v.Here {
		n.back(u.URL)
	}
	switch {
	case v.Away:
		n.leave(v.Back, v.Silent, f.Failure.Error())
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

// put hands a failed fetch to the writer, and what its failure gives back after it.
func (n *network) put(c visit) {
	row := c.inRow // the tag is the writer's from Put on
	n.order.Lock()
	for _, x := range row {
		x.excused = x.excused || !x.sent // its own worker has it in hand
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

// connected reports whether there has been a network: something has answered in
// this process, or pages of another day are stored.
func (n *network) connected() bool { return n.stored() || n.r.Watch.Met() }

// stored reports whether any page is stored.
func (n *network) stored() bool { return n.r.Store.Counts().Pages > 0 }

// hostsLeft names some hosts that have anything to fetch, the fullest ones.
func (n *network) hostsLeft() (names []string) {
	r := n.r
	for _, h := range r.front.View(0, 8).Hosts {
		if h.Waiting+h.Busy > 0 {
			names = append(names, h.Host)
		}
	}
	return names
}

// giveBack makes URLs as they were before they failed.
func (n *network) giveBack(list []Failed) {
	r := n.r
	seen := map[uint64]bool{} // the first time that a URL failed counts
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
			continue // fetched after all
		}
		r.writer.Put(&store.Capture{ID: u.ID, State: u.State, Fails: u.Fails, Retry: u.Retry, Failure: cmp.Or(u.Failure, x.failure.refused())}, &tag{entry: x.entry, returned: true})
		r.front.Retry(x.entry, r.Now())
	}
}

// leave begins the time without a network.
func (n *network) leave(back []Failed, silent int, cause string) {
	r := n.r
	r.front.Hold()
	n.mu.Lock()
	n.now = absence{Since: r.Now(), Cause: cause}
	n.begun, n.tries = r.Now(), 0
	n.targets = r.Watch.Recent()
	for _, x := range back {
		n.targets = append(n.targets, x.url.URL)
	}
	n.planProbe()
	n.mu.Unlock()
	r.Events.Note("error", "the network is away: %d hosts in a row cannot be reached (%s); the crawl waits and goes on by itself", silent, cause)
	r.Listener.Changed()
}

// planProbe sets the timer of the next try. The lock is held.
func (n *network) planProbe() {
	r := n.r
	if n.closed {
		return
	}
	d := min(probeFirst<<min(n.tries, 10), probeMost)
	if r.opt.AwayFor > 0 {
		d = min(d, max(r.opt.AwayFor-r.Now().Sub(n.begun), 0))
	}
	n.now.Next = r.Now().Add(d)
	n.stop = r.AfterFunc(d, n.probe)
}

// probe asks one host whether the network is back.
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
		n.back(target)
		return
	}
	n.mu.Lock()
	n.now.Cause = fetch.Cause(err)
	n.planProbe()
	n.mu.Unlock()
	r.Listener.Changed()
}

// back ends the time without a network: target has answered.
func (n *network) back(target string) {
	r := n.r
	n.mu.Lock()
	if n.now.Since.IsZero() {
		n.mu.Unlock()
		return // another caller has noticed
	}
	took := r.Now().Sub(n.begun)
	n.now = absence{}
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

// close ends the waiting and waits for the try under way.
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

// rested makes hosts rest that refused an earlier run.
func (n *network) rested() {
	r := n.r
	for host, until := range r.Watch.Banned() {
		r.front.Rest(host, until)
	}
}

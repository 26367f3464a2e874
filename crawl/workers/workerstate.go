package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/view"
	"angler/store/config"
)

// This file holds the workers' states, admission and orders.

// ErrNoWorker means that no worker has this name.
var ErrNoWorker = errors.New("there is no worker of that name")

// worker is the owner's state of a known worker.
type worker struct {
	workerHello
	state       view.WorkerState
	seen        time.Time
	busy        int       // jobs it has now
	hosts       int       // hosts assigned to it
	taken       int       // accepted results
	late        int       // late, duplicate or unrequested results
	bad         int       // malformed results
	missed      int       // hosts in a row that this process reached and the worker did not
	pausedUntil time.Time // gets no jobs until then, because it misses hosts
	failed      map[fetch.Kind]int
	errors      []view.WorkerError // oldest first
	samples     []rateSample       // samples of the last ten seconds
}

// rateSample is the number of results at a time.
type rateSample struct {
	at    time.Time
	taken int
}

// works reports whether the worker gets jobs.
func (w *worker) works() bool { return w.state == view.WorkerWorks }

// addError records an error of the worker. A repeated one increments its count.
func (w *worker) addError(at time.Time, what string) {
	what = htmldoc.Clip(what, 200)
	if n := len(w.errors); n > 0 && w.errors[n-1].What == what {
		w.errors[n-1].At, w.errors[n-1].N = at, w.errors[n-1].N+1
		return
	}
	w.errors = append(w.errors, view.WorkerError{At: at, What: what, N: 1})
	w.errors = w.errors[max(0, len(w.errors)-view.WorkerErrors):]
}

// A worker that misses maxMissed reachable hosts in a row has no network. It pauses for firstPause, doubling up to
// maxPause, and is tried again.
const (
	maxMissed  = 4
	firstPause = 30 * time.Second
	maxPause   = 10 * time.Minute
)

// noteMissedHost records that this process reached a host and the worker did not.
func noteMissedHost(o *Owner, c *call, why *fetch.Error) {
	o.mu.Lock()
	w, now, rest := c.worker, o.Now(), time.Duration(0)
	w.missed++
	w.addError(now, "it does not reach what is reached from here: "+why.Reason())
	if w.missed >= maxMissed && !now.Before(w.pausedUntil) {
		rest = min(firstPause<<min(w.missed-maxMissed, 8), maxPause)
		w.pausedUntil = now.Add(rest)
	}
	o.mu.Unlock()
	if rest > 0 {
		o.Note(
			"warn",
			"worker %s does not reach hosts that are reached from here (%s): it gets no more work for %s; see to its network",
			c.name, why.Reason(), rest)
	}
}

// rate returns results per second over the last ten seconds.
func (w *worker) rate(now time.Time) float64 {
	if len(w.samples) == 0 {
		return 0
	}
	first := w.samples[0]
	if took := now.Sub(first.at).Seconds(); took > 0 {
		return float64(w.taken-first.taken) / took
	}
	return 0
}

// rateSpan is the time span of rate.
const rateSpan = 10 * time.Second

// Limits: maxSlots of one worker, maxWorkers known, and forget until a lost worker is deleted.
const (
	maxSlots   = 4096
	maxWorkers = 2000
	forget     = 5 * time.Minute
)

// onHello handles a worker's heartbeat.
func (o *Owner) onHello(ctx context.Context, key string, value []byte) {
	var h workerHello
	if len(value) > maxHello || json.Unmarshal(value, &h) != nil || h.Name != key || !ValidName(key) {
		return
	}
	if h.Protocol == wireProtocol && (h.Epoch != o.epoch || h.Slots < 1 || h.Slots > maxSlots || len(h.Tags) > 20) {
		return
	}
	h.Version = htmldoc.Clip(h.Version, 40)
	for i, tag := range h.Tags {
		h.Tags[i] = htmldoc.Clip(tag, 40)
	}
	o.mu.Lock()
	now, w := o.Now(), o.workers[key]
	if w == nil {
		if len(o.workers) >= maxWorkers {
			o.mu.Unlock()
			return
		}
		w = &worker{failed: map[fetch.Kind]int{}}
		for _, h := range o.hosts { // it had joined before
			if h.worker == key {
				w.hosts++
			}
		}
		o.workers[key] = w
	}
	if h.Since.Before(w.Since) { // two processes use this name
		h.Since = w.Since
	}
	// a new process: the jobs of the old one are lost
	if !w.Since.IsZero() && h.Since.After(w.Since) && w.state.Here() {
		o.markLost(w, view.WorkerLost)
		o.mu.Unlock()
		purge(ctx, o.js, key)
		o.mu.Lock()
	}
	before, erred := w.state, w.Erred
	w.workerHello, w.seen = h, now
	if h.Error != "" && !h.Erred.Equal(erred) {
		w.addError(now, h.Error)
	}
	for len(w.samples) > 0 && now.Sub(w.samples[0].at) > rateSpan {
		w.samples = w.samples[1:]
	}
	w.samples = append(w.samples, rateSample{now, w.taken})
	switch {
	case before == view.WorkerBanned:
	case h.Protocol != wireProtocol:
		if w.state = view.WorkerRefused; before != w.state {
			w.addError(
				now, fmt.Sprintf("angler %s speaks protocol %d, this is %s with protocol %d: use the same version at both ends",
					h.Version, h.Protocol, config.Version, wireProtocol))
		}
	case !w.state.Here():
		w.state = o.Begins(key)
	}
	after := w.state
	if after != before {
		o.wakeWaiters()
	}
	o.mu.Unlock()
	switch {
	case after == before:
		return
	case after == view.WorkerRefused:
		o.Note("warn", "worker %s was refused: it is angler %s with protocol %d, this is %s with protocol %d", key,
			h.Version, h.Protocol, config.Version, wireProtocol)
	case after == view.WorkerBanned:
		o.Note("warn", "worker %s was not let in: it is banned", key)
		if err := o.order(ctx, key, orderBan); err != nil {
			o.Note("error", "%v", err)
		}
	default:
		o.Note("info", "worker %s joins with %d slots", key, h.Slots)
	}
	o.Staffed()
}

// onGoodbye handles a worker's goodbye.
func (o *Owner) onGoodbye(ctx context.Context, name string) {
	o.mu.Lock()
	w := o.workers[name]
	if w == nil || !w.state.Here() {
		o.mu.Unlock()
		return
	}
	o.markLost(w, view.WorkerLost)
	delete(o.workers, name)
	o.mu.Unlock()
	o.Note("info", "worker %s has left", name)
	o.deleteQueue(ctx, name)
	o.Staffed()
}

// wakeWaiters wakes the callers that wait for a worker. The caller holds the lock.
func (o *Owner) wakeWaiters() {
	close(o.freed)
	o.freed = make(chan struct{})
}

// watchWorkers reassigns the jobs of silent workers and publishes changed settings, until ctx ends.
func (o *Owner) watchWorkers(ctx context.Context) {
	t := time.NewTicker(workerBeat)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.Changed:
			if err := o.publish(ctx); err != nil && ctx.Err() == nil {
				o.Note("error", "the new settings cannot be sent to the workers: %v", err)
			}
		case <-t.C:
			for _, name := range o.expireWorkers() {
				o.Note("warn", "worker %s has not been heard of for %s: its jobs go to others", name, Gone)
				o.deleteQueue(ctx, name)
				o.Staffed()
			}
		}
	}
}

// deleteQueue deletes a worker's queue.
func (o *Owner) deleteQueue(ctx context.Context, name string) {
	_ = o.js.DeleteConsumer(ctx, jobStream, name)
	purge(ctx, o.js, name)
}

// purge deletes a worker's jobs.
func purge(ctx context.Context, js jetstream.JetStream, name string) {
	if s, err := js.Stream(ctx, jobStream); err == nil {
		_ = s.Purge(ctx, jetstream.WithPurgeSubject(jobSubject(name)))
	}
}

// expireWorkers marks silent workers as lost and deletes those silent for longer than forget.
func (o *Owner) expireWorkers() (names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	for name, w := range o.workers {
		since := now.Sub(w.seen).Abs() // clocks may be set back
		if since > Gone && w.state.Here() {
			names = append(names, name)
			w.addError(now, "not heard of for "+Gone.String())
			o.markLost(w, view.WorkerLost)
		}
		if since > forget && w.state != view.WorkerBanned {
			delete(o.workers, name)
		}
	}
	return names
}

// markLost ends a worker's calls. Results that arrive later count as late. The caller holds the lock.
func (o *Owner) markLost(w *worker, state view.WorkerState) {
	w.state = state
	for lease, c := range o.calls {
		if c.worker == w {
			delete(o.calls, lease)
			c.done <- nil
		}
	}
	o.wakeWaiters()
}

// Set changes the state of a worker. WorkerDrains stops new jobs. WorkerStops also ends its process after its last job.
// WorkerBanned gives its jobs to others, drops its results and refuses it; after a restart, OwnerConfig.Begins must
// return the ban. WorkerWorks undoes them. Errors wrap ErrNoWorker.
func (o *Owner) Set(name string, to view.WorkerState) error {
	o.mu.Lock()
	w := o.workers[name]
	if w == nil {
		o.mu.Unlock()
		return fmt.Errorf("%w: %s", ErrNoWorker, htmldoc.Clip(name, 64))
	}
	before := w.state
	switch {
	case to == view.WorkerBanned:
		o.markLost(w, to)
	case before == view.WorkerBanned && to == view.WorkerWorks:
		w.state = view.WorkerLost // until its next heartbeat
	case !w.state.Here():
		o.mu.Unlock()
		return fmt.Errorf("worker %s is not there: it is %s", name, before)
	default:
		w.state = to
		o.wakeWaiters()
	}
	ends := w.state == view.WorkerStops && w.busy == 0
	o.mu.Unlock()
	defer o.Staffed()
	ctx, cancel := context.WithTimeout(context.Background(), Gone)
	defer cancel()
	switch {
	case to == view.WorkerBanned:
		o.deleteQueue(ctx, name)
		return o.order(ctx, name, orderBan)
	case ends:
		return o.order(ctx, name, orderEnd)
	case before == view.WorkerBanned:
		return o.ownerTable.Purge(ctx, orderKey(name))
	}
	return nil
}

// order sends an order to one worker.
func (o *Owner) order(ctx context.Context, name, kind string) error {
	o.mu.Lock()
	order := workerOrder{Kind: kind}
	if w := o.workers[name]; w != nil {
		order.Since = w.Since
	}
	o.mu.Unlock()
	if err := putJSON(ctx, o.ownerTable, orderKey(name), order); err != nil {
		return fmt.Errorf("worker %s cannot be told: %w", name, err)
	}
	return nil
}

// deleteOrders deletes the orders of earlier owners. A banned worker gets its order again when it connects.
func (o *Owner) deleteOrders(ctx context.Context) error {
	s, err := o.js.Stream(ctx, "KV_"+ownerTable)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject("$KV."+ownerTable+"."+allOrders))
}

// Workers returns the known workers by name.
func (o *Owner) Workers() (out []view.Worker) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	for _, w := range o.workers {
		v := view.Worker{Name: w.Name, State: w.state, Version: w.Version, Tags: w.Tags, Slots: w.Slots, Busy: w.busy,
			Hosts: w.hosts, Done: w.taken,
			Rate: w.rate(now), CPU: w.CPU, Memory: w.Memory, Since: w.Since, Seen: w.seen, Late: w.late, Bad: w.bad,
			Errors: slices.Clone(w.errors)}
		slices.Reverse(v.Errors)
		for kind, n := range w.failed {
			v.Failed = append(v.Failed, view.FailedKind{Kind: string(kind), N: n})
		}
		slices.SortFunc(v.Failed, func(a, b view.FailedKind) int {
			return cmp.Or(cmp.Compare(b.N, a.N),
				strings.Compare(a.Kind, b.Kind))
		})
		if !w.state.Here() {
			v.Rate, v.CPU, v.Memory, v.Busy = 0, 0, 0, 0
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b view.Worker) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Crew sums the figures of all workers.
func (o *Owner) Crew() (c view.Crew) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	for _, w := range o.workers {
		if !w.works() {
			c.Idle++
			continue
		}
		c.Workers++
		c.Slots += w.Slots
		c.Busy += w.busy
		c.Rate += w.rate(now)
	}
	return c
}

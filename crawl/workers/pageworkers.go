package workers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// This file implements run.PageWorkers: it sends a job to a worker and waits for the result.

// Slots implements run.PageWorkers.
func (o *Owner) Slots() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.workers {
		if w.works() {
			n += w.Slots
		}
	}
	return n
}

// choose returns the worker that has the job's host, else the one with the most free slots. Only workers with the
// tag qualify; "" means all. best is nil if no slot is free; there reports a suitable worker, busy or not. The
// caller holds the lock.
func (o *Owner) choose(j *run.PageJob, tag string) (best *worker, there bool) {
	now := o.Now()
	fits := func(w *worker) bool {
		return w.works() && (tag == "" && !now.Before(w.pausedUntil) || tag != "" && slices.Contains(w.Tags, tag))
	}
	if h := o.hosts[j.Host]; h != nil {
		if w := o.workers[h.worker]; w != nil && fits(w) && w.busy < w.Slots {
			return w, true
		}
	}
	for _, w := range o.workers {
		if !fits(w) {
			continue
		}
		there = true
		if free := w.Slots - w.busy; free > 0 && (best == nil || free > best.Slots-best.busy ||
			free == best.Slots-best.busy && w.Name < best.Name) {
			best = w
		}
	}
	return best, there
}

// hostState returns the state of a host, new if unknown. The caller holds the lock.
func (o *Owner) hostState(name string) *host {
	h := o.hosts[name]
	if h == nil {
		if len(o.hosts) >= maxHosts {
			clear(o.hosts)
			for _, w := range o.workers {
				w.hosts = 0
			}
		}
		h = &host{}
		o.hosts[name] = h
	}
	return h
}

// assignHost assigns a host to a worker. The caller holds the lock.
func (o *Owner) assignHost(h *host, to *worker) {
	if h.worker == to.Name {
		return
	}
	if was := o.workers[h.worker]; was != nil {
		was.hosts = max(0, was.hosts-1)
	}
	to.hosts++
	h.worker = to.Name
}

// isLocal reports whether only this process can do a job. A POST stays, because a redirect in reply may be valid for
// its sender only.
func (o *Owner) isLocal(j *run.PageJob, set *config.Host, own bool) bool {
	return j.ID == 0 || j.Method == http.MethodPost || own && set.Apart() || o.Keeps(j.Address)
}

// slotWait is the maximum wait for a worker's slot before a job runs here. Local reading costs more, but this process
// must help when workers are few.
const slotWait = 25 * time.Millisecond

// assign assigns a job to a worker; a nil call means the job runs here. A host with a tag waits for a worker with
// this tag.
func (o *Owner) assign(ctx context.Context, j *run.PageJob) (*call, uint64, error) {
	set, own := o.Settings().Host[j.Host]
	if o.isLocal(j, &set, own) {
		return nil, 0, nil
	}
	var patience <-chan time.Time
	for {
		o.mu.Lock()
		w, there := o.choose(j, set.Worker)
		if w != nil {
			o.assignHost(o.hostState(j.Host), w)
			w.busy++
			c := &call{worker: w, name: w.Name, done: make(chan *taken, 1), job: j}
			lease := o.leases.Add(1)
			o.calls[lease] = c
			o.mu.Unlock()
			return c, lease, nil
		}
		room := o.freed
		o.mu.Unlock()
		if set.Worker == "" {
			if !there {
				return nil, 0, nil
			}
			if patience == nil {
				patience = time.After(slotWait)
			}
			select {
			case <-ctx.Done():
				return nil, 0, ctx.Err()
			case <-o.slot:
			case <-patience:
				return nil, 0, nil
			}
			continue
		}
		if patience == nil && !there {
			patience = time.After(o.patience)
		}
		select {
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		case <-room:
		case <-patience:
			return nil, 0, &fetch.Error{Kind: fetch.Connect, URL: j.URL,
				Err: fmt.Errorf(
					"it is for workers with the tag %s, and none is there: start one with angler workers join --tags %s",
					set.Worker, set.Worker)}
		}
	}
}

// endCall releases a call. It returns the result that arrived meanwhile.
func (o *Owner) endCall(ctx context.Context, lease uint64, c *call, t *taken) *taken {
	o.mu.Lock()
	delete(o.calls, lease)
	w := c.worker
	if w.busy == w.Slots {
		o.wakeWaiters()
		select {
		case o.slot <- struct{}{}:
		default:
		}
	}
	w.busy--
	ends := w.state == view.WorkerStops && w.busy == 0
	o.mu.Unlock()
	if ends {
		_ = o.order(context.WithoutCancel(ctx), w.Name, orderEnd)
	}
	if t == nil {
		select {
		case t = <-c.done:
		default:
		}
	}
	return t
}

// Do implements run.PageWorkers.
func (o *Owner) Do(ctx context.Context, j run.PageJob) (run.PageResult, error) {
	for {
		c, lease, err := o.assign(ctx, &j)
		if err == nil && c == nil {
			return o.Here.Do(ctx, j)
		}
		var t *taken
		if err == nil {
			t, err = o.sendJob(ctx, c, lease, &j)
			if t = o.endCall(ctx, lease, c, t); t != nil {
				err = nil
			}
		}
		var fe *fetch.Error
		switch {
		case ctx.Err() != nil:
			if t != nil {
				t.stored()
			}
			return run.PageResult{}, &fetch.Error{Kind: fetch.Canceled, URL: j.URL, Err: context.Cause(ctx)}
		case errors.As(err, &fe):
			return run.PageResult{}, fe
		case err != nil: // the queue refuses jobs
			if !o.queueErrorLogged.Swap(true) {
				o.Note(
					"error",
					"%v: has the disk of the workers' server room, and is it there? Until it takes jobs again pages are fetched here", err)
			}
			return o.Here.Do(ctx, j)
		case t == nil:
			continue // the worker lost the job
		case t.Left:
			return fetchHere(ctx, o, &j, t)
		case t.Response == nil:
			fe, err := t.Failed.Error(j.URL)
			if err != nil {
				t.stored()
				return o.Here.Do(ctx, j)
			}
			if !fe.Unreachable() || o.Settings().Host[j.Host].Worker != "" {
				return run.PageResult{Stored: t.stored}, fe
			}
			// The worker's own network may be at fault.
			b, err := fetchHere(ctx, o, &j, t)
			if b.Response != nil {
				noteMissedHost(o, c, fe)
			}
			return b, err
		}
		return run.PageResult{Response: t.Response, Draft: t.Draft, Stored: t.stored}, nil
	}
}

// fetchHere fetches here after the host's pause, if a worker could not send or reach the page.
func fetchHere(ctx context.Context, o *Owner, j *run.PageJob, t *taken) (run.PageResult, error) {
	if err := o.Limiter.Pause(ctx, j.Host, o.CrawlDelay(j.Host)); err != nil {
		return run.PageResult{Stored: t.stored}, &fetch.Error{Kind: fetch.Canceled, URL: j.URL, Err: err}
	}
	b, err := o.Here.Do(ctx, *j)
	b.Stored = t.stored
	return b, err
}

// sendJob sends a job and waits for its result; nil means the worker lost the job.
func (o *Owner) sendJob(ctx context.Context, c *call, lease uint64, j *run.PageJob) (*taken, error) {
	m := pageJob{Lease: lease, Request: j.Request, Address: j.Address, Host: j.Host, Page: j.Page, Known: j.Known,
		Now: o.Now(), Words: o.Reader.Dict().Fingerprint(),
		Frame: o.Reader.Frame(j.Address), Notice: j.Notice}
	sent, err := o.js.PublishAsync(jobSubject(c.name), m.encode(), jetstream.WithStallWait(workerBeat))
	if err != nil {
		return nil, fmt.Errorf("a job cannot be handed out: %w", err)
	}
	slow := time.NewTimer(o.jobTimeout())
	defer slow.Stop()
	failed := sent.Err()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case t := <-c.done:
			return t, nil
		case err := <-failed:
			return nil, fmt.Errorf("a job cannot be handed out: %w", err)
		case <-slow.C:
			o.Note("warn", "worker %s has not answered for %s in %s: another one has it now", c.name, j.Host,
				o.jobTimeout())
			return nil, nil
		}
	}
}

// jobTimeout returns the time limit of a job: queue, robots.txt, page and redelivery.
func (o *Owner) jobTimeout() time.Duration {
	return 4*time.Duration(o.Settings().Crawl.Timeout) + 2*Lease
}

// CrawlDelay implements run.PageWorkers.
func (o *Owner) CrawlDelay(name string) time.Duration {
	return max(o.Here.CrawlDelay(name), o.known(name).CrawlDelay)
}

// Address implements run.PageWorkers.
func (o *Owner) Address(name string) netip.Addr {
	if a := o.known(name).Address; a.IsValid() {
		return a
	}
	return o.Here.Address(name)
}

// Sitemaps implements run.PageWorkers.
func (o *Owner) Sitemaps(name string) []string {
	if s := o.known(name).Sitemaps; len(s) > 0 {
		return s
	}
	return o.Here.Sitemaps(name)
}

func (o *Owner) known(name string) (s hostFacts) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if h := o.hosts[name]; h != nil {
		s = h.hostFacts
	}
	return s
}

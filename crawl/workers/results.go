package workers

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"angler/crawl/fetch"
	"angler/crawl/run"
)

// This file handles results. The waiting caller takes a result; its job is acknowledged after the page is stored.

// taken is a result with the function to call after storing it.
type taken struct {
	*jobResult
	stored func()
}

// settle acknowledges a job by its subject; "" means the worker named none.
func (o *Owner) settle(job string) {
	if job != "" {
		_ = o.Conn.Publish(job, acknowledge)
	}
}

// stored acknowledges a job after the commit of its result.
func (o *Owner) stored(lease uint64) {
	o.mu.Lock()
	job := o.taken[lease]
	delete(o.taken, lease)
	o.mu.Unlock()
	o.settle(job)
}

// Reconsider implements run.PageWorkers. It acknowledges results that an earlier run took and will not store any
// more.
func (o *Owner) Reconsider() {
	o.Here.Reconsider()
	o.mu.Lock()
	left := o.taken
	o.taken = map[uint64]string{}
	o.mu.Unlock()
	for _, job := range left {
		o.settle(job)
	}
}

// result handles a message with a result. It acknowledges the job of a rejected result at once.
func (o *Owner) result(m *nats.Msg) {
	name, job := workerOf(m.Subject), ""
	r, err := decodeJobResult(m.Data, o.Settings().Crawl.MaxBodyMB<<20, o.Reader.Lexicon)
	if err == nil {
		if isReceipt(r.Receipt, name) {
			job = r.Receipt
		}
		err = o.take(name, r, job)
	}
	if err == nil || errors.Is(err, errTwice) {
		return
	}
	o.settle(job)
	o.mu.Lock()
	w := o.workers[name]
	first := w != nil && w.bad == 0 && !errors.Is(err, errLate)
	if w != nil {
		if errors.Is(err, errLate) {
			w.late++
		} else {
			w.bad++
			w.addError(o.Now(), "a result that is none: "+err.Error())
		}
	}
	o.mu.Unlock()
	if first {
		o.Note("error", "a result of worker %s is none: %v", name, err)
	}
}

var (
	errLate  = errors.New("it came too late")
	errTwice = errors.New("it is on its way to the disk")
)

// take gives a result to the caller that waits for it, if the result answers the job.
func (o *Owner) take(name string, r *jobResult, job string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, w := o.calls[r.Lease], o.workers[name]
	if c == nil || c.worker.Name != name {
		if _, taken := o.taken[r.Lease]; w != nil && taken {
			w.late++
			return errTwice
		}
		return errLate
	}
	delete(o.calls, r.Lease)
	if err := answers(c.job, r); err != nil {
		c.done <- nil
		return err
	}
	h := o.hostState(c.job.Host)
	h.hostFacts = r.Host
	h.CrawlDelay = min(h.CrawlDelay, fetch.MaxCrawlDelay)
	if w != nil {
		if w.taken++; r.Response == nil && !r.Left {
			w.failed[r.Failed.Kind]++
		} else {
			w.missed = 0
		}
	}
	o.taken[r.Lease] = job
	o.queueErrorLogged.Store(false)
	c.done <- &taken{r, func() { o.stored(r.Lease) }}
	return nil
}

// answers returns an error if a result belongs to another address than its job.
func answers(j *run.PageJob, r *jobResult) error {
	switch {
	case r.Response != nil && r.Response.URL != j.URL:
		return fmt.Errorf("it is of %.100q, asked was %.100q", r.Response.URL, j.URL)
	case r.Draft != nil && (!j.Page || r.Draft.Page != nil && r.Draft.Page.URL != j.Address):
		return errors.New("its page has another address than was asked for")
	case r.Draft != nil && r.Draft.Notice != nil && j.Notice == nil:
		return errors.New("it has a notice that was not asked for")
	}
	if r.Draft != nil && r.Draft.Page != nil {
		r.Draft.Page.URL = j.Address // kept for long, see decodeJobResult
	}
	if r.Draft != nil && r.Draft.Notice != nil {
		r.Draft.Notice.Announced = *j.Notice
	}
	return nil
}

package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
)

// WorkerConfig holds the settings of a worker.
type WorkerConfig struct {
	Conn  *nats.Conn
	Name  string // unique, see ValidName
	Slots int    // concurrent jobs, at least 1
	Tags  []string
	Proxy string // this worker's proxy; "" = direct
	Note  func(format string, args ...any)

	// Dial replaces the guarded dialer; nil = dial the address.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// ErrRefused means that owner and worker cannot work together.
var ErrRefused = errors.New("refused")

// errEnd means that the owner ended this worker.
var errEnd = errors.New("the owner has ended it")

// errOwnerChanged means that the worker's owner was restarted or replaced.
var errOwnerChanged = errors.New("the owner has begun anew")

// maxWorkerWords is the maximum size of the worker's lexicon; beyond it, the worker starts a new one.
const maxWorkerWords = 1 << 20

// pageWorker fetches and reads pages for one owner.
type pageWorker struct {
	WorkerConfig
	js       jetstream.JetStream
	resolver *urls.Resolver
	gear     atomic.Pointer[gear] // nil = no settings of the owner yet
	present  jetstream.KeyValue   // table of heartbeats
	since    time.Time
	usage    usage
	helloAt  atomic.Int64 // start of the last heartbeat, in ns after since

	working sync.WaitGroup
	opened  *sharedWords // source of words; nil = none yet

	mu        sync.Mutex // guards the fields below
	lexicon   *dict.Lexicon
	words     *dict.Dict
	lastNote  string // last note, to avoid repeating it
	lastError string
	errorAt   time.Time       // time of lastError
	jobs      map[uint64]*job // by lease
	kept      int             // bytes of their results
}

// job is a present or finished job.
type job struct {
	since  time.Time // when it began, or its result was sent
	result []byte    // nil = unfinished, or deleted
}

// gear is the fetcher for one set of settings.
type gear struct {
	settings workerSettings
	fetcher  *fetch.Fetcher
}

// RunWorker works until ctx ends or the owner refuses it; then the error wraps ErrRefused. It waits for its running
// jobs.
func RunWorker(ctx context.Context, c WorkerConfig) error {
	w := &pageWorker{WorkerConfig: c, resolver: urls.NewResolver(1 << 15), lexicon: dict.NewLexicon(nil),
		since: time.Now(), jobs: map[uint64]*job{}}
	var err error
	if w.js, err = jetstream.New(c.Conn); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer w.working.Wait()
	for {
		err := w.serve(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errEnd):
			return nil
		case errors.Is(err, ErrRefused):
			return err
		case errors.Is(err, errOwnerChanged):
			continue
		case w.Conn.IsClosed():
			return w.closeReason()
		}
		w.note("waits for the owner: %v", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(workerBeat):
		}
	}
}

// closeReason returns why the connection was closed for good.
func (w *pageWorker) closeReason() error {
	if err := w.Conn.LastError(); !errors.Is(err, nats.ErrAuthorization) {
		return fmt.Errorf("the connection to the server is closed: %w", cmp.Or(err, nats.ErrConnectionClosed))
	}
	return fmt.Errorf(
		"%w: the server lets this worker in no more: its invitation was withdrawn, or it is banned; ask where the workspace is for another one: angler workers invite DIR > FILE", ErrRefused)
}

func (w *pageWorker) note(format string, args ...any) {
	w.mu.Lock()
	said := fmt.Sprintf(format, args...)
	again := said == w.lastNote
	w.lastNote = said
	w.mu.Unlock()
	if !again {
		w.Note("%s", said)
	}
}

// noteError is note for errors; the heartbeat reports them to the owner.
func (w *pageWorker) noteError(format string, args ...any) {
	w.mu.Lock()
	w.lastError, w.errorAt = fmt.Sprintf(format, args...), time.Now()
	w.mu.Unlock()
	w.note(format, args...)
}

// serve works for one start of an owner. The error says why it ended.
func (w *pageWorker) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said, err := w.js.KeyValue(ctx, ownerTable)
	if err != nil {
		return fmt.Errorf("it has not begun (%w)", err)
	}
	if w.present, err = w.js.KeyValue(ctx, workerTable); err != nil {
		return fmt.Errorf("it has not begun (%w)", err)
	}
	watch, err := said.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watch.Stop() }()
	lost := queueFailure{over: make(chan error, 1), anew: make(chan error, 1)}
	epoch, beat := "", time.NewTicker(workerBeat)
	defer beat.Stop()
	var stop func()
	defer func() {
		if stop == nil {
			return
		}
		stop()
		cancel()
		w.working.Wait() // before others get its jobs
		w.sendGoodbye()
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-lost.over:
			return err
		case err := <-lost.anew:
			w.note("makes its queue anew: %v", err)
			stop()
			if stop, err = w.consume(ctx, lost); err != nil {
				return err
			}
		case <-beat.C:
			if epoch == "" {
				continue
			}
			if silent := w.silent(); silent > Gone {
				w.note("stood still for %s: what it had not begun is left to others", silent.Round(time.Second))
				stop()
				if stop, err = w.consume(ctx, lost); err != nil {
					return err
				}
			}
			if err := w.sendHello(ctx, epoch); err != nil {
				return err
			}
		case e, open := <-watch.Updates():
			if !open {
				return errors.New("its table is gone")
			}
			if e == nil || e.Operation() != jetstream.KeyValuePut {
				continue
			}
			if err := w.onMessage(e.Key(), e.Value()); err != nil {
				return err
			}
			g := w.gear.Load()
			if g == nil || g.settings.Epoch == epoch {
				continue
			}
			if epoch != "" {
				return errOwnerChanged
			}
			epoch = g.settings.Epoch
			if stop, err = w.consume(ctx, lost); err != nil {
				return err
			}
			if err := w.sendHello(ctx, epoch); err != nil {
				return err
			}
			w.note("works")
		}
	}
}

// silent returns the time since the last heartbeat.
func (w *pageWorker) silent() time.Duration {
	return time.Since(w.since) - time.Duration(w.helloAt.Load())
}

// queueFailure reports failures of a worker's queue.
type queueFailure struct {
	over chan error // deleted: wait for the owner
	anew chan error // must be made anew
}

// consume takes at most Slots jobs at once until stop is called. stop waits for running jobs and drops those not
// begun, which are redelivered.
func (w *pageWorker) consume(ctx context.Context, lost queueFailure) (stop func(), err error) {
	c, err := w.js.CreateOrUpdateConsumer(ctx, jobStream, consumerConfig(w.Name, w.Slots))
	if err != nil {
		return nil, err
	}
	room := make(chan struct{}, w.Slots)
	var over atomic.Bool
	taking, err := c.Consume(func(m jetstream.Msg) {
		got := time.Now()
		room <- struct{}{}
		w.working.Go(func() {
			defer func() { <-room }()
			if !over.Load() {
				w.take(ctx, m, got)
			}
		})
	}, jetstream.PullMaxMessages(w.Slots), jetstream.PullExpiry(Lease), jetstream.PullHeartbeat(Gone),
		jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
			to := lost.over
			switch {
			// the server may have restarted without the queue
			case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoHeartbeat):
				to = lost.anew
			case !errors.Is(err, jetstream.ErrConsumerDeleted) && !errors.Is(err, jetstream.ErrConsumerNotFound):
				return
			}
			select {
			case to <- err:
			default:
			}
		}))
	if err != nil {
		return nil, err
	}
	return func() {
		over.Store(true)
		taking.Stop()
	}, nil
}

// take does one job and sends its result. The owner acknowledges it.
func (w *pageWorker) take(ctx context.Context, m jetstream.Msg, got time.Time) {
	if time.Since(got) > Lease/2 || w.silent() > Gone {
		return // the lease may have passed to another worker
	}
	j, err := decodeJob(m.Data())
	if err != nil {
		w.noteError("a job cannot be read: %v", err)
		_ = m.Term()
		return
	}
	if had, again := w.begin(j.Lease); again {
		w.send(had)
		return
	}
	stop := renew(m)
	defer stop()
	r := w.do(ctx, j)
	if ctx.Err() != nil { // the owner sees that the worker left
		w.mu.Lock()
		delete(w.jobs, j.Lease)
		w.mu.Unlock()
		return
	}
	r.Receipt = m.Reply()
	b := w.encode(r)
	w.keep(j.Lease, b)
	w.send(b)
}

// begin registers the job of a lease. again reports a redelivery, with the earlier result.
func (w *pageWorker) begin(lease uint64) (result []byte, again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if had := w.jobs[lease]; had != nil {
		return had.result, true
	}
	w.jobs[lease] = &job{since: time.Now()}
	return nil, false
}

// maxKept is the maximum number of result bytes kept for redelivery.
const maxKept = 32 << 20

// keep stores the result of a lease for redelivery.
func (w *pageWorker) keep(lease uint64, result []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := &job{since: time.Now()}
	if w.kept+len(result) <= maxKept {
		j.result = result
		w.kept += len(result)
	}
	w.jobs[lease] = j
}

// renew extends the lease of a job until stop is called.
func renew(m jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		t := time.NewTicker(Lease / 3)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				_ = m.InProgress()
			}
		}
	}()
	return cancel
}

// send publishes a result; nil means nothing to send. A lost result shows when its job is redelivered.
func (w *pageWorker) send(result []byte) {
	if result == nil {
		return
	}
	if err := w.Conn.Publish(resultSubject(w.Name), result); err != nil {
		w.noteError("a result cannot be sent: %v", err)
	}
}

// encode returns a message within the server's limit. It drops the draft of a long result; if the body is too long,
// the owner must fetch it.
func (w *pageWorker) encode(r *jobResult) []byte {
	b := r.Encode()
	if most := int(w.Conn.MaxPayload()); len(b) > most {
		if r.Draft = nil; r.Response != nil {
			b = r.Encode()
		}
		if len(b) > most {
			r.Response, r.Left = nil, true
			b = r.Encode()
		}
	}
	return b
}

// do fetches a URL and reads the reply.
func (w *pageWorker) do(ctx context.Context, j *pageJob) *jobResult {
	r := &jobResult{Lease: j.Lease}
	f := w.gear.Load().fetcher
	resp, err := f.Fetch(ctx, j.Request)
	r.Host = hostFacts{CrawlDelay: f.CrawlDelay(j.Host), Address: f.Address(j.Host), Sitemaps: f.Sitemaps(j.Host)}
	switch fe := (*fetch.Error)(nil); {
	case errors.As(err, &fe):
		r.Failed = fe.Report()
		return r
	case err != nil:
		r.Failed = fetch.Report{Kind: fetch.Connect, Cause: err.Error()}
		return r
	}
	if r.Response = resp; !j.Page || resp.Status != 200 || store.KeyOf(resp.Body) == j.Known {
		return r
	}
	w.mu.Lock()
	words, lexicon := w.words, w.lexicon
	if lexicon.Len() > maxWorkerWords {
		w.lexicon = dict.NewLexicon(nil)
		lexicon = w.lexicon
	}
	w.mu.Unlock()
	if words == nil || words.Fingerprint() != j.Words {
		return r // the owner reads it
	}
	src, opt := page.Source{URL: j.Address, ContentType: resp.ContentType, Body: resp.Body},
		page.Options{Now: j.Now, Resolver: w.resolver, Notice: j.Notice}
	if d, err := reader.NewDraft(src, opt, j.Frame, words, lexicon); err == nil {
		r.Draft = d
	}
	return r
}

// LogTo returns a function that writes timestamped lines to out.
func LogTo(out io.Writer, name string) func(string, ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "%s %s: %s\n", time.Now().Format(time.TimeOnly), name, fmt.Sprintf(format, args...))
	}
}

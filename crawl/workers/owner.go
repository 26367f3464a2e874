package workers

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// OwnerConfig is what an Owner works with.
type OwnerConfig struct {
	Conn     *nats.Conn
	Replicas int             // of queue and tables, see prepareStreams
	Here     run.PageWorkers // of this process
	Limiter  *fetch.HostLimiter
	Reader   *reader.Reader
	Settings func() *config.Settings
	Seeds    func(*config.Settings) []string // hosts of the seeds, as fetch.Config has them
	Words    func() (reader.Vocabulary, error)
	Begins   func(worker string) view.WorkerState // as what one begins that joins: it works, drains or is banned
	Keeps    func(address string) bool            // what only this process can fetch
	Note     func(level, format string, args ...any)
	Staffed  func() // there are more slots now, or fewer
	Now      func() time.Time
}

// Owner is the hands of a run. It is safe for concurrent use.
type Owner struct {
	OwnerConfig
	js     jetstream.JetStream
	said   jetstream.KeyValue
	epoch  string
	leases atomic.Uint64
	// complained is whether people know that the server takes no jobs.
	complained atomic.Bool
	Changed    view.Signal   // settings or words may be others; workers hear of it at once
	slot       chan struct{} // wakes one of those who wait for a slot of any worker
	bg         sync.WaitGroup
	stop       context.CancelFunc
	patience   time.Duration // wait of a job for a worker with the tag of its host
	told       sharedWords   // whole; of NewOwner, then of look's goroutine

	mu      sync.Mutex // guards what follows
	workers map[string]*worker
	hosts   map[string]*host
	calls   map[uint64]*call  // by lease
	taken   map[uint64]string // by lease: what acknowledges the jobs whose pages are on their way to the disk
	room    chan struct{}     // closed, and made anew, when a worker may have room that had none
}

// host is what is known of one.
type host struct {
	worker string // that had it last; "" = this process
	hostFacts
}

// call is a job at a worker.
type call struct {
	worker *worker
	name   string      // of the worker, which may be heard of meanwhile
	done   chan *taken // nil in it: the worker has lost the job
	job    *run.PageJob
}

// maxHosts bounds what is remembered of hosts.
const maxHosts = 200_000

// NewOwner empties the queues of a server and waits for workers there, until Close.
func NewOwner(ctx context.Context, c OwnerConfig) (*Owner, error) {
	o := &Owner{OwnerConfig: c, epoch: rand.Text(), patience: Gone, Changed: view.NewSignal(), slot: make(chan struct{}), workers: map[string]*worker{}, hosts: map[string]*host{}, calls: map[uint64]*call{}, taken: map[uint64]string{}, room: make(chan struct{})}
	o.leases.Store(uint64(c.Now().UnixNano()))
	var err error
	if o.js, err = jetstream.New(c.Conn, jetstream.WithPublishAsyncMaxPending(1<<15)); err != nil {
		return nil, err
	}
	if err := prepareStreams(ctx, o.js, c.Replicas); err != nil {
		return nil, fmt.Errorf("%w; does the server have JetStream?", err)
	}
	if o.said, err = o.js.KeyValue(ctx, ownerTable); err != nil {
		return nil, err
	}
	ctx, o.stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, step := range []func(context.Context) error{o.forgive, o.listen, o.tell} {
		if err := step(ctx); err != nil {
			o.Close()
			return nil, err
		}
	}
	o.bg.Go(func() { o.look(ctx) })
	return o, nil
}

// Close ends the work with workers. Jobs that they have are done here.
func (o *Owner) Close() {
	o.stop()
	o.mu.Lock()
	for _, w := range o.workers {
		o.lose(w, view.WorkerLost)
	}
	o.mu.Unlock()
	o.bg.Wait()
}

// tell writes what workers fetch and read by.
func (o *Owner) tell(ctx context.Context) error {
	words, err := o.Words()
	if err != nil {
		return err
	}
	if err := o.tellWords(ctx, sharedWords(words)); err != nil {
		return err
	}
	set := o.Settings()
	return putJSON(ctx, o.said, settingsKey, workerSettings{Protocol: wireProtocol, Version: config.Version, Epoch: o.epoch,
		UserAgent: set.Crawl.UserAgent, Timeout: time.Duration(set.Crawl.Timeout), MaxBody: set.Crawl.MaxBodyMB << 20,
		AllowPrivate: set.Crawl.AllowPrivate, IgnoreRobots: set.Crawl.IgnoreRobots, SeedHosts: o.Seeds(set)})
}

// mostDelta bounds a delta, in bytes; after that words are told whole again.
const mostDelta = 64 << 10

// tellWords writes the dictionary: whole the first time, then what has changed of that.
func (o *Owner) tellWords(ctx context.Context, words sharedWords) error {
	if d := o.told.to(words); o.told != (sharedWords{}) && o.told.Engine == words.Engine && d.size() <= mostDelta {
		return putJSON(ctx, o.said, deltaKey, d)
	}
	o.told = words
	return putJSON(ctx, o.said, wordsKey, words)
}

// listen hears workers and takes results.
func (o *Owner) listen(ctx context.Context) error {
	present, err := o.js.KeyValue(ctx, workerTable)
	if err != nil {
		return err
	}
	watch, err := present.WatchAll(ctx, jetstream.UpdatesOnly())
	if err != nil {
		return err
	}
	results, err := o.Conn.Subscribe(allResults, o.result)
	if err != nil {
		return err
	}
	if err := results.SetPendingLimits(-1, maxLate); err != nil {
		return err
	}
	o.bg.Go(func() {
		defer func() { _ = results.Unsubscribe() }()
		defer func() { _ = watch.Stop() }()
		for {
			select {
			case <-ctx.Done():
				return
			case e := <-watch.Updates():
				switch {
				case e == nil:
				case e.Operation() == jetstream.KeyValuePut:
					o.heard(ctx, e.Key(), e.Value())
				default:
					o.left(ctx, e.Key())
				}
			}
		}
	})
	return nil
}

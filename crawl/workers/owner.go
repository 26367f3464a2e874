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

// OwnerConfig holds the dependencies of an Owner.
type OwnerConfig struct {
	Conn     *nats.Conn
	Replicas int             // of queue and tables, see prepareStreams
	Here     run.PageWorkers // page workers of this process
	Limiter  *fetch.HostLimiter
	Reader   *reader.Reader
	Settings func() *config.Settings
	Seeds    func(*config.Settings) []string // hosts of the seeds, as in fetch.Config
	Words    func() (reader.Vocabulary, error)
	Begins   func(worker string) view.WorkerState // initial state of a worker: works, drains or banned
	Keeps    func(address string) bool            // only this process can fetch the address
	Note     func(level, format string, args ...any)
	Staffed  func() // called after the number of slots changed
	Now      func() time.Time
}

// Owner implements run.PageWorkers with workers on other machines. It is safe for concurrent use.
type Owner struct {
	OwnerConfig
	js         jetstream.JetStream
	ownerTable jetstream.KeyValue
	epoch      string
	leases     atomic.Uint64
	// complained reports whether a full or missing queue was logged.
	queueErrorLogged atomic.Bool
	Changed          view.Signal   // rung when settings or words may have changed; workers get them at once
	slot             chan struct{} // wakes one caller that waits for a free slot
	bg               sync.WaitGroup
	stop             context.CancelFunc
	patience         time.Duration // maximum wait for a worker with the host's tag
	sentWords        *sharedWords  // last published words; owned by NewOwner, then by watchWorkers

	mu      sync.Mutex // guards the fields below
	workers map[string]*worker
	hosts   map[string]*host
	calls   map[uint64]*call  // by lease
	taken   map[uint64]string // by lease: acknowledgement subject of jobs whose pages are not stored yet
	freed   chan struct{}     // closed and replaced when a busy worker may have a free slot
}

// host is the owner's state of a host.
type host struct {
	worker string // its last worker; "" = this process
	hostFacts
}

// call is a job sent to a worker.
type call struct {
	worker *worker
	name   string      // the worker's name; worker may be replaced meanwhile
	done   chan *taken // receives nil if the worker lost the job
	job    *run.PageJob
}

// maxHosts is the maximum number of hosts in memory.
const maxHosts = 200_000

// NewOwner empties the server's queues and accepts workers until Close.
func NewOwner(ctx context.Context, c OwnerConfig) (*Owner, error) {
	o := &Owner{OwnerConfig: c, epoch: rand.Text(), patience: Gone, Changed: view.NewSignal(),
		slot:    make(chan struct{}),
		workers: map[string]*worker{}, hosts: map[string]*host{}, calls: map[uint64]*call{}, taken: map[uint64]string{},
		freed: make(chan struct{})}
	o.leases.Store(uint64(c.Now().UnixNano()))
	var err error
	if o.js, err = jetstream.New(c.Conn, jetstream.WithPublishAsyncMaxPending(1<<15)); err != nil {
		return nil, err
	}
	if err := prepareStreams(ctx, o.js, c.Replicas); err != nil {
		return nil, fmt.Errorf("%w; does the server have JetStream?", err)
	}
	if o.ownerTable, err = o.js.KeyValue(ctx, ownerTable); err != nil {
		return nil, err
	}
	ctx, o.stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, step := range []func(context.Context) error{o.deleteOrders, o.listen, o.publish} {
		if err := step(ctx); err != nil {
			o.Close()
			return nil, err
		}
	}
	o.bg.Go(func() { o.watchWorkers(ctx) })
	return o, nil
}

// Close disconnects from the workers. Their jobs run in this process.
func (o *Owner) Close() {
	o.stop()
	o.mu.Lock()
	for _, w := range o.workers {
		o.markLost(w, view.WorkerLost)
	}
	o.mu.Unlock()
	o.bg.Wait()
}

// publish publishes the settings and words for workers.
func (o *Owner) publish(ctx context.Context) error {
	words, err := o.Words()
	if err != nil {
		return err
	}
	if s := sharedWords(words); o.sentWords == nil || s != *o.sentWords {
		if err := putJSON(ctx, o.ownerTable, wordsKey, s); err != nil {
			return err
		}
		o.sentWords = &s
	}
	set := o.Settings()
	return putJSON(ctx, o.ownerTable, settingsKey, workerSettings{Protocol: wireProtocol,
		Version: config.Version, Epoch: o.epoch,
		UserAgent: set.Crawl.UserAgent, Timeout: time.Duration(set.Crawl.Timeout), MaxBody: set.Crawl.MaxBodyMB << 20,
		AllowPrivate: set.Crawl.AllowPrivate, IgnoreRobots: set.Crawl.IgnoreRobots, SeedHosts: o.Seeds(set)})
}

// listen receives heartbeats and results.
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
					o.onHello(ctx, e.Key(), e.Value())
				default:
					o.onGoodbye(ctx, e.Key())
				}
			}
		}
	})
	return nil
}

package workers_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/workers"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

// here are hands that count what is left to them.
type here struct {
	mu   sync.Mutex
	done int
}

func (h *here) Do(_ context.Context, j run.PageJob) (run.PageResult, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done++
	return run.PageResult{Response: &fetch.Response{URL: j.URL, Status: 299}}, nil
}
func (*here) CrawlDelay(string) time.Duration { return 0 }
func (*here) Address(string) netip.Addr       { return netip.Addr{} }
func (*here) Sitemaps(string) []string        { return nil }
func (*here) Reconsider()                     {}
func (*here) Slots() int                      { return 0 }

// rig is an owner at a broker of its own, and a connection as a worker has it.
type rig struct {
	*workers.Owner
	here    *here
	worker  jetstream.JetStream
	conn    *nats.Conn
	epoch   string
	notes   chan string
	staffed chan struct{}
	told    jetstream.KeyWatcher
	access  workers.WorkerAccess
	reader  *reader.Reader
	js      jetstream.JetStream // the owner's
	words   atomic.Pointer[reader.Vocabulary]
	set     atomic.Pointer[config.Settings]
}

func newRig(t testing.TB, change ...func(*config.Settings)) *rig {
	t.Helper()
	b, err := workers.StartBroker(t.TempDir(), "127.0.0.1:0")
	must(t, err)
	t.Cleanup(b.Close)
	own, err := b.Connect()
	must(t, err)
	t.Cleanup(own.Close)
	conn, err := nats.Connect("nats://"+b.Addr(), b.Invitation().Options()...)
	must(t, err)
	t.Cleanup(conn.Close)
	r := rigAt(t, own, conn, 0, change...)
	r.access = b.Invitation()
	return r
}

// rigAt is a rig at a server, by the connections of owner and worker.
func rigAt(t testing.TB, own, conn *nats.Conn, replicas int, change ...func(*config.Settings)) *rig {
	t.Helper()
	ws, err := store.Open(made(t))
	must(t, err)
	t.Cleanup(func() { ws.Close() })
	rd := reader.New(reader.Config{Store: ws, Lexicon: dict.NewLexicon(nil), Now: time.Now, MaxBody: func() int { return 1 << 20 }})
	rd.UseDict(dict.Shared())
	set := config.Default()
	set.Crawl.MaxBodyMB = 1
	for _, f := range change {
		f(&set)
	}
	r := &rig{conn: conn, reader: rd, here: &here{}, notes: make(chan string, 100), staffed: make(chan struct{}, 100)}
	r.words.Store(&reader.Vocabulary{Engine: dict.EngineFlat})
	r.set.Store(&set)
	if r.js, err = jetstream.New(own); err != nil {
		t.Fatal(err)
	}
	r.Owner, err = workers.NewOwner(t.Context(), workers.OwnerConfig{Conn: own, Replicas: replicas, Here: r.here, Limiter: fetch.NewHostLimiter(func(host string) fetch.Pace { return fetch.PaceOf(r.set.Load(), host) }, nil, nil), Reader: rd, Settings: r.set.Load,
		Seeds: func(*config.Settings) []string { return []string{"a.test"} }, Words: func() (reader.Vocabulary, error) { return *r.words.Load(), nil },
		Keeps: func(a string) bool { return strings.Contains(a, "kept") }, Begins: func(string) view.WorkerState { return view.WorkerWorks }, Now: time.Now, Staffed: func() { r.staffed <- struct{}{} },
		Note: func(level, format string, args ...any) { r.notes <- level + " " + fmt.Sprintf(format, args...) }})
	must(t, err)
	t.Cleanup(r.Close)
	if r.worker, err = jetstream.New(r.conn); err != nil {
		t.Fatal(err)
	}
	said, err := r.worker.KeyValue(t.Context(), workers.OwnerTable)
	must(t, err)
	if r.told, err = said.Watch(t.Context(), workers.SettingsKey); err != nil {
		t.Fatal(err)
	}
	e := <-r.told.Updates()
	_, rest, _ := strings.Cut(string(e.Value()), `"Epoch":"`)
	r.epoch, _, _ = strings.Cut(rest, `"`)
	return r
}

func made(t testing.TB) string {
	dir := t.TempDir() + "/ws"
	must(t, store.Create(dir, config.Default()))
	return dir
}

// hello registers a worker.
func (r *rig) hello(t *testing.T, name string, protocol int, tags ...string) {
	t.Helper()
	must(t, r.putHello(t.Context(), name, protocol, tags))
}

// putHello is hello for a goroutine, which must not end the test.
func (r *rig) putHello(ctx context.Context, name string, protocol int, tags []string) error {
	present, err := r.worker.KeyValue(ctx, workers.WorkerTable)
	if err != nil {
		return err
	}
	return workers.PutJSON(ctx, present, name, workers.WorkerHello{Name: name, Protocol: protocol, Version: "9", Epoch: r.epoch, Slots: 2, Tags: tags})
}

// beat repeats the hello of a worker until the test ends, as a worker does: the owner drops one that is silent for
// workers.Gone, and a busy machine needs longer than that for a test.
func (r *rig) beat(t *testing.T, name string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var beating sync.WaitGroup
	beating.Go(func() {
		for every := time.NewTicker(workers.Gone / 10); ; {
			select {
			case <-ctx.Done():
				every.Stop()
				return
			case <-every.C:
				if err := r.putHello(ctx, name, workers.WireProtocol, nil); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		}
	})
	t.Cleanup(func() { stop(); beating.Wait() })
}

// A worker sends what it likes. Nothing of it becomes a page that was not asked for.
func TestHostileWorkers(t *testing.T) {
	r := newRig(t)
	for name, protocol := range map[string]int{"old": workers.WireProtocol - 1, "new": workers.WireProtocol + 1} {
		r.hello(t, name, protocol)
		if note, want := <-r.notes, fmt.Sprintf("worker %s was refused: it is angler 9 with protocol %d", name, protocol); !strings.Contains(note, want) {
			t.Errorf("told %q", note)
		}
		<-r.staffed
	}
	r.hello(t, "bad", workers.WireProtocol)
	<-r.staffed
	r.beat(t, "bad")
	c, err := r.worker.CreateOrUpdateConsumer(t.Context(), workers.JobStream, workers.ConsumerConfig("bad", 2))
	must(t, err)
	good := func(j *workers.Job) *workers.JobResult {
		return &workers.JobResult{Lease: j.Lease, Response: &fetch.Response{URL: j.Request.URL, Status: 200, Body: []byte("<p>hello")}}
	}
	for name, answer := range map[string]func(j *workers.Job) []byte{
		"garbage first":       func(j *workers.Job) []byte { return []byte("garbage") },
		"another lease first": func(j *workers.Job) []byte { x := good(j); x.Lease++; return x.Encode() },
		"a bomb first": func(j *workers.Job) []byte {
			x := good(j)
			x.Response.Body = make([]byte, 40<<20)
			return x.Encode()
		},
	} {
		done := make(chan *fetch.Response, 1)
		go func() {
			b, _ := r.Do(context.Background(), run.PageJob{Request: fetch.Request{URL: "http://a.test/"}, ID: 1, Address: "http://a.test/", Host: "a.test", Page: true})
			done <- b.Response
		}()
		m, err := c.Next(jetstream.FetchMaxWait(30 * time.Second))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		j, err := workers.DecodeJob(m.Data())
		must(t, err)
		for _, b := range [][]byte{answer(j), good(j).Encode(), good(j).Encode()} {
			if err := r.conn.Publish(workers.ResultSubject("bad"), b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if resp := <-done; resp == nil || resp.Status != 200 || string(resp.Body) != "<p>hello" {
			t.Errorf("%s: the answer is %+v", name, resp)
		}
		_ = m.Ack()
	}
	// What is not what was asked for is refused, and asked for again.
	done := make(chan *fetch.Response, 1)
	go func() {
		b, _ := r.Do(context.Background(), run.PageJob{Request: fetch.Request{URL: "http://a.test/"}, ID: 1, Address: "http://a.test/", Host: "a.test", Page: true})
		done <- b.Response
	}()
	for i, forge := range []func(*workers.JobResult){
		func(x *workers.JobResult) { x.Response.URL = "http://elsewhere.test/" },
		func(x *workers.JobResult) { x.Draft = &reader.Draft{Page: &page.Page{URL: "http://elsewhere.test/"}} },
		func(*workers.JobResult) {},
	} {
		m, err := c.Next(jetstream.FetchMaxWait(30 * time.Second))
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		j, err := workers.DecodeJob(m.Data())
		must(t, err)
		x := good(j)
		forge(x)
		must(t, r.conn.Publish(workers.ResultSubject("bad"), x.Encode()))
		_ = m.Ack()
	}
	if resp := <-done; resp == nil || resp.URL != "http://a.test/" || resp.Status != 200 {
		t.Errorf("the answer is %+v", resp)
	}
	if w := r.Workers(); len(w) != 3 || w[0].Bad < 4 || w[0].Late < 3 || w[1].State != view.WorkerRefused || w[2].State != view.WorkerRefused || len(w[2].Errors) != 1 {
		t.Errorf("the workers are %+v", w)
	}
	for _, address := range []string{"http://a.test/kept"} { // recipes, rendering
		if b, err := r.Do(t.Context(), run.PageJob{Request: fetch.Request{URL: address}, ID: 2, Address: address, Host: "a.test"}); err != nil || b.Response.Status != 299 {
			t.Errorf("%s was handed out: %+v, %v", address, b.Response, err)
		}
	}
}

// The token lets in a worker and no one else, and a worker can do no more than work.
func TestWhatAnInvitationOpens(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.conn.ConnectedUrl()
	denied := make(chan error, 10)
	r.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	refuses := func(what string, do func(context.Context) error) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- do(ctx) }()
		select {
		case err := <-over:
			t.Errorf("a worker may %s: %v", what, err)
		case err := <-denied: // the server answers nothing besides
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("a worker that wants to %s: %v", what, err)
			}
			cancel()
			<-over
		}
		cancel()
	}
	refuses("remove the queue", func(ctx context.Context) error { return r.worker.DeleteStream(ctx, workers.JobStream) })
	refuses("change the settings of all", func(ctx context.Context) error {
		said, err := r.worker.KeyValue(ctx, workers.OwnerTable)
		if err != nil {
			return err
		}
		_, err = said.Put(ctx, workers.SettingsKey, []byte("{}"))
		return err
	})
	if _, err := nats.Connect(url, nats.UserInfo(workers.WorkerUser, "x")); err == nil {
		t.Error("a worker was let in without knowing the certificate")
	}
	mine := r.access.For("mine")
	alone, err := nats.Connect(url, mine.Options()...)
	must(t, err)
	t.Cleanup(alone.Close)
	other := make(chan error, 10)
	alone.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { other <- err })
	present, err := r.js.KeyValue(t.Context(), workers.WorkerTable)
	must(t, err)
	for _, subject := range []string{workers.ResultSubject("yours"), "$KV." + workers.WorkerTable + ".yours", "$JS.API.CONSUMER.MSG.NEXT." + workers.JobStream + ".yours", "$JS.API.CONSUMER.CREATE." + workers.JobStream + ".mine." + workers.JobSubject("yours")} {
		must(t, alone.Publish(subject, []byte("{}")))
		if err := <-other; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("the invitation for one lets in another at %s: %v", subject, err)
		}
	}
	if _, err := present.Get(t.Context(), "yours"); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Error("a worker says that another one is there")
	}
	mine.Worker = "yours"
	if _, err := nats.Connect(url, mine.Options()...); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("the token of one opens for another: %v", err)
	}
	forged := workers.WorkerAccess{Token: "wrong", Fingerprint: r.access.Fingerprint}
	if _, err := nats.Connect(url, forged.Options()...); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a wrong token: %v", err)
	}
	wrong := workers.WorkerAccess{Token: r.access.Token}
	if _, err := nats.Connect(url, wrong.Options()...); !errors.Is(err, workers.ErrCertificate) {
		t.Errorf("a server with another certificate: %v", err)
	}
}

package workers_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/workers"
	"angler/dict"
	"angler/store/config"
)

// joins has a worker join, by hand.
func (r *rig) joins(t *testing.T, name string, tags ...string) jetstream.Consumer {
	t.Helper()
	r.hello(t, name, workers.WireProtocol, tags...)
	<-r.staffed
	c, err := r.worker.CreateOrUpdateConsumer(t.Context(), workers.JobStream, workers.ConsumerConfig(name, 2))
	must(t, err)
	return c
}

// job takes the next job of a worker.
func job(t *testing.T, c jetstream.Consumer) (jetstream.Msg, *workers.Job) {
	t.Helper()
	m, err := c.Next(jetstream.FetchMaxWait(time.Minute))
	must(t, err)
	j, err := workers.DecodeJob(m.Data())
	must(t, err)
	return m, j
}

// answers sends the result of a job.
func (r *rig) answers(t *testing.T, name string, m jetstream.Msg, j *workers.Job) {
	t.Helper()
	x := &workers.JobResult{Lease: j.Lease, Receipt: m.Reply(), Response: &fetch.Response{URL: j.Request.URL, Status: 200, Body: []byte("<p>hello")}}
	must(t, r.conn.Publish(workers.ResultSubject(name), x.Encode()))
}

type end struct {
	run.PageResult
	err error
}

// asks has a page asked for.
func (r *rig) asks(host string) chan end {
	done := make(chan end, 1)
	go func() {
		b, err := r.Do(context.Background(), run.PageJob{Request: fetch.Request{URL: "http://" + host + "/"}, ID: 1, Address: "http://" + host + "/", Host: host, Page: true})
		done <- end{b, err}
	}()
	return done
}

// left is how many messages a stream holds.
func (r *rig) left(t testing.TB, stream string) uint64 {
	t.Helper()
	s, err := r.js.Stream(t.Context(), stream)
	must(t, err)
	info, err := s.Info(t.Context())
	must(t, err)
	return info.State.Msgs
}

// Taking a job from the queue before its page is on the disk may lose it.
func TestJobsAreAcknowledgedWhenTheyAreStored(t *testing.T) {
	r := newRig(t)
	c := r.joins(t, "one")
	done := r.asks("a.test")
	m, j := job(t, c)
	r.answers(t, "one", m, j)
	b := <-done
	if b.err != nil || b.Stored == nil {
		t.Fatalf("%+v", b)
	}
	r.answers(t, "one", m, j) // twice: the second is not stored, and acknowledges nothing
	for r.Workers()[0].Late != 1 {
		if t.Context().Err() != nil {
			t.Fatal("the second result is not dropped")
		}
	}
	if jobs := r.left(t, workers.JobStream); jobs != 1 {
		t.Errorf("before the commit the queue holds %d jobs", jobs)
	}
	b.Stored()
	for r.left(t, workers.JobStream) > 0 {
		if t.Context().Err() != nil {
			t.Fatal("the job stays in its queue")
		}
	}
	if n := r.Workers()[0].Done; n != 1 {
		t.Errorf("%d results were taken", n)
	}
}

func TestHostsArePinnedToTags(t *testing.T) {
	r := newRig(t, func(s *config.Settings) {
		s.Host = map[string]config.Host{"in.test": {Worker: "lan"}, "secret.test": {Worker: "lan", Headers: []string{"A: b"}}}
	})
	r.joins(t, "a-first")
	if b := <-r.asks("secret.test"); b.err != nil || b.Response.Status != 299 {
		t.Errorf("a host with headers of its own was handed out: %+v", b)
	}
	waits := r.asks("in.test") // no worker has the tag yet
	c := r.joins(t, "b-second", "lan")
	m, j := job(t, c)
	if j.Host != "in.test" {
		t.Errorf("the worker with the tag got %s", j.Host)
	}
	r.answers(t, "b-second", m, j)
	if b := <-waits; b.err != nil || b.Response.Status != 200 {
		t.Errorf("%+v", b)
	}
	must(t, r.Set("b-second", view.WorkerDrains))
	r.SetPatience(time.Millisecond)
	b := <-r.asks("in.test") // it waits for a while, and fails for now
	var fe *fetch.Error
	if !errors.As(b.err, &fe) || !fe.Temporary() {
		t.Errorf("without a worker of the tag: %+v", b)
	}
}

func TestWorkersAreDrainedStoppedAndBanned(t *testing.T) {
	r := newRig(t)
	orders, err := r.worker.KeyValue(t.Context(), workers.OwnerTable)
	must(t, err)
	watch, err := orders.Watch(t.Context(), workers.OrderKey("one"))
	must(t, err)
	<-watch.Updates() // there is none yet
	c := r.joins(t, "one")
	state := func() view.WorkerState { return r.Workers()[0].State }
	if err := r.Set("nobody", view.WorkerDrains); !errors.Is(err, workers.ErrNoWorker) {
		t.Errorf("drained an unknown worker: %v", err)
	}
	done := r.asks("a.test")
	m, j := job(t, c)
	if err := r.Set("one", view.WorkerStops); err != nil || state() != view.WorkerStops {
		t.Fatalf("%v, it %s", err, state())
	}
	if b := <-r.asks("b.test"); b.Response.Status != 299 {
		t.Error("a worker that stops gets jobs")
	}
	r.answers(t, "one", m, j)
	if b := <-done; b.err != nil || b.Response.Status != 200 {
		t.Errorf("what it had is lost: %+v", b)
	}
	if e := <-watch.Updates(); e == nil || !contains(e.Value(), workers.OrderEnd) {
		t.Errorf("it was told %v", e)
	}
	if err := r.Set("one", view.WorkerWorks); err != nil || state() != view.WorkerWorks {
		t.Fatalf("%v, it %s", err, state())
	}
	done = r.asks("a.test")
	m, j = job(t, c)
	if err := r.Set("one", view.WorkerBanned); err != nil || state() != view.WorkerBanned {
		t.Fatalf("%v, it %s", err, state())
	}
	r.answers(t, "one", m, j)
	if b := <-done; b.err != nil || b.Response.Status != 299 {
		t.Errorf("a banned worker's result was taken: %+v", b)
	}
	r.hello(t, "one", workers.WireProtocol)
	if e := <-watch.Updates(); e == nil || !contains(e.Value(), workers.OrderBan) {
		t.Errorf("it was told %v", e)
	}
	if b := <-r.asks("a.test"); b.Response.Status != 299 || state() != view.WorkerBanned {
		t.Errorf("a banned worker is let in again: it %s", state())
	}
}

func contains(order []byte, kind string) bool { return strings.Contains(string(order), `"`+kind+`"`) }

// A host stays with its worker while that has room, and with the next one when it is gone.
func TestAHostStaysWithItsWorker(t *testing.T) {
	r := newRig(t)
	jobs := map[string]jetstream.Consumer{"one": r.joins(t, "one"), "two": r.joins(t, "two")}
	hosts := func() map[string]int {
		h := map[string]int{}
		for _, w := range r.Workers() {
			h[w.Name] = w.Hosts
		}
		return h
	}
	// asked has a page of a host asked for, which the worker that has the host must get.
	asked := func(host, name string) {
		t.Helper()
		done := r.asks(host)
		m, j := job(t, jobs[name])
		if j.Host != host {
			t.Errorf("worker %s got %s, not %s", name, j.Host, host)
		}
		r.answers(t, name, m, j)
		b := <-done
		if b.err != nil || b.Response.Status != 200 {
			t.Fatalf("%+v", b)
		}
		b.Stored()
	}
	asked("a.test", "one")
	waits := r.asks("b.test") // "one" has it, and less room than the other
	m, j := job(t, jobs["one"])
	for range 3 {
		asked("a.test", "one")
	}
	asked("c.test", "two")
	r.answers(t, "one", m, j)
	if b := <-waits; b.err != nil {
		t.Fatal(b.err)
	}
	if h := hosts(); h["one"] != 2 || h["two"] != 1 {
		t.Errorf("they have %v hosts", h)
	}
	must(t, r.Set("one", view.WorkerDrains))
	asked("a.test", "two")
	must(t, r.Set("one", view.WorkerWorks))
	asked("a.test", "two")
	if h := hosts(); h["one"] != 1 || h["two"] != 2 {
		t.Errorf("they have %v hosts", h)
	}
}

// works starts a worker that asks a site for all hosts; over is told how it has ended.
func (r *rig) works(t *testing.T, site *httptest.Server) (over chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	over = make(chan error, 1)
	go func() {
		over <- workers.RunWorker(ctx, workers.WorkerConfig{Conn: r.conn, Name: "real", Slots: 2, Note: t.Logf,
			Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, site.Listener.Addr().String())
			}})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	<-r.staffed
	return over
}

// New settings reach workers while they work, and a worker ends with the reason when the
// owner is of another protocol.
func TestSettingsReachWorkers(t *testing.T) {
	agents := make(chan string, 100)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		agents <- r.UserAgent()
	}))
	t.Cleanup(site.Close)
	r := newRig(t, func(s *config.Settings) { s.Crawl.AllowPrivate = true })
	over := r.works(t, site)
	agent := func() string {
		b := <-r.asks("a.test")
		if b.err != nil || b.Stored == nil {
			t.Fatalf("not by the worker: %+v", b)
		}
		b.Stored()
		return <-agents
	}
	if a := agent(); a != r.set.Load().Crawl.UserAgent {
		t.Errorf("asked as %q", a)
	}
	set := *r.set.Load()
	set.Crawl.UserAgent = "another/1.0"
	r.set.Store(&set)
	r.Changed.Ring()
	for agent() != set.Crawl.UserAgent { // until it has heard
	}
	said, err := r.js.KeyValue(t.Context(), workers.OwnerTable)
	must(t, err)
	must(t, workers.PutJSON(t.Context(), said, workers.SettingsKey, workers.WorkerSettings{Protocol: workers.WireProtocol - 1, Version: "0.0.9"}))
	if err := <-over; !errors.Is(err, workers.ErrRefused) || !strings.Contains(err.Error(), fmt.Sprint("the owner is angler 0.0.9 with protocol ", workers.WireProtocol-1)) {
		t.Errorf("it ended with %v", err)
	}
	over <- nil
}

// A worker counts by the words of the owner, also by those that were added meanwhile.
func TestNewWordsReachWorkers(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<title>量子比特</title><p>量子比特的招标公告，量子比特。</p>")
	}))
	t.Cleanup(site.Close)
	r := newRig(t, func(s *config.Settings) { s.Crawl.AllowPrivate = true })
	over := r.works(t, site)
	// counts has the page asked for until the worker knows the words of the owner.
	counts := func() map[string]uint32 {
		for {
			b := <-r.asks("a.test")
			if b.err != nil {
				t.Fatal(b.err)
			}
			if b.Stored != nil {
				b.Stored()
			}
			if d := b.Draft; d != nil {
				if !r.reader.Fits(d) {
					t.Fatal("a page was counted by other words than its job named")
				}
				words := map[string]uint32{}
				for _, w := range d.Full {
					words[w.Text] = w.N
				}
				return words
			}
		}
	}
	if w := counts(); w["量子比特"] != 0 || w["公告"] == 0 && w["招标公告"] == 0 {
		t.Errorf("counted %v", w)
	}
	v := reader.Vocabulary{Engine: dict.EngineFlat, User: "量子比特\n"}
	r.words.Store(&v)
	r.reader.UseDict(v.Open())
	r.Changed.Ring()
	if w := counts(); w["量子比特"] == 0 {
		t.Errorf("the new word was not counted: %v", w)
	}
	must(t, r.Set("real", view.WorkerStops))
	if err := <-over; err != nil { // its process would end
		t.Error(err)
	}
	over <- nil
}

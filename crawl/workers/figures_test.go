package workers_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/run"
	"angler/crawl/workers"
)

// BenchmarkInFlight hands out 10,000 jobs before the first result comes, and then takes the
// results. Broker, owner and worker are one process.
//
//	go test ./crawl/workers -run '^$' -bench InFlight -benchtime 1x
func BenchmarkInFlight(b *testing.B) {
	const jobs = 10_000
	r := newRig(b)
	present, err := r.worker.KeyValue(context.Background(), workers.WorkerTable)
	must(b, err)
	consumers := map[string]jetstream.Consumer{}
	for i := range 4 {
		name := fmt.Sprint("w", i)
		must(b, workers.PutJSON(context.Background(), present, name, workers.WorkerHello{Name: name, Protocol: workers.WireProtocol, Epoch: r.epoch, Slots: jobs / 4}))
		<-r.staffed
		if consumers[name], err = r.worker.CreateOrUpdateConsumer(context.Background(), workers.JobStream, workers.ConsumerConfig(name, jobs/4)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		var all sync.WaitGroup
		var failed atomic.Bool
		for i := range jobs {
			all.Go(func() {
				host := fmt.Sprintf("h%d.test", i)
				u := "http://" + host + "/"
				got, err := r.Do(context.Background(), run.PageJob{Request: fetch.Request{URL: u}, ID: uint64(i + 1), Address: u, Host: host, Page: true})
				if err != nil || got.Response.Status != 200 {
					failed.Store(true)
				}
				if got.Stored != nil {
					got.Stored()
				}
			})
		}
		for r.left(b, workers.JobStream) < jobs {
			if failed.Load() {
				b.Fatal("some jobs were not handed out")
			}
		}
		b.ReportMetric(float64(r.Crew().Busy), "in-flight")
		b.ReportMetric(resident(b), "MB-in-flight")
		for name, c := range consumers {
			taking, err := c.Consume(func(m jetstream.Msg) {
				j, err := workers.DecodeJob(m.Data())
				if err != nil {
					b.Error(err)
					return
				}
				x := &workers.JobResult{Lease: j.Lease, Receipt: m.Reply(), Response: &fetch.Response{URL: j.Request.URL, Status: 200, Body: []byte("<p>hello")}}
				if err := r.conn.Publish(workers.ResultSubject(name), x.Encode()); err != nil {
					b.Error(err)
				}
			})
			must(b, err)
			defer taking.Stop()
		}
		all.Wait()
		if failed.Load() {
			b.Error("some jobs were not done by the workers")
		}
	}
}

// resident is the memory that the process holds, in MB; 0 where that is not told.
func resident(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Logf("memory is unknown: %v", err)
	}
	return kB / 1024
}

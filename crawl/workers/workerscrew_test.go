package workers_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl/fetch"
	"angler/crawl/webtest"
	"angler/crawl/workers"
)

// crewVar turns the test program into the workers of a benchmark until its standard input
// ends; its value is a crew as JSON. It begins to work when it is told where.
const crewVar = "ANGLER_TEST_CREW"

func init() { roles[crewVar] = workAsCrew }

// crew is workers that ask the sites at an address, or that have the results of such
// workers in a file and ask no server.
type crew struct {
	Sites, Recorded string // one of them
	Workers, Slots  int
}

func workAsCrew(v string) error {
	var c crew
	if err := json.Unmarshal([]byte(v), &c); err != nil {
		return err
	}
	work := func(ctx context.Context, conn *nats.Conn, name string) error {
		return workers.RunWorker(ctx, workers.WorkerConfig{Conn: conn, Name: name, Slots: c.Slots, Dial: webtest.DialTo(c.Sites), Note: workers.LogTo(io.Discard, name)})
	}
	if c.Recorded != "" {
		recorded, err := readRecorded(c.Recorded)
		if err != nil {
			return err
		}
		work = func(ctx context.Context, conn *nats.Conn, name string) error {
			return replay(ctx, conn, workers.WorkerHello{Name: name, Protocol: workers.WireProtocol, Slots: c.Slots}, recorded)
		}
	}
	var server, invitation string
	if _, err := fmt.Scanln(&server, &invitation); err != nil {
		return err
	}
	access, err := workers.ParseWorkerAccess(invitation)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range c.Workers {
		conn, err := nats.Connect(server, append(access.Options(), nats.MaxReconnects(-1))...)
		if err != nil {
			cancel()
			return err
		}
		all.Go(func() {
			defer conn.Close()
			name := fmt.Sprintf("w%02d", i)
			if err := work(ctx, conn, name); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
			}
		})
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	cancel()
	all.Wait()
	return nil
}

// readRecorded reads results, by address.
func readRecorded(file string) (map[string][]byte, error) {
	b, err := os.ReadFile(file)
	out := map[string][]byte{}
	for len(b) > 0 {
		size, n := binary.Uvarint(b)
		one := b[n:][:size]
		b = b[n:][size:]
		r, err := workers.DecodeJobResult(one, longestBody, nil)
		if err != nil {
			return nil, err
		}
		if r.Response != nil {
			out[r.Response.URL] = one
		}
	}
	return out, err
}

// longestBody bounds the bodies of the generated web, in bytes.
const longestBody = 10 << 20

// replay is a worker that answers with recorded results, as if it had read the pages by
// what the owner knows of their hosts now.
func replay(ctx context.Context, conn *nats.Conn, hello workers.WorkerHello, recorded map[string][]byte) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	said, err := js.KeyValue(ctx, workers.OwnerTable)
	if err != nil {
		return err
	}
	e, err := said.Get(ctx, workers.SettingsKey)
	if err != nil {
		return err
	}
	var set workers.WorkerSettings
	if err := json.Unmarshal(e.Value(), &set); err != nil {
		return err
	}
	hello.Epoch = set.Epoch
	present, err := js.KeyValue(ctx, workers.WorkerTable)
	if err != nil {
		return err
	}
	jobs, err := js.CreateOrUpdateConsumer(ctx, workers.JobStream, workers.ConsumerConfig(hello.Name, hello.Slots))
	if err != nil {
		return err
	}
	taking, err := jobs.Consume(func(m jetstream.Msg) {
		j, err := workers.DecodeJob(m.Data())
		r := &workers.JobResult{Failed: fetch.Report{Kind: fetch.Connect, Cause: "it was not recorded"}}
		if err == nil && recorded[j.Request.URL] != nil {
			r, err = workers.DecodeJobResult(recorded[j.Request.URL], longestBody, nil)
		}
		if err == nil {
			r.Lease, r.Receipt = j.Lease, m.Reply()
			if r.Draft != nil {
				if r.Draft.Version = j.Frame.Version; j.Notice == nil {
					r.Draft.Notice = nil
				}
			}
			err = conn.Publish(workers.ResultSubject(hello.Name), r.Encode())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, hello.Name, err)
		}
	}, jetstream.PullMaxMessages(hello.Slots))
	if err != nil {
		return err
	}
	defer taking.Stop()
	beat := time.NewTicker(workers.WorkerBeat)
	defer beat.Stop()
	for {
		if err := workers.PutJSON(ctx, present, hello.Name, hello); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
		}
	}
}

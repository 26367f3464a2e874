package crawl

import (
	"context"
	"path/filepath"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"angler/crawl/decisions"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/crawl/workers"
)

// machines are the workers at other machines. It is safe for concurrent use.
type machines struct {
	c   *core
	now atomic.Pointer[workers.Owner] // nil = none

	invite atomic.Pointer[string] // see Invited
}

// Machines are the workers at other machines, in the hand of one person. What that person
// wants of a worker is noted in their name. It is safe for concurrent use, and reads
// nothing but memory.
type Machines struct {
	*machines
	*decisions.Topic
}

// Workers are those that were heard of, by name; nil when none are let in.
func (m *machines) Workers() []view.Worker {
	if o := m.now.Load(); o != nil {
		return o.Workers()
	}
	return nil
}

// Crew is what they are together; on = workers are let in.
func (m *machines) Crew() (c view.Crew, on bool) {
	if o := m.now.Load(); o != nil {
		return o.Crew(), true
	}
	return c, false
}

// Employ has runs done by the workers at a server, too, from the next one on: what there
// are no workers for is done by this process as before. replicas is 0 where the server
// ends with this process; else 1, or 3 for a cluster.
// It ends with the engine, before conn may be closed.
func (m *machines) Employ(ctx context.Context, conn *nats.Conn, replicas int) (*workers.Owner, error) {
	c := m.c
	o, err := workers.NewOwner(ctx, workers.OwnerConfig{Conn: conn, Replicas: replicas, Here: c.runner.here(), Limiter: c.limiter, Reader: c.reader, Settings: c.settings.Now, Seeds: settings.SeedHosts,
		Words: m.vocabulary, Keeps: m.keeps, Note: c.events.Note, Now: c.opt.Now,
		Staffed: func() {
			if now := c.runner.current(); now != nil {
				run.AddWorkers(now)
			}
			c.publisher.publish()
		}, Begins: m.begins})
	if err != nil {
		return nil, err
	}
	if was := m.now.Swap(o); was != nil {
		was.Close()
	}
	c.publisher.publish()
	return o, nil
}

// owner is who hands jobs out; nil = there are no workers to be.
func (m *machines) owner() *workers.Owner { return m.now.Load() }

// tell follows an action, and other settings: what workers go by may have changed.
func (m *machines) tell() {
	if o := m.now.Load(); o != nil {
		o.Changed.Ring()
	}
}

// dismiss ends the work with workers.
func (m *machines) dismiss() {
	if o := m.now.Swap(nil); o != nil {
		o.Close()
	}
}

// vocabulary is what the dictionary in force is made of.
func (m *machines) vocabulary() (reader.Vocabulary, error) {
	c := m.c
	state := c.decisions.State()
	return reader.ReadVocabulary(filepath.Join(c.ws.Dir(), "dict"), c.settings.Now().Words.Segmenter, state.Accepted, state.Stopped)
}

// keeps reports whether an address is one that only this process can ask for, or read.
func (m *machines) keeps(address string) bool {
	for _, t := range m.c.runner.replies {
		if t.Translates(address) {
			return true
		}
	}
	return false
}

// here are the hands of this process.
func (r *runner) here() run.PageWorkers {
	return run.LocalWorkers{PageFetcher: whole{r.fetcher, r.rendering}}
}

// hands are the workers of a run.
func (r *runner) pageWorkers() run.PageWorkers {
	if o := r.machines.owner(); o != nil {
		return o
	}
	return r.here()
}

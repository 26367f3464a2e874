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

// machines manages the workers on other machines. It is safe for concurrent use.
type machines struct {
	c   *core
	now atomic.Pointer[workers.Owner] // nil = none

	invite atomic.Pointer[string] // see Invited
}

// Machines controls the workers on other machines for one person and logs orders under their name. It is safe for
// concurrent use, and reads only memory.
type Machines struct {
	*machines
	*decisions.Topic
}

// Workers returns the known workers by name; nil if workers are disabled.
func (m *machines) Workers() []view.Worker {
	if o := m.now.Load(); o != nil {
		return o.Workers()
	}
	return nil
}

// Crew sums the figures of all workers; on = workers are enabled.
func (m *machines) Crew() (c view.Crew, on bool) {
	if o := m.now.Load(); o != nil {
		return o.Crew(), true
	}
	return c, false
}

// Employ enables the workers of a server from the next run on. This process does the remaining jobs. replicas is 0
// if the server ends with this process, else 1, or 3 for a cluster. The owner ends with the engine, before conn may
// be closed.
func (m *machines) Employ(ctx context.Context, conn *nats.Conn, replicas int) (*workers.Owner, error) {
	c := m.c
	o, err := workers.NewOwner(ctx, workers.OwnerConfig{Conn: conn, Replicas: replicas, Here: localWorkers{c.fetcher, c.rendering},
		Limiter: c.limiter, Reader: c.reader, Settings: c.settings.Now, Seeds: settings.SeedHosts,
		Words: m.vocabulary, Keeps: m.keeps, Note: c.events.Note, Now: c.opt.Now,
		Staffed: func() {
			if now := c.runner.current(); now != nil {
				run.AddWorkers(now)
			}
			c.publisher.publish()
		}, Begins: m.initialState})
	if err != nil {
		return nil, err
	}
	if was := m.now.Swap(o); was != nil {
		was.Close()
	}
	c.publisher.publish()
	return o, nil
}

// publish publishes possibly changed settings to the workers.
func (m *machines) publish() {
	if o := m.now.Load(); o != nil {
		o.Changed.Ring()
	}
}

// closeOwner closes the owner of the workers.
func (m *machines) closeOwner() {
	if o := m.now.Swap(nil); o != nil {
		o.Close()
	}
}

// vocabulary returns the source of the present dictionary.
func (m *machines) vocabulary() (reader.Vocabulary, error) {
	c := m.c
	state := c.decisions.State()
	return reader.ReadVocabulary(filepath.Join(c.ws.Dir(), "dict"), c.settings.Now().Words.Segmenter,
		state.Accepted, state.Stopped)
}

// keeps reports whether only this process can fetch or read an address.
func (m *machines) keeps(address string) bool {
	for _, t := range m.c.runner.replies {
		if t.Translates(address) {
			return true
		}
	}
	return false
}

// pageWorkers returns the page workers of a run.
func (r *runner) pageWorkers() run.PageWorkers {
	if o := r.machines.now.Load(); o != nil {
		return o
	}
	return localWorkers{r.fetcher, r.rendering}
}

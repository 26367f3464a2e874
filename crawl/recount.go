package crawl

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"angler/crawl/page"
	"angler/crawl/view"
	"angler/topic"
)

// prints remembers by which dictionary each page was counted, as a small
// number: there are few dictionaries in a workspace's life.
type prints struct {
	mu    sync.Mutex
	known []uint64
	of    []uint8 // by URL id: index into known + 1; 0 = not counted
}

func (p *prints) set(id, print uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := -1
	for i, x := range p.known {
		if x == print {
			k = i
		}
	}
	if k < 0 {
		if len(p.known) == 254 {
			p.known = p.known[:0] // only costs counting some pages again
		}
		k = len(p.known)
		p.known = append(p.known, print)
	}
	for uint64(len(p.of)) <= id {
		p.of = append(p.of, make([]uint8, max(1024, len(p.of)/2))...)
	}
	p.of[id] = uint8(k + 1)
}

// stale lists the pages that were counted by another dictionary than print.
func (p *prints) stale(print uint64) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []uint64
	for id, k := range p.of {
		if k != 0 && p.known[k-1] != print {
			ids = append(ids, uint64(id))
		}
	}
	return ids
}

// job is the one background job that may be under way.
type job struct {
	mu     sync.Mutex
	name   string
	total  int
	done   atomic.Int64
	cancel context.CancelFunc
}

func (j *job) now() view.Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	return view.Job{Name: j.name, Done: int(j.done.Load()), Total: j.total}
}

func (j *job) begin(ctx context.Context, name string, total int) (context.Context, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.name != "" {
		return nil, fmt.Errorf("%s is under way; wait for it or cancel it", j.name)
	}
	ctx, j.cancel = context.WithCancel(ctx)
	j.name, j.total = name, total
	j.done.Store(0)
	return ctx, nil
}

// stage tells how far the job has come, under another name.
func (j *job) stage(name string, done, total int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.name, j.total = name, total
	j.done.Store(int64(done))
}

func (j *job) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cancel()
	j.name, j.total = "", 0
}

// CancelJob ends the background work under way, if there is any. What it has
// done is kept; the rest is done when the workspace is opened again.
func (e *Engine) CancelJob() {
	e.job.mu.Lock()
	defer e.job.mu.Unlock()
	if e.job.name != "" {
		e.job.cancel()
	}
}

// recountBatch pages are stored at once.
const recountBatch = 256

// Recount counts the words of stored pages that were counted by another
// dictionary, from their bodies, on all processors.
// It may be cancelled at any time; every page is counted by one dictionary or
// the other, and remembers by which.
func (e *Engine) Recount(ctx context.Context) error {
	words := e.dict.Load()
	if err := words.Wait(ctx); err != nil {
		return err
	}
	e.recounting.Lock()
	defer e.recounting.Unlock()
	print := words.Fingerprint()
	ids := e.prints.stale(print)
	if len(ids) == 0 {
		return nil
	}
	ctx, err := e.job.begin(ctx, "counting words again", len(ids))
	if err != nil {
		return err
	}
	defer e.job.end()
	e.note("info", "the dictionary changed: counting the words of %d pages again", len(ids))
	for len(ids) > 0 {
		batch := ids[:min(recountBatch, len(ids))]
		ids = ids[len(batch):]
		docs := make([]*topic.Doc, len(batch))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, id := range batch {
			g.Go(func() error {
				if gctx.Err() != nil {
					return gctx.Err()
				}
				p, err := e.stored(id, page.Options{})
				if err != nil || p == nil {
					return nil // no body any more: its counts stay as they are
				}
				d := e.doc(words, p)
				docs[i] = &d
				e.job.done.Add(1)
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		terms := make(map[uint64][]byte, len(batch))
		for i, d := range docs {
			if d != nil {
				terms[batch[i]] = encodeDoc(d, print)
			}
		}
		if err := e.ws.PutTerms(terms); err != nil {
			return err
		}
		for i, d := range docs {
			if d != nil {
				e.index.Add(batch[i], *d)
			}
			e.prints.set(batch[i], print)
		}
	}
	return e.settle()
}

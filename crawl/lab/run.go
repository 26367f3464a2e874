package lab

import (
	"context"
	"math/rand/v2"

	"angler/crawl/linkorder"
)

// options configures one run.
type options struct {
	// Seed breaks ties between equal scores. 0 uses the order of discovery, like the live frontier. Other numbers
	// shuffle, reproducibly.
	Seed uint64
	// Report receives the number of fetched pages from time to time; nil = none.
	Report func(fetched int)
}

// recheck is the loss of score above which a page returns to the queue.
const recheck = .02

// fetchOrder fetches every reachable page of g in the order of s, and returns that order. It works like the live
// engine: it
// fetches the best waiting URL, lets the strategy observe it, and scores its new targets. It scores a waiting target
// again after a new inlink (at most linkorder.MaxInlinks) or a smaller depth. It scores all waiting pages when the
// strategy reports that it learned. If linkorder.Rechecks, a URL is scored again before its fetch. It goes
// back if its score fell and another page is better.
//
// s must be new, because fetchOrder trains it. g must pass Check. The error is that of ctx.
func fetchOrder(ctx context.Context, g *Graph, s linkorder.Strategy, opt options) ([]int32, error) {
	r := newRun(g, s, opt)
	for n := 0; len(r.queue.heap) > 0; n++ {
		if n%256 == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if opt.Report != nil {
				opt.Report(n)
			}
		}
		r.fetch(r.next())
	}
	return r.order, nil
}

// run is one simulated crawl.
type run struct {
	g        *Graph
	strategy linkorder.Strategy
	ties     *rand.Rand // nil: order of discovery
	queue    *queue
	known    []linkorder.Target // by page; ID 0 = not known yet
	found    uint64             // IDs assigned so far
	rechecks bool               // values may fall while pages wait
	order    []int32
	fetched  linkorder.Fetch // reused
}

func newRun(g *Graph, s linkorder.Strategy, opt options) *run {
	r := &run{g: g, strategy: s, queue: newQueue(len(g.Pages)), known: make([]linkorder.Target, len(g.Pages))}
	r.rechecks = linkorder.Rechecks(s)
	if opt.Seed != 0 {
		r.ties = rand.New(rand.NewPCG(opt.Seed, 0x6c6162))
	}
	for _, p := range g.Seeds {
		if r.meet(p, 0) {
			r.queue.put(p, r.value(p))
		}
	}
	return r
}

func (r *run) value(p int32) float64 { return r.strategy.Value(&r.known[p]) }

// meet makes a page known and reports whether it was new.
func (r *run) meet(p int32, depth int) bool {
	t := &r.known[p]
	if t.ID != 0 {
		return false
	}
	r.found++
	t.ID, t.URL, t.Depth = r.found, r.g.Pages[p].URL, depth
	r.queue.tie[p] = t.ID
	if r.ties != nil {
		r.queue.tie[p] = r.ties.Uint64()
	}
	return true
}

// next removes and returns the best waiting page.
func (r *run) next() int32 {
	q := r.queue
	for {
		p := q.pop()
		if !r.rechecks || len(q.heap) == 0 {
			return p
		}
		v := finite(r.value(p))
		if v >= q.score[p]-recheck || v >= q.score[q.heap[0]] {
			return p
		}
		q.put(p, v)
	}
}

// fetch fetches a page: the strategy observes it, and the link targets are scored.
func (r *run) fetch(p int32) {
	r.order = append(r.order, p)
	pg, t := &r.g.Pages[p], &r.known[p]
	f := &r.fetched
	f.Target, f.Verdict = *t, linkorder.Verdict{Score: pg.Score, Relevant: pg.Relevant, Failed: pg.Failed}
	f.Out = f.Out[:0]
	inherited := 0.0
	if len(pg.Links) > 0 {
		inherited = r.strategy.Score(t).Inherited
	}
	for i := range pg.Links {
		l := &pg.Links[i]
		if l.To == p {
			continue
		}
		depth := t.Depth + 1
		if l.Flat {
			depth--
		}
		isNew := r.meet(l.To, depth)
		f.Out = append(f.Out, linkorder.Out{ID: r.known[l.To].ID, URL: r.known[l.To].URL, New: isNew,
			Inlink: r.inlink(t, pg, l, inherited)})
	}
	stale := r.strategy.Observe(f)
	r.admit(p, f.Out)
	t.Inlinks = nil // frees most of a run's memory
	if stale {
		r.queue.rescore(r.value)
	}
}

// inlink returns a link as the crawl saw it.
func (r *run) inlink(source *linkorder.Target, pg *Page, l *Link, inherited float64) linkorder.Inlink {
	a := &r.g.Anchors[l.Anchor]
	return linkorder.Inlink{Source: source.ID, SourceURL: source.URL, Anchor: a.Text, Block: r.g.Blocks[l.Block],
		Features: l.Features, Pager: l.Pager, Tags: l.Tags,
		AnchorScore: a.Score, URLScore: r.g.Pages[l.To].URLScore, BlockScore: float64(l.BlockScore),
		SourceScore: pg.Score, Inherited: inherited}
}

// admit scores the link targets of a fetched page that are new or changed.
func (r *run) admit(p int32, out []linkorder.Out) {
	at := 0
	depth := r.known[p].Depth
	for i := range r.g.Pages[p].Links {
		l := &r.g.Pages[p].Links[i]
		if l.To == p {
			continue
		}
		o := &out[at]
		at++
		t := &r.known[l.To]
		if !o.New && !r.queue.waits(l.To) {
			continue // fetched before
		}
		nearer := depth + 1
		if l.Flat {
			nearer--
		}
		changed := o.New
		if len(t.Inlinks) < linkorder.MaxInlinks {
			t.Inlinks = append(t.Inlinks, o.Inlink)
			changed = true
		}
		if nearer < t.Depth {
			t.Depth = nearer
			changed = true
		}
		if changed {
			r.queue.put(l.To, r.value(l.To))
		}
	}
}

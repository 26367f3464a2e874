package run

import (
	"fmt"
	"sync"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// Sizes of what a snapshot shows.
const (
	shownFrontier = 100
	shownHosts    = 200
	shownRequests = 256
	shownCurve    = 500
)

// Fill fills the part of a snapshot that comes from the run: At, Counts, Job and
// DictReady are read, and must stand already. One goroutine at a time calls it.
func (r *Run) Fill(s *view.Snapshot) {
	s.Task, s.State, s.Started = r.task, view.Running, r.started
	s.Strategy, s.Workers = r.Order.Name(), int(r.workers.Load())
	s.Fetched, s.Bound = int(r.counts.fetched.Load()), int(r.budget.Load())
	if s.Fetched > 0 {
		s.ErrorRate = float64(r.counts.failed.Load()) / float64(s.Fetched)
	}
	v := r.front.View(shownFrontier, shownHosts)
	s.Busy, s.Counts.Beyond, s.NumHosts = v.Busy, v.Beyond, v.NumHosts
	s.InFlight, s.OnDisk = r.inFlight.list(shownRequests), v.OnDisk
	net := r.network.state()
	s.AwaySince = net.Since
	switch {
	case r.ctx.Err() != nil:
		s.State, s.Why = view.Draining, "storing the last pages"
	case r.full.Load():
		s.State, s.Why = view.Paused, "disk full: free some space, the crawl goes on by itself"
	case !net.Since.IsZero():
		s.Why = fmt.Sprintf("the network is away since %s; tried again at %s (%s)", net.Since.Format("15:04"), net.Next.Format("15:04:05"), net.Cause)
	case r.paused.Load():
		s.State, s.Why = view.Paused, "paused"
	case !s.DictReady:
		s.Why = "loading the dictionary"
	case !r.words.Load() && s.Job.Name != "":
		s.Why = "waits for another job: " + s.Job.Name
	case !r.crawling.Load():
		s.Why = fmt.Sprintf("reading what waits, %d addresses so far", r.read.Load())
	case v.Busy == 0:
		s.Why = v.Idle
	}
	for _, h := range v.Hosts {
		s.Hosts = append(s.Hosts, view.HostRow{Host: h.Host, Waiting: h.Waiting, Busy: h.Busy, Done: h.Done, Failed: h.Failed, Next: h.Next,
			OnDisk: h.OnDisk, Delay: h.Delay, Why: h.Why.String(), Important: r.Order.Important(h.Host)})
	}
	r.fillFrontier(s, v)
	s.Rate = r.curve.rate.add(s.At, int64(s.Fetched))
	s.Curve = r.curve.add(s.Fetched, s.Counts.Aggregations)
}

// fillFrontier reads the rows of the best waiting URLs.
func (r *Run) fillFrontier(s *view.Snapshot, v frontier.View) {
	ids := make([]uint64, len(v.Top))
	for i, t := range v.Top {
		ids[i] = t.ID
	}
	i := 0
	err := r.Store.EachURL(ids, func(u *store.URL) {
		for v.Top[i].ID != u.ID {
			i++
		}
		t := v.Top[i]
		s.Frontier = append(s.Frontier, view.FrontierRow{ID: u.ID, URL: u.URL, Host: t.Host, Anchor: u.Anchor, Depth: u.Depth, Next: t.Next,
			Priority: t.Priority, Why: r.plan.why(u, t.Class)})
	})
	if err != nil {
		s.Err = fmt.Sprint(err)
	}
}

// curve is the harvest curve of a run, and how fast it goes.
type curve struct {
	before int // aggregation pages when the run began
	rate   rateMeter

	mu     sync.Mutex // guards points
	points []view.CurvePoint
}

// add takes a point and returns the curve, which is never written again.
func (c *curve) add(fetched, aggregations int) []view.CurvePoint {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.points); n == 0 || c.points[n-1].Fetched != fetched {
		c.points = append(c.points, view.CurvePoint{Fetched: fetched, Found: max(0, aggregations-c.before)})
	}
	if len(c.points) > 2*shownCurve {
		c.points = thin(c.points)
	}
	shown := c.points
	if len(shown) > shownCurve {
		shown = thin(shown)
	}
	return shown[:len(shown):len(shown)]
}

// thin drops every other point but the last.
func thin(c []view.CurvePoint) []view.CurvePoint {
	out := make([]view.CurvePoint, 0, len(c)/2+1)
	for i := (len(c) - 1) % 2; i < len(c); i += 2 {
		out = append(out, c[i])
	}
	return out
}

// rateMeter measures pages a second over the last two seconds of five snapshots
// each.
type rateMeter struct {
	at [11]time.Time
	n  [11]int64
	i  int
}

func (m *rateMeter) add(now time.Time, n int64) float64 {
	m.i = (m.i + 1) % len(m.at)
	oldest := (m.i + 1) % len(m.at)
	m.at[m.i], m.n[m.i] = now, n
	for m.at[oldest].IsZero() && oldest != m.i {
		oldest = (oldest + 1) % len(m.at)
	}
	d := now.Sub(m.at[oldest]).Seconds()
	if d <= 0 {
		return 0
	}
	return float64(n-m.n[oldest]) / d
}

package crawl

import (
	"fmt"

	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// snap fills what comes from the run.
func (r *run) snap(s *view.Snapshot, rate *rateMeter) {
	s.Task, s.State, s.Started = r.task, view.Running, r.started
	s.Strategy, s.Workers = r.order.now().Name(), int(r.workers.Load())
	s.Fetched, s.Bound = int(r.fetched.Load()), int(r.budget.Load())
	if s.Fetched > 0 {
		s.ErrorRate = float64(r.failed.Load()) / float64(s.Fetched)
	}
	s.Rate = rate.add(s.At, int64(s.Fetched))
	v := r.front.View(shownFrontier, shownHosts)
	s.Busy, s.Counts.Beyond, s.NumHosts = v.Busy, v.Beyond, v.NumHosts
	s.InFlight, s.OnDisk = r.flying.list(shownFlights), v.OnDisk
	switch {
	case r.ctx.Err() != nil:
		s.State, s.Why = view.Draining, "storing the last pages"
	case r.full.Load():
		s.State, s.Why = view.Paused, "disk full: free some space, the crawl goes on by itself"
	case r.paused.Load():
		s.State, s.Why = view.Paused, "paused"
	case !s.DictReady:
		s.Why = "loading the dictionary"
	case !r.crawling.Load():
		s.Why = fmt.Sprintf("reading what waits, %d addresses so far", r.read.Load())
	case v.Busy == 0:
		s.Why = v.Idle
	}
	for _, h := range v.Hosts {
		s.Hosts = append(s.Hosts, view.HostRow{Host: h.Host, Waiting: h.Waiting, Busy: h.Busy, Done: h.Done, Failed: h.Failed, Next: h.Next,
			OnDisk: h.OnDisk, Delay: h.Delay, Why: h.Why.String()})
	}
	r.snapFrontier(s, v)
	r.mu.Lock()
	if n := len(r.curve); n == 0 || r.curve[n-1].Fetched != s.Fetched {
		r.curve = append(r.curve, view.CurvePoint{Fetched: s.Fetched, Found: max(0, s.Counts.Aggregations-r.before)})
	}
	if len(r.curve) > 2*shownCurve {
		r.curve = thin(r.curve)
	}
	s.Curve = r.curve
	if len(s.Curve) > shownCurve {
		s.Curve = thin(s.Curve)
	}
	s.Curve = s.Curve[:len(s.Curve):len(s.Curve)]
	r.mu.Unlock()
}

// thin drops every other point but the last.
func thin(c []view.CurvePoint) []view.CurvePoint {
	out := make([]view.CurvePoint, 0, len(c)/2+1)
	for i := (len(c) - 1) % 2; i < len(c); i += 2 {
		out = append(out, c[i])
	}
	return out
}

// snapFrontier reads the rows of the best waiting URLs.
func (r *run) snapFrontier(s *view.Snapshot, v frontier.View) {
	ids := make([]uint64, len(v.Top))
	for i, t := range v.Top {
		ids[i] = t.ID
	}
	i := 0
	err := r.e.ws.EachURL(ids, func(u *store.URL) {
		for v.Top[i].ID != u.ID {
			i++
		}
		t := v.Top[i]
		row := view.FrontierRow{ID: u.ID, URL: u.URL, Host: t.Host, Anchor: u.Anchor, Depth: u.Depth, Next: t.Next}
		var how string
		row.Priority, how = level(t.Priority)
		row.Why = r.why(u, how)
		s.Frontier = append(s.Frontier, row)
	})
	if err != nil {
		s.Err = fmt.Sprint(err)
	}
}

// why says in the strategy's own terms why a URL stands where it stands.
func (r *run) why(u *store.URL, how string) string {
	switch {
	case r.task == view.Harvest:
		return "harvest"
	case how == "revisit":
		return "known, due for another visit"
	case how != "":
		return how + ", " + r.order.score(u).String()
	}
	return r.order.score(u).String()
}

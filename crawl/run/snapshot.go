package run

import (
	"fmt"

	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// Maximum numbers of rows in a snapshot.
const (
	shownFrontier = 100
	shownHosts    = 200
	shownRequests = 256
)

// Fill sets the run's part of a snapshot. It reads At, Counts, Job and DictReady, which must be set
// already. Only one goroutine at a time may call it.
func (r *Run) Fill(s *view.Snapshot) {
	s.Task, s.State = r.task, view.Running
	s.Strategy = r.Order.Name()
	s.Workers, _ = r.limits()
	v := r.front.View(shownFrontier, shownHosts)
	s.Busy, s.Counts.Beyond, s.NumHosts = v.Busy, v.Beyond, v.NumHosts
	s.InFlight, s.OnDisk = r.inFlight.list(shownRequests), v.OnDisk
	net := r.network.state()
	s.AwaySince = net.Since
	switch {
	case r.ctx.Err() != nil:
		s.State, s.Why = view.Draining, "storing the last pages"
	case r.full.Load():
		s.State, s.Why, s.Pressing = view.Paused, "disk full: free some space, then the crawl resumes", true
	case !net.Since.IsZero():
		s.Pressing = true
		s.Why = fmt.Sprintf("the network is away since %s; tried again at %s (%s)", net.Since.Format("15:04"),
			net.Next.Format("15:04:05"), net.Cause)
	case r.paused.Load():
		s.State, s.Why = view.Paused, "paused"
	case !s.DictReady:
		s.Why = "loading the dictionary"
	case !r.words.Load() && s.Job.Name != "":
		s.Why = "waits for another job: " + s.Job.Name
	case r.began.Load() == 0:
		s.Why = fmt.Sprintf("reading what waits, %d addresses so far", r.read.Load())
	case v.Busy == 0:
		s.Why, s.Patient, s.Until = v.Idle, true, v.Until
	}
	for _, h := range v.Hosts {
		s.Hosts = append(s.Hosts, view.HostRow{Host: h.Host, Waiting: h.Waiting, Busy: h.Busy, Done: h.Done,
			Failed: h.Failed, Next: h.Next, Delay: h.Delay, Why: h.Why.String(), Important: r.Order.Important(h.Host)})
	}
	r.fillFrontier(s, v)
	s.Moved = r.counts.addPace(s.At)
	s.Take(r.tally(s.At, s.Counts.Aggregations, v.Waiting+v.Busy))
	s.Counts.Notices -= r.counts.value(&r.counts.orphans)
	s.Curve = r.curve.add(s.Fetched, s.Run.Home())
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
		s.Frontier = append(s.Frontier, view.FrontierRow{ID: u.ID, URL: u.URL, Host: t.Host, Anchor: u.Anchor,
			Depth: u.Depth, Next: t.Next,
			Priority: t.Priority, Why: r.plan.why(u, t.Class)})
	})
	if err != nil {
		s.Err = fmt.Sprint(err)
	}
}

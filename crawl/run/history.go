package run

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
	"angler/store/secrets"
)

// ProcessUsage is what the process has used so far.
type ProcessUsage struct {
	Memory int64         // bytes in RAM now; 0 = unknown
	CPU    time.Duration // since the process began; 0 = unknown
}

// HistoryConfig is what a History works with.
type HistoryConfig struct {
	Store    *store.Workspace
	Events   *view.EventLog
	Totals   func() MetricTotals // of all runs
	Usage    func() ProcessUsage
	Lists    func() int // aggregation pages, as far as they were counted last
	Now      func() time.Time
	Interval time.Duration // between two looks at a run; 0 = a quarter of a second
}

// History is what became of the runs of a workspace. It is safe for concurrent
// use.
type History struct {
	HistoryConfig
	live atomic.Uint64               // number of the run under way; 0 = none
	last atomic.Pointer[records.Run] // the newest run that has ended; nil = none
	look atomic.Pointer[records.Run] // the newest look at all seeds that has ended; nil = none
}

// OpenHistory closes the rows of runs that were killed.
func OpenHistory(c HistoryConfig) (*History, error) {
	if c.Interval == 0 {
		c.Interval = 250 * time.Millisecond
	}
	h := &History{HistoryConfig: c}
	if !store.ReadOnly(c.Store) { // Runs says the same of them
		if _, err := records.SettleRuns(c.Store); err != nil {
			return nil, err
		}
	}
	rows, err := records.Runs(c.Store, 0, recent)
	for i := range slices.Backward(rows) {
		h.ended(&rows[i])
	}
	return h, err
}

// recent is the number of runs among which OpenHistory looks for the newest look.
const recent = 50

// ended keeps the row of a run as the newest.
func (h *History) ended(row *records.Run) {
	h.last.Store(row)
	if row.Task == view.Look && row.Under == "" {
		h.look.Store(row)
	}
}

// Look returns the newest look at all seeds that has ended, nil if there is none. The row
// is shared: do not write to it.
func (h *History) Look() *records.Run { return h.look.Load() }

// List returns the newest runs, the newest first, at most most.
func (h *History) List(most int) ([]records.Run, error) {
	return records.Runs(h.Store, h.live.Load(), most)
}

// Last is the newest run that has ended, nil while there is none. It is shared:
// do not write to it.
func (h *History) Last() *records.Run { return h.last.Load() }

// storeEvery is how often a row is stored while its run brings pages.
const storeEvery = 2 * time.Second

// RunRecording is the row of one run under way.
type RunRecording struct {
	h     *History
	row   records.Run
	tally func(lists int) view.Tally
	was   MetricTotals
	cpu   time.Duration
	event map[string]int // how often each kind had been reported
	stop  chan struct{}
	ended chan struct{}
}

// Begin stores the row of a run and follows the run until End. tally tells how far it
// has come, where so many aggregation pages are known.
func (h *History) Begin(task, by, under string, tally func(lists int) view.Tally) *RunRecording {
	now := h.Now()
	x := &RunRecording{h: h, row: records.Run{Task: task, By: by, Under: under, Start: now, Seen: now}, tally: tally,
		was: h.Totals(), cpu: h.Usage().CPU, event: map[string]int{}, stop: make(chan struct{}), ended: make(chan struct{})}
	for _, k := range h.Events.Kinds() {
		x.event[k.Key] = k.N
	}
	id, err := records.BeginRun(h.Store, &x.row)
	if err != nil {
		h.Events.Note("warn", "this run is not in the history: %v", err)
	}
	h.live.Store(id)
	go x.follow()
	return x
}

// follow looks at the run until End.
func (x *RunRecording) follow() {
	defer close(x.ended)
	tick := time.NewTicker(x.h.Interval)
	defer tick.Stop()
	stored, fetched := time.Now(), -1
	for {
		select {
		case <-x.stop:
			return
		case <-tick.C:
		}
		x.look(x.h.Lists())
		if time.Since(stored) >= storeEvery && fetched != x.row.Fetched {
			stored, fetched = time.Now(), x.row.Fetched
			x.put()
		}
	}
}

// look takes the run's figures and adds a point to its curve.
func (x *RunRecording) look(lists int) {
	t, r := x.tally(lists), &x.row
	r.Seen = x.h.Now()
	r.Fetched, r.Unchanged, r.Missed, r.Failures, r.Retries, r.Visited = t.Fetched, t.Unchanged, t.Missed, t.Failed(), t.Retries, t.Visited
	r.Kinds = map[string]int{}
	for reason, n := range t.Reasons {
		if n > 0 {
			r.Kinds[string(reason)] = n
		}
	}
	r.Pages, r.Lists, r.Notices, r.Changed, r.Withdrawn, r.Lacking, r.Unmatched, r.Blind, r.NotDue, r.NextDue = t.Pages, t.Lists, t.Notices, t.Changed, t.Withdrawn, t.Lacking, t.Unmatched, t.Blind, t.NotDue.N, t.NotDue.Next
	use := x.h.Usage()
	r.Memory, r.CPU = max(r.Memory, use.Memory), (use.CPU - x.cpu).Seconds()
	p := records.RunPoint{At: r.Seen.Sub(r.Start).Seconds(), Fetched: r.Fetched, Lists: r.Lists, Notices: r.Notices, Failures: r.Failures}
	if n := len(r.Curve); n > 0 && r.Curve[n-1].Fetched == p.Fetched && n > 1 && r.Curve[n-2].Fetched == p.Fetched {
		r.Curve[n-1] = p // nothing came: the line grows longer
		return
	}
	r.Curve = append(r.Curve, p)
	if len(r.Curve) >= 4*records.MaxRunPoints {
		r.Curve = halved(r.Curve)
	}
}

// halved drops every other point, so that later points stand as close as earlier
// ones.
func halved(c []records.RunPoint) []records.RunPoint {
	out := c[:0]
	for i := range c {
		if i%2 == 0 || i == len(c)-1 {
			out = append(out, c[i])
		}
	}
	return out
}

// put stores the row as it stands.
func (x *RunRecording) put() {
	if x.row.ID == 0 {
		return
	}
	x.count()
	row := x.row
	row.Curve = records.ThinCurve(row.Curve)
	if err := records.PutRun(x.h.Store, &row); err != nil {
		x.h.Events.Note("warn", "the history of this run is not up to date: %v", err)
	}
}

// count adds bytes and events, which are not part of the run's tally.
func (x *RunRecording) count() {
	now, r := x.h.Totals(), &x.row
	r.Bytes = now.Bytes - x.was.Bytes
	r.Events = r.Events[:0:0]
	for _, k := range x.h.Events.Kinds() {
		if n := k.N - x.event[k.Key]; n > 0 && len(r.Events) < records.MaxRunEvents {
			r.Events = append(r.Events, records.RunEvent{Kind: k.Key, Level: k.Newest.Kind, N: n, Last: k.Newest.At, Text: k.Newest.Text})
		}
	}
}

// End ends the row of a run by what became of it.
func (x *RunRecording) End(s Summary, err error) {
	close(x.stop)
	<-x.ended
	x.look(s.Aggregations)
	r := &x.row
	r.Took = s.Seconds
	switch r.End, r.Why = records.RunFinished, s.End; {
	case errors.Is(err, ErrAway):
		r.End, r.Why = records.RunOutage, secrets.Redact(err.Error())
	case err != nil:
		r.End, r.Why = records.RunFailed, secrets.Redact(err.Error())
	case s.Stopped && s.Tally.End == view.Stopped:
		r.End, r.Why = records.RunStopped, ""
	}
	x.put()
	row := *r
	row.Curve = records.ThinCurve(row.Curve)
	x.h.ended(&row)
	x.h.live.Store(0)
}

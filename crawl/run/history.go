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

// ProcessUsage is the resource usage of the process.
type ProcessUsage struct {
	Memory int64         // resident bytes; 0 = unknown
	CPU    time.Duration // since the process started; 0 = unknown
}

// HistoryConfig holds the parts of a History.
type HistoryConfig struct {
	Store  *store.Workspace
	Events *view.EventLog
	Totals func() metricTotals // of all runs
	Usage  func() ProcessUsage
	Lists  func() int // last known number of aggregation pages
	Now    func() time.Time
}

// sampleInterval is the time between two samples of a run.
const sampleInterval = 250 * time.Millisecond

// History stores one row for each run of a workspace. It is safe for concurrent use.
type History struct {
	HistoryConfig
	live atomic.Uint64               // number of the run in progress; 0 = none
	last atomic.Pointer[records.Run] // newest run that ended; nil = none
	look atomic.Pointer[records.Run] // newest completed view.Look at all seeds; nil = none
	// newest discovery of all seeds that has an estimate of its lists and has ended; nil = none
	estimated atomic.Pointer[records.Run]
}

// OpenHistory opens the history and closes the rows of killed runs.
func OpenHistory(c HistoryConfig) (*History, error) {
	h := &History{HistoryConfig: c}
	rows, err := h.open()
	for _, row := range slices.Backward(rows) {
		h.ended(&row)
	}
	return h, err
}

// open returns all runs, newest first, and closes the rows of killed ones.
func (h *History) open() ([]records.Run, error) {
	if store.ReadOnly(h.Store) { // Runs says the same of them
		return records.Runs(h.Store, 0, records.MaxRuns)
	}
	rows, _, err := records.SettleRuns(h.Store)
	return rows, err
}

// ended keeps the row of a run as the newest one.
func (h *History) ended(row *records.Run) {
	h.last.Store(row)
	switch {
	case row.Under != "":
	case row.Task == view.Look:
		h.look.Store(row)
	case row.Task == view.Discovery && row.Recall != nil:
		h.estimated.Store(row)
	}
}

// Estimated returns the newest discovery of all seeds that has ended with an estimate of its lists; nil if there is
// none. The row is shared and read-only.
func (h *History) Estimated() *records.Run { return h.estimated.Load() }

// Look returns the newest completed look at all seeds; nil if there is none. The row is shared and
// read-only.
func (h *History) Look() *records.Run { return h.look.Load() }

// List returns at most most runs, the newest first.
func (h *History) List(most int) ([]records.Run, error) {
	return records.Runs(h.Store, h.live.Load(), most)
}

// Last returns the newest run that ended; nil if there is none. The row is shared and read-only.
func (h *History) Last() *records.Run { return h.last.Load() }

// storeEvery is the interval at which a row is stored while its run fetches.
const storeEvery = 2 * time.Second

// RunRecording updates the row of one run in progress.
type RunRecording struct {
	h     *History
	row   records.Run
	tally func(lists int) view.Tally
	was   metricTotals
	cpu   time.Duration
	event map[string]int // event counts at the start, by kind
	stop  chan struct{}
	ended chan struct{}
}

// Begin stores the row of a run and updates it until End. tally returns the run's counts for a
// number of known aggregation pages.
func (h *History) Begin(task, by, under string, tally func(lists int) view.Tally) *RunRecording {
	now := h.Now()
	x := &RunRecording{h: h, row: records.Run{Task: task, By: by, Under: under, Start: now, Seen: now}, tally: tally,
		was: h.Totals(), cpu: h.Usage().CPU, event: map[string]int{}, stop: make(chan struct{}),
		ended: make(chan struct{})}
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

// follow samples the run until End.
func (x *RunRecording) follow() {
	defer close(x.ended)
	tick := time.NewTicker(sampleInterval)
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

// look copies the run's counts and adds a point to its curve.
func (x *RunRecording) look(lists int) {
	t, r := x.tally(lists), &x.row
	r.Seen = x.h.Now()
	r.Fetched, r.Unchanged, r.Missed, r.Failures, r.Retries, r.Visited =
		t.Fetched, t.Unchanged, t.Missed, t.Failed(), t.Retries, t.Visited
	r.Kinds = map[string]int{}
	for reason, n := range t.Reasons {
		if n > 0 {
			r.Kinds[string(reason)] = n
		}
	}
	r.Pages, r.Lists, r.Notices, r.Changed, r.Withdrawn, r.Lacking, r.Unmatched, r.Blind, r.NotDue, r.NextDue =
		t.Pages, t.Lists, t.Notices, t.Changed, t.Withdrawn, t.Lacking, t.Unmatched, t.Blind, t.NotDue.N, t.NotDue.Next
	if t.Recall.Pages > 0 {
		r.Recall = &t.Recall
	}
	use := x.h.Usage()
	r.Memory, r.CPU = max(r.Memory, use.Memory), (use.CPU - x.cpu).Seconds()
	p := records.RunPoint{At: r.Seen.Sub(r.Start).Seconds(), Fetched: r.Fetched, Lists: r.Lists, Notices: r.Notices,
		Failures: r.Failures}
	if n := len(r.Curve); n > 0 && r.Curve[n-1].Fetched == p.Fetched && n > 1 && r.Curve[n-2].Fetched == p.Fetched {
		r.Curve[n-1] = p // no progress: extend the flat line
		return
	}
	r.Curve = append(r.Curve, p)
	if len(r.Curve) >= 4*records.MaxRunPoints {
		r.Curve = halved(r.Curve)
	}
}

// halved drops every other point, so that later points are as dense as earlier ones.
func halved(c []records.RunPoint) []records.RunPoint {
	out := c[:0]
	for i := range c {
		if i%2 == 0 || i == len(c)-1 {
			out = append(out, c[i])
		}
	}
	return out
}

// put stores the row.
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

// count adds bytes and events, which the tally does not hold.
func (x *RunRecording) count() {
	now, r := x.h.Totals(), &x.row
	r.Bytes = now.Bytes - x.was.Bytes
	r.Events = r.Events[:0:0]
	for _, k := range x.h.Events.Kinds() {
		if n := k.N - x.event[k.Key]; n > 0 && len(r.Events) < records.MaxRunEvents {
			r.Events = append(r.Events, records.RunEvent{Kind: k.Key, Level: k.Newest.Kind, N: n, Last: k.Newest.At,
				Text: k.Newest.Text})
		}
	}
}

// End completes the row of a run with its result.
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

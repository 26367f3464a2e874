package api

import (
	"cmp"
	"context"
	"time"

	"angler/crawl"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
)

// Bounds of a Progress.
const (
	maxQueues  = 30 // hosts
	maxAhead   = 15 // waiting addresses
	maxHistory = 10 // runs
)

// freshRun is the age of a row up to which a copy takes its run for one under way: rows are written
// again while a run goes on, and a copy shows each without an end as killed.
const freshRun = 2 * time.Minute

// RunProgress asks for the progress of the run; it has no arguments.
type RunProgress struct{}

// Progress describes the active run, or the last one.
type Progress struct {
	AsOf     time.Time `json:"as_of"`
	Active   bool      `json:"active" jsonschema:"a run is under way"`
	State    string    `json:"state" jsonschema:"idle, running, paused or draining"`
	Why      string    `json:"why,omitempty" jsonschema:"why no page comes in"`
	Pressing bool      `json:"pressing,omitempty" jsonschema:"why needs a person"`
	Task     string    `json:"task,omitempty" jsonschema:"discovery, look or harvest"`
	Started  time.Time `json:"started,omitzero"`
	Fetched  int       `json:"fetched"`
	Missed   int       `json:"missed" jsonschema:"fetches without a page"`
	Retries  int       `json:"retries,omitempty" jsonschema:"addresses that wait for the next attempt"`
	Lists    int       `json:"new_lists"`
	Notices  int       `json:"new_notices"`
	Changed  int       `json:"changed,omitempty"`
	Visited  int       `json:"visited,omitempty" jsonschema:"of a harvest: lists done"`
	ToVisit  int       `json:"to_visit,omitempty" jsonschema:"of a harvest: all its lists"`
	Rate     float64   `json:"rate,omitempty" jsonschema:"fetches per second"`
	Seconds  float64   `json:"seconds_left,omitempty" jsonschema:"estimate; missing where unknown"`
	Waiting  int       `json:"waiting" jsonschema:"addresses in the frontier"`
	Busy     int       `json:"busy,omitempty" jsonschema:"requests in flight"`
	Hosts    int       `json:"hosts,omitempty" jsonschema:"hosts with queues"`

	Failures []FailureCount `json:"failures" jsonschema:"addresses that the run gave up, by kind, most frequent first"`
	Queues   []HostQueue    `json:"queues" jsonschema:"of hosts, the busiest first"`
	Ahead    []WaitingURL   `json:"ahead" jsonschema:"the best waiting addresses"`
	Blocked  []BlockedHost  `json:"blocked" jsonschema:"hosts that refuse access"`
	Runs     []RunLine      `json:"runs" jsonschema:"the newest runs, the newest first"`
}

// FailureCount is the number of addresses that failed in one way.
type FailureCount struct {
	Kind   string `json:"kind" jsonschema:"gone, refused, faulty, unreachable, barred or no page"`
	Count  int    `json:"count"`
	Urgent bool   `json:"urgent,omitempty" jsonschema:"it needs a person"`
}

// HostQueue is the queue of one host.
type HostQueue struct {
	Host    string    `json:"host"`
	Waiting int       `json:"waiting"`
	Busy    int       `json:"busy,omitempty"`
	Done    int       `json:"done"`
	Failed  int       `json:"failed,omitempty"`
	Next    time.Time `json:"next,omitzero" jsonschema:"the earliest polite fetch"`
	Why     string    `json:"why,omitempty" jsonschema:"the reason for next"`
}

// WaitingURL is an address in the frontier.
type WaitingURL struct {
	URL      string  `json:"url"`
	Anchor   string  `json:"anchor,omitempty"`
	Depth    int     `json:"depth,omitempty"`
	Priority float64 `json:"priority"`
	Why      string  `json:"why,omitempty" jsonschema:"the priority by term"`
}

// BlockedHost is a host that refuses access.
type BlockedHost struct {
	Host string `json:"host"`
	Says string `json:"says" jsonschema:"the problem and its remedy"`
}

// RunProgress returns the progress of the active run or of the last one. A copy of the workspace has
// no queues; there the figures of a run are those that it stored last.
func (s *Service) RunProgress(ctx context.Context, _ RunProgress) (out Progress, err error) {
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		runs, err := e.Survey.Runs(maxHistory)
		if err != nil {
			return err
		}
		snap := e.Snapshot()
		t := &snap.Run
		out = Progress{AsOf: at, State: string(snap.State), Why: line(snap.WhyIdle()), Pressing: snap.Pressing,
			Task: t.Task, Started: second(t.Began), Fetched: t.Fetched, Missed: t.Missed, Retries: t.Retries,
			Lists: t.Lists, Notices: t.Notices, Changed: t.Changed, Visited: t.Visited, ToVisit: t.ToVisit,
			Waiting: snap.Counts.Waiting, Busy: snap.Busy, Hosts: snap.NumHosts,
			Failures: failures(t.Errors), Queues: []HostQueue{}, Ahead: []WaitingURL{},
			Blocked: []BlockedHost{}, Runs: runLines(runs)}
		switch {
		case snap.State != view.Idle:
			out.Active, out.AsOf = true, second(snap.At)
			out.Rate, out.Seconds = view.Round(t.Rate()), t.Left(snap.At).Round(time.Second).Seconds()
		case len(runs) > 0 && runs[0].End == records.RunKilled && store.Held(s.dir) && at.Sub(runs[0].Seen) < freshRun:
			out.stored(&runs[0])
			out.Runs[0].End = "open"
		}
		for _, h := range snap.Hosts[:min(len(snap.Hosts), maxQueues)] {
			out.Queues = append(out.Queues, HostQueue{h.Host, h.Waiting, h.Busy, h.Done, h.Failed, second(h.Next),
				line(h.Why)})
		}
		for _, u := range snap.Frontier[:min(len(snap.Frontier), maxAhead)] {
			out.Ahead = append(out.Ahead, WaitingURL{u.URL, line(u.Anchor), u.Depth, view.Round(u.Priority),
				line(u.Why)})
		}
		for i := range snap.Doors[:min(len(snap.Doors), maxQueues)] {
			out.Blocked = append(out.Blocked, BlockedHost{snap.Doors[i].Host, line(snap.Doors[i].Says())})
		}
		return nil
	})
	return out, err
}

// stored takes the figures of a run under way from its row.
func (p *Progress) stored(r *records.Run) {
	p.Active, p.State, p.AsOf, p.Why = true, string(view.Running), second(r.Seen), ""
	p.Task, p.Started, p.Fetched, p.Missed, p.Retries = r.Task, second(r.Start), r.Fetched, r.Missed, r.Retries
	p.Lists, p.Notices, p.Changed, p.Visited = r.Lists, r.Notices, r.Changed, r.Visited
	p.Failures = failures(view.TallyOf(r).Errors)
}

func failures(all []view.FailureGroup) []FailureCount {
	out := []FailureCount{}
	for _, f := range all {
		out = append(out, FailureCount{f.Reason, f.N, view.Urgent(f.Reason)})
	}
	return out
}

// runLines returns the rows of stored runs.
func runLines(runs []records.Run) []RunLine {
	out := []RunLine{}
	for _, r := range runs {
		out = append(out, RunLine{r.Task, line(r.By), second(r.Start), cmp.Or(r.End, "open"), view.Round(r.Took),
			r.Fetched, r.Notices, r.Changed})
	}
	return out
}

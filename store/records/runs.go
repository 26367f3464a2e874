package records

import (
	"fmt"
	"slices"
	"time"

	"angler/message"
	"angler/store/sealed"
)

// This file keeps one row for every run, written at its begin, now and then, and at its end.
//
// A row without an end belongs to the current run. One process holds the workspace, so at opening
// such a row means that a process was killed; SettleRuns records that. Rows are small (a curve has
// at most MaxRunPoints points). The newest MaxRuns are kept, and a write costs one commit.

// RunsBucket holds number → Run, JSON.
var RunsBucket = []byte("runs")

// Bounds of stored rows.
const (
	MaxRuns      = 1000 // rows; a new one replaces the oldest
	MaxRunPoints = 200  // points of a curve
	MaxRunEvents = 40   // kinds of events of a run
)

// How a run ended. A row with none of them belongs to the current run.
const (
	RunFinished = "finished" // no work was left, or its bound was reached
	RunStopped  = "stopped"  // by a person, or with the program
	RunKilled   = "killed"   // the process ended without closing the run
	RunOutage   = "outage"   // the network was down for longer than the run waits
	RunFailed   = "failed"   // an error ended it
)

// Run is one discovery or harvest. Its counts cover only this run.
type Run struct {
	ID    uint64    `json:"id"` // 1, 2, 3 … in order of their start
	Task  string    `json:"task"`
	By    string    `json:"by"`
	Under string    `json:"under,omitempty"` // the host or section of the run; "": all
	Start time.Time `json:"start"`
	Seen  time.Time `json:"seen"`           // when the row was last written
	End   string    `json:"end,omitempty"`  // RunFinished …; "": running
	Why   string    `json:"why,omitempty"`  // details of the end, in a few words
	Took  float64   `json:"took,omitempty"` // seconds

	Fetched   int            `json:"fetched"`           // completed fetches
	Unchanged int            `json:"unchanged"`         // of them: known pages without changes
	Missed    int            `json:"missed,omitempty"`  // of them: failed ones
	Failures  int            `json:"failures"`          // URLs given up
	Kinds     map[string]int `json:"kinds,omitempty"`   // of them, by kind of failure
	Retries   int            `json:"retries,omitempty"` // URLs waiting for a retry
	Pages     int            `json:"pages"`             // pages that the run made known
	Lists     int            `json:"lists"`             // increase of aggregation pages; 0 if there are fewer
	Visited   int            `json:"visited"`           // lists visited by a harvest
	Notices   int            `json:"notices"`           // new ones
	Changed   int            `json:"changed,omitempty"`
	Withdrawn int            `json:"withdrawn,omitempty"` // notices whose list no longer qualifies
	Lacking   int            `json:"lacking,omitempty"`   // visited lists with entries that could not be followed
	Unmatched int            `json:"unmatched,omitempty"` // entries of the visited lists whose titles do not match the patterns
	NotDue    int            `json:"not_due,omitempty"`   // lists that a harvest skipped
	NextDue   time.Time      `json:"next_due,omitzero"`   // when the first of them is due
	Blind     bool           `json:"blind,omitempty"`     // no page could be judged, for lack of samples and labels
	Bytes     int64          `json:"bytes"`               // of the bodies, decompressed
	Memory    int64          `json:"memory"`              // peak resident memory, bytes; 0: unknown
	CPU       float64        `json:"cpu"`                 // processor seconds; 0: unknown
	Recall    *RunRecall     `json:"recall,omitempty"`    // newest estimate of a discovery; nil: none

	Curve  []RunPoint `json:"curve,omitempty"`  // at most MaxRunPoints
	Events []RunEvent `json:"events,omitempty"` // reported events, one row a kind, newest first
}

// RunRecall estimates which share of its lists a discovery has fetched, and holds the figures that it rests on. The
// truth is what the judge names after a full crawl. The zero value means that no estimate exists.
type RunRecall struct {
	At      time.Time `json:"at"`                // of the estimate
	Share   float64   `json:"share"`             // 0 … 1; 0 without enough evidence
	Lists   int       `json:"lists"`             // aggregation pages
	Near    int       `json:"near"`              // lists whose score is close below θ
	Pages   int       `json:"pages"`             // captured pages
	Waiting int       `json:"waiting"`           // URLs that wait within the depth limit
	Through bool      `json:"through,omitempty"` // the run ended because no URL waited
}

// Percent returns Share in whole percent, rounded down: "97 %".
func (r *RunRecall) Percent() string { return fmt.Sprintf("%d %%", int(100*r.Share+1e-9)) }

// Enough reports whether the evidence allows an estimate.
func (r *RunRecall) Enough() bool { return r.Share > 0 }

// possible reports whether a stored estimate has figures that a run can make.
func (r *RunRecall) possible() bool {
	return r.Share >= 0 && r.Share <= 1 && r.Lists >= 0 && r.Near >= 0 && r.Waiting >= 0 && r.Pages > 0 &&
		r.Lists <= r.Pages && r.Near <= r.Pages && !r.At.IsZero()
}

// RunPoint is a point of a run's progress.
type RunPoint struct {
	At       float64 `json:"s"` // seconds since its start
	Fetched  int     `json:"f"`
	Lists    int     `json:"l,omitempty"`
	Notices  int     `json:"n,omitempty"`
	Failures int     `json:"x,omitempty"`
}

// RunEvent is an event reported several times: its kind, count and last text.
type RunEvent struct {
	Kind  string       `json:"kind"` // the common text of the reports
	Level string       `json:"level"`
	N     int          `json:"n"`
	Last  time.Time    `json:"last"`
	Text  message.Text `json:"text"`
}

// open reports whether the run has not ended.
func (r *Run) open() bool { return r.End == "" }

var runs = table[uint64, Run]{bucket: RunsBucket, key: idKey, sound: func(key []byte, r *Run) bool {
	if r.Recall != nil && !r.Recall.possible() {
		r.Recall = nil
	}
	return r.ID == idOf(key) && r.ID != 0 && r.Task != ""
}}

// BeginRun stores a row under a new number and returns the number. It deletes the oldest rows
// beyond MaxRuns.
func BeginRun(db DB, r *Run) (id uint64, err error) {
	err = runs.change(db, func(b rows[uint64, Run]) error {
		k, _ := b.Cursor().Last()
		id = idOf(k) + 1
		r.ID = id
		if err := b.put(id, r); err != nil {
			return err
		}
		keys := b.keys(nil) // including damaged rows
		return b.remove(keys[:max(0, len(keys)-MaxRuns)])
	})
	return id, err
}

// PutRun stores a row again.
func PutRun(db DB, r *Run) error {
	return runs.store(db, r.ID, r)
}

// DropRuns deletes the rows of runs that began before a time, except the newest row, and returns
// their number. With dry it only counts.
func DropRuns(db DB, before time.Time, dry bool) (n int, err error) {
	drop := func(tx sealed.Tx) error {
		b := runs.in(tx)
		newest, _ := b.Cursor().Last()
		keys, _ := b.find(nil, 1<<62, func(r *Run) bool { return r.ID != idOf(newest) && r.Start.Before(before) })
		if n = len(keys); dry {
			return nil
		}
		return b.remove(keys)
	}
	if dry {
		return n, db.View(drop)
	}
	return n, db.Write(drop)
}

// Runs returns at most most rows, newest first. live is the number of the current run, 0 for none.
// Every other row without an end is returned as killed.
func Runs(db DB, live uint64, most int) (list []Run, err error) {
	err = db.View(func(tx sealed.Tx) error {
		b := runs.in(tx)
		c := b.Cursor()
		for k, v := c.Last(); k != nil && len(list) < most; k, v = c.Prev() {
			r, err := runs.read(k, v)
			if err != nil {
				b.Spoiled(k, err)
				continue
			}
			if r.open() && r.ID != live {
				r.kill()
			}
			list = append(list, *r)
		}
		return nil
	})
	return list, err
}

// SettleRuns closes the rows of killed runs and returns all rows, newest first, and the number of closed ones. Call it
// after opening a workspace for writing, before a run begins.
func SettleRuns(db DB) (list []Run, n int, err error) {
	if list, err = Runs(db, 0, MaxRuns); err != nil {
		return nil, 0, err
	}
	for i := range list {
		if r := &list[i]; r.End == RunKilled && r.Why == unsettled {
			r.Why = killedWhy
			if err := PutRun(db, r); err != nil {
				return list, n, err
			}
			n++
		}
	}
	return list, n, nil
}

// Why a run was killed, as far as it is known. The first is for a row that does not say so yet.
const (
	unsettled = "the process ended without a word"
	killedWhy = "the process ended without a word (kill -9, a crash, or the power)"
)

// kill ends a row at its last write.
func (r *Run) kill() {
	r.End, r.Why = RunKilled, unsettled
	r.Took = max(0, r.Seen.Sub(r.Start).Seconds())
}

// ThinCurve keeps at most MaxRunPoints points of a curve, evenly spaced, including the first and
// the last.
func ThinCurve(c []RunPoint) []RunPoint {
	if len(c) <= MaxRunPoints {
		return slices.Clone(c)
	}
	out := make([]RunPoint, MaxRunPoints)
	for i := range out {
		out[i] = c[i*(len(c)-1)/(MaxRunPoints-1)]
	}
	return out
}

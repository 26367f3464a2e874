package records

import (
	"slices"
	"time"

	"angler/message"
	"angler/store/sealed"
)

// This file keeps what became of every run: one row, written when the run begins, again
// while it goes on, and at its end.
//
// A row without an end belongs to a run under way. The workspace is held by one process,
// so opening it finds such a row only where a process was killed; SettleRuns says so in
// the row. Rows are small (a curve has at most MaxRunPoints points), the newest MaxRuns
// are kept, and a write costs one commit.

// RunsBucket holds number → Run, JSON.
var RunsBucket = []byte("runs")

// Bounds of what is kept.
const (
	MaxRuns      = 1000 // rows; a new one beyond takes the place of the oldest
	MaxRunPoints = 200  // of a curve
	MaxRunEvents = 40   // kinds of events of a run
)

// How a run ended. A row that has none of them is of a run under way.
const (
	RunFinished = "finished" // nothing was left to do, or the bound that it was given was reached
	RunStopped  = "stopped"  // by a person, or with the program
	RunKilled   = "killed"   // the process ended without a word
	RunOutage   = "outage"   // the network was away for longer than the run was to wait
	RunFailed   = "failed"   // an error ended it
)

// Run is one discovery or harvest. Counts cover this run alone.
type Run struct {
	ID    uint64    `json:"id"` // 1, 2, 3 … in the order of their beginning
	Task  string    `json:"task"`
	By    string    `json:"by"`
	Under string    `json:"under,omitempty"` // the host or section that the run was bound to; "" = all
	Start time.Time `json:"start"`
	Seen  time.Time `json:"seen"`           // when the row was written last
	End   string    `json:"end,omitempty"`  // RunFinished …; "" = under way
	Why   string    `json:"why,omitempty"`  // more about the end, in a few words
	Took  float64   `json:"took,omitempty"` // seconds

	Fetched   int            `json:"fetched"`           // fetches that ended
	Unchanged int            `json:"unchanged"`         // of them: known pages that were as before
	Missed    int            `json:"missed,omitempty"`  // of them: those that brought no page
	Failures  int            `json:"failures"`          // URLs that were given up
	Kinds     map[string]int `json:"kinds,omitempty"`   // of them, by what failed them
	Retries   int            `json:"retries,omitempty"` // URLs that wait for their next try
	Pages     int            `json:"pages"`             // known after the run and not before
	Lists     int            `json:"lists"`             // aggregation pages after the run that were not before; 0 when there are fewer
	Visited   int            `json:"visited"`           // lists that a harvest visited
	Notices   int            `json:"notices"`           // new ones
	Changed   int            `json:"changed,omitempty"`
	Withdrawn int            `json:"withdrawn,omitempty"` // notices whose list no longer qualifies
	Lacking   int            `json:"lacking,omitempty"`   // lists visited that show more than could be followed
	Unmatched int            `json:"unmatched,omitempty"` // entries of the visited lists whose titles do not match the patterns
	NotDue    int            `json:"not_due,omitempty"`   // lists that a harvest left out
	NextDue   time.Time      `json:"next_due,omitzero"`   // when the next of those is due
	Blind     bool           `json:"blind,omitempty"`     // nothing could be judged: there was no sample and no label
	Bytes     int64          `json:"bytes"`               // of the bodies, unpacked
	Memory    int64          `json:"memory"`              // the most the process had in RAM, bytes; 0 = unknown
	CPU       float64        `json:"cpu"`                 // seconds of the process meanwhile; 0 = unknown

	Curve  []RunPoint `json:"curve,omitempty"`  // at most MaxRunPoints
	Events []RunEvent `json:"events,omitempty"` // what was reported meanwhile, a row a kind, newest first
}

// RunPoint is how far a run had come.
type RunPoint struct {
	At       float64 `json:"s"` // seconds since its beginning
	Fetched  int     `json:"f"`
	Lists    int     `json:"l,omitempty"`
	Notices  int     `json:"n,omitempty"`
	Failures int     `json:"x,omitempty"`
}

// RunEvent is what was reported several times: the kind, how often, and the last.
type RunEvent struct {
	Kind  string       `json:"kind"` // what the reports have in common
	Level string       `json:"level"`
	N     int          `json:"n"`
	Last  time.Time    `json:"last"`
	Text  message.Text `json:"text"`
}

// Open tells whether the row is of a run that has not ended.
func (r *Run) Open() bool { return r.End == "" }

var runs = table[uint64, Run]{bucket: RunsBucket, key: idKey, sound: func(key []byte, r *Run) bool {
	return r.ID == idOf(key) && r.ID != 0 && r.Task != ""
}}

// BeginRun stores a row under a new number, which it returns, and deletes the oldest rows
// beyond MaxRuns.
func BeginRun(db DB, r *Run) (id uint64, err error) {
	err = runs.change(db, func(b rows[uint64, Run]) error {
		k, _ := b.Cursor().Last()
		id = idOf(k) + 1
		r.ID = id
		if err := b.put(id, r); err != nil {
			return err
		}
		keys := b.keys(nil) // damaged rows count, too
		return b.remove(keys[:max(0, len(keys)-MaxRuns)])
	})
	return id, err
}

// PutRun stores a row again.
func PutRun(db DB, r *Run) error {
	return runs.change(db, func(b rows[uint64, Run]) error { return b.put(r.ID, r) })
}

// DropRuns deletes the rows of runs that began before a time, the newest row apart, and
// returns how many there are; with dry none goes.
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

// Runs returns the newest rows, newest first, at most most. live is the number of the run
// under way, 0 for none: another row without an end is of a run that was killed, and says
// so.
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
			if r.Open() && r.ID != live {
				r.kill()
			}
			list = append(list, *r)
		}
		return nil
	})
	return list, err
}

// SettleRuns closes the rows of runs that were killed: call it when a workspace was opened
// for writing, before a run begins. It returns how many there were.
func SettleRuns(db DB) (n int, err error) {
	list, err := Runs(db, 0, MaxRuns)
	if err != nil {
		return 0, err
	}
	for i := range list {
		if r := &list[i]; r.End == RunKilled && r.Why == unsettled {
			r.Why = killedWhy
			if err := PutRun(db, r); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// Why a run was killed: what is known of it. The first is of a row that does not
// say it yet.
const (
	unsettled = "the process ended without a word"
	killedWhy = "the process ended without a word (kill -9, a crash, or the power)"
)

// kill ends a row where it was written last.
func (r *Run) kill() {
	r.End, r.Why = RunKilled, unsettled
	r.Took = max(0, r.Seen.Sub(r.Start).Seconds())
}

// ThinCurve keeps at most MaxRunPoints of a curve, evenly, the first and the last among
// them.
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

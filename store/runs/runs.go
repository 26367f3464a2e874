// Package runs keeps what became of every run: one row, written when the run
// begins, again while it goes on, and at its end.
//
// A row without an end belongs to a run under way. The workspace is held by one
// process, so opening it finds such a row only where a process was killed;
// Settle says so in the row. Rows are small (a curve has at most MostPoints
// points), the newest Most are kept, and a write costs one commit. The bucket is
// made by the first run: workspaces of before have none.
package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angler/message"
	"angler/store"
	"angler/store/sealed"
)

// Bucket holds the rows: number → Row, JSON.
var Bucket = []byte("runs")

// Bounds of what is kept.
const (
	Most       = 1000 // rows; a new one beyond takes the place of the oldest
	MostPoints = 200  // of a curve
	MostEvents = 40   // kinds of events of a run
)

// How a run ended. A row that has none of them is of a run under way.
const (
	Finished = "finished" // nothing was left to do, or the bound that it was given was reached
	Stopped  = "stopped"  // by a person, or with the program
	Killed   = "killed"   // the process ended without a word
	Outage   = "outage"   // the network was away for longer than the run was to wait
	Failed   = "failed"   // an error ended it
)

// Row is what is known of one run. Counts are of this run alone.
type Row struct {
	ID    uint64    `json:"id"` // 1, 2, 3 … in the order of their beginning
	Task  string    `json:"task"`
	By    string    `json:"by"`
	Under string    `json:"under,omitempty"` // the host or section that the run was bound to; "" = all
	Start time.Time `json:"start"`
	Seen  time.Time `json:"seen"`           // when the row was written last
	End   string    `json:"end,omitempty"`  // Finished …; "" = under way
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

	Curve  []Point `json:"curve,omitempty"`  // at most MostPoints
	Events []Event `json:"events,omitempty"` // what was reported meanwhile, a row a kind, newest first
}

// Point is how far a run had come.
type Point struct {
	At       float64 `json:"s"` // seconds since its beginning
	Fetched  int     `json:"f"`
	Lists    int     `json:"l,omitempty"`
	Notices  int     `json:"n,omitempty"`
	Failures int     `json:"x,omitempty"`
}

// Event is what was reported several times: the kind, how often, and the last.
type Event struct {
	Kind  string       `json:"kind"` // what the reports have in common
	Level string       `json:"level"`
	N     int          `json:"n"`
	Last  time.Time    `json:"last"`
	Text  message.Text `json:"text"`
}

// Open tells whether the row is of a run that has not ended.
func (r *Row) Open() bool { return r.End == "" }

// Begin stores a row under a new number, which it returns, and deletes the
// oldest rows beyond Most.
func Begin(w *store.Workspace, r *Row) (id uint64, err error) {
	err = change(w, func(b sealed.Bucket) error {
		if k, _ := b.Cursor().Last(); len(k) == 8 {
			id = store.KeyID(k)
		}
		id++
		r.ID = id
		if err := put(b, r); err != nil {
			return err
		}
		return trim(b)
	})
	return id, err
}

// Put stores a row again.
func Put(w *store.Workspace, r *Row) error {
	return change(w, func(b sealed.Bucket) error { return put(b, r) })
}

func change(w *store.Workspace, f func(sealed.Bucket) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(tx.Bucket(Bucket))
	})
}

func put(b sealed.Bucket, r *Row) error {
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return b.Put(store.IDKey(r.ID), v)
}

// trim removes the oldest rows beyond Most.
func trim(b sealed.Bucket) error {
	var keys [][]byte
	c := b.Bucket.Cursor() // damaged rows count, too
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		keys = append(keys, slices.Clone(k))
	}
	for _, k := range keys[:max(0, len(keys)-Most)] {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// Drop deletes the rows of runs that began before a time, the newest row apart,
// and returns how many there are; with dry none goes.
func Drop(w *store.Workspace, before time.Time, dry bool) (n int, err error) {
	collect := func(tx sealed.Tx) (keys [][]byte) {
		b := tx.Bucket(Bucket)
		c := b.Cursor()
		newest, _ := c.Last()
		newest = slices.Clone(newest)
		for k, v := c.First(); k != nil && !bytes.Equal(k, newest); k, v = c.Next() {
			if r, err := Decode(k, v); err == nil && r.Start.Before(before) {
				keys = append(keys, slices.Clone(k))
			}
		}
		return keys
	}
	if dry {
		err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error { n = len(collect(tx)); return nil })
		return n, err
	}
	err = store.RowsOf(w).Write(func(tx sealed.Tx) error {
		keys := collect(tx)
		for _, k := range keys {
			if err := tx.Bucket(Bucket).Delete(k); err != nil {
				return err
			}
		}
		n = len(keys)
		return nil
	})
	return n, err
}

// errForm is why a row does not decode.
var errForm = errors.New("it does not decode")

// Decode reads a row.
func Decode(key, v []byte) (*Row, error) {
	r := new(Row)
	if err := json.Unmarshal(v, r); err != nil {
		return nil, fmt.Errorf("%w: %v", errForm, err)
	}
	if len(key) != 8 || store.KeyID(key) != r.ID || r.ID == 0 || r.Task == "" {
		return nil, errForm
	}
	return r, nil
}

// List returns the newest rows, newest first, at most most. live is the number of
// the run under way, 0 for none: another row without an end is of a run that was
// killed, and says so.
func List(w *store.Workspace, live uint64, most int) ([]Row, error) {
	var rows []Row
	err := store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		c := b.Cursor()
		for k, v := c.Last(); k != nil && len(rows) < most; k, v = c.Prev() {
			r, err := Decode(k, v)
			if err != nil {
				b.Spoiled(k, err)
				continue
			}
			if r.Open() && r.ID != live {
				r.kill()
			}
			rows = append(rows, *r)
		}
		return nil
	})
	return rows, err
}

// Settle closes the rows of runs that were killed: call it when a workspace was
// opened, before a run begins. It returns how many there were.
func Settle(w *store.Workspace) (n int, err error) {
	if store.ReadOnly(w) {
		return 0, nil // List says it all the same
	}
	rows, err := List(w, 0, Most)
	if err != nil {
		return 0, err
	}
	for i := range rows {
		if r := &rows[i]; r.End == Killed && r.Why == unsettled {
			r.Why = killedWhy
			if err := Put(w, r); err != nil {
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
func (r *Row) kill() {
	r.End, r.Why = Killed, unsettled
	r.Took = max(0, r.Seen.Sub(r.Start).Seconds())
}

// Thin keeps at most MostPoints of a curve, evenly, the first and the last among
// them.
func Thin(c []Point) []Point {
	if len(c) <= MostPoints {
		return slices.Clone(c)
	}
	out := make([]Point, MostPoints)
	for i := range out {
		out[i] = c[i*(len(c)-1)/(MostPoints-1)]
	}
	return out
}

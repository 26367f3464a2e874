package view

import "time"

// Worker is a process at some machine that fetches and reads pages for this crawl.
type Worker struct {
	Name    string      `json:"name"`
	State   WorkerState `json:"state"`
	Version string      `json:"version"` // of angler there
	Tags    []string    `json:"tags,omitempty"`
	Slots   int         `json:"slots"`  // jobs that it does at once
	Busy    int         `json:"busy"`   // jobs that it has now
	Hosts   int         `json:"hosts"`  // that are its
	Done    int         `json:"done"`   // results taken from it
	Rate    float64     `json:"rate"`   // results a second, over the last ten seconds
	CPU     float64     `json:"cpu"`    // cores that it uses: 1.5 = one and a half
	Memory  int64       `json:"memory"` // bytes, resident; 0 = its system does not tell
	Since   time.Time   `json:"since"`  // it was started
	Seen    time.Time   `json:"seen"`   // it was last heard of
	Late    int         `json:"late"`   // results that came late, twice or unasked, and were dropped
	Bad     int         `json:"bad"`    // results that were none, and were refused

	Failed []FailedKind  `json:"failed,omitempty"` // requests of its that brought no answer, by kind, most first
	Errors []WorkerError `json:"errors,omitempty"` // the newest first, at most WorkerErrors
}

// FailedKind is how many requests failed in one way, a kind of fetch.Error.
type FailedKind struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
}

// WorkerError is something that went wrong with a worker, once or several times in a row.
type WorkerError struct {
	At   time.Time `json:"at"` // the last time
	What string    `json:"what"`
	N    int       `json:"n"`
}

// WorkerErrors is how many errors of a worker are remembered.
const WorkerErrors = 20

// WorkerState is what a worker may do.
type WorkerState string

// The states of workers.
const (
	WorkerWorks   WorkerState = "works"
	WorkerDrains  WorkerState = "drains"  // it gets no more jobs, and does those that it has
	WorkerStops   WorkerState = "stops"   // likewise, and its process ends then
	WorkerBanned  WorkerState = "banned"  // its jobs went to others, and it is not let in again
	WorkerRefused WorkerState = "refused" // it speaks another protocol; Errors says which
	WorkerLost    WorkerState = "lost"    // it has not been heard of; forgotten after some minutes
)

// Here reports that a worker of this state gets jobs, or ends those that it has.
func (s WorkerState) Here() bool {
	return s == WorkerWorks || s == WorkerDrains || s == WorkerStops
}

// Crew is what all workers are together.
type Crew struct {
	Workers int     `json:"workers"` // that work
	Slots   int     `json:"slots"`   // of those
	Busy    int     `json:"busy"`
	Rate    float64 `json:"rate"` // results a second
	Idle    int     `json:"idle"` // workers that drain, stop, are banned, refused or lost
}

// Machines is who takes part in the runs of an engine from other machines.
type Machines struct {
	Crew
	Invite string   `json:"invite,omitempty"` // what a person types at another machine to take part; "" = not known
	Rows   []Worker `json:"rows"`             // by name; not to be changed
}

// Wrong counts what went wrong at a worker: requests without an answer, and results that
// were none.
func (w *Worker) Wrong() int {
	n := w.Bad
	for _, f := range w.Failed {
		n += f.N
	}
	return n
}

// Here reports that the worker is there: it gets jobs, or ends those that it has.
func (w *Worker) Here() bool { return w.State.Here() }

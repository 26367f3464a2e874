package view

import "time"

// Worker is a process on another machine that fetches and reads pages for this crawl.
type Worker struct {
	Name    string      `json:"name"`
	State   WorkerState `json:"state"`
	Version string      `json:"version"` // its version of angler
	Tags    []string    `json:"tags,omitempty"`
	Slots   int         `json:"slots"`  // maximum of concurrent jobs
	Busy    int         `json:"busy"`   // jobs it has now
	Hosts   int         `json:"hosts"`  // hosts assigned to it
	Done    int         `json:"done"`   // results accepted from it
	Rate    float64     `json:"rate"`   // results per second over the last ten seconds
	CPU     float64     `json:"cpu"`    // processor cores in use: 1.5 = one and a half
	Memory  int64       `json:"memory"` // resident bytes; 0 = unknown on its system
	Since   time.Time   `json:"since"`  // start of its process
	Seen    time.Time   `json:"seen"`   // last heartbeat
	Late    int         `json:"late"`   // dropped results: late, duplicate or unrequested
	Bad     int         `json:"bad"`    // malformed results

	Failed []FailedKind  `json:"failed,omitempty"` // failed requests by kind, most frequent first
	Errors []WorkerError `json:"errors,omitempty"` // newest first, at most WorkerErrors
}

// FailedKind is the number of failed requests of one kind of fetch.Error.
type FailedKind struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
}

// WorkerError is an error of a worker. Equal errors in a row are one.
type WorkerError struct {
	At   time.Time `json:"at"` // of the newest occurrence
	What string    `json:"what"`
	N    int       `json:"n"`
}

// WorkerErrors is the maximum length of Worker.Errors.
const WorkerErrors = 20

// WorkerState is the state of a worker.
type WorkerState string

// The states of workers.
const (
	WorkerWorks   WorkerState = "works"
	WorkerDrains  WorkerState = "drains"  // finishes its jobs and gets no new ones
	WorkerStops   WorkerState = "stops"   // drains, then its process exits
	WorkerBanned  WorkerState = "banned"  // its jobs went to others and it may not reconnect
	WorkerRefused WorkerState = "refused" // speaks another protocol version, see Errors
	WorkerLost    WorkerState = "lost"    // silent; deleted after some minutes
)

// Here reports whether workers of this state get jobs or finish those they have.
func (s WorkerState) Here() bool {
	return s == WorkerWorks || s == WorkerDrains || s == WorkerStops
}

// Crew sums the figures of all workers.
type Crew struct {
	Workers int     `json:"workers"` // workers in state works
	Slots   int     `json:"slots"`   // of these workers
	Busy    int     `json:"busy"`
	Rate    float64 `json:"rate"` // results per second
	Idle    int     `json:"idle"` // workers that drain, stop, are banned, refused or lost
}

// Machines lists the workers on other machines.
type Machines struct {
	Crew
	Invite string   `json:"invite,omitempty"` // command that starts a worker on another machine; "" = unknown
	Rows   []Worker `json:"rows"`             // by name; do not change
}

// Wrong counts failed requests and malformed results.
func (w *Worker) Wrong() int {
	n := w.Bad
	for _, f := range w.Failed {
		n += f.N
	}
	return n
}

// Here reports whether the worker gets jobs or finishes those it has.
func (w *Worker) Here() bool { return w.State.Here() }

package view

// Machines is who takes part in the runs of an engine from other machines.
type Machines struct {
	Crew
	Invite string   `json:"invite,omitempty"` // what somebody types at another machine to take part; "" = not known
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
func (w *Worker) Here() bool {
	return w.State == WorkerWorks || w.State == WorkerDrains || w.State == WorkerStops
}

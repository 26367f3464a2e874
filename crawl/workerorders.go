package crawl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/crawl/workers"
	"angler/message"
)

// This file holds orders to workers on other machines and their display. Draining and banning are decisions in
// crawl/decisions: logged, persistent, and with undo. The owner of the workers follows them.

// ErrNoWorkers means that workers are disabled.
var ErrNoWorkers = errors.New("no workers are let in; serve the workspace with --workers-listen or --nats")

// OrderWorkers accepts decisions.WorkerDrained, WorkerBanned, or "" to resume. It is logged, and one undo reverts it
// for all workers.
func (m *Machines) OrderWorkers(names []string, order string) error {
	if err := m.May(auth.Workforce); err != nil {
		return err
	}
	o, err := m.known(names)
	if err != nil {
		return err
	}
	if err := m.Topic.OrderWorkers(names, order); err != nil || order != "" {
		return err
	}
	var errs []error
	for _, r := range o.Workers() {
		if r.State == view.WorkerStops && slices.Contains(names, r.Name) { // no decision covers it
			errs = append(errs, o.Set(r.Name, view.WorkerWorks))
		}
	}
	return errors.Join(errs...)
}

// StopWorkers ends the workers' processes after their present jobs. It has no undo. OrderWorkers with "" reverts it
// while they have jobs.
func (m *Machines) StopWorkers(names []string) error {
	if err := m.May(auth.Workforce); err != nil {
		return err
	}
	o, err := m.known(names)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, o.Set(name, view.WorkerStops))
	}
	m.c.events.Did(m.Name, message.Of("worker stopped: %s", strings.Join(names, ", ")))
	return errors.Join(errs...)
}

// known returns the owner, and an error for names without a worker or decision.
func (m *machines) known(names []string) (*workers.Owner, error) {
	o := m.now.Load()
	if o == nil {
		return nil, ErrNoWorkers
	}
	rows, said := o.Workers(), m.c.decisions.State().Workers
	for _, name := range names {
		if _, ok := said[name]; !ok && !slices.ContainsFunc(rows, func(r view.Worker) bool { return r.Name == name }) {
			return nil, fmt.Errorf("no worker is called %.64q; angler workers list DIR lists them", name)
		}
	}
	return o, nil
}

// initialState returns the initial state of a worker.
func (m *machines) initialState(worker string) view.WorkerState {
	switch m.c.decisions.State().Workers[worker].State {
	case decisions.WorkerBanned:
		return view.WorkerBanned
	case decisions.WorkerDrained:
		return view.WorkerDrains
	}
	return view.WorkerWorks
}

// Banned reports whether a worker of this name is banned.
func (m *machines) Banned(worker string) bool { return m.initialState(worker) == view.WorkerBanned }

// applyOrders makes the owner follow changed decisions about its workers.
func (m *machines) applyOrders() error {
	o := m.now.Load()
	if o == nil {
		return nil
	}
	said := m.c.decisions.State().Workers
	var errs []error
	for _, r := range o.Workers() {
		switch order := said[r.Name].State; {
		case order == decisions.WorkerBanned && r.State != view.WorkerBanned:
			errs = append(errs, o.Set(r.Name, view.WorkerBanned))
		case order == decisions.WorkerDrained && r.State == view.WorkerWorks:
			errs = append(errs, o.Set(r.Name, view.WorkerDrains))
		case order == decisions.WorkerDrained && r.State == view.WorkerBanned, order == "" &&
			(r.State == view.WorkerBanned || r.State == view.WorkerDrains):
			errs = append(errs, o.Set(r.Name, view.WorkerWorks))
		}
	}
	return errors.Join(errs...)
}

// Invited sets the command that starts a worker on another machine. People see it while there is no worker.
func (m *machines) Invited(how string) {
	m.invite.Store(&how)
	m.c.publisher.publish()
}

// seen returns the workers for viewers; nil = workers are disabled.
func (m *machines) seen() *view.Machines {
	crew, on := m.Crew()
	if !on {
		return nil
	}
	out := &view.Machines{Crew: crew, Rows: m.Workers()}
	if how := m.invite.Load(); how != nil {
		out.Invite = *how
	}
	return out
}

// workerMetrics writes metrics of the workers; nothing if workers are disabled.
func workerMetrics(x *prometheus, m *view.Machines) {
	if m == nil {
		return
	}
	x.head("angler_workers", "gauge", "workers at other machines by state")
	states := map[view.WorkerState]int{}
	for i := range m.Rows {
		states[m.Rows[i].State]++
	}
	for _, s := range []view.WorkerState{view.WorkerWorks, view.WorkerDrains, view.WorkerStops, view.WorkerBanned,
		view.WorkerRefused, view.WorkerLost} {
		x.row("angler_workers", label("state", string(s)), float64(states[s]))
	}
	for _, metric := range []struct {
		name, kind, help string
		of               func(*view.Worker) float64
	}{
		{"slots", "gauge", "jobs that a worker does at once", func(w *view.Worker) float64 { return float64(w.Slots) }},
		{"busy", "gauge", "jobs that it has", func(w *view.Worker) float64 { return float64(w.Busy) }},
		{"hosts", "gauge", "hosts that are its", func(w *view.Worker) float64 { return float64(w.Hosts) }},
		{"results_total", "counter", "results taken from it", func(w *view.Worker) float64 { return float64(w.Done) }},
		{"late_total", "counter", "its results that came late, twice or unasked and were dropped",
			func(w *view.Worker) float64 { return float64(w.Late) }},
		{"malformed_total", "counter", "its results that were none and were refused",
			func(w *view.Worker) float64 { return float64(w.Bad) }},
		{"cpu_cores", "gauge", "processors that its process uses", func(w *view.Worker) float64 { return w.CPU }},
		{"memory_bytes", "gauge", "memory of its process in RAM; 0 = its system does not tell",
			func(w *view.Worker) float64 { return float64(w.Memory) }},
		{"seen_seconds", "gauge", "Unix time at which it was last heard of",
			func(w *view.Worker) float64 { return unixSeconds(w.Seen) }},
	} {
		name := "angler_worker_" + metric.name
		x.head(name, metric.kind, metric.help)
		for i := range m.Rows {
			x.row(name, label("worker", m.Rows[i].Name), metric.of(&m.Rows[i]))
		}
	}
	x.head("angler_worker_failed_total", "counter", "its requests that brought no answer, by kind")
	for i := range m.Rows {
		for _, f := range m.Rows[i].Failed {
			x.row("angler_worker_failed_total", label("worker", m.Rows[i].Name, "kind", f.Kind), float64(f.N))
		}
	}
	x.head("angler_worker_up", "gauge", "1 for a worker that is there, else 0, with its version and tags")
	for i := range m.Rows {
		w := &m.Rows[i]
		x.row("angler_worker_up", label("worker", w.Name, "version", w.Version, "tags", strings.Join(w.Tags, ",")),
			zeroOne(w.Here()))
	}
}

//go:build heavy

package workers_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/view"
)

// until waits for the workers to be as a person wants to see them.
func until(t *testing.T, e *demo.Engine, what string, ok func(*view.Machines) bool) {
	t.Helper()
	news, end := e.Subscribe()
	defer end()
	m := e.Snapshot().Machines
	for m == nil || !ok(m) {
		select {
		case s := <-news:
			m = s.Machines
		case <-t.Context().Done():
			t.Fatalf("the test ends, not %s: %+v", what, m)
		}
	}
}

// is reports that a worker has a state.
func is(name string, state view.WorkerState) func(*view.Machines) bool {
	return func(m *view.Machines) bool {
		return slices.ContainsFunc(m.Rows, func(w view.Worker) bool { return w.Name == name && w.State == state })
	}
}

func row(t *testing.T, e *demo.Engine, name string) view.Worker {
	t.Helper()
	rows := e.Machines.Workers()
	i := slices.IndexFunc(rows, func(w view.Worker) bool { return w.Name == name })
	if i < 0 {
		t.Fatalf("%s is not among %+v", name, rows)
	}
	return rows[i]
}

// Who is drained gets no job and who is banned is not let in, until a person takes it
// back; it is logged, undone and told like any other decision.
func TestPeopleOrderWorkers(t *testing.T) {
	e := open(t)
	if e.Snapshot().Machines != nil {
		t.Error("there are workers where none are expected")
	}
	if err := e.Machines.OrderWorkers([]string{"one"}, decisions.WorkerBanned); err == nil {
		t.Error("a worker is banned where none are expected")
	}
	b, _ := employ(t, e.Engine)
	e.Machines.Invited("angler workers join nats://" + b.Addr())
	until(t, e, "invited", func(m *view.Machines) bool { return m.Invite != "" && len(m.Rows) == 0 })
	of := func(name string) child {
		return child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: name, Slots: 8}
	}
	begin(t, of("one"))
	two, three := begin(t, of("two")), begin(t, of("three"))
	until(t, e, "three are there", func(m *view.Machines) bool { return m.Workers == 3 && m.Slots == 24 })

	must := func(err error) {
		t.Helper()
		must(t, err)
	}
	if err := e.Machines.OrderWorkers([]string{"nobody"}, decisions.WorkerDrained); err == nil || !strings.Contains(err.Error(), "no worker is called") {
		t.Errorf("a name that no worker has: %v", err)
	}
	must(e.Machines.OrderWorkers([]string{"one"}, decisions.WorkerDrained))
	until(t, e, "one drains", is("one", view.WorkerDrains))
	must(e.Machines.OrderWorkers([]string{"two"}, decisions.WorkerBanned))
	until(t, e, "two is banned", is("two", view.WorkerBanned))
	_ = two.Wait() // its process ends by itself
	must(e.Machines.StopWorkers([]string{"three"}))
	until(t, e, "three is gone", func(m *view.Machines) bool { return m.Workers == 0 && !is("three", view.WorkerWorks)(m) })
	if err := three.Wait(); err != nil {
		t.Errorf("a worker that was stopped ends with %v", err)
	}

	if _, err := e.Runs.Discover(t.Context(), run.Options{MaxPages: 40}); err != nil {
		t.Fatal(err)
	}
	if w := row(t, e, "one"); w.Done != 0 {
		t.Errorf("a drained worker had jobs: %+v", w)
	}

	// Undo takes back what was decided last: the ban, then the draining.
	if _, err := e.Topic.Undo(); err != nil {
		t.Fatal(err)
	}
	until(t, e, "two is let in", func(m *view.Machines) bool { return !is("two", view.WorkerBanned)(m) })
	if _, err := e.Topic.Undo(); err != nil {
		t.Fatal(err)
	}
	until(t, e, "one works", is("one", view.WorkerWorks))
	begin(t, of("two"))
	until(t, e, "two works", is("two", view.WorkerWorks))
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, name := range []string{"one", "two"} {
		w := row(t, e, name)
		if done += w.Done; w.Hosts == 0 || w.Version == "" || w.Seen.IsZero() {
			t.Errorf("%+v", w)
		}
	}
	if done < 400 {
		t.Errorf("the workers did %d jobs", done)
	}

	var said []string
	log, err := e.Topic.Decided(100)
	must(err)
	for _, ev := range log {
		said = append(said, ev.What.String())
	}
	for _, want := range []string{"worker drained: one", "worker banned: two"} {
		if !slices.Contains(said, want) {
			t.Errorf("%q is not logged: %q", want, said)
		}
	}
	var metrics bytes.Buffer
	must(e.WriteMetrics(&metrics))
	for _, want := range []string{`angler_workers{state="works"} 2`, `angler_worker_slots{worker="one"} 8`, `angler_worker_results_total{worker="two"} `, `angler_worker_up{worker="one",version="`} {
		if !strings.Contains(metrics.String(), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

// A ban holds for who comes after the owner has begun anew, also at another server.
func TestABanOutlivesTheOwner(t *testing.T) {
	e := open(t)
	b, o := employ(t, e.Engine)
	c := child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: "one", Slots: 2}
	begin(t, c)
	staffed(t, e.Engine, o, 1)
	must(t, e.Machines.OrderWorkers([]string{"one"}, decisions.WorkerBanned))
	until(t, e, "one is banned", is("one", view.WorkerBanned))
	b2, _ := employ(t, e.Engine)
	c.Server, c.Invitation = "nats://"+b2.Addr(), b2.Invitation().String()
	begin(t, c)
	until(t, e, "one is banned at the other server", is("one", view.WorkerBanned))
	if crew, on := e.Machines.Crew(); !on || crew.Workers != 0 {
		t.Errorf("%+v work", crew)
	}
	for name, want := range map[string]error{"one": nats.ErrAuthorization, "two": nil} { // an invitation for one opens for no other name
		conn, err := nats.Connect(c.Server, b2.Invitation().For(name).Options()...)
		if !errors.Is(err, want) {
			t.Errorf("the invitation of %s: %v", name, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}

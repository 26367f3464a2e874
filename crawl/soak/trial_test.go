package soak

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"angler/crawl/view"
)

// trial is one crawl, disturbed or not.
type trial struct {
	*soak
	dir                string
	discovery, harvest []event
	met                map[string]int // events that happened
	problems           []string
	processes          int

	p      *process
	made   []bool // choices that are stored
	steps  int    // pages and notices that were stored
	asked  int    // choices that were ordered of the process under way
	wrong  bool   // its clock
	brings int    // what the last process that ended by itself brought
	ended  bool   // it ended by itself
}

const (
	// idle is how long a crawl may do nothing before it is given its next event, or
	// is ended when there is none: it rests because of what it met.
	idle = 8 * time.Second

	// hang is how long a crawl may do nothing at all when nothing disturbs it, and
	// how long it may take to end.
	hang = 2 * time.Minute

	// rounds bounds the runs after the disturbances.
	rounds = 8

	// afterwards is how far a crawl may come by itself after its last event.
	afterwards = 600

	// pace is the distance of choices.
	pace = 200
)

// crawl makes the workspace and crawls it. Its errors are those of the soak; what
// is wrong with the crawl stands in problems.
func (t *trial) crawl(ctx context.Context) error {
	if err := t.create(t.dir); err != nil {
		return err
	}
	t.made = make([]bool, len(t.choices))
	defer func() {
		if t.p != nil {
			t.p.kill()
			t.p.drain(hang, func(answer) {})
		}
	}()
	for _, part := range []struct {
		task   string
		events []event
	}{{view.Discovery, t.discovery}, {view.Harvest, t.harvest}} {
		if len(part.events) > 0 {
			if err := t.disturb(ctx, part.task, part.events); err != nil {
				return err
			}
		}
		if err := t.finish(ctx, part.task); err != nil {
			return err
		}
	}
	return nil
}

// begin starts the next process.
func (t *trial) begin(ctx context.Context, l life) (err error) {
	l.dir, l.web = t.dir, t.server.Addr
	if t.p, err = start(ctx, &l); err != nil {
		return err
	}
	t.processes++
	t.ended, t.brings, t.asked, t.wrong = false, 0, 0, l.clock != 0
	return t.open(ctx, l.task)
}

// open has the process make the samples that are missing, without a task all other
// choices, too, and lets it begin.
func (t *trial) open(ctx context.Context, task string) error {
	t.asked = samples
	if task == "" {
		t.asked = len(t.choices)
	}
	for i := range t.asked {
		if !t.made[i] {
			t.order(i)
		}
	}
	t.p.tell(order{Go: true})
	return ctx.Err()
}

// order asks the process for a choice.
func (t *trial) order(i int) { t.p.tell(order{Choice: &t.choices[i], N: i}) }

// hear takes in what the process says.
func (t *trial) hear(a answer) {
	switch {
	case a.Step:
		t.steps++
	case a.Did:
		t.made[a.N] = true
	case a.Ended:
		t.ended, t.brings = true, a.New
	}
}

// Ends of a wait.
type end int

const (
	reached end = iota // it has come so far
	idled              // nothing has happened for a while
	gone               // the process has ended
)

// progress is how far the crawl has come: requests served, pages and notices stored.
func (t *trial) progress() int { return t.server.count() + t.steps }

// wait lets the crawl go on until it has come n further, at most for rest
// without anything happening. It gives the choices meanwhile.
func (t *trial) wait(ctx context.Context, n int, rest time.Duration) (end, error) {
	from := t.progress()
	timer := time.NewTimer(rest)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return gone, ctx.Err()
		case a, more := <-t.p.answers:
			if !more {
				<-t.p.over
				return gone, nil
			}
			t.hear(a)
		case <-t.server.moved:
		case <-timer.C:
			return idled, nil
		}
		timer.Reset(rest)
		passed := t.progress() - from
		if t.asked < len(t.choices) && passed >= pace*(t.asked-samples+1) {
			if !t.made[t.asked] {
				t.order(t.asked)
			}
			t.asked++
		}
		if passed >= n {
			return reached, nil
		}
	}
}

// disturb crawls with events, until they have all happened and the crawl rests, or
// it is over before.
func (t *trial) disturb(ctx context.Context, task string, events []event) error {
	if err := t.begin(ctx, life{task: task}); err != nil {
		return err
	}
	for _, e := range events {
		how, err := t.wait(ctx, e.after, idle)
		if err != nil {
			return err
		}
		if how == gone {
			t.leave(false)
			if t.ended && t.brings == 0 {
				return nil // nothing is left to disturb
			}
			if err := t.begin(ctx, life{task: task, retry: true}); err != nil {
				return err
			}
			if how, err = t.wait(ctx, 1, idle); err != nil {
				return err
			}
			if how == gone {
				t.leave(false)
				return nil
			}
		}
		if t.wrong && e.after%2 == 0 {
			t.p.tell(order{Clock: new(time.Duration)})
			t.wrong = false
		}
		t.Log("%s: %s: %v (%d)", t.name(), task, e, t.progress())
		t.met[e.kind]++
		if err := t.meet(ctx, task, e); err != nil {
			return err
		}
	}
	how, err := t.wait(ctx, afterwards, idle)
	if err != nil {
		return err
	}
	t.server.end()
	if how != gone {
		t.p.signal(syscall.SIGTERM)
	}
	t.leave(how != gone)
	return nil
}

// meet lets an event happen.
func (t *trial) meet(ctx context.Context, task string, e event) error {
	switch k := kindOf(e.kind); {
	case k.place == dialer:
		t.p.tell(order{Fault: e.kind, N: e.n})
		return nil
	case k.place == server:
		t.server.begin(e)
		return nil
	case k.place == clocks && e.n == 0:
		t.p.tell(order{Clock: &e.clock})
		t.wrong = true
		return nil
	}
	next := life{task: task}
	switch e.kind {
	case "kill":
		t.p.kill()
		t.p.drain(hang, t.hear)
		t.p = nil
		return t.begin(ctx, next)
	case "hangup":
		t.p.signal(syscall.SIGHUP)
	default:
		t.p.signal(syscall.SIGTERM)
		next.clock = e.clock
	}
	t.leave(true)
	return t.begin(ctx, next)
}

// leave waits for the end of the process; clean tells that it must be one.
func (t *trial) leave(clean bool) {
	p := t.p
	t.p = nil
	if p.drain(hang, t.hear) {
		t.problem("a process did not end within %s after a signal", hang)
		return
	}
	if err := p.crashed(); err != nil {
		t.problem("%v", err)
	} else if clean && p.err != nil {
		t.problem("a process that was asked to end said: %s", p.said.first())
	}
}

// name is the trial's for people.
func (t *trial) name() string { return strings.ReplaceAll(filepath.Base(t.dir), "-", " ") }

func (t *trial) problem(format string, args ...any) {
	t.problems = append(t.problems, fmt.Sprintf(format, args...))
}

// finish crawls undisturbed until a run brings nothing new and every choice is made.
func (t *trial) finish(ctx context.Context, task string) error {
	t.server.end()
	for n := 1; n <= rounds; n++ {
		if err := t.begin(ctx, life{task: task, retry: t.processes > 0}); err != nil {
			return err
		}
		t.Log("%s: %s without events, process %d", t.name(), task, t.processes)
		how := reached
		for how == reached {
			var err error
			if how, err = t.wait(ctx, 1<<30, hang); err != nil {
				return err
			}
		}
		if how == idled {
			t.problem("%s did nothing for %s, and nothing disturbed it", task, hang)
			t.p.signal(syscall.SIGQUIT) // its goroutines are the only trace of why
		}
		t.leave(false)
		if !t.ended {
			return nil
		}
		if t.brings == 0 {
			return t.decide(ctx)
		}
	}
	t.problem("%s still brings something new in round %d after the disturbances", task, rounds)
	return t.decide(ctx)
}

// decide makes the choices that could not be made before.
func (t *trial) decide(ctx context.Context) error {
	missing := false
	for _, ok := range t.made {
		missing = missing || !ok
	}
	if !missing {
		return nil
	}
	if err := t.begin(ctx, life{}); err != nil {
		return err
	}
	t.leave(false)
	return ctx.Err()
}

package decisions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/message"
	"angler/store"
)

// This file is what people decide about the workers at other machines. What follows from
// it, who gets jobs and who is let in, is done by their owner: deciding and its undo go
// the same way.

// What people say of a worker.
const (
	WorkerDrained = "drain" // it ends the jobs it has and takes no other
	WorkerBanned  = "ban"   // it is not let in
)

// WorkerOrder is what a person has said of a worker.
type WorkerOrder struct {
	State string    `json:"state"` // WorkerDrained or WorkerBanned
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// OrderWorkers drains or bans workers on behalf of a person, in one step that undo takes
// back; with "" nothing is said of them any more. What holds already is left as it is. A
// worker need not be there.
func (t *Topic) OrderWorkers(names []string, state string) error {
	if err := t.May(auth.Workforce); err != nil {
		return err
	}
	if state != "" && state != WorkerDrained && state != WorkerBanned {
		return fmt.Errorf("a worker cannot be set to %s", state)
	}
	_, err := t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		var changes []store.Change
		var meant []string
		for _, name := range names {
			if s.Workers[name].State == state || slices.Contains(meant, name) {
				continue
			}
			var order any
			if state != "" {
				order = WorkerOrder{State: state, By: t.Name, At: t.d.Now()}
			}
			c, err := t.d.set(kindWorker, name, order)
			if err != nil {
				return nil, err
			}
			changes, meant = append(changes, c), append(meant, name)
		}
		if len(changes) == 0 {
			return nil, nil
		}
		all := strings.Join(meant, ", ")
		what := message.Of("worker goes on: %s", all)
		switch state {
		case WorkerDrained:
			what = message.Of("worker drained: %s", all)
		case WorkerBanned:
			what = message.Of("worker banned: %s", all)
		}
		return log.Do(t.Name, what, changes...)
	})
	return err
}

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

// This file holds decisions about remote workers. Their owner applies them, and decides which
// worker gets jobs: a decision and its undo take the same way.

// Orders to a worker.
const (
	WorkerDrained = "drain" // it finishes its jobs and gets no more
	WorkerBanned  = "ban"   // it may not connect
)

// workerOrder is a person's order to a worker.
type workerOrder struct {
	State string    `json:"state"` // WorkerDrained or WorkerBanned
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// OrderWorkers drains or bans workers for a person, in one step that undo takes back; "" removes
// the order. It skips workers that have the order already. A worker need not be connected.
func (t *Topic) OrderWorkers(names []string, state string) error {
	if err := t.May(auth.Workforce); err != nil {
		return err
	}
	if state != "" && state != WorkerDrained && state != WorkerBanned {
		return fmt.Errorf("a worker cannot be set to %s", state)
	}
	return t.d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		var changes []store.Change
		var meant []string
		for _, name := range names {
			if s.Workers[name].State == state || slices.Contains(meant, name) {
				continue
			}
			var order any
			if state != "" {
				order = workerOrder{State: state, By: t.Name, At: t.d.Now()}
			}
			changes, meant = append(changes, t.d.set(kindWorker, name, order)), append(meant, name)
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
}

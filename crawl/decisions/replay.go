package decisions

import (
	"slices"

	"angler/store"
)

// Rewind takes back what logged events changed, the newest first, as one action that
// one undo takes back. The values become those that stood before the first event,
// whatever was decided in between.
func (t *Topic) Rewind(events []store.Event, what string) error {
	var back []store.Change
	for _, e := range slices.Backward(events) {
		for _, c := range slices.Backward(e.Changes) {
			back = append(back, store.Change{Topic: c.Topic, Kind: c.Kind, Key: c.Key, After: c.Before})
		}
	}
	return t.repeat(t.by, what, back)
}

// Repeat makes the changes of a logged event again, in the name of who made it.
func (t *Topic) Repeat(e *store.Event) error {
	changes := make([]store.Change, len(e.Changes))
	for i, c := range e.Changes {
		changes[i] = store.Change{Topic: c.Topic, Kind: c.Kind, Key: c.Key, After: c.After}
	}
	return t.repeat(e.By, e.What, changes)
}

func (t *Topic) repeat(by, what string, changes []store.Change) error {
	_, err := t.d.act(func(_ *State, log *store.Decisions) (*store.Event, error) { return log.Do(by, what, changes...) })
	return err
}

// Decided returns the newest decisions of all people, oldest first, at most most.
func (t *Topic) Decided(most int) ([]store.Event, error) { return t.d.Store.Decisions.Events(most) }

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// The desk holds what the analyst has decided: samples, labels, the topic's
// configuration. Each is a value under kind and key. A value changes only
// through Do, which writes the change as an event in the same transaction; so
// the log is the undo stack, survives a restart, and can be replayed.

// Event is one action on the desk: who changed what.
type Event struct {
	Seq     uint64    `json:"seq"`
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	What    string    `json:"what"` // one line for people
	Changes []Change  `json:"changes"`
	Undoes  uint64    `json:"undoes,omitempty"` // Seq of the event taken back
	Redoes  uint64    `json:"redoes,omitempty"` // Seq of the event done again
}

// Change is one value of the desk turned from Before into After; absent values
// are empty.
type Change struct {
	Kind   string          `json:"kind"`
	Key    string          `json:"key"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// Set is the Change that gives kind/key a value; nil removes it.
func Set(kind, key string, value any) (Change, error) {
	c := Change{Kind: kind, Key: key}
	if value == nil {
		return c, nil
	}
	b, err := json.Marshal(value)
	c.After = b
	return c, err
}

// Errors of the undo stack.
var (
	ErrNothingToUndo = errors.New("nothing to undo")
	ErrNothingToRedo = errors.New("nothing to redo")
)

func deskKey(kind, key string) []byte { return []byte(kind + "/" + key) }

// Do makes changes in one step, which one undo takes back, and logs them.
// Changes that change nothing are left out; when none is left, nothing happens
// and the event is nil.
func (w *Workspace) Do(by, what string, changes ...Change) (*Event, error) {
	return w.log(func(*bolt.Tx) (*Event, error) { return &Event{By: by, What: what, Changes: changes}, nil })
}

// log applies the event that f makes and appends it to the log.
func (w *Workspace) log(f func(*bolt.Tx) (*Event, error)) (e *Event, err error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	err = w.db.Update(func(tx *bolt.Tx) error {
		e, err = f(tx)
		if err != nil {
			return err
		}
		changes := make([]Change, 0, len(e.Changes))
		for _, c := range e.Changes {
			changed, err := apply(tx.Bucket(bucketDesk), &c)
			if err != nil {
				return err
			}
			if changed {
				changes = append(changes, c)
			}
		}
		if len(changes) == 0 {
			e = nil
			return nil
		}
		events := tx.Bucket(bucketEvents)
		e.Changes, e.At = changes, time.Now()
		if e.Seq, err = events.NextSequence(); err != nil {
			return err
		}
		row, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return events.Put(idKey(e.Seq), row)
	})
	if err != nil && !errors.Is(err, ErrNothingToUndo) && !errors.Is(err, ErrNothingToRedo) {
		err = w.writeError(err)
	}
	return e, err
}

// apply makes one change and fills its Before.
func apply(desk *bolt.Bucket, c *Change) (changed bool, err error) {
	k := deskKey(c.Kind, c.Key)
	before := desk.Get(k)
	if bytes.Equal(before, c.After) {
		return false, nil
	}
	c.Before = append(json.RawMessage(nil), before...)
	if c.After == nil {
		return true, desk.Delete(k)
	}
	return true, desk.Put(k, c.After)
}

// Undo takes back the last action that still stands.
func (w *Workspace) Undo(by string) (*Event, error) {
	return w.log(func(tx *bolt.Tx) (*Event, error) {
		done, _, err := stacks(tx)
		if err != nil {
			return nil, err
		}
		if len(done) == 0 {
			return nil, ErrNothingToUndo
		}
		e := done[len(done)-1]
		back := make([]Change, 0, len(e.Changes))
		for _, c := range slices.Backward(e.Changes) {
			back = append(back, Change{Kind: c.Kind, Key: c.Key, After: c.Before})
		}
		return &Event{By: by, What: "undo: " + e.What, Changes: back, Undoes: e.Seq}, nil
	})
}

// Redo does the last undone action again.
func (w *Workspace) Redo(by string) (*Event, error) {
	return w.log(func(tx *bolt.Tx) (*Event, error) {
		_, undone, err := stacks(tx)
		if err != nil {
			return nil, err
		}
		if len(undone) == 0 {
			return nil, ErrNothingToRedo
		}
		e := undone[len(undone)-1]
		return &Event{By: by, What: e.What, Changes: e.Changes, Redoes: e.Seq}, nil
	})
}

// stacks replays the log: the changes that stand, and those undone since the
// last new change.
func stacks(tx *bolt.Tx) (done, undone []*Event, err error) {
	err = tx.Bucket(bucketEvents).ForEach(func(k, v []byte) error {
		e := new(Event)
		if err := json.Unmarshal(v, e); err != nil {
			return fmt.Errorf("event %d: %w", keyID(k), err)
		}
		switch {
		case e.Undoes != 0 && len(done) > 0:
			undone = append(undone, done[len(done)-1])
			done = done[:len(done)-1]
		case e.Redoes != 0 && len(undone) > 0:
			done = append(done, undone[len(undone)-1])
			undone = undone[:len(undone)-1]
		default:
			done, undone = append(done, e), nil
		}
		return nil
	})
	return done, undone, err
}

// Desk returns every value of one kind by key.
func (w *Workspace) Desk(kind string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	prefix := deskKey(kind, "")
	err := w.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketDesk).Cursor()
		for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			out[strings.TrimPrefix(string(k), string(prefix))] = append(json.RawMessage(nil), v...)
		}
		return nil
	})
	return out, err
}

// Events returns the last n events, oldest first.
func (w *Workspace) Events(n int) (events []Event, err error) {
	err = w.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketEvents).Cursor()
		for k, v := c.Last(); k != nil && len(events) < n; k, v = c.Prev() {
			var e Event
			if err := json.Unmarshal(v, &e); err != nil {
				return fmt.Errorf("event %d: %w", keyID(k), err)
			}
			events = append(events, e)
		}
		return nil
	})
	slices.Reverse(events)
	return events, err
}

// Sample is the material of one sample page, kept apart from the crawl so that
// a sample outlives a recrawl. Whether it counts is decided on the desk.
type Sample struct {
	URL         string    `json:"url"`
	ContentType string    `json:"content_type"`
	Body        []byte    `json:"body"` // compressed with Compress
	Added       time.Time `json:"added"`
}

// PutSample stores or replaces the material of a sample.
func (w *Workspace) PutSample(s *Sample) error {
	v, err := json.Marshal(s)
	if err != nil {
		return err
	}
	k := KeyOf(s.URL)
	err = w.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketSamples).Put(k[:], v) })
	if err != nil {
		err = w.writeError(err)
	}
	return err
}

// Sample returns the material of a sample, or nil.
func (w *Workspace) Sample(canonical string) (s *Sample, err error) {
	k := KeyOf(canonical)
	err = w.db.View(func(tx *bolt.Tx) error {
		if v := tx.Bucket(bucketSamples).Get(k[:]); v != nil {
			s = new(Sample)
			return json.Unmarshal(v, s)
		}
		return nil
	})
	return s, err
}

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"angler/message"
	"angler/store/schema"
	"angler/store/sealed"
)

// Decisions are the decisions of analysts: samples, labels, the configuration of a topic. Each is a
// value of a topic under kind and key. A value changes only through Do, which logs the change as an
// event in the same transaction. So the log is the undo stack, survives a restart and can be
// replayed. All topics share it. All methods are safe for concurrent use.
type Decisions struct {
	w      *Workspace
	agreed func(*Event) error // see If; nil: log every event
}

// If returns Decisions that log an event only if agree returns nil. agree runs before the commit,
// after the changes were made. Its error undoes them and is returned. It must not write to the
// workspace.
func (d *Decisions) If(agree func(*Event) error) *Decisions { return &Decisions{d.w, agree} }

// TopicID identifies a topic of a workspace; 0 is no topic.
type TopicID uint32

// FirstTopic is the topic of a workspace with one topic, and of all decisions older than several
// topics.
const FirstTopic TopicID = 1

// OrderState is the name under which State keeps a topic's link order.
func OrderState(t TopicID) string { return fmt.Sprintf("order/%d", t) }

// Event is one action of an analyst: who changed what.
type Event struct {
	Seq     uint64       `json:"seq"`
	At      time.Time    `json:"at"`
	By      string       `json:"by"`
	What    message.Text `json:"what"` // one line for people
	Changes []Change     `json:"changes"`
	Undoes  uint64       `json:"undoes,omitempty"` // Seq of the event taken back
	Redoes  uint64       `json:"redoes,omitempty"` // Seq of the event done again
	Aside   bool         `json:"aside,omitempty"`  // undo and redo pass over it
}

// Change turns one value from Before into After; absent values are empty.
type Change struct {
	Topic  TopicID         `json:"topic"`
	Kind   string          `json:"kind"`
	Key    string          `json:"key"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`

	wrong error // why the value of Set is no JSON; the log refuses it
}

// UnmarshalJSON decodes a logged change. A change without a topic was logged before there were
// several; it belongs to the first.
func (c *Change) UnmarshalJSON(b []byte) error {
	type plain Change // without this method
	*c = Change{Topic: FirstTopic}
	return json.Unmarshal(b, (*plain)(c))
}

// Set returns the Change that sets the value of a topic's kind and key; nil removes it. If the value is no JSON, the
// log refuses the change.
func Set(topic TopicID, kind, key string, value any) Change {
	c := Change{Topic: topic, Kind: kind, Key: key}
	if value != nil {
		c.After, c.wrong = json.Marshal(value)
	}
	return c
}

// errNoTopic means that a change names no topic.
var errNoTopic = errors.New("a change names no topic")

// Errors of the undo stack.
var (
	ErrNothingToUndo = errors.New("nothing to undo")
	ErrNothingToRedo = errors.New("nothing to redo")
)

// decisionKey is the key of a value: topic/kind/key, the topic in decimal.
func decisionKey(topic TopicID, kind, key string) []byte {
	return []byte(strconv.FormatUint(uint64(topic), 10) + "/" + kind + "/" + key)
}

// splitDecision splits a DecisionKey; ok is false if k is not one.
func splitDecision(k []byte) (topic TopicID, kind, key string, ok bool) {
	number, rest, _ := bytes.Cut(k, []byte("/"))
	n, err := strconv.ParseUint(string(number), 10, 32)
	before, after, cut := bytes.Cut(rest, []byte("/"))
	topic, kind, key = TopicID(n), string(before), string(after)
	return topic, kind, key, err == nil && n > 0 && cut && bytes.Equal(k, decisionKey(topic, kind, key))
}

// Do makes and logs changes in one step, which one undo takes back. It skips changes that change
// nothing; if none is left, it logs nothing and returns a nil event. A change without a topic fails
// with errNoTopic and changes nothing.
func (d *Decisions) Do(by string, what message.Text, changes ...Change) (*Event, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	for i := range changes {
		if changes[i].Topic == 0 {
			return nil, fmt.Errorf("%w: %s/%s", errNoTopic, changes[i].Kind, changes[i].Key)
		}
	}
	return d.log(func(sealed.Tx) (*Event, error) { return &Event{By: by, What: what, Changes: changes}, nil })
}

// Aside is Do for changes that put nothing in force: undo and redo pass over the event.
func (d *Decisions) Aside(by string, what message.Text, changes ...Change) (*Event, error) {
	return d.log(func(sealed.Tx) (*Event, error) {
		return &Event{By: by, What: what, Changes: changes, Aside: true}, nil
	})
}

// log applies the event that f makes and appends it to the log. The error of f is returned
// as it is.
func (d *Decisions) log(f func(sealed.Tx) (*Event, error)) (e *Event, err error) {
	d.w.committing.Lock()
	defer d.w.committing.Unlock()
	var refused error
	err = d.w.db.Update(func(tx sealed.Tx) error {
		if e, refused = f(tx); refused != nil {
			return refused
		}
		changes := make([]Change, 0, len(e.Changes))
		for _, c := range e.Changes {
			changed, err := apply(tx.Bucket(schema.Decisions), &c)
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
		events := tx.Bucket(schema.Events)
		e.Changes, e.At = changes, time.Now()
		// The sequence has no checksum; an event must not overwrite another.
		if k, _ := events.Cursor().Last(); len(k) == 8 && schema.KeyID(k) > events.Sequence() {
			if err := events.SetSequence(schema.KeyID(k)); err != nil {
				return err
			}
		}
		if e.Seq, err = events.NextSequence(); err != nil {
			return err
		}
		row, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if err := events.Put(schema.IDKey(e.Seq), row); err != nil {
			return err
		}
		if d.agreed != nil {
			refused = d.agreed(e)
		}
		return refused
	})
	switch {
	case refused != nil:
		return nil, refused
	case err != nil:
		return nil, d.w.writeError(err)
	}
	return e, nil
}

// apply makes one change and fills its Before.
func apply(values sealed.Bucket, c *Change) (changed bool, err error) {
	k := decisionKey(c.Topic, c.Kind, c.Key)
	before := values.Get(k)
	if c.wrong != nil || bytes.Equal(before, c.After) {
		return false, c.wrong
	}
	c.Before = append(json.RawMessage(nil), before...)
	if c.After == nil {
		return true, values.Delete(k)
	}
	return true, values.Put(k, bytes.Clone(c.After))
}

// Standing is an action and its state: done or undone.
type Standing struct {
	Event
	Placed uint64 // Seq of its last redo or undo, or its own; By and At of the Event are of that
}

// Undo takes back the last action that is done. agree runs in the same transaction unless it is
// nil; its error keeps the action and is returned.
func (d *Decisions) Undo(by string, agree func(*Standing) error) (*Event, error) {
	return d.turn(true, agree, func(e *Standing) *Event {
		back := make([]Change, 0, len(e.Changes))
		for _, c := range slices.Backward(e.Changes) {
			back = append(back, Change{Topic: c.Topic, Kind: c.Kind, Key: c.Key, After: c.Before})
		}
		return &Event{By: by, What: message.Of("undo: %s", e.What), Changes: back, Undoes: e.Seq}
	})
}

// turn logs the event that undoes or redoes the last action, if agree returns nil.
func (d *Decisions) turn(undo bool, agree func(*Standing) error, event func(*Standing) *Event) (*Event, error) {
	return d.log(func(tx sealed.Tx) (*Event, error) {
		done, undone, err := stacks(tx)
		stack, nothing := undone, ErrNothingToRedo
		if undo {
			stack, nothing = done, ErrNothingToUndo
		}
		switch {
		case err != nil:
			return nil, err
		case len(stack) == 0:
			return nil, nothing
		}
		e := stack[len(stack)-1]
		if agree != nil {
			if err := agree(e); err != nil {
				return nil, err
			}
		}
		return event(e), nil
	})
}

// Last returns the Seq of the newest event; 0 when there is none.
func (d *Decisions) Last() (seq uint64, err error) {
	err = d.w.db.View(func(tx sealed.Tx) error {
		seq = tx.Bucket(schema.Events).Sequence()
		return nil
	})
	return seq, err
}

// Redo redoes the last undone action. agree is as in Undo; By, At and Placed of the action come
// from its undo.
func (d *Decisions) Redo(by string, agree func(*Standing) error) (*Event, error) {
	return d.turn(false, agree, func(e *Standing) *Event {
		return &Event{By: by, What: e.What, Changes: e.Changes, Redoes: e.Seq}
	})
}

// stacks replays the log and returns the actions that are done, and those undone since the last new
// change.
func stacks(tx sealed.Tx) (done, undone []*Standing, err error) {
	events := tx.Bucket(schema.Events)
	err = events.ForEach(func(k, v []byte) error {
		e := new(Standing)
		if err := json.Unmarshal(v, &e.Event); err != nil {
			events.Spoiled(k, err)
			return nil
		}
		switch {
		case e.Aside:
		case e.Undoes != 0 && len(done) > 0:
			back := done[len(done)-1]
			back.By, back.At, back.Placed = e.By, e.At, e.Seq
			undone = append(undone, back)
			done = done[:len(done)-1]
		case e.Redoes != 0 && len(undone) > 0:
			again := undone[len(undone)-1]
			again.By, again.At, again.Placed = e.By, e.At, e.Seq
			done = append(done, again)
			undone = undone[:len(undone)-1]
		default:
			e.Placed = e.Seq
			done, undone = append(done, e), nil
		}
		return nil
	})
	return done, undone, err
}

// Values returns every value of one kind that a topic has, by key.
func (d *Decisions) Values(topic TopicID, kind string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	prefix := decisionKey(topic, kind, "")
	err := d.w.db.View(func(tx sealed.Tx) error {
		b := tx.Bucket(schema.Decisions)
		c := b.Cursor()
		for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			if !json.Valid(v) {
				b.Spoiled(k, errRow)
				continue
			}
			out[string(k[len(prefix):])] = append(json.RawMessage(nil), v...)
		}
		return nil
	})
	return out, err
}

// Events returns the last n events, oldest first.
func (d *Decisions) Events(n int) (events []Event, err error) {
	err = d.w.db.View(func(tx sealed.Tx) error {
		b := tx.Bucket(schema.Events)
		c := b.Cursor()
		for k, v := c.Last(); k != nil && len(events) < n; k, v = c.Prev() {
			var e Event
			if err := json.Unmarshal(v, &e); err != nil {
				b.Spoiled(k, err)
				continue
			}
			events = append(events, e)
		}
		return nil
	})
	slices.Reverse(events)
	return events, err
}

// Sample is the stored material of a sample page, kept apart from the crawl so that it outlives a
// recrawl. All topics share it; whether it counts for a topic is a decision.
type Sample struct {
	URL         string    `json:"url"`
	ContentType string    `json:"content_type"`
	Body        []byte    `json:"body"` // compressed with Compress
	Added       time.Time `json:"added"`
}

// PutSample stores or replaces the material of a sample.
func (d *Decisions) PutSample(s *Sample) error {
	v, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return d.w.Write(func(tx sealed.Tx) error { return tx.Bucket(schema.Samples).Put(keyOfURL(s.URL), v) })
}

// Sample returns the material of a sample, or nil.
func (d *Decisions) Sample(canonical string) (s *Sample, err error) {
	err = d.w.db.View(func(tx sealed.Tx) error {
		s = sealed.Find(tx.Bucket(schema.Samples), keyOfURL(canonical), func(_, v []byte) (*Sample, error) {
			s := new(Sample)
			return s, json.Unmarshal(v, s)
		})
		return nil
	})
	return s, err
}

func keyOfURL(canonical string) []byte {
	k := KeyOf(canonical)
	return k[:]
}

package view

import (
	"sync"
	"time"

	"angler/message"
	"angler/store/secrets"
)

// Event is one line of the event pane. By and What are set when a person acted; Text contains both.
type Event struct {
	Seq  uint64       `json:"seq"` // 1, 2, 3 … since the process started
	At   time.Time    `json:"at"`
	Kind string       `json:"kind"` // "info", "warn" or "error"
	Text message.Text `json:"text"`
	By   string       `json:"by,omitempty"`
	What message.Text `json:"what,omitempty"`
}

// maxEvents is the number of lines of the event pane.
const maxEvents = 100

// EventLog is a ring of recent events for people to read. It is safe for concurrent use.
type EventLog struct {
	Now     func() time.Time // nil = time.Now; set before first use
	Changed Signal           // rung after each event and each change of the next snapshot; set before first use
	Publish func()           // sends viewers a snapshot; nil = none; set before the first Show

	mu   sync.Mutex // guards the fields below
	seq  uint64
	list []Event

	kinds  []*kind     // newest event's kind last
	folded []EventKind // cached result of Kinds; nil = stale
}

// Note records an event without an actor. kind is "info", "warn" or "error".
func (l *EventLog) Note(kind, format string, args ...any) {
	l.add(Event{Kind: kind, Text: message.Of(format, args...)})
}

// Did records an action of a person.
func (l *EventLog) Did(by string, what message.Text) {
	l.add(Event{Kind: "info", Text: message.Of("%s: %s", by, what), By: by, What: what})
}

func (l *EventLog) add(ev Event) {
	ev.At = time.Now()
	if l.Now != nil {
		ev.At = l.Now()
	}
	// Redact: events reach screens, scripts and the log.
	ev.Text, ev.What = message.Text(secrets.Redact(string(ev.Text))), message.Text(secrets.Redact(string(ev.What)))
	defer l.Changed.Ring()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	ev.Seq = l.seq
	if len(l.list) >= 2*maxEvents {
		l.list = append(l.list[:0:0], l.list[len(l.list)-maxEvents:]...)
	}
	l.list = append(l.list, ev)
	l.fold(ev)
}

// English returns the event for scripts and logs: without the marks of arguments.
func (e Event) English() Event {
	e.Text, e.What = message.Text(e.Text.String()), message.Text(e.What.String())
	return e
}

// Show publishes a snapshot before it returns, for changes without an event.
func (l *EventLog) Show() {
	if l.Publish != nil {
		l.Publish()
	}
}

// Tail returns the last events, newest last. The slice is never written again.
func (l *EventLog) Tail() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.list)
	return l.list[max(0, n-maxEvents):n:n]
}

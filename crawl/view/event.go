package view

import (
	"sync"
	"time"

	"angler/message"
	"angler/store/redact"
)

// Event is one line of the event pane. By and What are set when a person did
// something; Text tells both.
type Event struct {
	Seq  uint64       `json:"seq"` // 1, 2, 3 …, in the life of this process
	At   time.Time    `json:"at"`
	Kind string       `json:"kind"` // "info", "warn", "error"
	Text message.Text `json:"text"`
	By   string       `json:"by,omitempty"`
	What message.Text `json:"what,omitempty"`
}

// maxEvents is how many lines the event pane remembers.
const maxEvents = 100

// EventLog is the ring of what happened lately, for people to read. It is safe
// for concurrent use; the zero value writes at the time of time.Now.
type EventLog struct {
	Now     func() time.Time // nil = time.Now; set before the first use
	Changed Signal           // rung after every event, and when the next snapshot would differ; set before the first use
	Publish func()           // sends viewers a snapshot; nil = none; set before the first Show

	mu   sync.Mutex // guards what follows
	seq  uint64
	list []Event

	kinds  []*kind     // that of the newest event last
	folded []EventKind // of kinds; nil = to be made
}

// Note files what happened by itself; kind is "info", "warn" or "error".
func (l *EventLog) Note(kind, format string, args ...any) {
	l.add(Event{Kind: kind, Text: message.Of(format, args...)})
}

// Did files what a person has done.
func (l *EventLog) Did(by string, what message.Text) {
	l.add(Event{Kind: "info", Text: message.Of("%s: %s", by, what), By: by, What: what})
}

func (l *EventLog) add(ev Event) {
	ev.At = time.Now()
	if l.Now != nil {
		ev.At = l.Now()
	}
	// Events reach everybody: screens, scripts, the log.
	ev.Text, ev.What = message.Text(redact.Text(string(ev.Text))), message.Text(redact.Text(string(ev.What)))
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

// English returns the event as scripts and logs read it: without the marks of arguments.
func (e Event) English() Event {
	e.Text, e.What = message.Text(e.Text.String()), message.Text(e.What.String())
	return e
}

// Show sends viewers a snapshot before it returns: of what has changed without an event.
func (l *EventLog) Show() {
	if l.Publish != nil {
		l.Publish()
	}
}

// Tail returns the last events, the newest last; the slice is never written
// again.
func (l *EventLog) Tail() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.list)
	return l.list[max(0, n-maxEvents):n:n]
}

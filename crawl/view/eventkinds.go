package view

import (
	"slices"
	"strings"
	"unicode"
)

// This file folds events that say the same of different pages.

// EventKind is what was reported in the same words: how often, and the newest.
type EventKind struct {
	Key    string // what the events have in common
	N      int    // since the process began
	Newest Event
}

// Bounds of what is kept of kinds: the kind that was silent for longest gives way,
// and of each kind the newest events are kept.
const (
	mostKinds  = 64
	mostOfKind = 200
)

// kind is an EventKind with its newest events, oldest first.
type kind struct {
	EventKind
	list []Event
}

// kindOf is what an event has in common with others like it: the cause before the
// address ("HTTP status 404 · http://…"), else the text without its numbers and
// addresses.
func kindOf(ev *Event) string {
	text := ev.Text.String()
	if cause, _, ok := strings.Cut(text, " · "); ok && ev.By == "" {
		cause, _, _ = strings.Cut(cause, ":")
		return ev.Kind + " " + cause
	}
	words := strings.Fields(text)
	for i, w := range words {
		if strings.Contains(w, "://") || strings.ContainsFunc(w, unicode.IsDigit) {
			words[i] = "…"
		}
	}
	return ev.Kind + " " + strings.Join(words[:min(len(words), 8)], " ")
}

// fold enters an event under its kind. The caller holds mu.
func (l *EventLog) fold(ev Event) {
	key := kindOf(&ev)
	i := slices.IndexFunc(l.kinds, func(k *kind) bool { return k.Key == key })
	var k *kind
	switch {
	case i >= 0:
		k = l.kinds[i]
		l.kinds = slices.Delete(l.kinds, i, i+1)
	default:
		k = &kind{EventKind: EventKind{Key: key}}
		l.kinds = l.kinds[max(0, len(l.kinds)-mostKinds+1):]
	}
	k.N++
	k.Newest = ev
	if len(k.list) >= 2*mostOfKind {
		k.list = append(k.list[:0:0], k.list[len(k.list)-mostOfKind:]...)
	}
	k.list = append(k.list, ev)
	l.kinds, l.folded = append(l.kinds, k), nil
}

// Kinds returns the kinds of events, that of the newest event first; the slice is
// never written again.
func (l *EventLog) Kinds() []EventKind {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folded == nil {
		l.folded = make([]EventKind, len(l.kinds))
		for i, k := range l.kinds {
			l.folded[len(l.kinds)-1-i] = k.EventKind
		}
	}
	return l.folded
}

// Of returns the newest events of a kind, newest first.
func (l *EventLog) Of(key string) []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.kinds {
		if k.Key == key {
			list := slices.Clone(k.list[max(0, len(k.list)-mostOfKind):])
			slices.Reverse(list)
			return list
		}
	}
	return nil
}

package view

import (
	"slices"
	"strings"
	"unicode"
)

// This file groups events that report the same about different pages.

// EventKind is a group of events with the same text apart from addresses and numbers.
type EventKind struct {
	Key    string // the common part of the texts
	N      int    // count since the process started
	Newest Event
}

// Bounds of the groups. The longest silent group is dropped first; a group keeps its newest events.
const (
	maxKinds   = 64
	maxPerKind = 200
)

// kind is an EventKind with its newest events, oldest first.
type kind struct {
	EventKind
	list []Event
}

// kindOf returns the group key of an event: the cause before the address ("HTTP status 404 · http://…"), else the
// first eight words without numbers and addresses.
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

// fold adds an event to its group. The caller holds mu.
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
		l.kinds = l.kinds[max(0, len(l.kinds)-maxKinds+1):]
	}
	k.N++
	k.Newest = ev
	if len(k.list) >= 2*maxPerKind {
		k.list = append(k.list[:0:0], k.list[len(k.list)-maxPerKind:]...)
	}
	k.list = append(k.list, ev)
	l.kinds, l.folded = append(l.kinds, k), nil
}

// Kinds returns the groups, newest event first. The slice is never written again.
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

// Of returns the newest events of a group, newest first.
func (l *EventLog) Of(key string) []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.kinds {
		if k.Key == key {
			list := slices.Clone(k.list[max(0, len(k.list)-maxPerKind):])
			slices.Reverse(list)
			return list
		}
	}
	return nil
}

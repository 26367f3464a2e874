package revisit

import (
	"encoding/binary"
	"fmt"
	"time"

	"angler/store"
	"angler/store/config"
)

// This file reads the settings of the schedule and the histories of stored pages.

// Plan returns the revisit settings of the configuration.
func Plan(set *config.Revisit) (Settings, error) {
	s := Settings{
		Aggregation: Bounds{Min: time.Duration(set.AggregationMin), Max: time.Duration(set.AggregationMax)},
		Other:       Bounds{Min: time.Duration(set.OtherMin), Max: time.Duration(set.OtherMax)},
		Chance:      set.Chance, Growth: set.Growth,
	}
	if err := s.validate(); err != nil {
		return s, fmt.Errorf("angler.toml: %w", err)
	}
	return s, nil
}

// A byte of flags follows the history of a page that a harvest has read, or a discovery as a list.
const (
	harvested = 1 << iota
	unfinished
	sending
)

// listState is what a page's row holds after its history.
type listState struct {
	flags     byte
	unmatched int // entries that the title patterns exclude
}

// stateOf returns the history of a stored page and its state. A row without a history counts as one visit.
func stateOf(p *store.Page) (h History, s listState) {
	h, rest, err := decode(p.History)
	if err != nil || h.Visits == 0 {
		return History{}.Visit(p.Fetched, false, 0), s
	}
	if len(rest) > 0 {
		s.flags = rest[0]
		if n, size := binary.Uvarint(rest[1:]); size > 0 && n <= 1<<20 {
			s.unmatched = int(n)
		}
	}
	return h, s
}

// put stores a history and a state in a row. The number of unmatched entries is omitted if it is 0, and so are
// flags of 0 without it.
func (s listState) put(row *store.Page, h History) {
	row.History = h.encode(nil) // the old row may share it
	if s != (listState{}) {
		row.History = append(row.History, s.flags)
	}
	if s.unmatched > 0 {
		row.History = binary.AppendUvarint(row.History, uint64(s.unmatched))
	}
}

// setFlags changes the flags of a row.
func setFlags(row *store.Page, set, clear byte) {
	h, s := stateOf(row)
	s.flags = s.flags&^clear | set
	s.put(row, h)
}

// Of returns the history of a stored page, and whether a harvest has read it. A row without a
// history counts as one visit.
func Of(p *store.Page) (h History, read bool) {
	h, s := stateOf(p)
	return h, s.flags&harvested != 0
}

// NoList is the number of new records of a page that is not read as a list.
const NoList = -1

// Note adds a visit to the history of a page. row is its new row, old the previous one, nil on the
// first visit. records is the number of new records, or NoList. A list counts as changed only if it
// has new records: counters and advertisements also change. harvest means that a harvest read the
// page.
func Note(row, old *store.Page, records int, harvest bool) {
	var h History
	var s listState
	changed := false
	if old != nil {
		h, s = stateOf(old) // unmatched entries stay until a harvest reads the list again
		s.flags &= harvested | sending
		changed = row.Hash != old.Hash && records != 0
	}
	if harvest {
		s.flags = harvested
	}
	s.put(row, h.Visit(row.Fetched, changed, records))
}

// MarkRead marks a page as read by a harvest from its stored body. It adds no visit and clears the
// mark of SetSending.
func MarkRead(row *store.Page) { setFlags(row, harvested, sending) }

// SetSending marks a page as a list whose notices a discovery in progress fetches provisionally, or
// clears the mark.
func SetSending(row *store.Page, on bool) {
	if on {
		setFlags(row, sending, 0)
	} else {
		setFlags(row, 0, sending)
	}
}

// Sending reports the mark of SetSending.
func Sending(p *store.Page) bool {
	_, s := stateOf(p)
	return s.flags&sending != 0
}

// SetUnmatched sets the number of a list's entries that the title patterns exclude. Call it after
// Note.
func SetUnmatched(row *store.Page, n int) {
	h, s := stateOf(row)
	s.unmatched = n
	s.put(row, h)
}

// Unmatched returns how many entries of a list its last visit excluded by the title patterns.
func Unmatched(p *store.Page) int {
	_, s := stateOf(p)
	return s.unmatched
}

// SetUnfinished marks whether the further pages of a list are still to be visited. Call it after
// Note. The mark is stored with the list, so it survives a kill.
func SetUnfinished(row *store.Page, on bool) {
	switch _, s := stateOf(row); {
	case s.flags == 0:
	case on:
		setFlags(row, unfinished, 0)
	default:
		setFlags(row, 0, unfinished)
	}
}

// Unfinished reports the mark of SetUnfinished.
func Unfinished(p *store.Page) bool {
	_, s := stateOf(p)
	return s.flags&unfinished != 0
}

// NotDue counts the lists that a harvest left out because they are not due.
type NotDue struct {
	N    int
	Next time.Time // when the next one is due; zero = unknown
}

// Value returns *n, or the zero value for nil.
func (n *NotDue) Value() NotDue {
	if n == nil {
		return NotDue{}
	}
	return *n
}

// EachList calls f with each of the lists, its history, whether a harvest has read it, and when it is
// to be visited again.
func EachList(ws *store.Workspace, ids []uint64, plan Settings, now time.Time,
	f func(p *store.Page, h History, read bool, next time.Time)) error {
	plan.All = new(weeks)
	if err := ws.EachPage(ids, func(p *store.Page) {
		h, _ := Of(p)
		plan.All.add(&h.Week)
	}); err != nil {
		return err
	}
	return ws.EachPage(ids, func(p *store.Page) {
		h, read := Of(p)
		f(p, h, read, h.Next(now, Aggregation, plan))
	})
}

// Due returns the aggregation pages that are due now, that no harvest has read, or that the last
// one left unfinished or received in part, these after the shortest interval at most. rest counts the
// others.
func Due(ws *store.Workspace, ids []uint64, plan Settings, now time.Time) (due []uint64, rest *NotDue, err error) {
	rest = new(NotDue)
	err = EachList(ws, ids, plan, now, func(p *store.Page, h History, read bool, at time.Time) {
		if soon := h.Last.Add(plan.Aggregation.Min); (Unfinished(p) || p.Partial()) && soon.Before(at) {
			at = soon
		}
		if !read || !at.After(now) {
			due = append(due, p.ID)
		} else if rest.N++; rest.N == 1 || at.Before(rest.Next) {
			rest.Next = at
		}
	})
	return due, rest, err
}

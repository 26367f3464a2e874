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

// Of returns the history of a stored page, and whether a harvest has read it. A row without a
// history counts as one visit.
func Of(p *store.Page) (h History, read bool) {
	h, rest, err := decode(p.History)
	if err != nil || h.Visits == 0 {
		return History{}.Visit(p.Fetched, false, 0), false
	}
	return h, len(rest) > 0 && rest[0]&harvested != 0
}

// NoList is the number of new records of a page that is not read as a list.
const NoList = -1

// Note adds a visit to the history of a page. row is its new row, old the previous one, nil on the
// first visit. records is the number of new records, or NoList. A list counts as changed only if it
// has new records: counters and advertisements also change. harvest means that a harvest read the
// page.
func Note(row, old *store.Page, records int, harvest bool) {
	h := History{}
	changed, read, sends := false, false, false
	if old != nil {
		h, read = Of(old)
		sends = !harvest && Sending(old)
		changed = row.Hash != old.Hash && records != 0
	}
	row.History = h.Visit(row.Fetched, changed, records).encode(nil)
	if read || harvest {
		row.History = append(row.History, harvested)
	}
	if sends {
		SetSending(row, true)
	}
	if old != nil && Unmatched(old) > 0 { // until a harvest reads the list again
		SetUnmatched(row, Unmatched(old))
	}
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
func Sending(p *store.Page) bool { return flags(p)&sending != 0 }

func flags(p *store.Page) byte {
	_, rest, err := decode(p.History)
	if err != nil || len(rest) == 0 {
		return 0
	}
	return rest[0]
}

func setFlags(row *store.Page, set, clear byte) {
	setTail(row, flags(row)&^clear|set, Unmatched(row))
}

// setTail writes the bytes after a page's history: its flags, then the number of unmatched entries
// unless it is 0.
func setTail(row *store.Page, f byte, unmatched int) {
	h, _ := Of(row)
	row.History = h.encode(nil) // the old row may share it
	if f != 0 || unmatched > 0 {
		row.History = append(row.History, f)
	}
	if unmatched > 0 {
		row.History = binary.AppendUvarint(row.History, uint64(unmatched))
	}
}

// SetUnmatched sets the number of a list's entries that the title patterns exclude. Call it after
// Note.
func SetUnmatched(row *store.Page, n int) { setTail(row, flags(row), n) }

// Unmatched returns how many entries of a list its last visit excluded by the title patterns.
func Unmatched(p *store.Page) int {
	_, rest, err := decode(p.History)
	if err != nil || len(rest) < 2 {
		return 0
	}
	n, size := binary.Uvarint(rest[1:])
	if size <= 0 || n > 1<<20 {
		return 0
	}
	return int(n)
}

// SetUnfinished marks whether the further pages of a list are still to be visited. Call it after
// Note. The mark is stored with the list, so it survives a kill.
func SetUnfinished(row *store.Page, on bool) {
	switch f := flags(row); {
	case f == 0:
	case on:
		setFlags(row, unfinished, 0)
	default:
		setFlags(row, 0, unfinished)
	}
}

// Unfinished reports the mark of SetUnfinished.
func Unfinished(p *store.Page) bool { return flags(p)&unfinished != 0 }

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

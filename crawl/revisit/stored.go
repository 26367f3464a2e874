package revisit

import (
	"encoding/binary"
	"fmt"
	"time"

	"angler/store"
	"angler/store/config"
)

// This file reads the schedule from settings and histories from stored pages.

// Plan is the revisit schedule that settings ask for.
func Plan(set *config.Revisit) (Settings, error) {
	s := Settings{
		Aggregation: Bounds{Min: time.Duration(set.AggregationMin), Max: time.Duration(set.AggregationMax)},
		Other:       Bounds{Min: time.Duration(set.OtherMin), Max: time.Duration(set.OtherMax)},
		Chance:      set.Chance, Growth: set.Growth,
	}
	if err := s.Validate(); err != nil {
		return s, fmt.Errorf("angler.toml: %w", err)
	}
	return s, nil
}

// A byte of flags follows the history of a page that a harvest has read, or a
// discovery as a list.
const (
	harvested = 1 << iota
	unfinished
	sending
)

// Of is what the visits of a stored page have found, and whether a harvest was
// among them. A row that was written before there were histories counts as one
// visit.
func Of(p *store.Page) (h History, read bool) {
	h, rest, err := decode(p.History)
	if err != nil || h.Visits == 0 {
		return History{}.Visit(p.Fetched, false, 0), false
	}
	return h, len(rest) > 0 && rest[0]&harvested != 0
}

// Note writes a visit into the history of a page: row is its new row, old the one
// before it, nil on the first visit; records is how many new ones it brought, and
// harvest tells that a harvest has read it.
func Note(row, old *store.Page, records int, harvest bool) {
	h := History{}
	changed, read, sends := false, false, false
	if old != nil {
		h, read = Of(old)
		sends = !harvest && Sending(old)
		changed = row.Hash != old.Hash
	}
	row.History = h.Visit(row.Fetched, changed, records).Append(nil)
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

// MarkRead notes in the row of a page that a harvest has read what is stored of it:
// no visit, and none that a discovery sent notices from before its end.
func MarkRead(row *store.Page) { setFlags(row, harvested, sending) }

// SetSending notes in the row of a page that a discovery under way has taken it for
// a list and fetches its notices, or that this is over.
func SetSending(row *store.Page, on bool) {
	if on {
		setFlags(row, sending, 0)
	} else {
		setFlags(row, 0, sending)
	}
}

// Sending reports whether a discovery that has not come to its end took a page for
// a list.
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

// setTail writes what follows the history of a page: its flags, and behind them how many
// entries of a list do not match the title patterns, unless all do.
func setTail(row *store.Page, f byte, unmatched int) {
	h, _ := Of(row)
	row.History = h.Append(nil) // the old row may share it
	if f != 0 || unmatched > 0 {
		row.History = append(row.History, f)
	}
	if unmatched > 0 {
		row.History = binary.AppendUvarint(row.History, uint64(unmatched))
	}
}

// SetUnmatched notes in a list's row, after Note, how many of its entries do not match
// the title patterns and are left out.
func SetUnmatched(row *store.Page, n int) { setTail(row, flags(row), n) }

// Unmatched is how many entries of a list its last visit left out because their titles do
// not match the patterns.
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

// SetUnfinished notes in a list's row, after Note, whether the pages behind it are
// still to be visited. It is stored with the list, so a harvest that is killed
// among them leaves the mark behind.
func SetUnfinished(row *store.Page, on bool) {
	switch f := flags(row); {
	case f == 0:
	case on:
		setFlags(row, unfinished, 0)
	default:
		setFlags(row, 0, unfinished)
	}
}

// Unfinished reports whether the pages behind a list are still to be visited.
func Unfinished(p *store.Page) bool { return flags(p)&unfinished != 0 }

// NotDue are the lists that a harvest left out because they are not due.
type NotDue struct {
	N    int
	Next time.Time // when the next one is due; zero = unknown
}

// Value is n, the zero value of nil.
func (n *NotDue) Value() NotDue {
	if n == nil {
		return NotDue{}
	}
	return *n
}

// Due returns those of the aggregation pages that are to be visited by now, that no
// harvest has read yet, or that the last one did not finish, after the shortest
// interval at most. rest are the others.
func Due(ws *store.Workspace, ids []uint64, plan Settings, now time.Time) (due []uint64, rest *NotDue, err error) {
	rest = new(NotDue)
	err = ws.EachPage(ids, func(p *store.Page) {
		h, read := Of(p)
		at := h.Next(now, Aggregation, plan)
		if soon := h.Last.Add(plan.Aggregation.Min); Unfinished(p) && soon.Before(at) {
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

package revisit

import (
	"fmt"
	"slices"
	"time"

	"angler/store"
)

// This file reads the schedule from settings and histories from stored pages.

// Plan is the revisit schedule that settings ask for.
func Plan(set *store.RevisitSettings) (Settings, error) {
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

// A byte of flags follows the history of a page that a harvest has read.
const (
	harvested = 1 << iota
	unfinished
)

// Of is what the visits of a stored page have found, and whether a harvest was
// among them. A row that was written before there were histories counts as one
// visit.
func Of(p *store.Page) (h History, read bool) {
	h, rest, err := Decode(p.History)
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
	changed, read := false, false
	if old != nil {
		h, read = Of(old)
		changed = row.Hash != old.Hash
	}
	row.History = h.Visit(row.Fetched, changed, records).Append(nil)
	if read || harvest {
		row.History = append(row.History, harvested)
	}
}

// SetUnfinished notes in a list's row, after Note, whether the pages behind it are
// still to be visited. It is stored with the list, so a harvest that is killed
// among them leaves the mark behind.
func SetUnfinished(row *store.Page, on bool) {
	_, rest, err := Decode(row.History)
	if err != nil || len(rest) == 0 {
		return
	}
	row.History = slices.Clone(row.History) // the old row may share it
	flags := &row.History[len(row.History)-len(rest)]
	if *flags &^= unfinished; on {
		*flags |= unfinished
	}
}

// Unfinished reports whether the pages behind a list are still to be visited.
func Unfinished(p *store.Page) bool {
	_, rest, err := Decode(p.History)
	return err == nil && len(rest) > 0 && rest[0]&unfinished != 0
}

// Due returns those of the aggregation pages that are to be visited by now, that no
// harvest has read yet, or that the last one did not finish, after the shortest
// interval at most.
func Due(ws *store.Workspace, ids []uint64, plan Settings, now time.Time) (due []uint64, err error) {
	err = ws.EachPage(ids, func(p *store.Page) {
		h, read := Of(p)
		next := h.Next(now, Aggregation, plan)
		if soon := h.Last.Add(plan.Aggregation.Min); Unfinished(p) && soon.Before(next) {
			next = soon
		}
		if !read || !next.After(now) {
			due = append(due, p.ID)
		}
	})
	return due, err
}

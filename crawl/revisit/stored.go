package revisit

import (
	"fmt"
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

// harvested follows the history of a page that a harvest has read.
const harvested = 1

// Of is what the visits of a stored page have found, and whether a harvest was
// among them. A row that was written before there were histories counts as one
// visit.
func Of(p *store.Page) (h History, read bool) {
	h, rest, err := Decode(p.History)
	if err != nil || h.Visits == 0 {
		return History{}.Visit(p.Fetched, false, 0), false
	}
	return h, len(rest) > 0 && rest[0] == harvested
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

// Due returns those of the aggregation pages that are to be visited by now, or
// that no harvest has read yet.
func Due(ws *store.Workspace, ids []uint64, plan Settings, now time.Time) (due []uint64, err error) {
	err = ws.EachPage(ids, func(p *store.Page) {
		if h, read := Of(p); !read || !h.Next(now, Aggregation, plan).After(now) {
			due = append(due, p.ID)
		}
	})
	return due, err
}

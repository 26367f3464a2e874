package run

import (
	"slices"

	"angler/crawl/revisit"
	"angler/store"
)

// This file is lists that are read as they are stored, without a request: at the end of a
// discovery, and by a harvest that asks for nothing, of pages that came from an archive
// or whose site is gone.

// unread are those lists whose notices have not all been asked for.
func (r *Run) unread(ids []uint64) (fresh []uint64, err error) {
	slices.Sort(ids)
	err = r.Store.EachPage(ids, func(p *store.Page) {
		if _, read := revisit.Of(p); !read || revisit.Unfinished(p) || revisit.Sending(p) {
			fresh = append(fresh, p.ID)
		}
	})
	return fresh, err
}

// beginUnread enters the unread aggregation pages that may be.
func (h *harvester) beginUnread(may func(*store.URL) bool) error {
	ids, err := h.unread(h.Topic.Aggregations())
	if err != nil {
		return err
	}
	scores := h.Topic.Scores()
	return h.Store.EachURL(ids, func(u *store.URL) {
		if may(u) {
			s, _ := scores.Of(u.ID)
			h.begins(u, s)
		}
	})
}

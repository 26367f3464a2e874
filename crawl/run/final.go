package run

import (
	"maps"
	"slices"

	"angler/crawl/revisit"
	"angler/store"
)

// This file holds the final part of a discovery's harvester.

// finalize begins the final part when no link waits. It returns false if the part has begun already
// or there is nothing to visit.
func (h *harvester) finalize() (bool, error) {
	if h.final.Load() || !h.enabled() || h.opt.Under != "" || h.Topic.State().Empty() {
		return false, nil
	}
	if err := h.Topic.Conclude(); err != nil {
		return false, err
	}
	if err := h.Reader.Begin(h.task); err != nil {
		return false, err
	}
	sending := map[uint64]bool{}
	for p, err := range h.Store.Pages() {
		if err != nil {
			return false, err
		}
		if revisit.Sending(p) {
			sending[p.ID] = true
		}
	}
	lists := h.Topic.Lists()
	_, judged := h.judged()
	strayed := h.countOrphans(judged)
	h.counts.setOrphans(strayed, h.countOrphans(lists)-strayed, strayed)
	h.provisional, h.provisionalLists = h.tasks.reset(), sending
	h.final.Store(true)
	err := h.beginUnread(func(u *store.URL) bool { return h.withinDepth(u) || sending[u.ID] })
	return len(h.chains) > 0, err
}

// withdraw deletes provisional notices that no list announces.
func (h *harvester) withdraw() error {
	if !h.final.Load() || h.ctx.Err() != nil || h.taking.Err() != nil {
		h.counts.setOrphans(0, 0, 0) // nothing is withdrawn
		return nil
	}
	if err := h.end(); err != nil || len(h.provisionalLists) == 0 {
		return err
	}
	var back []uint64
	_, judged := h.judged()
	fresh, withdrawn := 0, 0
	under := h.Topic.State().Fingerprint
	for n, err := range h.Store.Notices() {
		if err != nil {
			return err
		}
		if on, _ := n.On(); !h.provisionalLists[on] || h.tasks.of(n.ID).notice != nil {
			continue
		}
		if a := h.provisional[n.ID]; a == nil || a.fingerprint == under {
			back = append(back, n.ID)
			if a == nil || a.of(judged) == nil { // else a duplicate of its list qualifies
				withdrawn++
			}
			if !n.FirstSeen.Before(h.started) {
				fresh++
			}
		}
	}
	var rows []*store.Capture
	err := h.Store.EachPage(slices.Sorted(maps.Keys(h.provisionalLists)), func(p *store.Page) {
		if revisit.Sending(p) {
			row := *p
			revisit.SetSending(&row, false)
			rows = append(rows, &store.Capture{ID: row.ID, State: store.Complete, Page: &row, Unchanged: true})
		}
	})
	if err != nil {
		return err
	}
	h.counts.setOrphans(fresh, 0, withdrawn)
	if len(back) > 0 {
		if err := store.TakeBack(h.Store, back); err != nil {
			return err
		}
		h.Listener.TakenBack()
		if withdrawn > 0 {
			h.Events.Note("info", "withdrawn, because their list no longer qualifies: %d notices", withdrawn)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err = h.Store.Commit(nil, rows)
	return err
}

// unread returns the lists with notices that were not requested yet.
func (r *Run) unread(ids []uint64) (fresh []uint64, err error) {
	slices.Sort(ids)
	err = r.Store.EachPage(ids, func(p *store.Page) {
		if _, read := revisit.Of(p); !read || revisit.Unfinished(p) || revisit.Sending(p) {
			fresh = append(fresh, p.ID)
		}
	})
	return fresh, err
}

// beginUnread schedules the unread aggregation pages that may accepts. The end of a discovery calls
// it, and a harvest of stored pages, which come from an archive or from a site that is gone.
func (h *harvester) beginUnread(may func(*store.URL) bool) error {
	ids, err := h.unread(h.Topic.Aggregations())
	if err != nil {
		return err
	}
	scores := h.Topic.Scores()
	return h.Store.EachURL(ids, func(u *store.URL) {
		if may(u) {
			s, _ := scores.Of(u.ID)
			h.scheduleChain(u, s)
		}
	})
}

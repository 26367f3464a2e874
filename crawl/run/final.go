package run

import (
	"maps"
	"slices"

	"angler/crawl/revisit"
	"angler/store"
)

// This file is the final part of a discovery's harvester.

// finalize begins the final part when the links are through; false = it has begun
// already, or nothing is to be visited.
func (h *harvester) finalize() (bool, error) {
	if h.final.Load() || !h.on() || h.opt.Under != "" || h.Topic.State().Empty() {
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
	lists := map[uint64]bool{}
	for _, id := range h.Topic.Aggregations() {
		lists[id] = true
	}
	_, judged := h.judged()
	strayed := h.strayed(judged)
	h.counts.weigh(strayed, h.strayed(lists)-strayed, strayed)
	h.early, h.sending = h.tasks.reset(), sending
	h.final.Store(true)
	err := h.beginUnread(func(u *store.URL) bool { return h.within(u) || sending[u.ID] })
	return len(h.chains) > 0, err
}

// withdraw settles what the judgements of the moment had sent for.
func (h *harvester) withdraw() error {
	if !h.final.Load() || h.ctx.Err() != nil || h.taking.Err() != nil {
		h.counts.weigh(0, 0, 0) // nothing is taken back
		return nil
	}
	if err := h.end(); err != nil || len(h.sending) == 0 {
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
		if on, _ := n.On(); !h.sending[on] || h.tasks.of(n.ID).notice != nil {
			continue
		}
		if a := h.early[n.ID]; a == nil || a.under == under {
			back = append(back, n.ID)
			if a == nil || a.of(judged) == nil { // else its list stays under another address
				withdrawn++
			}
			if !n.FirstSeen.Before(h.started) {
				fresh++
			}
		}
	}
	var rows []*store.Capture
	err := h.Store.EachPage(slices.Sorted(maps.Keys(h.sending)), func(p *store.Page) {
		if revisit.Sending(p) {
			row := *p
			revisit.SetSending(&row, false)
			rows = append(rows, &store.Capture{ID: row.ID, State: store.Complete, Page: &row, Unchanged: true})
		}
	})
	if err != nil {
		return err
	}
	h.counts.weigh(fresh, 0, withdrawn)
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

// beginUnread enters the unread aggregation pages that may be. Both of its callers read
// lists as they are stored: the end of a discovery, and a harvest that asks for nothing,
// of pages that came from an archive or whose site is gone.
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

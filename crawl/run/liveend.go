package run

import (
	"maps"
	"slices"

	"angler/crawl/revisit"
	"angler/store"
)

// This file is the second part of live: the end of a discovery, when the judgement is
// final.

// more begins the second part when the links are through.
func (l *live) more() (bool, error) {
	if l.last.Load() != nil || !l.on() || l.under != "" || l.Topic.State().Empty() {
		return false, nil
	}
	if err := l.Topic.Conclude(); err != nil {
		return false, err
	}
	if err := l.Reader.Begin(l.task); err != nil {
		return false, err
	}
	h := &harvester{Run: l.Run, sending: map[uint64]bool{}}
	for p, err := range l.Store.Pages() {
		if err != nil {
			return false, err
		}
		if revisit.Sending(p) {
			h.sending[p.ID] = true
		}
	}
	lists := map[uint64]bool{}
	for _, id := range l.Topic.Aggregations() {
		lists[id] = true
	}
	_, judged := l.judged()
	strayed := l.strayed(judged)
	l.counts.notices.weigh(strayed, l.strayed(lists)-strayed, strayed)
	l.last.Store(h)
	err := beginUnread(h, func(u *store.URL) bool { return l.within(u) || h.sending[u.ID] })
	return len(h.chains) > 0, err
}

// end settles what the judgements of the moment had sent for.
func (l *live) end() error {
	h := l.last.Load()
	if h == nil || l.ctx.Err() != nil || l.taking.Err() != nil {
		l.counts.notices.weigh(0, 0, 0) // nothing is taken back
		return nil
	}
	if err := h.end(); err != nil {
		return err
	}
	if len(h.sending) == 0 {
		return nil
	}
	var back []uint64
	_, judged := l.judged()
	fresh, withdrawn := 0, 0
	under := l.Topic.State().Fingerprint
	for n, err := range l.Store.Notices() {
		if err != nil {
			return err
		}
		if on, _ := n.On(); !h.sending[on] || h.errands.of(n.ID).notice != nil {
			continue
		}
		if _, a := l.of(n.ID); a == nil || a.under == under {
			back = append(back, n.ID)
			if a == nil || a.of(judged) == nil { // else its list stays under another address
				withdrawn++
			}
			if !n.FirstSeen.Before(l.started) {
				fresh++
			}
		}
	}
	var rows []*store.Capture
	err := l.Store.EachPage(slices.Sorted(maps.Keys(h.sending)), func(p *store.Page) {
		if revisit.Sending(p) {
			row := *p
			revisit.SetSending(&row, false)
			rows = append(rows, &store.Capture{ID: row.ID, State: store.Complete, Page: &row, Unchanged: true})
		}
	})
	if err != nil {
		return err
	}
	l.counts.notices.weigh(fresh, 0, withdrawn)
	if len(back) > 0 {
		if err := store.TakeBack(l.Store, back); err != nil {
			return err
		}
		l.Listener.TakenBack()
		if withdrawn > 0 {
			l.Events.Note("info", "withdrawn, because their list no longer qualifies: %d notices", withdrawn)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err = l.Store.Commit(nil, rows)
	return err
}

// left are the lists some of whose notices have not come home.
func (l *live) left() []uint64 {
	if h := l.last.Load(); h != nil {
		return h.left()
	}
	return nil
}

package alerts

import (
	"context"
	"time"

	"angler/crawl/inbox"
	"angler/store/config"
	"angler/store/records"
)

// state returns the state of a setting. A new setting starts with notices found from now on. A
// setting with a changed address starts with what the old address did not receive. If a damaged
// file lost the marks of a place, it starts anew: a lost message is better than repeating all.
func (n *Notifier) state(ctx context.Context, x *config.Notify) (*records.AlertState, error) {
	place := records.PlaceOf(wayPlace(x))
	s := n.box.States[x.Name]
	if s != nil && s.Place == place && n.verified[x.Name] {
		return s, nil
	}
	told, known, err := records.ToldOf(n.Store, place)
	if err != nil {
		return nil, err
	}
	switch {
	case s != nil && s.Place == place && known >= s.Known:
	case s != nil && s.Place == place:
		n.report(x.Name, "what was told before was lost with a damaged file; it begins with what comes home from now on")
		s, err = n.begin(ctx, &records.AlertState{Name: x.Name, Place: place, Since: n.Now(), Slot: s.Slot})
	case s != nil:
		s, err = n.move(x, s, place, told, known)
	case known > 0 || len(told) > 0: // the place was known under another setting's name
		s = &records.AlertState{Name: x.Name, Place: place, Since: n.Now(), Slot: firstSlot(x, n.Now()), Known: known}
		err = records.QueueDeliveries(n.Store, s, nil)
	default:
		s, err = n.begin(ctx, &records.AlertState{Name: x.Name, Place: place, Since: n.Now(),
			Slot: firstSlot(x, n.Now())})
	}
	if err != nil {
		return nil, err
	}
	n.box.States[x.Name], n.verified[x.Name] = s, true
	return s, nil
}

func firstSlot(x *config.Notify, now time.Time) time.Time {
	if x.RhythmOf() == config.AtOnce {
		return time.Time{}
	}
	return x.Slot(now)
}

// begin marks all present notices as sent.
func (n *Notifier) begin(ctx context.Context, s *records.AlertState) (*records.AlertState, error) {
	box, err := n.Inbox.List(ctx, inbox.Request{})
	if err != nil {
		return nil, err
	}
	marks := make([]records.Mark, 0, len(box.Rows))
	for i := range box.Rows {
		marks = append(marks, records.Mark{MarkKey: records.MarkKey{Kind: records.MarkNotice, ID: box.Rows[i].ID},
			Version: box.Rows[i].Version})
	}
	return s, records.BeginPlace(n.Store, s, marks)
}

// move changes the address of a setting. Queued messages are composed again for it.
func (n *Notifier) move(x *config.Notify, old *records.AlertState, place records.Place, told map[records.MarkKey]uint64,
	known int) (*records.AlertState, error) {
	if err := n.drop(n.waiting(x.Name)); err != nil {
		return nil, err
	}
	s := &records.AlertState{Name: x.Name, Place: place, Since: old.Since, Slot: old.Slot, Known: known}
	if len(told) > 0 { // the address was used before and has its own marks
		return s, records.QueueDeliveries(n.Store, s, nil)
	}
	told, _, err := records.ToldOf(n.Store, old.Place)
	if err != nil {
		return nil, err
	}
	marks := make([]records.Mark, 0, len(told))
	for k, v := range told {
		marks = append(marks, records.Mark{MarkKey: k, Version: v})
	}
	return s, records.BeginPlace(n.Store, s, marks)
}

func (n *Notifier) waiting(name string) (ids []uint64) {
	for _, d := range n.box.Deliveries {
		if d.Notify == name && d.Sent.IsZero() {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

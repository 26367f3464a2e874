package records

import (
	"encoding/json"
	"testing"
)

func TestWhatArrivedIsMarkedWithTheMessage(t *testing.T) {
	w := open(t)
	s := &AlertState{Name: "morning", Place: PlaceOf("mail"), Since: start}
	var known []Mark
	for i := range uint64(2*marksPerPart + 5) {
		known = append(known, Mark{MarkKey{MarkNotice, i + 1}, 7})
	}
	must(t, BeginPlace(w, s, known))
	d := &Delivery{Ref: "r1", Notify: "morning", Place: s.Place, Body: json.RawMessage(`{}`), N: 2, Marks: []Mark{{MarkKey{MarkNotice, 1}, 8}, {MarkKey{MarkDue, 1}, 9}}}
	must(t, QueueDeliveries(w, s, []*Delivery{d}))
	told, n, err := ToldOf(w, s.Place)
	if err != nil || n != len(known) || n != s.Known || told[MarkKey{MarkNotice, 1}] != 7 || len(told) != n {
		t.Fatalf("%d of %d marks, %v", len(told), n, err)
	}
	must(t, Delivered(w, d, start))
	told, _, err = ToldOf(w, s.Place)
	if err != nil || told[MarkKey{MarkNotice, 1}] != 8 || told[MarkKey{MarkDue, 1}] != 9 || len(told) != len(known)+1 {
		t.Errorf("%d marks, %v", len(told), err)
	}
	if other, _, err := ToldOf(w, PlaceOf("another")); err != nil || len(other) != 0 {
		t.Errorf("another place was told %v, %v", other, err)
	}
	box, err := ReadOutbox(w)
	if err != nil || len(box.Deliveries) != 1 || box.Deliveries[0].Sent.IsZero() || box.Deliveries[0].Body != nil || box.States["morning"].Place != s.Place {
		t.Errorf("%+v %v", box, err)
	}
}

func TestNumbersGrowAndOldMessagesGo(t *testing.T) {
	w := open(t)
	s := &AlertState{Name: "m", Place: PlaceOf("x")}
	wait := &Delivery{Ref: "waits", Notify: "m", Place: s.Place}
	must(t, QueueDeliveries(w, s, []*Delivery{wait}))
	for range MaxSent + 5 {
		d := &Delivery{Ref: "r", Notify: "m", Place: s.Place}
		must(t, QueueDeliveries(w, s, []*Delivery{d}))
		must(t, Delivered(w, d, start))
	}
	box, err := ReadOutbox(w)
	must(t, err)
	if len(box.Deliveries) != MaxSent+1 || box.Deliveries[0].Ref != "waits" || box.Deliveries[MaxSent].ID != MaxSent+6 {
		t.Errorf("%d messages, the first %+v", len(box.Deliveries), box.Deliveries[0])
	}
	must(t, DropDeliveries(w, []uint64{wait.ID}))
	d := &Delivery{Ref: "next", Notify: "m", Place: s.Place}
	must(t, QueueDeliveries(w, s, []*Delivery{d}))
	if d.ID != MaxSent+7 {
		t.Errorf("a number was given twice: %d", d.ID)
	}
}

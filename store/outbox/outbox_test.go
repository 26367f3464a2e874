package outbox

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB) *store.Workspace {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://www.donghu.test/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestWhatArrivedIsMarkedWithTheMessage(t *testing.T) {
	w := open(t)
	s := &State{Name: "morning", Place: PlaceOf("mail"), Since: start}
	var known []Mark
	for i := range uint64(2*perPart + 5) {
		known = append(known, Mark{Key{Notice, i + 1}, 7})
	}
	must(t, Begin(w, s, known))
	d := &Delivery{Ref: "r1", Notify: "morning", Place: s.Place, Body: json.RawMessage(`{}`), N: 2, Marks: []Mark{{Key{Notice, 1}, 8}, {Key{Due, 1}, 9}}}
	must(t, Queue(w, s, []*Delivery{d}))
	told, n, err := Told(w, s.Place)
	if err != nil || n != len(known) || n != s.Known || told[Key{Notice, 1}] != 7 || len(told) != n {
		t.Fatalf("%d of %d marks, %v", len(told), n, err)
	}
	must(t, Sent(w, d, start))
	told, _, err = Told(w, s.Place)
	if err != nil || told[Key{Notice, 1}] != 8 || told[Key{Due, 1}] != 9 || len(told) != len(known)+1 {
		t.Errorf("%d marks, %v", len(told), err)
	}
	if other, _, err := Told(w, PlaceOf("another")); err != nil || len(other) != 0 {
		t.Errorf("another place was told %v, %v", other, err)
	}
	box, err := Read(w)
	if err != nil || len(box.Deliveries) != 1 || box.Deliveries[0].Sent.IsZero() || box.Deliveries[0].Body != nil || box.States["morning"].Place != s.Place {
		t.Errorf("%+v %v", box, err)
	}
}

func TestNumbersGrowAndOldMessagesGo(t *testing.T) {
	w := open(t)
	s := &State{Name: "m", Place: PlaceOf("x")}
	wait := &Delivery{Ref: "waits", Notify: "m", Place: s.Place}
	must(t, Queue(w, s, []*Delivery{wait}))
	for range MostSent + 5 {
		d := &Delivery{Ref: "r", Notify: "m", Place: s.Place}
		must(t, Queue(w, s, []*Delivery{d}))
		must(t, Sent(w, d, start))
	}
	box, err := Read(w)
	must(t, err)
	if len(box.Deliveries) != MostSent+1 || box.Deliveries[0].Ref != "waits" || box.Deliveries[MostSent].ID != MostSent+6 {
		t.Errorf("%d messages, the first %+v", len(box.Deliveries), box.Deliveries[0])
	}
	must(t, Drop(w, []uint64{wait.ID}))
	d := &Delivery{Ref: "next", Notify: "m", Place: s.Place}
	must(t, Queue(w, s, []*Delivery{d}))
	if d.ID != MostSent+7 {
		t.Errorf("a number was given twice: %d", d.ID)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte("d\x00\x00\x00\x00\x00\x00\x00\x01"), []byte(`{"id":1,"ref":"r"}`))
	f.Add([]byte("smorning"), []byte(`{"name":"morning"}`))
	f.Add([]byte(""), []byte(""))
	f.Fuzz(func(t *testing.T, k, v []byte) { _ = Check(k, v) })
}

package records

import (
	"context"
	"reflect"
	"testing"

	"angler/store/schema"
	"angler/store/sealed"
)

// noticed makes rows of notices without content.
func noticed(t *testing.T, w DB, ids ...uint64) {
	t.Helper()
	err := w.Write(func(tx sealed.Tx) error {
		for _, id := range ids {
			if err := tx.Bucket(schema.Notices).Put(idKey(id), []byte("{}")); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
}

func sample(id uint64) *Facts {
	return &Facts{ID: id, Stamp: FactsStamp{1, 1 << 60, 7, 9}, Limits: []string{"cells"},
		Values: []FactValue{
			{Field: "budget", Norm: "902460", Text: "90.246万元", Source: "line", Label: "预算金额", From: 40, To: 60, Sure: .93, Agree: 2},
			{Field: "deadline", Norm: "2026-07-18T09:30+08:00", Text: "2026年7月18日9时30分", Source: "table", Label: "截止时间", Table: 1, Row: 3, Column: 2, Sure: .9, Clock: true},
		},
		Doubtful: []FactValue{{Field: "amount", Norm: "902460", Text: "902460", Source: "line", Label: "预算金额", Doubt: "weak evidence", Sure: .4}},
		Sketch:   Sketch{Words: 1 << 50, Figures: 3, Long: true, Families: 5, Size: 900}}
}

// A row is read as stored, beside notices without one.
func TestFacts(t *testing.T) {
	w := open(t)
	if row, _, err := FactsOf(w, 3); row != nil || err != nil {
		t.Fatalf("a workspace without rows: %v, %v", row, err)
	}
	noticed(t, w, 3, 700)
	must(t, PutFacts(w, []*Facts{sample(3), sample(700), sample(701)}))
	if row, _, err := FactsOf(w, 701); row != nil || err != nil {
		t.Fatalf("the row of no notice is kept: %+v, %v", row, err)
	}
	row, _, err := FactsOf(w, 3)
	if err != nil || !reflect.DeepEqual(row, sample(3)) {
		t.Fatalf("got %+v, %v", row, err)
	}
	must(t, DropFacts(w, []uint64{700}))
	var met []uint64
	err = ScanFacts(context.Background(), w, func(p FactsPlace) error { met = append(met, p.ID); return nil })
	if err != nil || !reflect.DeepEqual(met, []uint64{3, 700}) {
		t.Fatalf("met %v, %v", met, err)
	}
}

// A scan over several transactions yields each row once, in order.
func TestScanGoesOn(t *testing.T) {
	w := open(t)
	const n = 3*factsSlice + 1
	rows := make([]*Facts, n)
	for i := range rows {
		rows[i] = sample(uint64(i + 1))
		noticed(t, w, rows[i].ID)
	}
	must(t, PutFacts(w, rows))
	var last uint64
	err := ScanFacts(context.Background(), w, func(p FactsPlace) error {
		if p.ID != last+1 || p.Row == nil || p.Notice == 0 {
			t.Fatalf("after %d came %+v", last, p)
		}
		last = p.ID
		return nil
	})
	if err != nil || last != n {
		t.Fatalf("ended at %d, %v", last, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := ScanFacts(ctx, w, func(FactsPlace) error { return nil }); err == nil {
		t.Fatal("an ended context does not end a scan")
	}
}

// A damaged row counts as missing, and as damage.
func TestDamaged(t *testing.T) {
	w := open(t)
	noticed(t, w, 3)
	must(t, PutFacts(w, []*Facts{sample(3)}))
	err := w.Write(func(tx sealed.Tx) error { return tx.Bucket(FactsBucket).Put(idKey(3), []byte{factsForm, 200}) })
	must(t, err)
	if row, _, err := FactsOf(w, 3); row != nil || err != nil || w.Tally.String() == "" {
		t.Fatalf("got %v, %v, damage %q", row, err, w.Tally.String())
	}
}

// A row of an older form keeps its values. It is outdated if it used learned labels, or has no
// sketch.
func TestEarlierForms(t *testing.T) {
	for name, c := range map[string]struct {
		form  byte
		rules uint64
		want  FactsStamp
	}{
		"no label was taught": {taught, 0, FactsStamp{1, 1 << 60, 7, 9}},
		"a label was taught":  {taught, 5, FactsStamp{1, 0, 7, 9}},
		"no sketch":           {ofOnce, 0, FactsStamp{0, 1 << 60, 7, 9}},
	} {
		want := sample(3)
		w := &factsWriter{b: []byte{c.form}, known: map[string]uint64{"": 0}}
		for _, n := range []uint64{1, 1 << 60, 7, c.rules, 9} {
			w.wide(n)
		}
		w.text("ztb.test")
		for _, list := range [][]FactValue{want.Values, want.Doubtful} {
			w.number(len(list))
			for i := range list {
				w.value(&list[i])
			}
		}
		w.number(1) // its labels
		w.text("使用单位")
		w.text("buyer")
		w.number(1)
		w.number(1)
		w.text("cells")
		if c.form == taught {
			for _, n := range []uint64{1 << 50, 3, 1, 5, 900} {
				w.wide(n)
			}
		} else {
			want.Sketch = Sketch{}
		}
		want.Stamp = c.want
		if got, err := facts.read(idKey(3), w.b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// FuzzFacts reads made-up rows: none crashes the program, and valid ones encode to the same bytes.
func FuzzFacts(f *testing.F) {
	f.Add(appendFacts(nil, sample(3)))
	f.Add(appendFacts(nil, &Facts{}))
	f.Add([]byte{factsForm, 1, 1, 1, 1, 1, 1, 255, 255, 255, 255, 7})
	f.Fuzz(func(t *testing.T, v []byte) {
		row, err := facts.read(idKey(3), v)
		if err != nil {
			return
		}
		again, err := facts.read(idKey(3), appendFacts(nil, row))
		if err != nil || !reflect.DeepEqual(row, again) {
			t.Fatalf("%+v came back as %+v, %v", row, again, err)
		}
	})
}

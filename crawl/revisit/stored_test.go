package revisit

import (
	"math"
	"testing"
	"time"

	"angler/store"
)

// A list changes with new records, not with a counter; another page with every byte.
func TestNote(t *testing.T) {
	cases := map[string]struct {
		records int
		other   bool // bytes
		changes uint32
		hours   bool // are learned
	}{
		"new notices":         {2, true, 1, true},
		"a counter":           {0, true, 0, false},
		"a page that changed": {NoList, true, 1, false},
		"an unchanged page":   {NoList, false, 0, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			old, row := &store.Page{Fetched: start}, &store.Page{Fetched: start.Add(3 * time.Hour)}
			Note(old, nil, NoList, true)
			if c.other {
				row.Hash[0] = 1
			}
			Note(row, old, c.records, true)
			h, read := Of(row)
			if !read || h.Visits != 2 || h.Changes != c.changes || (h.Week != week{}) != c.hours {
				t.Errorf("read %v, %+v", read, h)
			}
		})
	}
}

// Of lists with different hours, one without notices follows what the others have shown, and its own hours win later.
func TestPace(t *testing.T) {
	night := func(visits int) (w week) {
		at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
		for i := range visits {
			w = w.visit(at.Add(time.Duration(i)*2*time.Hour), 2*time.Hour, i%12 == 1, 1) // found between 2 and 4
		}
		return w
	}
	var all weeks
	assumed := all.pace(start, time.UTC)
	if busy, quiet := assumed.hours[10], assumed.hours[3]; busy <= quiet {
		t.Errorf("an office is taken to publish %.2f at 10 and %.2f at 3 o'clock", busy, quiet)
	}
	w := night(600)
	all.add(&w)
	learned := all.pace(start, time.UTC)
	if busy, quiet := learned.hours[3], learned.hours[10]; busy < 4*quiet {
		t.Errorf("lists that publish at 3 o'clock are taken to publish %.2f then and %.2f at 10", busy, quiet)
	}
	var fresh week
	if p := fresh.pace(&learned); math.Abs(p.hours[3]-learned.hours[3]) > 1e-9 || math.Abs(p.days[3]-learned.days[3]) > 1e-9 {
		t.Errorf("a list without notices has %v, all lists %v", p, learned)
	}
	office := alike
	office.hours = assumed.hours
	if p := w.pace(&office); p.hours[3] < p.hours[10] {
		t.Errorf("a list's own hours are lost among those assumed: %v", p.hours)
	}
}

// A plan without a pattern of hours keeps the root law, and one with a pattern visits after its end.
func TestPlan(t *testing.T) {
	b := Default().Aggregation
	for _, rate := range []float64{2, 8, 32} {
		want := 24 * 0.5 / rate // √(2·price/rate), price rate/8 of a day
		price := 0.125 / rate
		if got := alike.plan(start, rate, price, b).Hours(); got < want-1 || got > want+1 {
			t.Errorf("%v notices a day: next in %.1f h, want %.1f", rate, got, want)
		}
	}
	p := alike
	p.hours = [24]float64{9: 12, 10: 12}
	for _, hour := range []int{0, 5, 11, 20} {
		from := time.Date(2026, 11, 3, hour, 0, 0, 0, time.UTC)
		next := from
		for range 3 { // the hour may move within days
			next = next.Add(p.plan(next, 1, 0.2, b))
		}
		if h := next.Hour(); h < 10 || h > 12 {
			t.Errorf("visited at %d o'clock, the third visit is at %v", hour, next)
		}
	}
}

package revisit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// poisson visits a page that changes rate times a day, on the schedule, and
// returns its history and what the last half of the visits looked like.
func poisson(t *testing.T, rate float64, k Kind, s Settings, visits int, seed uint64) (h History, hits, interval float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	b := s.bounds(k)
	now := start
	h = h.Visit(now, false, 0)
	for i := range visits {
		due := h.Next(now, k, s)
		step := due.Sub(now)
		if step < b.Min || step > b.Max {
			t.Fatalf("visit %d: interval %v is outside %v … %v", i, step, b.Min, b.Max)
		}
		now = due
		changed := r.Float64() < -math.Expm1(-rate*step.Hours()/24)
		records := 0
		if changed {
			records = 1
		}
		h = h.Visit(now, changed, records)
		if i >= visits/2 {
			interval += step.Hours() / 24
			if changed {
				hits++
			}
		}
	}
	n := float64(visits - visits/2)
	return h, hits / n, interval / n
}

// Whatever the page's habit, visits come to find a change as often as wanted, or the interval comes to the bound that
// forbids it. That of a list comes to the root law, up to where every visit finds a change.
func TestScheduleConverges(t *testing.T) {
	for _, chance := range []float64{0.3, 0.5, 0.8} {
		for _, kind := range []Kind{Aggregation, Other} {
			for _, rate := range []float64{0, 0.002, 0.05, 0.3, 1, 2, 5, 20, 1000} {
				s := Default()
				s.Chance = chance
				b := s.bounds(kind)
				want := math.Inf(1)
				if rate > 0 {
					want = -math.Log1p(-chance) / rate
				}
				if kind == Aggregation && rate > 20 {
					continue
				} else if kind == Aggregation && rate > 0 {
					want = math.Sqrt(2 * s.price() / rate)
				}
				bounded := min(max(want, b.Min.Hours()/24), b.Max.Hours()/24)
				for seed := range uint64(5) {
					h, hits, interval := poisson(t, rate, kind, s, 800, seed)
					if ratio := interval / bounded; ratio < 0.75 || ratio > 1.5 || kind == Other && ratio > 1.35 {
						t.Errorf("rate %v, chance %v, kind %d: mean interval %.2f d, want %.2f d", rate, chance, kind, interval, bounded)
					}
					if kind == Other && want == bounded && math.Abs(hits-chance) > 0.1 {
						t.Errorf("rate %v, chance %v, kind %d: %.2f of the visits found a change", rate, chance, kind, hits)
					}
					if got := h.Rate(); want == bounded && (got < rate*0.4 || got > rate*2) {
						t.Errorf("rate %v, chance %v, kind %d: estimated %.3f", rate, chance, kind, got)
					}
					if again, _, _ := poisson(t, rate, kind, s, 800, seed); again != h {
						t.Fatalf("the same visits gave %+v and %+v", h, again)
					}
				}
			}
		}
	}
}

// The estimator is the paper's: by hand, −ln((n−x+½)/(n+½))/I.
func TestRate(t *testing.T) {
	cases := map[string]struct {
		seen string // per visit after the first, a day apart: y changed, n not
		want float64
	}{
		"no comparison":    {"", 0},
		"never changed":    {"nnnn", 0},
		"one of two":       {"ny", math.Log(2.5 / 1.5)},
		"always, twice":    {"yy", math.Log(2.5 / 0.5)},
		"three of four":    {"yyny", math.Log(4.5 / 1.5)},
		"order is nothing": {"ynyy", math.Log(4.5 / 1.5)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := History{}.Visit(start, true, 0)
			for i, v := range c.seen {
				h = h.Visit(start.Add(time.Duration(i+1)*day), v == 'y', 0)
			}
			if got := h.Rate(); math.Abs(got-c.want) > 0.06*c.want { // the memory fades a little with every visit
				t.Errorf("got %.4f, want %.4f", got, c.want)
			}
		})
	}
}

// A new page is looked at soon, one that stands still ever more rarely, and one
// that moves again more often.
func TestGrowthAndShrink(t *testing.T) {
	s := Default()
	h := History{}
	if got := h.Next(start, Other, s); !got.Equal(start) {
		t.Errorf("a page never visited is due at %v", got)
	}
	now := start
	h = h.Visit(now, false, 0)
	for _, hours := range []int{6, 12, 24, 48, 96, 192, 384, 720, 720} {
		due := h.Next(now, Other, s)
		if due.Sub(now) != time.Duration(hours)*time.Hour {
			t.Fatalf("after %v unchanged: next in %v, want %d h", now.Sub(start), due.Sub(now), hours)
		}
		now = due
		h = h.Visit(now, false, 0)
	}
	for i := range 12 {
		before := h.Next(now, Other, s)
		h = h.Visit(before, true, 0)
		if after := h.Next(before, Other, s); after.Sub(before) > before.Sub(now) {
			t.Errorf("change %d: the interval grew from %v to %v", i+1, before.Sub(now), after.Sub(before))
		}
		now = before
	}
	if got := h.Next(now, Other, s).Sub(now); got > 15*day {
		t.Errorf("after twelve changes in a row still every %v", got)
	}
	if got := h.Next(now, Aggregation, s).Sub(now); got > day {
		t.Errorf("as an aggregation page every %v, want at least daily", got)
	}
}

// A list that falls asleep, or wakes up, is understood after some memories' length.
func TestHabitsChange(t *testing.T) {
	s := Default()
	r := rand.New(rand.NewPCG(1, 2))
	now := start
	h := History{}.Visit(now, false, 0)
	live := func(rate float64, visits int) {
		for range visits {
			due := h.Next(now, Other, s)
			h = h.Visit(due, r.Float64() < -math.Expm1(-rate*due.Sub(now).Hours()/24), 0)
			now = due
		}
	}
	for _, phase := range []struct{ rate, days float64 }{{2, 0.35}, {0.05, 13.9}, {1, 0.69}} {
		live(phase.rate, 6*memory)
		if got := h.Next(now, Other, s).Sub(now).Hours() / 24; got < phase.days*0.6 || got > phase.days*1.7 {
			t.Errorf("at %v changes a day every %.2f d, want about %.2f", phase.rate, got, phase.days)
		}
	}
}

// Clocks that jump and people who look twice do not spoil the schedule.
func TestOddClocks(t *testing.T) {
	s := Default()
	steady := func() History {
		h := History{}.Visit(start, false, 0)
		for i := 1; i <= 20; i++ {
			h = h.Visit(start.Add(time.Duration(i)*day), i%2 == 0, 1)
		}
		return h
	}
	last := start.Add(20 * day)
	usual := steady().Next(last, Other, s).Sub(last)
	cases := map[string]struct{ at time.Time }{
		"set back a year":               {last.Add(-365 * day)},
		"set back before 1970":          {time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)},
		"looked twice in a second":      {last},
		"looked twice in half a minute": {last.Add(30 * time.Second)},
		"set ahead ten years":           {last.Add(3650 * day)},
		"far future":                    {time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := steady()
			rate := h.Rate()
			h = h.Visit(c.at, false, 0)
			due := h.Next(c.at, Other, s)
			if wait := due.Sub(c.at); c.at.Year() > 1970 && c.at.Year() < 9999 && (wait < usual/2 || wait > 2*usual) {
				t.Errorf("next in %v, usually %v", wait, usual)
			}
			if due.After(c.at.Add(s.Other.Max)) && c.at.Year() >= 1970 {
				t.Errorf("next at %v, later than the longest interval after %v", due, c.at)
			}
			if c.at.Year() < 9999 && math.Abs(h.Rate()-rate) > 1e-9 {
				t.Errorf("the rate went from %v to %v", rate, h.Rate())
			}
			if h.First.After(h.Last) || h.Changed.After(h.Last) {
				t.Errorf("times out of order: %+v", h)
			}
		})
	}
}

func TestRecords(t *testing.T) {
	h := History{}.Visit(start, false, 20).Visit(start.Add(day), true, 4).Visit(start.Add(2*day), false, 0).Visit(start.Add(3*day), false, -7)
	if h.Records != 24 || h.Visits != 4 {
		t.Errorf("%d new records in %d visits, want 24 in 4", h.Records, h.Visits)
	}
}

func TestValidate(t *testing.T) {
	if err := Default().validate(); err != nil {
		t.Error(err)
	}
	cases := map[string]struct {
		spoil func(*Settings)
		want  string
	}{
		"no shortest":       {func(s *Settings) { s.Aggregation.Min = 0 }, "aggregation pages"},
		"longest below":     {func(s *Settings) { s.Other.Max = time.Hour }, "other pages"},
		"longest too long":  {func(s *Settings) { s.Other.Max = 2 * maxInterval }, "other pages"},
		"chance of nothing": {func(s *Settings) { s.Chance = 0 }, "chance"},
		"chance NaN":        {func(s *Settings) { s.Chance = math.NaN() }, "chance"},
		"certainty":         {func(s *Settings) { s.Chance = 1 }, "chance"},
		"no growth":         {func(s *Settings) { s.Growth = 1 }, "growth"},
		"endless growth":    {func(s *Settings) { s.Growth = math.Inf(1) }, "growth"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := Default()
			c.spoil(&s)
			if err := s.validate(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %q", err, c.want)
			}
		})
	}
}

package revisit

import (
	"math"
	"testing"
	"time"

	"angler/store/config"
)

const year = 365 * day

// visited is a page that was seen n times, a day apart, every second time changed.
func visited(n int) (h History, last time.Time) {
	for i := range n {
		last = start.Add(time.Duration(i) * day)
		h = h.Visit(last, i > 0 && i%2 == 0, 1)
	}
	return h, last
}

// A page whose last visit lies in the future is due now, at once and at any later
// time until it is visited; a correction by seconds changes nothing.
func TestNextUnderALyingClock(t *testing.T) {
	s := Default()
	h, last := visited(20)
	usual := h.Next(last, Other, s)
	cases := map[string]struct {
		now  time.Time
		want time.Time // zero: now
	}{
		"right":                   {last.Add(time.Hour), usual},
		"set back by a second":    {last.Add(-time.Second), last.Add(-time.Second).Add(usual.Sub(last))},
		"set back by a minute":    {last.Add(-time.Minute), last.Add(-time.Minute).Add(usual.Sub(last))},
		"set back by two minutes": {last.Add(-2 * time.Minute), time.Time{}},
		"was ten years ahead":     {last.Add(-10 * year), time.Time{}},
		"and a day later":         {last.Add(-10*year + day), time.Time{}},
		"and a year later":        {last.Add(-9 * year), time.Time{}},
		"is in 1970":              {time.Unix(0, 0), time.Time{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if want.IsZero() {
				want = c.now
			}
			for _, kind := range []Kind{Other, Aggregation} {
				got := h.Next(c.now, kind, s)
				if kind == Other && !got.Equal(want) || kind == Aggregation && c.want.IsZero() && !got.Equal(c.now) {
					t.Errorf("kind %d: due at %v, want %v", kind, got, want)
				}
			}
		})
	}
}

// Visits under a wrong clock leave no trace in what is known of a page's habits:
// once the clock is right it is visited as if nothing had been.
func TestVisitRepairsALyingClock(t *testing.T) {
	s := Default()
	cases := map[string]struct {
		before int             // visits under the right clock
		lies   []time.Duration // ahead of the last of them; each a visit
		after  time.Duration   // of the first right visit, behind the last right one
		slack  float64         // by which the interval may differ
	}{
		"ten years ahead, once":            {20, []time.Duration{10 * year}, day, 1.05},
		"ten years ahead, three visits":    {20, []time.Duration{10 * year, 10*year + day, 10*year + 2*day}, 3 * day, 1.2},
		"a year ahead, once":               {20, []time.Duration{year}, day, 1.05},
		"a month ahead, once":              {20, []time.Duration{30 * day}, day, 1.05},
		"an hour ahead, once":              {20, []time.Duration{day + time.Hour}, day, 1.05},
		"ten years ahead from the start":   {1, []time.Duration{10 * year}, day, 1.05},
		"a year ahead from the start":      {1, []time.Duration{year}, day, 1.05},
		"in 1970":                          {20, []time.Duration{-56 * year}, day, 1.05},
		"in 1970, then ten years ahead":    {20, []time.Duration{-56 * year, 10 * year}, day, 1.05},
		"a month ahead, for three visits":  {20, []time.Duration{30 * day, 31 * day, 32 * day}, 3 * day, 2.5},
		"back and forth by ten years":      {20, []time.Duration{10 * year, day, 10*year + 2*day}, 3 * day, 1.1},
		"ahead by more than a year, twice": {20, []time.Duration{2 * year, 4 * year}, day, 1.05},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h, last := visited(c.before)
			want := h
			for i, d := range c.lies {
				h = h.Visit(last.Add(d), c.before == 1 || i%2 == 0, 0)
			}
			right := last.Add(c.after)
			h = h.Visit(right, false, 0)
			for i := 1; i <= 2; i++ { // and on
				h = h.Visit(right.Add(time.Duration(i)*day), i%2 == 1, 0)
				want = want.Visit(right.Add(time.Duration(i)*day), i%2 == 1, 0)
			}
			now := right.Add(2 * day)
			got, plain := h.Next(now, Other, s).Sub(now), want.Next(now, Other, s).Sub(now)
			if ratio := float64(got) / float64(plain); c.before > 1 && (ratio > c.slack*1.1 || ratio < 1/c.slack/1.1) {
				t.Errorf("next in %v, without the lies in %v", got, plain)
			}
			if mean := h.interval(); mean > 5 {
				t.Errorf("a mean of %.1f days between visits: poisoned", mean)
			}
			if h.Step > maxInterval || h.Step < 0 || h.Differed > h.Compared || h.Compared > memory || h.Span < 0 {
				t.Errorf("out of bounds: %+v", h)
			}
			if h.First.After(h.Last) || h.Changed.After(h.Last) || !h.Last.Equal(now) {
				t.Errorf("times out of order: %+v", h)
			}
			if back, rest, err := decode(h.encode(nil)); err != nil || len(rest) > 0 || back != h {
				t.Errorf("stored and read: %+v, %v; was %+v", back, err, h)
			}
		})
	}
}

func TestUntil(t *testing.T) {
	cases := map[string]struct {
		retry time.Time
		wait  time.Duration
		lie   bool
	}{
		"any time":                {time.Time{}, 0, false},
		"past":                    {start.Add(-time.Hour), 0, false},
		"soon":                    {start.Add(time.Second), time.Second, false},
		"the longest":             {start.Add(maxRetry), maxRetry, false},
		"longer than there is":    {start.Add(maxRetry + time.Second), 0, true},
		"planned ten years on":    {start.Add(10 * year), 0, true},
		"planned in 1970":         {time.Unix(60, 0), 0, false},
		"farther than a Duration": {start.AddDate(400, 0, 0), 0, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if wait, lie := Until(c.retry, start); wait != c.wait || lie != c.lie {
				t.Errorf("%v, %v; want %v, %v", wait, lie, c.wait, c.lie)
			}
		})
	}
}

func TestLied(t *testing.T) {
	boot := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		fetched, now time.Time
		want         bool
	}{
		"yesterday":             {start.Add(-day), start, false},
		"never":                 {time.Time{}, start, false},
		"within the slack":      {start.Add(slack), start, false},
		"ten years on":          {start.Add(10 * year), start, true},
		"in 1970":               {boot, start, true},
		"in 1970, and it is so": {boot, boot.Add(time.Hour), false},
		"the clock fell back":   {start, boot, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Lied(c.fetched, c.now); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// What was stored under a clock that was ahead stands where it was stored, and
// not behind all that follows.
func TestBelieved(t *testing.T) {
	b := Believed{Now: start}
	lie := start.Add(10 * year)
	in := []time.Time{lie, start.Add(-3 * day), lie, lie.Add(day), start.Add(-2 * day), start.Add(-5 * day), lie}
	want := []time.Time{config.ReleasedAfter(), in[1], in[1], in[1], in[4], in[5], in[4]}
	for i := range in {
		if got := b.Time(in[i]); !got.Equal(want[i]) {
			t.Errorf("time %d: %v, want %v", i, got, want[i])
		}
	}
	if b.Lies != 4 {
		t.Errorf("%d lies counted, want 4", b.Lies)
	}
}

func TestNotBehind(t *testing.T) {
	for _, now := range []time.Time{time.Unix(0, 0), start, start.Add(10 * year)} {
		got := NotBehind(func() time.Time { return now })()
		if Behind(now) && !got.Equal(config.ReleasedAfter()) || !Behind(now) && !got.Equal(now) {
			t.Errorf("at %v: %v", now, got)
		}
	}
	if math.Abs(start.Sub(config.ReleasedAfter()).Hours()) < 24 {
		t.Error("the tests' own day is too close to the program's")
	}
}

package revisit

import (
	"testing"
	"time"
)

func TestRetryDistances(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const never = 0
	cases := map[string]struct {
		trouble FailureClass
		wait    time.Duration
		want    []time.Duration // after each failure in a row
		first   int             // the failure from which it is an exception, 1 …
	}{
		"passing": {Passing, never, []time.Duration{time.Second, 4 * time.Second, 16 * time.Second,
			10 * time.Minute, time.Hour, 6 * time.Hour, day, 3 * day, 10 * day, 30 * day, 30 * day, 30 * day}, 4},
		"gone":                 {Gone, never, []time.Duration{7 * day, 30 * day, 90 * day, 90 * day}, 1},
		"forbidden":            {Forbidden, never, []time.Duration{day, 7 * day, 30 * day, 30 * day}, 1},
		"the server names one": {Passing, 10 * time.Second, []time.Duration{10 * time.Second, 10 * time.Second, 16 * time.Second, 10 * time.Minute}, 4},
		"an endless wish":      {Passing, 1000 * day, []time.Duration{day, day, day, day}, 4},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for i, want := range c.want {
				at, exception := c.trouble.Retry(now, i+1, 3, c.wait, 0)
				if d := at.Sub(now); d != want || exception != (i+1 >= c.first) {
					t.Errorf("failure %d: %v, exception %v; want %v, exception from failure %d on", i+1, d, exception, want, c.first)
				}
				late, _ := c.trouble.Retry(now, i+1, 3, c.wait, 1)
				if late.Before(at) || late.Sub(now) > max(want*3/2, want) {
					t.Errorf("failure %d: up to %v, want at most half as long again as %v", i+1, late.Sub(now), want)
				}
				if !Ready(late, late) || Ready(at, now) {
					t.Errorf("failure %d: ready at once, or not when its time has come", i+1)
				}
			}
		})
	}
}

// However many failures there were and whatever settings say, a try lies ahead,
// and no farther than the longest distance.
func TestRetryIsNeverNever(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, trouble := range []FailureClass{Passing, Gone, Forbidden} {
		for _, fails := range []int{-5, 0, 1, 2, 100, 1 << 40} {
			for _, patience := range []int{0, 3, 100} {
				for _, chance := range []float64{-3, 0, .5, 1, 7} {
					at, _ := trouble.Retry(now, fails, patience, 0, chance)
					if d := at.Sub(now); d < time.Second || d > maxRetry {
						t.Errorf("trouble %d, %d failures, patience %d, chance %v: again after %v", trouble, fails, patience, chance, d)
					}
				}
			}
		}
	}
}

func TestReady(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		retry time.Time
		want  bool
	}{
		"a row without a time":               {time.Time{}, true},
		"past":                               {now.Add(-time.Hour), true},
		"ten years past":                     {now.AddDate(-10, 0, 0), true},
		"this moment":                        {now, true},
		"in a second":                        {now.Add(time.Second), false},
		"in ninety days":                     {now.Add(90 * day), false},
		"the longest distance":               {now.Add(maxRetry), false},
		"written by a clock ten years ahead": {now.AddDate(10, 0, 0), true},
		"beyond what a duration can hold":    {now.AddDate(500, 0, 0), true},
	}
	for name, c := range cases {
		if got := Ready(c.retry, now); got != c.want {
			t.Errorf("%s: ready %v, want %v", name, got, c.want)
		}
	}
}

package frontier

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// With a delay the best host cannot have everything: others fill its pauses.
func TestHostsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Second})
		f.Push(Entry{1, "a", 9, 0}, Entry{2, "a", 8, 0}, Entry{3, "b", 1, 0}, Entry{4, "b", .5, 0})
		start := time.Now()
		if got, want := drain(t, f), []uint64{1, 3, 2, 4}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v, want one delay", took)
		}
	})
}

func TestPoliteness(t *testing.T) {
	ok, failed, slow := Outcome{}, Outcome{Failed: true}, Outcome{Slow: true}
	times := func(n int, o Outcome) (out []Outcome) {
		for range n {
			out = append(out, o)
		}
		return out
	}
	cases := map[string]struct {
		before []Outcome
		want   time.Duration // until the host's next fetch after the last outcome
	}{
		"delay":                          {[]Outcome{ok}, 2 * time.Second},
		"retry-after":                    {[]Outcome{{Wait: time.Minute}}, time.Minute},
		"a shorter wish changes nothing": {[]Outcome{{Wait: time.Second}}, 2 * time.Second},
		"an endless wish is capped":      {[]Outcome{{Wait: 1000 * time.Hour}}, MaxWait},
		"one failure is forgiven":        {[]Outcome{failed}, 2 * time.Second},
		"the fourth failure in a row":    {times(4, failed), 4 * time.Second},
		"the eighth":                     {times(8, failed), 64 * time.Second},
		"failing for ever":               {times(60, failed), MaxRest},
		"a success ends the streak":      {append(times(8, failed), ok), 2 * time.Second},
		"asked to slow down":             {[]Outcome{slow}, 4 * time.Second},
		"asked again and again":          {times(20, slow), 30 * time.Second},
		"slow, then well":                {append(times(2, slow), ok), 6 * time.Second},
		"slow, then well for long":       {append(times(2, slow), times(10, ok)...), 2 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := New(Config{Delay: 2 * time.Second, MaxDelay: 30 * time.Second})
				for i := range len(c.before) + 1 {
					f.Push(Entry{ID: uint64(i), Host: "a"})
				}
				for _, o := range c.before {
					e, _ := mustNext(t, f)
					f.Done(e, o)
				}
				if _, took := mustNext(t, f); took != c.want {
					t.Errorf("the host rested %v, want %v", took, c.want)
				}
			})
		})
	}
}

func TestPerHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Second, PerHost: 2})
		for i := range uint64(3) {
			f.Push(Entry{ID: i, Host: "a"})
		}
		first, took := mustNext(t, f)
		if took != 0 {
			t.Errorf("first after %v", took)
		}
		if _, took = mustNext(t, f); took != time.Second {
			t.Errorf("second after %v, want the delay between starts", took)
		}
		go func() {
			time.AfterFunc(5*time.Second, func() { f.Done(first, Outcome{}) })
		}()
		if _, took = mustNext(t, f); took != 5*time.Second {
			t.Errorf("third after %v, want when the first is done", took)
		}
		check(t, f)
	})
}

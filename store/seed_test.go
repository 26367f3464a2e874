package store

import (
	"testing"
	"time"
)

// A given-up seed waits again when it is named again; a fetched seed, or one with a retry time,
// stays as it is.
func TestSeedsGetAnotherChance(t *testing.T) {
	cases := map[string]struct {
		capture Capture
		again   bool
		want    state
		fails   int
	}{
		"given up":      {Capture{State: Exception, Fails: 4, Failure: ReadFailure("dns")}, true, Waiting, 0},
		"asked to wait": {Capture{State: Waiting, Fails: 1, Retry: time.Now().Add(time.Hour)}, false, Waiting, 1},
		"fetched":       {Capture{State: Complete, Page: &Page{Status: 200}}, false, Complete, 0},
		"never fetched": {Capture{}, false, Waiting, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, _ := create(t)
			c.capture.ID = seed(t, w, "http://a.test/")[0].Row.ID
			if _, err := w.Commit(nil, []*Capture{&c.capture}); err != nil {
				t.Fatal(err)
			}
			if again := seed(t, w, "http://a.test/"); (len(again) == 1) != c.again {
				t.Errorf("returned %+v", again)
			}
			u, err := w.URL(c.capture.ID)
			if err != nil || u.State != c.want || u.Fails != c.fails || c.again && (u.Failure != (Failure{}) || !u.Retry.IsZero()) {
				t.Errorf("%+v, %v; want %v after %d failures", u, err, c.want, c.fails)
			}
			if n := w.Counts(); n.Waiting+n.Complete != 1 || n.Exception != 0 {
				t.Errorf("%+v", n)
			}
			if problems, err := CheckQuickly(w); err != nil || len(problems) > 0 {
				t.Errorf("inconsistent: %q, %v", problems, err)
			}
		})
	}
}

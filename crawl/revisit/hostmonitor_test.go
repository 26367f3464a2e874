package revisit

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// watched is a HostMonitor with a clock of its own; the tests hand in the number of
// each request.
type watched struct {
	*HostMonitor[int]
	t    *testing.T
	now  time.Time
	n    int
	seen bool     // pages of other days
	left []string // hosts that are left to ask
}

func newWatched(t *testing.T) *watched {
	w := &watched{HostMonitor: &HostMonitor[int]{}, t: t, left: []string{"elsewhere"}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.Now = func() time.Time { return w.now }
	return w
}

// report hands in the next request for a page of a host.
func (w *watched) report(host, path string, r FetchResult) hostVerdict[int] {
	w.n++
	return w.Report(host, "http://"+host+path, r, 0, w.n, func() bool { return w.seen }, func() []string { return w.left })
}

// Five hosts in a row without an answer from any are a network that is away, and
// what led to it is handed back.
func TestManySilentHostsAreTheNetwork(t *testing.T) {
	w := newWatched(t)
	w.report("good", "/", Answered)
	for i := range hostsAway {
		v := w.report(fmt.Sprint("h", i), "/", Unreachable)
		if want := i == hostsAway-1; v.Away != want {
			t.Fatalf("host %d: away %v", i, v.Away)
		} else if want && !slices.Equal(v.Back, []int{2, 3, 4, 5, 6}) {
			t.Errorf("handed back %v, want the five", v.Back)
		}
	}
	if !w.Stand("other").Away || !w.away().Equal(w.now) {
		t.Errorf("away since %v", w.away())
	}
	if v := w.report("h9", "/", Unreachable); v.Away || len(v.Back) > 0 {
		t.Errorf("a failure while it is away: %+v", v)
	}
	w.Back("good")
	if !w.away().IsZero() || w.Stand("h0").Away {
		t.Error("still away")
	}
}

func TestWhatIsNotTheNetwork(t *testing.T) {
	cases := map[string]func(w *watched) []hostVerdict[int]{
		"an answer in between": func(w *watched) (vs []hostVerdict[int]) {
			w.report("good", "/", Answered)
			for i := range 4 * hostsAway {
				if i%4 == 3 {
					w.report("good", "/x", Missing)
				}
				vs = append(vs, w.report(fmt.Sprint("h", i), "/", Unreachable))
			}
			return vs
		},
		"nothing has ever answered": func(w *watched) (vs []hostVerdict[int]) {
			for i := range 3 * hostsAway {
				vs = append(vs, w.report(fmt.Sprint("h", i), "/", Unreachable))
			}
			return vs
		},
		"one host of two": func(w *watched) (vs []hostVerdict[int]) {
			w.left = []string{"dead", "good"}
			w.report("good", "/", Answered)
			for range 3 * triesAway {
				vs = append(vs, w.report("dead", "/", Unreachable))
			}
			return vs
		},
		"hosts that were silent while others answered": func(w *watched) (vs []hostVerdict[int]) {
			w.report("good", "/", Answered)
			for i := range hostsAway {
				w.report(fmt.Sprint("h", i), "/", Unreachable)
			}
			w.Back("good")
			for range 3 {
				for i := range hostsAway {
					vs = append(vs, w.report(fmt.Sprint("h", i), "/", Unreachable))
				}
			}
			return vs
		},
		"errors of servers": func(w *watched) (vs []hostVerdict[int]) {
			w.report("good", "/", Answered)
			for i := range 3 * hostsAway {
				vs = append(vs, w.report(fmt.Sprint("h", i), "/", Failed))
			}
			return vs
		},
	}
	for name, do := range cases {
		t.Run(name, func(t *testing.T) {
			for i, v := range do(newWatched(t)) {
				if v.Away {
					t.Fatalf("request %d: away", i)
				}
			}
		})
	}
}

func TestWhatIsTheNetworkToo(t *testing.T) {
	cases := map[string]func(w *watched) hostVerdict[int]{
		"the only host": func(w *watched) (v hostVerdict[int]) {
			w.left = []string{"a"}
			w.report("a", "/", Answered)
			for range triesAway {
				v = w.report("a", "/x", Unreachable)
			}
			return v
		},
		"all of three": func(w *watched) (v hostVerdict[int]) {
			w.left = []string{"a", "b", "c"}
			w.report("a", "/", Answered)
			for i := range 6 {
				v = w.report(w.left[i%3], "/x", Unreachable)
				if v.Away {
					break
				}
			}
			return v
		},
		"pages of another day": func(w *watched) (v hostVerdict[int]) {
			w.seen = true
			for i := range hostsAway {
				v = w.report(fmt.Sprint("h", i), "/", Unreachable)
			}
			return v
		},
		"a host that answered again": func(w *watched) (v hostVerdict[int]) {
			w.report("good", "/", Answered)
			for i := range hostsAway {
				w.report(fmt.Sprint("h", i), "/", Unreachable)
			}
			w.Back("good")
			for i := range hostsAway {
				w.report(fmt.Sprint("h", i), "/", Answered)
			}
			for i := range hostsAway {
				v = w.report(fmt.Sprint("h", i), "/", Unreachable)
			}
			return v
		},
	}
	for name, do := range cases {
		t.Run(name, func(t *testing.T) {
			if v := do(newWatched(t)); !v.Away || len(v.Back) == 0 {
				t.Errorf("%+v, want away", v)
			}
		})
	}
}

// Six refusals in a row are a ban, which grows with every refusal after a rest and
// ends with an answer.
func TestBan(t *testing.T) {
	w := newWatched(t)
	w.report("a", "/", Answered)
	var v hostVerdict[int]
	for i := range rowBanned {
		if v = w.report("a", fmt.Sprintf("/%d/x.htm", i), Refused); !v.Until.IsZero() != (i == rowBanned-1) {
			t.Fatalf("refusal %d: %+v", i+1, v)
		}
	}
	if v.Until.Sub(w.now) != minRest || !slices.Equal(v.Back, []int{2, 3, 4, 5, 6, 7}) || v.Row != rowBanned {
		t.Errorf("%+v, want a rest of %v and six handed back", v, minRest)
	}
	if s := w.Stand("a"); !s.Banned || !s.Until.Equal(v.Until) || w.Stand("b").Banned {
		t.Errorf("%+v", s)
	}
	if v := w.report("a", "/9/x.htm", Refused); !v.Until.IsZero() || len(v.Back) != 1 {
		t.Errorf("what was under way when the rest began made it longer, or pays for it: %+v", v)
	}
	for want := 2 * minRest; ; want *= 2 {
		w.now = w.Stand("a").Until
		v := w.report("a", "/9/x.htm", Refused)
		if got := v.Until.Sub(w.now); got != min(want, maxRest) || len(v.Back) > 0 {
			t.Fatalf("the rest is %v, want %v; handed back %v", got, min(want, maxRest), v.Back)
		}
		if want > 2*maxRest {
			break
		}
	}
	w.Begin() // another run
	if got := w.Banned(); len(got) != 1 || got["a"].IsZero() {
		t.Errorf("the next run knows of %v", got)
	}
	if v := w.report("a", "/", Answered); !v.Lifted || w.Stand("a").Banned {
		t.Errorf("an answer: %+v, %+v", v, w.Stand("a"))
	}
}

func TestWhatIsNoBan(t *testing.T) {
	cases := map[string]func(w *watched, i int) hostVerdict[int]{
		"an answer in between": func(w *watched, i int) hostVerdict[int] {
			if i%5 == 4 {
				return w.report("a", "/ok", Answered)
			}
			return w.report("a", fmt.Sprintf("/%d/x", i), Refused)
		},
		"a closed folder": func(w *watched, i int) hostVerdict[int] {
			if i == 0 {
				return w.report("a", "/", Answered)
			}
			return w.report("a", fmt.Sprintf("/staff/%d", i), Refused)
		},
		"one refusal a host": func(w *watched, i int) hostVerdict[int] {
			return w.report(fmt.Sprint("h", i), "/", Refused)
		},
		"missing pages": func(w *watched, i int) hostVerdict[int] { return w.report("a", fmt.Sprintf("/%d/x", i), Missing) },
	}
	for name, do := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWatched(t)
			for i := range 100 {
				if v := do(w, i); !v.Until.IsZero() {
					t.Fatalf("request %d: a ban", i)
				}
			}
		})
	}
	t.Run("a closed folder is known as one", func(t *testing.T) {
		w := newWatched(t)
		for i := range 10 {
			cases["a closed folder"](w, i)
		}
		if s := w.Stand("a"); !s.Closed || s.Banned {
			t.Errorf("%+v", s)
		}
	})
}

// A host that has refused from the start refuses everything, one folder or not.
func TestBanFromTheStart(t *testing.T) {
	w := newWatched(t)
	var v hostVerdict[int]
	for range rowBanned {
		v = w.report("a", "/info/x", Refused)
	}
	if v.Until.IsZero() {
		t.Error("no ban")
	}
	w.Forgive(func(h string) bool { return h == "a" })
	if w.Stand("a").Banned {
		t.Error("a ban that was forgiven stands")
	}
}

// Missing pages in a row are their host's, until it has another again.
func TestMissingInARow(t *testing.T) {
	w := newWatched(t)
	for i := range rowMissing {
		if w.Stand("a").Missing {
			t.Errorf("after %d", i)
		}
		w.report("a", "/x", Missing)
	}
	if !w.Stand("a").Missing {
		t.Error("not noticed")
	}
	w.report("a", "/", Answered)
	if w.Stand("a").Missing {
		t.Error("not forgotten")
	}
}

// However many requests fail, what is remembered of them is bounded.
func TestWatchIsBounded(t *testing.T) {
	w := newWatched(t)
	for i := range 3 * maxHosts {
		h := fmt.Sprint("h", i)
		w.report(h, "/", Answered)
		w.report(h, "/x", Missing)
		w.report("dead", "/", Unreachable)
	}
	for range 10 * maxReturned {
		w.report("dead", "/", Unreachable)
	}
	if len(w.good) > maxHosts || len(w.hosts) > maxHosts || len(w.row) > maxReturned || len(w.Recent()) > 8 {
		t.Errorf("%d, %d hosts, %d requests", len(w.good), len(w.hosts), len(w.row))
	}
}

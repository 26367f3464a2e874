package frontier

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

func TestView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Minute}, nil, Config{})
		rnd := rand.New(rand.NewPCG(1, 2))
		var all []Entry
		for i := range uint64(2000) {
			e := Entry{ID: i, Host: fmt.Sprintf("h%d", rnd.IntN(1+int(i)%40)), Priority: rnd.Float64(), Depth: rnd.IntN(4), Class: int8(i%50/49) - int8(i%30/29)}
			all = append(all, e)
		}
		f.Push(all...)
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{})
		failed, _ := mustNext(t, f)
		f.Done(failed, Outcome{Failed: true})
		busy, _ := mustNext(t, f)
		all = slices.DeleteFunc(all, func(x Entry) bool { return x.ID == e.ID || x.ID == failed.ID || x.ID == busy.ID })
		slices.SortFunc(all, func(a, b Entry) int {
			return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(b.Priority, a.Priority))
		})

		v := f.View(100, 10)
		if v.Waiting != 1997 || v.Busy != 1 || v.Beyond != 0 || v.NumHosts != 40 || v.Idle != "" {
			t.Errorf("waiting %d busy %d beyond %d hosts %d idle %q", v.Waiting, v.Busy, v.Beyond, v.NumHosts, v.Idle)
		}
		if len(v.Top) != 100 {
			t.Fatalf("%d top entries", len(v.Top))
		}
		for i, row := range v.Top {
			if row.Entry != all[i] {
				t.Fatalf("top %d is %+v, want %+v", i, row.Entry, all[i])
			}
			rests := row.Host == e.Host || row.Host == failed.Host
			if want := time.Now().Add(time.Minute); rests != row.Next.Equal(want) || !rests && !row.Next.IsZero() {
				t.Errorf("host %s may be fetched at %v", row.Host, row.Next)
			}
		}
		total := 0
		for i, h := range v.Hosts {
			total += h.Waiting
			if i > 0 && h.Waiting+h.Busy > v.Hosts[i-1].Waiting+v.Hosts[i-1].Busy {
				t.Errorf("host %d is fuller than the one before", i)
			}
		}
		if len(v.Hosts) != 10 || total < 1997*10/40 {
			t.Errorf("%d hosts with %d entries", len(v.Hosts), total)
		}
		var done, broken int
		for _, h := range f.View(0, 100).Hosts {
			done, broken = done+h.Done, broken+h.Failed
		}
		if done != 1 || broken != 1 {
			t.Errorf("%d done, %d failed; want one of each", done, broken)
		}
	})
}

func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Minute}, nil, Config{})
		idle := func(want string) {
			t.Helper()
			if got := f.View(0, 0).Idle; got != want {
				t.Errorf("idle %q, want %q", got, want)
			}
		}
		idle("nothing left")
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"}, Entry{ID: 3, Host: "a"}, Entry{ID: 4, Host: "a"})
		idle("")
		e, _ := mustNext(t, f)
		idle("waiting for the page in flight")
		at := func(d time.Duration) string { return time.Now().Add(d).Format("15:04:05") }
		f.Done(e, Outcome{})
		idle("waiting for host a until " + at(time.Minute))
		e, _ = mustNext(t, f)
		f.Done(e, Outcome{Wait: time.Hour})
		idle("waiting for host a until " + at(time.Hour) + ", as it asks")
		for range 2 {
			f.Push(Entry{ID: 100 + e.ID, Host: "a"})
			e, _ = mustNext(t, f)
			f.Done(e, Outcome{Failed: true})
		}
		idle("waiting for host a until " + at(time.Minute) + ", it failed 2 times")
	})
}

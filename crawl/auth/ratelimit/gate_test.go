package ratelimit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestOwner(t *testing.T) {
	for host, want := range map[string]string{
		"192.0.2.7":                "192.0.2.7",
		"::ffff:192.0.2.7":         "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2::ffff":       "2001:db8:1:2::/64",
		"2001:db8:1:3::1":          "2001:db8:1:3::/64",
		"/run/angler/a socket":     "/run/angler/a socket",
		"2001:db8:1:2:3:4:5:6%eth": "2001:db8:1:2:3:4:5:6%eth",
	} {
		if got := Owner(host); got != want {
			t.Errorf("%s is counted as %s, want %s", host, got, want)
		}
	}
}

func TestChance(t *testing.T) {
	p := Places{Begin: 10, Rate: .3, Full: 30}
	for n, want := range map[int]float64{0: 0, 9: 0, 10: .3, 20: .65, 29: .965, 30: 1, 1000: 1} {
		if got := p.chance(n); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d wait: %v, want %v", n, got, want)
		}
	}
	hard := Places{Begin: 4, Rate: .3, Full: 4}
	if hard.chance(3) != 0 || hard.chance(4) != 1 {
		t.Errorf("a hard bound gives %v and %v", hard.chance(3), hard.chance(4))
	}
}

func TestTurned(t *testing.T) {
	g := Gate{Strangers: Places{10, .3, 30}, Known: Places{5, .5, 10}}
	cases := []struct {
		name   string
		w      Waiting
		known  bool
		random float64
		turned bool
	}{
		{"none waits", Waiting{}, false, 0, false},
		{"strangers begin to be many", Waiting{Strangers: 10}, false, .29, true},
		{"and some get in", Waiting{Strangers: 10}, false, .30, false},
		{"strangers took every place of theirs", Waiting{Strangers: 30}, false, .999, true},
		{"a known address has places left", Waiting{Strangers: 30}, true, 0, false},
		{"many from known addresses", Waiting{Known: 5}, true, .49, true},
		{"they take no stranger's place", Waiting{Known: 10}, false, 0, false},
		{"all places of known addresses", Waiting{Known: 10}, true, .999, true},
	}
	for _, c := range cases {
		if why := g.Turned(c.w, c.known, c.random); (why != "") != c.turned {
			t.Errorf("%s: %q", c.name, why)
		}
	}
}

// Through a flood that always refills its places, a client that tries again gets
// in as often as the chance says.
func TestDropIsRandom(t *testing.T) {
	g := Gate{Strangers: Places{10, .3, 30}, Known: Places{10, .3, 30}}
	dice := rand.New(rand.NewPCG(1, 2))
	in := 0
	for range 10_000 {
		if g.Turned(Waiting{Strangers: 20}, false, dice.Float64()) == "" {
			in++
		}
	}
	if in < 3300 || in > 3700 { // 35 %, seven standard deviations on either side
		t.Errorf("%d of 10,000 got in, want some 3,500", in)
	}
}

func TestVictim(t *testing.T) {
	for random, want := range map[float64]int{0: 0, .24: 0, .25: 1, .99: 3, 1: 3} {
		if got := Victim(4, random); got != want {
			t.Errorf("%v: %d, want %d", random, got, want)
		}
	}
}

func TestDelayGrowsAndEnds(t *testing.T) {
	l := Logins{Free: 3, Most: 2 * time.Second}
	now := time.Unix(1e9, 0)
	want := []time.Duration{0, 0, 0, 0, 100, 200, 400, 800, 1600, 2000, 2000}
	for i, w := range want {
		if got := l.Delay("a", now); got != w*time.Millisecond {
			t.Errorf("after %d failed logins: %v, want %v", i, got, w*time.Millisecond)
		}
		l.Failed("a", now)
	}
	for range 1000 {
		l.Failed("a", now)
	}
	if got := l.Delay("a", now); got != l.Most {
		t.Errorf("after a thousand: %v", got)
	}
	if got := l.Delay("b", now); got != 0 {
		t.Errorf("another address waits %v", got)
	}
	if got := l.Delay("a", now.Add(triesFor)); got != l.Most {
		t.Errorf("ten minutes later: %v", got)
	}
	if got := l.Delay("a", now.Add(triesFor+1)); got != 0 {
		t.Errorf("after a quiet of ten minutes: %v", got)
	}
	l.Failed("a", now.Add(triesFor+1))
	if got := l.Delay("a", now.Add(triesFor+1)); got != 0 {
		t.Errorf("the first failed login after it: %v", got)
	}
}

func TestKnownForAWeek(t *testing.T) {
	var l Logins
	now := time.Unix(1e9, 0)
	if l.Known("a", now) {
		t.Error("an address without a login is known")
	}
	l.Succeeded("a", now)
	if !l.Known("a", now.Add(knownFor)) || l.Known("a", now.Add(knownFor+1)) || l.Known("b", now) {
		t.Error("not for a week, or not that address")
	}
}

// An attacker with all of a /48 makes no memory grow, and does not make the
// server forget who came after the attack had begun.
func TestMemoryIsBounded(t *testing.T) {
	l := Logins{Free: 1, Most: time.Second}
	lines := Lines{Each: Rate{1, time.Hour}, All: Rate{1, time.Hour}}
	now := time.Unix(1e9, 0)
	for i := range 1 << 16 {
		owner := Owner(fmt.Sprintf("2001:db8:1:%x::1", i))
		l.Failed(owner, now)
		lines.Keep(owner, now)
		if i%1000 == 0 {
			l.Failed("192.0.2.7", now)
		}
	}
	if n := len(l.failed.at); n != maxHosts || l.failed.list.Len() != n {
		t.Errorf("%d addresses, %d in the list", n, l.failed.list.Len())
	}
	if n := len(lines.of.at); n != maxHosts {
		t.Errorf("%d addresses of the log", n)
	}
	if l.Delay("192.0.2.7", now) != time.Second {
		t.Error("an address that goes on failing was forgotten")
	}
}

func TestPace(t *testing.T) {
	p := Pace{Rate: Rate{Burst: 3, Every: time.Second}}
	now := time.Unix(1e9, 0)
	for i, want := range []time.Duration{0, 0, 0, 1, 2, 3} {
		if got := p.Wait("a", now); got != want*time.Second {
			t.Errorf("thing %d waits %v, want %v s", i, got, want)
		}
	}
	if got := p.Wait("b", now); got != 0 {
		t.Errorf("another client waits %v", got)
	}
	if got := p.Wait("a", now.Add(4*time.Second)); got != 0 {
		t.Errorf("four seconds later: %v", got)
	}
}

func TestLines(t *testing.T) {
	l := Lines{Each: Rate{2, time.Minute}, All: Rate{3, 10 * time.Second}}
	now := time.Unix(1e9, 0)
	keep := func(owner string, want bool) {
		t.Helper()
		if l.Keep(owner, now) != want {
			t.Errorf("%s at %v: kept is not %v", owner, now.Unix(), want)
		}
	}
	keep("a", true)
	keep("a", true)
	keep("a", false) // a's own share
	keep("b", true)
	keep("b", false) // everyone's
	if n := l.Left(now); n != 0 {
		t.Errorf("a full log takes the sum %d", n)
	}
	now = now.Add(10 * time.Second)
	if n := l.Left(now); n != 2 {
		t.Errorf("%d were left out, want 2", n)
	}
	if n := l.Left(now.Add(time.Hour)); n != 0 {
		t.Errorf("%d are told twice", n)
	}
	now = now.Add(time.Minute)
	keep("a", true)
	kept := 0
	for i := range 100_000 {
		if now = now.Add(time.Second); l.Keep(fmt.Sprint(i), now) {
			kept++
		}
	}
	if kept > 10_000+3 {
		t.Errorf("%d lines in 100,000 s, want one in ten", kept)
	}
}

package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
)

var firstPage = time.Date(2026, 11, 20, 14, 2, 11, 0, time.UTC)

// slowRunAt is a discovery after some seconds, with a page every three.
func slowRunAt(seconds int) *view.Snapshot {
	pace := make([]int, 30)
	for i := range pace {
		if i%3 == 0 {
			pace[i] = 1
		}
	}
	at := firstPage.Add(time.Duration(seconds) * time.Second)
	s := &view.Snapshot{At: at, Moved: at, State: view.Running, Task: view.Discovery}
	s.Take(view.Tally{Task: view.Discovery, Took: time.Minute, Fetched: seconds / 3, Pace: pace})
	s.Counts.Waiting, s.Counts.Complete = 100+seconds, seconds/3
	return s
}

// The figures of a slow run change together every few seconds; times continue.
func TestFiguresMoveOnABeat(t *testing.T) {
	var d throttle
	changes, last := 0, -1
	for i := range 40 {
		snap := slowRunAt(i)
		got := d.follow(snap, snap.At)
		if !got.At.Equal(snap.At) || !got.Moved.Equal(snap.Moved) {
			t.Fatalf("after %d s the time stands still", i)
		}
		if got.Counts.Complete != got.Fetched || got.Counts.Waiting-100 < i-int(beat/time.Second) {
			t.Errorf("after %d s: %+v with %d fetched", i, got.Counts, got.Fetched)
		}
		if got.Counts.Waiting != last {
			changes, last = changes+1, got.Counts.Waiting
		}
	}
	if most := 2 + 40*int(time.Second)/int(beat) + 1; changes > most {
		t.Errorf("the figures changed %d times in 40 s, want at most %d", changes, most)
	}
}

// A run whose hosts answer together and wait together is slow in both phases.
func TestABurstIsNoFastRun(t *testing.T) {
	s := slowRunAt(60)
	s.Run.Pace = make([]int, view.PaceSeconds)
	for i := len(s.Run.Pace) - 1; i >= 0; i -= 18 {
		s.Run.Pace[i] = 18
	}
	if s.Run.Rate() <= slowRate {
		t.Fatalf("the burst is no burst: %v pages a second", s.Run.Rate())
	}
	if !slowRun(s) {
		t.Error("it counts as fast")
	}
}

// Actions, decisions and warnings are shown at once.
func TestWhatMattersDoesNotWait(t *testing.T) {
	for name, change := range map[string]func(d *throttle, s *view.Snapshot){
		"a key":        func(d *throttle, s *view.Snapshot) { d.hurry(s.At) },
		"an action":    func(d *throttle, s *view.Snapshot) { d.moved() },
		"a decision":   func(_ *throttle, s *view.Snapshot) { s.Decided++ },
		"a pause":      func(_ *throttle, s *view.Snapshot) { s.State = view.Paused },
		"the end":      func(_ *throttle, s *view.Snapshot) { s.State, s.Run.End = view.Idle, view.Through },
		"a full disk":  func(_ *throttle, s *view.Snapshot) { s.Pressing = true },
		"a faster run": func(_ *throttle, s *view.Snapshot) { s.Run.Pace = []int{9, 9, 9, 9, 9, 9, 9, 9, 9, 9} },
	} {
		t.Run(name, func(t *testing.T) {
			var d throttle
			d.follow(slowRunAt(0), firstPage)
			if got := d.follow(slowRunAt(1), firstPage.Add(time.Second)); got.Counts.Waiting != 100 {
				t.Fatal("nothing is held back")
			}
			s := slowRunAt(2)
			change(&d, s)
			if got := d.follow(s, s.At); got != s {
				t.Error("it waits for the beat")
			}
		})
	}
}

// A frame that no key caused changes few rows at a time, each in turn, and is complete in the end;
// a requested one is shown at once.
func TestFramesChangeFewRowsAtATime(t *testing.T) {
	frame := func(n int) string {
		rows := make([]string, 10)
		for i := range rows {
			rows[i] = fmt.Sprint("row ", i, " of ", n)
		}
		return strings.Join(rows, "\n")
	}
	var d throttle
	now := firstPage
	d.follow(slowRunAt(0), now)
	d.hurry(now)
	if got := d.frame(frame(1), now); got != frame(1) {
		t.Fatalf("the first frame is\n%s", got)
	}
	now = now.Add(askedFor)
	was, got := frame(1), ""
	for step := 1; got != frame(2); step++ {
		if step > 4 {
			t.Fatalf("after %d steps it is\n%s", step, got)
		}
		now = now.Add(rowsEvery)
		got = d.frame(frame(2), now)
		changed := 0
		for y, row := range strings.Split(got, "\n") {
			if row != strings.Split(was, "\n")[y] {
				changed++
			}
		}
		if changed == 0 || changed > rowsAtOnce {
			t.Errorf("step %d changes %d rows", step, changed)
		}
		if again := d.frame(frame(2), now.Add(rowsEvery/2)); again != got {
			t.Errorf("step %d: half a step later more rows change", step)
		}
		was = got
	}
	d.hurry(now)
	is(t, "what was asked for comes as\n", d.frame(frame(3), now), frame(3))
}

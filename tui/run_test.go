package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestLoadIsSetWhileTheCrawlRuns(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	d.press("4", "D", "ctrl+u", "soon", "enter")
	d.shows("delay:")
	if calls.Of("SetDelay") != 0 {
		t.Error("a delay that is none was set")
	}
	d.press("ctrl+u", "250ms", "enter")
	d.press("l", "ctrl+u", "3", "enter", "b", "5000", "enter")
	s := e.Snapshot()
	if s.Delay != 250*time.Millisecond || s.Depth != 3 || s.Bound != 5000 {
		t.Errorf("delay %v, depth %d, budget %d", s.Delay, s.Depth, s.Bound)
	}
	d.comes("250ms")
	d.comes("5 000")
	// A bare number means seconds, as in angler.toml: the checked value is set.
	d.press("D", "ctrl+u", "2", "enter")
	if s := e.Snapshot(); s.Delay != 2*time.Second {
		t.Errorf("2 typed at the delay prompt sets %v", s.Delay)
	}
	d.press("l", "ctrl+u", "1001", "enter")
	d.shows("a number from 0 to 1000")
	d.press("esc", "B")
	d.comes("scope.kind: what is in scope of a seed")
	d.press("esc")
	e.Runs.Stop()
	d.until("the run has stopped", func() bool { return d.a.shared.Snap.State == view.Idle })
	d.press("b")
	d.shows("nothing runs")
}

func TestSteeringCountsFirstAndUndoes(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	d.until("the frontier is there", func() bool { return len(d.a.shared.Snap.Frontier) > 0 })
	first, host, most := d.a.shared.Snap.Frontier[0].Host, "", 0
	for _, r := range d.a.shared.Snap.Frontier {
		if n := frontierRows(d, r.Host); r.Host != first && n > most {
			host, most = r.Host, n
		}
	}
	// goFirst reports whether no other host's row stands before one of the host's.
	goFirst := func() bool {
		rows, n := d.a.shared.Snap.Frontier, frontierRows(d, host)
		return n > 0 && !slices.ContainsFunc(rows[:n], func(r view.FrontierRow) bool { return r.Host != host })
	}
	pattern := "//" + strings.ReplaceAll(host, ".", `\.`) + "/"
	n, examples, err := e.Runs.SteerCount(pattern)
	if err != nil || n < 2 {
		t.Fatalf("%d URLs wait at %q, %v", n, host, err)
	}
	d.press("4", "p", "ctrl+u", pattern)
	d.until("it is counted", func() bool {
		return d.sees(widget.Count(n) + " waiting URLs · http://" + host + "/")
	})
	d.press("enter")
	d.shows("drop", "boost", "bury", examples[0], "for example")
	if calls.Of("Steer") != 0 || len(e.Runs.SteerRules()) != 0 {
		t.Fatal("something was done before it was asked for")
	}
	d.press("enter") // drop is the first
	d.until("they have left the frontier", func() bool { return frontierRows(d, host) == 0 })
	d.press("r")
	d.shows("rules over the frontier", pattern, "drop · 11-20 14:02 · wang")
	d.press("enter", "boost", "enter")
	d.until("they go first", goFirst)
	d.press("u", "u")
	d.until("undo brought them back", func() bool { return frontierRows(d, host) > 0 && !goFirst() })
	is(t, "rules left after two undos", len(e.Runs.SteerRules()), 0)
	d.press("r")
	d.shows("no rule yet", "p makes one")
	d.press("esc", "p", "ctrl+u", "(")
	d.comes("the rule cannot be applied")
	d.press("enter")
	if d.a.over.prompt == nil {
		t.Error("a bad pattern was taken")
	}
}

// frontierRows counts the rows of a host.
func frontierRows(d *driver, host string) int {
	n := 0
	for _, r := range d.a.shared.Snap.Frontier {
		if r.Host == host {
			n++
		}
	}
	return n
}

// enter typed before the count has arrived is not lost.
func TestSteeringRemembersEnter(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	d := workbench(t, e, 120, 40)
	d.press("4")
	d.until("the frontier is there", func() bool { return len(d.a.shared.Snap.Frontier) > 0 })
	d.press("p", "enter")
	d.shows("bury")
	for _, r := range d.a.shared.Snap.Frontier { // the one that was under the cursor
		pattern := "//" + regexp.QuoteMeta(strings.TrimPrefix(r.URL[:strings.LastIndexByte(r.URL, '/')+1], "http://"))
		if n, _, err := e.Runs.SteerCount(pattern); err == nil && d.sees(fmt.Sprintf("%s · %s waiting URL", pattern, widget.Count(n))) {
			return
		}
	}
	t.Errorf("no folder of a waiting URL is counted:\n%s", d.screen())
}

func TestEventsOfTroubleOnly(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 120, 40)
	d.press("4", "tab", "tab", "tab", "tab", "t")
	d.shows("events 323 · warnings and errors", "×312 ▲ 429", "×9 ! timeout")
	d.lacks("sitemap http", "an event that is no trouble is listed")
	d.press("t")
	d.shows("events 323 · errors", "timeout")
	d.lacks("429 ·", "a warning is listed among the errors")
	c.publish(func(s *view.Snapshot) { s.Kinds = folded(s.Events[:1]) })
	d.comes("No such event")
	d.press("t")
	d.shows("discovery started")
}

func TestRequestsAndRestsAreShown(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 200, 60)
	d.press("4")
	d.shows("in flight 16 of 16", tuitest.Start.Add(-7200*time.Millisecond).Format(time.TimeOnly), "ztb.yunxi.test/c60/list2.htm", "failures", "politeness")
	c.publish(func(s *view.Snapshot) {
		s.InFlight, s.Busy, s.Why = nil, 0, "waiting for host www.silent.test until 14:11:11, it failed 9 times"
	})
	d.until("why nothing is in flight", func() bool { return strings.Count(d.screen(), "yes: waiting for host") == 2 })
}

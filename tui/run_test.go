package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/lab"
	"angler/crawl/view"
	"angler/tui/role"
)

func TestLoadIsSetWhileTheCrawlRuns(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("4", "D", "ctrl+u", "soon", "enter")
	d.shows("delay:")
	if d.b.Calls["SetDelay"] != 0 {
		t.Error("a delay that is none was set")
	}
	d.press("ctrl+u", "250ms", "enter")
	d.press("d", "ctrl+u", "3", "enter", "b", "5000", "enter")
	s := d.b.Snapshot()
	if s.Delay != 250*time.Millisecond || s.Depth != 3 || s.Bound != 5000 {
		t.Errorf("delay %v, depth %d, budget %d", s.Delay, s.Depth, s.Bound)
	}
	d.until("the run pane tells it", func() bool { return strings.Contains(d.screen(), "250ms") })
	d.comes("5 000")
	// A bare number is seconds, as in angler.toml: what was checked is what is set.
	d.press("D", "ctrl+u", "2", "enter")
	if s := d.b.Snapshot(); s.Delay != 2*time.Second {
		t.Errorf("2 typed at the delay prompt sets %v", s.Delay)
	}
	d.press("d", "ctrl+u", "1001", "enter")
	d.shows("a number from 0 to 1000")
	d.press("esc", "O")
	d.until("the settings are open", func() bool { return strings.Contains(d.screen(), "scope.kind") })
	d.shows("›● scope.kind")
	d.press("esc")
	d.b.Stop()
	d.until("the run has stopped", func() bool { return d.a.shared.Snap.State == view.Idle })
	d.press("b")
	d.shows("nothing runs")
}

func TestSteeringCountsFirstAndUndoes(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("4", "p", "ctrl+u", "baita")
	d.until("it is counted", func() bool { return strings.Contains(d.screen(), "10 waiting URLs · http://www.baita.test/") })
	d.press("enter")
	d.shows("drop", "boost", "bury", "http://www.baita.test/c3/list.htm", "for example")
	if d.b.Calls["Steer"] != 0 {
		t.Fatal("something was done before it was asked for")
	}
	d.press("enter") // drop is the first
	hosts := func() int { return strings.Count(d.screen(), "www.baita.test/") + frontierRows(d, "www.baita.test") }
	d.until("they have left the frontier", func() bool { return frontierRows(d, "www.baita.test") == 0 })
	d.press("r")
	d.shows("rules over the frontier", "baita", "drop · 11-20 14:02 · wang")
	d.press("enter", "boost", "enter")
	d.until("they go first", func() bool { return d.a.shared.Snap.Frontier[0].Host == "www.baita.test" })
	d.press("u", "u")
	d.until("undo brought them back", func() bool { return d.a.shared.Snap.Frontier[0].Host == "ztb.yunxi.test" })
	if hosts() == 0 || len(d.b.SteerRules()) != 0 {
		t.Errorf("after two undos %d rules are left", len(d.b.SteerRules()))
	}
	d.press("r")
	d.shows("no rule yet", "p makes one")
	d.press("esc", "p", "ctrl+u", "(")
	d.until("a bad pattern is told", func() bool { return strings.Contains(d.screen(), "the rule cannot be applied") })
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

// enter typed before the count has come is not lost.
func TestSteeringRemembersEnter(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("4")
	for _, k := range []string{"p", "enter"} {
		for _, m := range []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune{'p'}}, {Type: tea.KeyEnter}} {
			if m.String() == k {
				d.send(m)
			}
		}
	}
	d.settle()
	d.shows(`//ztb\.yunxi\.test/c0/ · 1 waiting URL`, "bury")
}

func TestEventsOfTroubleOnly(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("4", "tab", "tab", "tab", "tab", "e")
	d.shows("events 4 · warnings and errors", "429", "timeout")
	if strings.Contains(d.screen(), "sitemap http") {
		t.Error("an event that is no trouble is listed")
	}
	d.press("e")
	d.shows("events 4 · errors", "timeout")
	if strings.Contains(d.screen(), "429 ·") {
		t.Error("a warning is listed among the errors")
	}
	d.b.Publish(func(s *view.Snapshot) { s.Events = s.Events[:1] })
	d.until("only an information is left", func() bool { return strings.Contains(d.screen(), "No such event") })
	d.press("e")
	d.shows("discovery started")
}

func TestRequestsAndRestsAreShown(t *testing.T) {
	d := drive(t, sampled(t), 200, 60)
	d.press("4")
	d.shows("in flight 16 of 16", "7.2 s", "ztb.yunxi.test/c60/list2.htm", "failures", "politeness")
	d.b.Publish(func(s *view.Snapshot) {
		s.InFlight, s.Busy, s.Why = nil, 0, "waiting for host www.silent.test until 14:11:11, it failed 9 times"
	})
	d.until("why nothing is in flight", func() bool { return strings.Count(d.screen(), "yes: waiting for host") == 2 })
}

func TestLabComparesMarkedOrders(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("7")
	d.shows("Mark link orders with space", "4 marked", "finds aggregations", "3 draws")
	d.press("a", "a", "enter")
	d.shows("no link order is marked")
	d.press("g", "space", "G", "space", "d", "ctrl+u", "2", "enter", "t", "lists", "enter", "enter")
	d.until("it has ended", func() bool { return strings.Contains(d.screen(), "targets found over 575 pages") })
	d.shows("● bfs", "○ oracle", "100 %", "2 draws", "3 targets cannot be reached")
	var bfs, oracle string
	for _, l := range strings.Split(d.screen(), "\n") {
		switch {
		case strings.Contains(l, "✓ ● bfs"):
			bfs = l
		case strings.Contains(l, "✓ ○ oracle"):
			oracle = l
		}
	}
	if !strings.Contains(bfs, " .000 ") || !strings.Contains(oracle, " 1.000 ") {
		t.Errorf("positions:\n%s\n%s", bfs, oracle)
	}
	d.press("g", "s") // the best stands first
	d.shows("no crawl does")
	d.press("j", "s")
	d.until("the crawl goes by it", func() bool { return d.b.Snapshot().Strategy == "bfs" })
	d.press("t", "url", "enter", "(", "enter")
	d.shows("url:")
	d.press("ctrl+u", "/zbgg/", "enter")
	d.shows("finds url:/zbgg/")
}

func TestLabShowsItsProgressAndIsCancelled(t *testing.T) {
	b := sampled(t)
	d := drive(t, b, 120, 40)
	held := make(chan struct{})
	b.HoldLab = func(ctx context.Context) error { close(held); <-ctx.Done(); return ctx.Err() }
	d.press("7")
	d.send(tea.KeyMsg{Type: tea.KeyEnter})
	<-held
	d.b.Publish(func(s *view.Snapshot) { s.Job = view.Job{Name: "reading pages again", Done: 300, Total: 1200} })
	d.until("the progress shows", func() bool { return strings.Contains(d.screen(), "reading pages again: 300 of 1 200") })
	d.send(tea.KeyMsg{Type: tea.KeyEnter})
	d.shows("a replay is under way; esc cancels it")
	d.press("esc")
	d.until("it was cancelled", func() bool { return strings.Contains(d.screen(), "Nothing was compared: it was cancelled") })
	b.HoldLab = nil
	d.press("enter")
	d.until("it can be run again", func() bool { return strings.Contains(d.screen(), "targets found over") })
}

// What a role may not do is off and says so.
func TestRolesOnCrawlAndLab(t *testing.T) {
	for _, c := range []struct {
		role   role.Role
		screen string
		key    string
		denied bool
	}{
		{role.Viewer, "4", "p", true}, {role.Viewer, "7", "enter", true}, {role.Viewer, "4", "d", true},
		{role.Analyst, "4", "p", false}, {role.Analyst, "4", "D", true}, {role.Analyst, "4", "b", true}, {role.Analyst, "4", "O", true},
		{role.Admin, "4", "D", false}, {role.Admin, "4", "b", false},
	} {
		t.Run(fmt.Sprint(c.role, c.screen, c.key), func(t *testing.T) {
			d := drive(t, sampled(t), 120, 40)
			d.as("li", c.role)
			d.press(c.screen, c.key)
			if got := strings.Contains(d.screen(), "your key has role="+string(c.role)); got != c.denied {
				t.Errorf("denied %v, want %v:\n%s", got, c.denied, d.screen())
			}
		})
	}
	g := role.Guard(sampled(t).Parts(), role.Analyst)
	if _, err := g.Lab.Lab(context.Background(), lab.Comparison{Strategies: []string{"bfs"}, Target: "file:/etc/passwd", Draws: 1}); err == nil || !strings.Contains(err.Error(), "over SSH") {
		t.Errorf("a file of the server was read: %v", err)
	}
}

package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"angler/crawl/auth"
	"angler/crawl/lab"
	"angler/crawl/view"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestLabComparesMarkedOrders(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.press("7")
	d.shows("Mark link orders with space", "4 marked", "finds aggregations", "3 draws")
	d.press("*", "*") // all, then none
	d.press("g", "space", "G", "space", "#", "ctrl+u", "2", "enter", "t", "lists", "enter", "r")
	d.comes("targets found over ")
	want, err := e.Lab.Compare(t.Context(), lab.Comparison{Strategies: []string{"bfs", "oracle"}, Target: "lists", Draws: 2})
	must(t, err)
	d.shows("targets found over "+widget.Count(want.Pages)+" pages", "● bfs", "○ oracle", "100 %", "2 draws")
	if want.Unreached > 0 {
		d.shows(fmt.Sprintf("%d target", want.Unreached), "cannot be reached")
	}
	var bfs, oracle string
	for _, l := range strings.Split(d.screen(), "\n") {
		switch {
		case strings.Contains(l, "◆● bfs"):
			bfs = l
		case strings.Contains(l, "◆○ oracle"):
			oracle = l
		}
	}
	if !strings.Contains(bfs, " .000 ") || !strings.Contains(oracle, " 1.000 ") {
		t.Errorf("positions:\n%s\n%s", bfs, oracle)
	}
	d.press("g", "L") // the best is first
	d.shows("no crawl does")
	d.press("j", "L")
	d.until("the crawl goes by it", func() bool { return e.Snapshot().Strategy == "bfs" })
	d.press("t", "url", "enter", "(", "enter")
	d.shows("url:")
	d.press("ctrl+u", "/zbgg/", "enter")
	d.shows("finds url:/zbgg/")
}

func TestLabShowsItsProgressAndIsCancelled(t *testing.T) {
	c := can(sampled())
	calls, p := Count(c.parts())
	d := drive(t, p, 120, 40)
	held := make(chan struct{})
	calls.Hold("Compare", func(ctx context.Context) error { close(held); <-ctx.Done(); return ctx.Err() })
	d.press("7")
	d.pressKey("r")
	d.await("the replay begins", held)
	c.publish(func(s *view.Snapshot) { s.Job = view.Job{Name: "reading pages again", Done: 300, Total: 1200} })
	d.comes("reading pages again: 300 of 1 200")
	d.pressKey("r")
	d.shows("a replay is under way; esc cancels it")
	calls.Fail("CancelJob", errors.New("there is no job"))
	d.press("esc")
	d.comes("Nothing was compared: it was cancelled")
	calls.Hold("Compare", nil)
	d.press("r")
	d.comes("targets found over")
}

// An action that a role may not do is off and says so.
func TestRolesOnCrawlAndLab(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	for _, c := range []struct {
		role   auth.Role
		screen string
		key    string
		denied bool
	}{
		{auth.Viewer, "4", "p", true}, {auth.Viewer, "7", "r", true}, {auth.Viewer, "4", "l", true},
		{auth.Analyst, "4", "p", false}, {auth.Analyst, "4", "D", true}, {auth.Analyst, "4", "b", true}, {auth.Analyst, "4", "B", true},
		{auth.Admin, "4", "D", false}, {auth.Admin, "4", "b", false},
	} {
		t.Run(fmt.Sprint(c.role, c.screen, c.key), func(t *testing.T) {
			d := workbench(t, e, 120, 40)
			d.asOf(e, "li", c.role)
			d.press(c.screen, c.key)
			if got := d.sees("your key has role=" + string(c.role)); got != c.denied {
				t.Errorf("denied %v, want %v:\n%s", got, c.denied, d.screen())
			}
		})
	}
	li := e.As(auth.Actor{Name: "li", Role: auth.Analyst, Remote: true})
	if _, err := li.Lab.Compare(context.Background(), lab.Comparison{Strategies: []string{"bfs"}, Target: "file:/etc/passwd", Draws: 1}); err == nil || !strings.Contains(err.Error(), "over SSH") {
		t.Errorf("a file of the server was read: %v", err)
	}
}

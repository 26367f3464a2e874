package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
)

// The tour goes over the real screens: each card gives way when what it asks for is
// done, or when it is dismissed, and the keys stay those of the screens.
func TestTheTourLeadsOverTheScreens(t *testing.T) {
	c := can(bare())
	d := drive(t, c.parts(), 80, 24)
	d.a.tour = new(tour)
	d.press("0")
	d.shows("1/5 sample the sites", "ctrl+n next step")
	c.show(unjudged())
	d.comes("1/5 sample the sites · ✓ done")
	if d.a.at != 0 {
		t.Errorf("the tour went to screen %d by itself", d.a.at)
	}
	d.press("1") // the reader goes on
	d.shows("2/5 say what you want")
	c.publish(func(s *view.Snapshot) { s.Counts.Samples = 2 })
	d.comes("2/5 say what you want · ✓ done") // there may be a third sample
	if d.a.at != 1 {
		t.Errorf("the tour went to screen %d after the second sample", d.a.at)
	}
	d.press("j", "?") // the screen's keys, and help over all
	d.shows("help")
	if strings.Contains(d.screen(), "2/5") && strings.Contains(d.screen(), "ctrl+n next step") {
		t.Error("the card lies over the help")
	}
	d.press("esc", "ctrl+n")
	d.shows("3/5 draw the line", "[3 Threshold]")
	c.publish(func(s *view.Snapshot) { s.Theta += .1 })
	d.comes("3/5 draw the line · ✓ done")
	d.press("ctrl+n")
	d.shows("4/5 ", "[4 Crawl]")
	d.mouse(40, 18, tea.MouseButtonLeft, tea.MouseActionPress)
	d.shows("5/5 read what came home", "[5 Harvest]")
	d.press("ctrl+n")
	if strings.Contains(d.screen(), "5/5") || d.a.tour.off() == "" {
		t.Errorf("the tour does not end:\n%s", d.screen())
	}
	d.press("ctrl+n")
	d.shows("no tour is under way")
	d.a.tour = new(tour)
	d.press("ctrl+x")
	if d.a.tour != nil {
		t.Error("ctrl+x does not end the tour")
	}
	for _, s := range [][2]int{{1, 1}, {20, 5}, {60, 20}, {200, 60}} {
		d.a.tour = new(tour)
		d.a.resize(s[0], s[1])
		checkFrame(t, d.a.View(), s[0], s[1])
	}
}

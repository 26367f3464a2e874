package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/auth"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// Every column of every table, every named figure of a pane and every slot of the status
// line has a sentence, in both languages.
func TestEveryNumberIsExplained(t *testing.T) {
	zh := lang(t, "zh")
	d := drive(t, can(taught()).parts(), 160, 45)
	for i := range d.a.screens {
		d.start(d.a.goTo(i))
		d.settle()
	}
	n := 0
	check := func(f screen.Figure) {
		if n++; f.Says == "" {
			t.Errorf("nothing explains %q (%q)", f.Name, f.Value)
		} else if !zh.Known(f.Says) {
			t.Errorf("%q has no Chinese: %s", f.Name, f.Says)
		}
		if f.Name == "state" && strings.Contains(f.Value, "…") {
			t.Errorf("the state is cut: %q", f.Value)
		}
	}
	tables := 0
	for _, pane := range d.a.shared.All {
		if pane.Figures == nil {
			continue
		}
		tables++
		for _, f := range pane.Figures() {
			check(f)
		}
	}
	for _, f := range screen.Figures(d.a.shared, 200) {
		check(f)
	}
	if tables < 12 || n < 90 {
		t.Errorf("only %d figures of %d panes were seen", n, tables)
	}
}

// i explains the columns of the focused table in turn, and any other key ends it.
func TestIExplainsTheNumbersHere(t *testing.T) {
	d := drive(t, can(sampled()).parts(), 80, 24)
	d.press("4", "i")
	d.shows("prio .93: value that the link order gives")
	d.press("i")
	d.shows("host ")
	d.press("esc")
	d.lacks("the host that serves", "esc leaves it")
	for range 7 {
		d.press("i")
	}
	d.shows("state ") // after the columns the status line
	d.press("j")
	d.lacks("what runs, how far", "another key leaves it")
	// The mouse selects the figure to explain.
	d.press("5")
	x, y := d.find("visited")
	d.mouse(x, y, tea.MouseButtonRight, tea.MouseActionPress)
	d.shows("when the list was visited last")
	for name, says := range map[string]string{"total": "counts with one of them", "today": "of those, first seen today"} {
		x, y := d.find(" " + name)
		d.mouse(x+1, y, tea.MouseButtonRight, tea.MouseActionPress)
		if f, _ := d.a.shared.Explain.Shown(); f.Name != name || !strings.Contains(f.Says, says) {
			t.Errorf("%s is explained as %s: %s", name, f.Name, f.Says)
		}
	}
	d.click(72, 22)
	d.shows("errors")
	d.press("0", "i")
	d.shows("seeds 6: addresses at which a discovery begins")
	d.press("5", "shift+tab", "enter", "}", "i")
	d.shows("certainty ")
	d.press("i")
	d.shows("list's score .920: ")
	d.press("esc", "1", "tab", "i")
	d.shows("β 2.20: ")
}

// A right click on the head explains every column of every table.
func TestRightClickExplainsEveryColumn(t *testing.T) {
	for _, code := range i18n.Names {
		d := driveIn(t, code, can(taught()).parts(), 240, 45)
		for i := range d.a.screens {
			d.start(d.a.goTo(i))
			d.settle()
		}
		tables, heads := 0, 0
		for _, pane := range d.a.shared.All {
			if pane.Columns == nil {
				continue
			}
			tables++
			c := widget.NewCanvas(d.a.theme, 240, 12)
			pane.Draw(c, true)
			head, _, _ := strings.Cut(ansi.Strip(c.String()), "\n")
			x := 0
			for _, r := range head {
				if r != ' ' {
					d.a.shared.Explain.Close()
					pane.Mouse(tea.MouseMsg{X: x, Y: 0, Action: tea.MouseActionPress, Button: tea.MouseButtonRight})
					if f, shown := d.a.shared.Explain.Shown(); !shown || f.Says == "" {
						t.Errorf("%s: nothing explains cell %d of %q", code, x, head)
						break
					}
					heads++
				}
				x += widget.Width(string(r))
			}
		}
		if tables < 12 || heads < 200 {
			t.Errorf("%s: only %d cells of %d tables were pressed", code, heads, tables)
		}
	}
}

// The first steps have the same names on Home and in the footer.
func TestHomeAndFooterNameOneThingAlike(t *testing.T) {
	for _, code := range i18n.Names {
		d := begin(t, code, can(seeded()).parts(), 120, 40)
		d.settle()
		name := d.a.shared.T(auth.Probe.Name())
		d.shows("▶ " + name)
		d.press("1")
		d.shows("F " + name)
	}
}

package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/tuitest"
)

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func pasted(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// alt is a key as Bubble Tea reports it after an escape in the same read.
func alt(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Alt: true} }

var (
	enter    = tea.KeyMsg{Type: tea.KeyEnter}
	altEnter = tea.KeyMsg{Type: tea.KeyEnter, Alt: true}
	clear    = tea.KeyMsg{Type: tea.KeyCtrlU}
)

// A budget typed without pause is set, for any split of its keys into reads and any escape before
// them.
func TestQuickTypingIsNotLost(t *testing.T) {
	cases := map[string]struct {
		before string // pressed one by one
		typed  []tea.Msg
		want   int
	}{
		"one by one":                      {"", []tea.Msg{runes("b"), runes("1"), runes("5"), runes("0"), enter}, 150},
		"all in one read":                 {"", []tea.Msg{runes("b150"), enter}, 150},
		"key apart, number in one read":   {"", []tea.Msg{runes("b"), runes("150"), enter}, 150},
		"a move before it":                {"", []tea.Msg{runes("jjb150"), enter}, 150},
		"escape, and all in one read":     {":", []tea.Msg{alt("b"), runes("150"), enter}, 150},
		"escape that leaves a prompt":     {"D", []tea.Msg{alt("b"), runes("150"), enter}, 150},
		"escape that leaves the help":     {"?", []tea.Msg{alt("b"), runes("150"), enter}, 150},
		"escape with nothing to close":    {"", []tea.Msg{alt("b"), runes("150"), enter}, 150},
		"screen, key and number":          {"1", []tea.Msg{runes("4b150"), enter}, 150},
		"escape, screen, key and number":  {"1:", []tea.Msg{alt("4"), runes("b150"), enter}, 150},
		"again, over what was set before": {"", []tea.Msg{runes("b70"), enter, runes("b"), clear, runes("150"), enter}, 150},
		"escape and enter in one read":    {"", []tea.Msg{runes("b150"), altEnter}, 0},
	}
	e := tuitest.Running(t, tuitest.Sampled)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			must(t, e.Runs.SetBudget(0))
			d := workbench(t, e, 120, 40)
			if d.a.shared.Snap.State != view.Running {
				t.Fatal("nothing runs")
			}
			d.press("4", c.before)
			for _, m := range c.typed {
				d.send(m)
			}
			d.settle()
			if got := e.Snapshot().Bound; got != c.want || d.a.over.prompt != nil {
				t.Errorf("budget %d, want %d; a prompt is open: %v\n%s", got, c.want, d.a.over.prompt != nil, d.screen())
			}
		})
	}
}

func TestATornMouseSequenceDoesNothing(t *testing.T) {
	cases := map[string][]tea.Msg{
		"in one piece":                {runes("[<32;39;12M")},
		"without its bracket":         {runes("<0;4;5m")},
		"its middle":                  {runes("32;39")},
		"its head and a key":          {runes("[<y")},
		"head and rest":               {alt("["), runes("<0;4;5m")},
		"torn in a number":            {alt("["), runes("5;2M")},
		"torn before the last number": {alt("["), runes("12M")},
		"the head alone":              {alt("[")},
		"a paste":                     {pasted("yyn")},
	}
	e := tuitest.Open(t, tuitest.Sampled)
	for name, typed := range cases {
		for _, screen := range []string{"1", "3", "6"} {
			t.Run(name+" on screen "+screen, func(t *testing.T) {
				d := workbench(t, e, 120, 40)
				d.press(screen)
				before, at, mouse, counts := d.screen(), d.a.at, d.a.mouse, e.Snapshot().Counts
				for _, m := range typed {
					d.send(m)
				}
				d.settle()
				if got := e.Snapshot().Counts; got != counts || d.a.at != at || d.a.mouse != mouse {
					t.Errorf("torn keys acted: %+v were %+v, screen %d, mouse %v", got, counts, d.a.at, d.a.mouse)
				}
				is(t, "the screen changed:\n", d.screen(), before)
			})
		}
	}
	t.Run("what follows it counts", func(t *testing.T) {
		d := workbench(t, e, 120, 40)
		d.send(alt("["))
		d.send(runes("<65;20;12Mjjj"))
		d.settle()
		if x, y := d.find("›"); y != 6 {
			t.Errorf("the cursor is at %d,%d, want line 6", x, y)
		}
	})
	t.Run("a prompt gets none of it", func(t *testing.T) {
		e := tuitest.Running(t, tuitest.Sampled)
		d := workbench(t, e, 120, 40)
		d.press("4", "b")
		d.send(alt("["))
		d.send(runes("<65;20;12M"))
		d.send(runes("150"))
		d.send(enter)
		d.settle()
		is(t, "budget", e.Snapshot().Bound, 150)
	})
}

// Fast typing counts rune by rune; escape and a key in one read arrive as alt+key and count as
// both.
func TestEscapeAndAKeyInOneGo(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	d.send(runes("jjj"))
	d.settle()
	if x, y := d.find("›"); y != 6 {
		t.Errorf("jjj moved the cursor to %d,%d, want line 6", x, y)
	}
	d.press(":")
	d.send(alt("2"))
	d.settle()
	if d.a.over.chooser != nil || d.a.at != 2 {
		t.Errorf("palette open %v, screen %d; want it closed and screen 2", d.a.over.chooser != nil, d.a.at)
	}
}

// In the wizard, too, escape goes a step back and the next key is typed.
func TestWizardEscapeAndAKeyInOneGo(t *testing.T) {
	x := newWizards(t, &maker{})
	x.press("new", "enter", "tab", "enter")
	if x.w.step != stepDir {
		t.Fatalf("the wizard is at step %d", x.w.step)
	}
	x.send(alt("x"))
	if x.w.step != stepName || x.w.prompt.Text() != "x" {
		t.Errorf("step %d with %q, want the first with x, in the place of what was filled in", x.w.step, x.w.prompt.Text())
	}
}

// Notices may be on the screen before the next snapshot counts them: a key typed for them then is
// not refused.
func TestASearchAsSoonAsThereIsANotice(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 120, 40)
	d.press("5")
	c.publish(func(s *view.Snapshot) { s.Counts.Notices = 0 })
	d.until("the snapshot is old", func() bool { return d.a.shared.Snap.Counts.Notices == 0 })
	d.send(runes("/招标"))
	d.send(enter)
	d.settle()
	d.shows("/ 招标")
}

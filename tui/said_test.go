package tui

import (
	"strings"
	"testing"

	"angler/tui/widget"
)

// A message that does not fit beside the state takes the whole status line, and also the footer if
// needed; a short one changes neither.
func TestLongOutcomesAreReadWhole(t *testing.T) {
	d := drawState(t, "en", 0, 80, 24)
	long := "the threshold lies above every sample: " + strings.Repeat("pages like them are not found; ", 3) + "u undoes it"
	for _, c := range []struct {
		text   string
		state  bool // the state is seen
		footer bool
	}{
		{"copied", true, true},
		{strings.TrimSpace(long[:72]), false, true},
		{long, false, false},
	} {
		d.a.say(widget.Warn, c.text)
		lines := strings.Split(d.screen(), "\n")
		end := strings.Join(strings.Fields(strings.Join(lines[len(lines)-2:], " ")), " ")
		if !strings.Contains(end, strings.Join(strings.Fields(c.text), " ")) {
			t.Errorf("%q is cut: %s", c.text, end)
		}
		if got := strings.Contains(end, "discovery") || strings.Contains(end, "help"); got != c.footer {
			t.Errorf("%q: the footer is seen: %v", c.text, got)
		}
		if got := strings.ContainsAny(lines[len(lines)-2], "■▶"); got != c.state {
			t.Errorf("%q: the state is seen: %v", c.text, got)
		}
	}
}

package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"angler/tui/widget"
)

// depths are the terminals whose colours golden files keep, including escape sequences.
var depths = []struct {
	name  string
	ascii bool
	env   map[string]string
}{
	{"truecolor", false, map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}},
	{"256", false, map[string]string{"TERM": "xterm-256color"}},
	{"16", false, map[string]string{"TERM": "xterm"}},
	{"none", false, map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}},
	{"ascii", true, map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}},
}

// colours are the frames in golden files, by state and depth: the four screens with the most own
// colours, and one of them at every depth.
var colours = [][2]string{
	{"home-read", "truecolor"}, {"crawl", "truecolor"}, {"harvest-notice", "truecolor"},
	{"threshold", "truecolor"}, {"threshold", "256"}, {"threshold", "16"}, {"threshold", "none"}, {"threshold", "ascii"},
}

// in returns the frame for a terminal.
func (d *driver) in(t *testing.T, ascii bool, env map[string]string) string {
	t.Helper()
	theme, err := widget.Pick("auto", ascii, func(k string) string { return env[k] })
	must(t, err)
	d.a.theme = theme.In(d.a.theme.Lang)
	d.a.shared.ASCII = theme.ASCII()
	d.a.resize(d.a.w, d.a.h)
	return d.a.View()
}

// The output for terminals with different numbers of colours; sequences are written as ‹…›.
func TestGoldenColours(t *testing.T) {
	for _, c := range colours {
		file := "colours-" + c[0] + "-" + c[1]
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(states, func(st scenery) bool { return st.name == c[0] })
			for _, depth := range depths {
				if depth.name != c[1] {
					continue
				}
				view := drawState(t, "en", i, 80, 24).in(t, depth.ascii, depth.env)
				checkFrame(t, view, 80, 24)
				got := trimLines(strings.ReplaceAll(view, "\x1b[", "‹"))
				golden(t, file, regexp.MustCompile(`‹([0-9;]*)m`).ReplaceAllString(got, "‹$1›"))
				return
			}
			t.Fatal("no such depth")
		})
	}
}

// letters of any script, and their marks, are not signs
var letters = regexp.MustCompile(`[\p{L}\p{N}\p{Han}，。：；、（）“”？！《》【】　]`)

// bars are the signs that a histogram is drawn with.
var bars = regexp.MustCompile(`[▁▂▃▄▅▆▇█░]`)

// everyDepth checks a screen with every number of colours: each frame keeps to its terminal's
// colours and has the same text, a style is the same everywhere, and in ASCII every sign is ASCII.
func everyDepth(t *testing.T, d *driver, w, h int) {
	t.Helper()
	said := ""
	var full [][]string // the styles of each line in true colour
	for _, depth := range depths {
		view := d.in(t, depth.ascii, depth.env)
		checkFrame(t, view, w, h)
		text := ansi.Strip(view)
		switch depth.name {
		case "truecolor":
			said, full = text, styles(view)
		case "none": // grey bars are pale ones here
			if bars.ReplaceAllString(text, "█") != bars.ReplaceAllString(said, "█") {
				t.Errorf("%s says something else than truecolor:\n%s", depth.name, text)
			}
		case "256", "16":
			if text != said {
				t.Errorf("%s says something else than truecolor:\n%s", depth.name, text)
			}
		case "ascii":
			for _, l := range strings.Split(text, "\n") {
				for _, r := range l {
					if r > 0x7e && !letters.MatchString(string(r)) {
						t.Fatalf("%q in %s", r, strings.TrimSpace(l))
					}
				}
			}
			continue
		}
		one := map[string]string{} // style in true colour → style here
		for y, line := range styles(view) {
			for x, style := range line {
				is, seen := one[full[y][x]]
				if seen && is != style {
					t.Fatalf("%s: the style %q is %q and %q, in line %d", depth.name, full[y][x], is, style, y)
				}
				one[full[y][x]] = style
			}
		}
		for _, seq := range strings.Split(view, "\x1b[")[1:] {
			code, _, _ := strings.Cut(seq, "m")
			rgb, indexed := strings.Contains(code, "38;2;") || strings.Contains(code, "48;2;"), strings.Contains(code, "38;5;") || strings.Contains(code, "48;5;")
			if rgb && depth.name != "truecolor" || indexed && depth.name != "truecolor" && depth.name != "256" {
				t.Fatalf("%q with %s", code, depth.name)
			}
		}
	}
}

// styles returns the style of each rune of each line of a view.
func styles(view string) (out [][]string) {
	for _, l := range strings.Split(view, "\n") {
		var line []string
		now := ""
		for i, part := range strings.Split(l, "\x1b[") {
			if i > 0 {
				now, part, _ = strings.Cut(part, "m")
				now = strings.TrimPrefix(strings.TrimPrefix(now, "0"), ";") // each sequence starts from the plain style
			}
			for range part {
				line = append(line, now)
			}
		}
		out = append(out, line)
	}
	return out
}

// Without colours, signs carry their meaning: below θ, an error for a person, gains and losses of a
// moved θ, the focused pane and row.
func TestColoursAreNoSignsOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		state string
		signs []string
	}{
		{"threshold-labels", []string{"░", "█", "−", "▸", "›"}},
		{"crawl", []string{"▸", "›", "! timeout", "▲ 429"}},
		{"crawl-requests", []string{"▲"}},
		{"home-read", []string{"✓", "▶"}},
		{"settings", []string{"●", "›"}},
	} {
		t.Run(c.state, func(t *testing.T) {
			for i, st := range states {
				if st.name != c.state {
					continue
				}
				text := ansi.Strip(drawState(t, "en", i, 160, 45).in(t, false, map[string]string{"NO_COLOR": "1"}))
				for _, sign := range c.signs {
					if !strings.Contains(text, sign) {
						t.Errorf("no %s on the screen:\n%s", sign, text)
					}
				}
			}
		})
	}
}

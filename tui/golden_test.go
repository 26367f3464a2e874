package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scenery is a state of a screen.
type scenery struct {
	name string
	at   func() *moment
	next func() *moment // the moment after the key that changes something
	keys string         // between spaces
}

// states are the scenes that are compared with golden files and checked at every size.
var states = []scenery{
	{"home", sampled, nil, "0"},
	{"home-empty", bare, nil, "0"},
	{"home-look", seeded, nil, "0"},
	{"home-samples", unjudged, nil, "0"},
	{"home-harvest", unharvested, nil, "0"},
	{"home-read", harvested, nil, "0"},
	{"samples", sampled, nil, ""},
	{"samples-empty", bare, nil, ""},
	{"features", sampled, nil, "2 j"},
	{"threshold", sampled, nil, "3 [ [ [ [ ["},
	{"features-labels", labelled, nil, "2 E"},
	{"terms", sampled, nil, "2 t space j"},
	{"threshold-labels", labelled, nil, "3 b"},
	{"threshold-learner", taught, nil, "3"},
	{"crawl", sampled, nil, "4"},
	{"crawl-steer", sampled, nil, "4 p enter"},
	{"crawl-rules", ruled, nil, "4 r"},
	{"crawl-requests", sampled, nil, "4 tab tab tab tab tab"},
	{"crawl-idle", between, nil, "4"},
	{"crawl-run", between, nil, "4 shift+tab enter"},
	{"crawl-branch", between, nil, "4 tab tab A"},
	{"crawl-pages", between, nil, "4 tab tab enter"},
	{"crawl-workers", crowded, nil, "4 shift+tab"},
	{"crawl-workers-none", lonely, nil, "4 shift+tab"},
	{"crawl-worker", crowded, nil, "4 shift+tab j enter"},
	{"crawl-worker-act", crowded, nil, "4 shift+tab A"},
	{"lab", sampled, nil, "7"},
	{"lab-run", sampled, nil, "7 j j space r"},
	{"crawl-empty", bare, nil, "4"},
	{"harvest", sampled, nil, "5"},
	{"label", sampled, nil, "6"},
	{"label-empty", unjudged, nil, "6"},
	{"label-ready", labelled, nil, "6 E j j"},
	{"label-learner", taught, nil, "6 E"},
	{"palette", sampled, nil, "3 :"},
	{"help", sampled, nil, "?"},
	{"settings", sampled, nil, ","},
	{"workspaces", sampled, nil, "ctrl+o"},
	{"source", sampled, nil, "ctrl+v"},
	{"hosts", sampled, nil, "h"},
	{"harvest-notice", sampled, nil, "5 j enter"},
	{"harvest-export", sampled, nil, "5 e"},
	{"harvest-format", sampled, nil, "5 e notices enter"},
	{"label-batch", labelled, nil, "6 B enter"},
	{"samples-negative", sampled, unwanted, "j j j !"},
	{"features-negative", sampled, unwanted, "j j j ! 2"},
	{"threshold-negative", sampled, unwanted, "j j j ! 3"},
}

// drawState drives the workbench to a state.
func drawState(t testing.TB, code string, i, w, h int) *driver {
	st := states[i]
	c := can(st.at())
	if st.next != nil {
		c.next = st.next()
	}
	d := driveIn(t, code, c.parts(), w, h)
	for k := range strings.FieldsSeq(st.keys) {
		d.press(k)
	}
	return d
}

// sizes are the terminals that every scene must fit in width and height.
var sizes = [][2]int{{1, 1}, {60, 20}, {80, 24}, {120, 40}, {160, 45}, {200, 60}}

// chinese are the states with a golden file in Chinese, at 80×24: one of each screen.
var chinese = []string{"home", "samples", "features", "threshold", "crawl", "harvest", "label", "lab"}

// goldenName names the golden file of a frame.
func goldenName(state string, w, h int, code string) string {
	name := fmt.Sprintf("%s-%dx%d", state, w, h)
	if code != "en" {
		name += "-" + code
	}
	return name
}

// goldenFiles lists the golden files that tests compare frames with.
func goldenFiles() (names []string) {
	for _, st := range states {
		names = append(names, goldenName(st.name, 120, 40, "en"))
	}
	for _, name := range chinese {
		names = append(names, goldenName(name, 80, 24, "zh"))
	}
	for name := range wizardSteps {
		names = append(names, goldenName("wizard-"+name, 120, 40, "en"))
	}
	for _, c := range colours {
		names = append(names, "colours-"+c[0]+"-"+c[1])
	}
	return names
}

// A golden file without a test may show a removed screen.
func TestEveryGoldenFileIsCompared(t *testing.T) {
	files, err := os.ReadDir(filepath.Join("testdata", "golden"))
	must(t, err)
	want := map[string]bool{}
	for _, name := range goldenFiles() {
		want[name+".txt"] = true
	}
	for _, f := range files {
		if !want[f.Name()] {
			t.Errorf("no test compares a frame with testdata/golden/%s: delete it", f.Name())
		}
		delete(want, f.Name())
	}
	for name := range want {
		t.Errorf("testdata/golden/%s is missing: go test -update writes it", name)
	}
}

func TestGolden(t *testing.T) {
	for i, st := range states {
		compare := func(w, h int, code string) {
			name := goldenName(st.name, w, h, code)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				matches(t, name, drawState(t, code, i, w, h).a.View())
			})
		}
		compare(120, 40, "en")
		if slices.Contains(chinese, st.name) {
			compare(80, 24, "zh")
		}
	}
}

// TestEverySceneFits checks every scene in both languages, at every size and with every number of
// colours.
func TestEverySceneFits(t *testing.T) {
	for i, st := range states {
		for _, code := range []string{"en", "zh"} {
			t.Run(st.name+"-"+code, func(t *testing.T) {
				t.Parallel()
				d := drawState(t, code, i, 120, 40)
				for _, size := range sizes {
					d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					d.settle()
					checkScene(t, d, size[0], size[1])
					everyDepth(t, d, size[0], size[1])
				}
			})
		}
	}
}

// checkScene checks the frame of a scene without colours: its size, the tab of the screen, the
// status line, the footer, and that it has no colour.
func checkScene(t *testing.T, d *driver, w, h int) {
	t.Helper()
	view := d.in(t, false, map[string]string{"NO_COLOR": "1", "TERM": "xterm-256color"})
	checkFrame(t, view, w, h)
	for _, seq := range strings.Split(view, "\x1b[")[1:] {
		if code, _, _ := strings.Cut(seq, "m"); strings.Contains(code, "38;") || strings.Contains(code, "48;") {
			t.Fatalf("NO_COLOR, but %q", code)
		}
	}
	if w < 60 {
		return
	}
	lines := strings.Split(ansi.Strip(view), "\n")
	if status := strings.TrimSpace(lines[h-2]); d.a.flash == "" && !strings.ContainsAny(status, "▶■‖✓") || status == "" {
		t.Errorf("%d×%d: the status line says nothing of a run: %q", w, h, status)
	}
	foot := strings.TrimSpace(lines[h-1])
	if foot == "" {
		t.Errorf("%d×%d: no footer", w, h)
	}
	if d.a.over.help != nil || d.a.over.chooser != nil || d.a.over.form != nil {
		return // it covers the tabs and has a footer of its own
	}
	if tab := fmt.Sprintf("[%d ", d.a.at); !strings.Contains(lines[0], tab) {
		t.Errorf("%d×%d: no tab %s in %q", w, h, tab, lines[0])
	}
	if help := "? " + d.a.shared.T("help"); d.a.over.prompt == nil && !strings.Contains(lines[h-2]+foot, help) {
		t.Errorf("%d×%d: the last lines lack %q: %q", w, h, help, lines[h-2:])
	}
}

// matches compares a frame with the golden file of a name.
func matches(t *testing.T, name, view string) {
	t.Helper()
	golden(t, name, trimLines(ansi.Strip(view)))
}

// golden compares a text with the golden file of a name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if !slices.Contains(goldenFiles(), name) {
		t.Fatalf("goldenFiles lacks %s", name)
	}
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if got != string(want) {
		t.Errorf("differs from %s (go test -update writes it anew):\n%s", path, got)
	}
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func checkFrame(t *testing.T, view string, w, h int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Fatalf("%d×%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("%d×%d: line %d is %d wide: %q", w, h, i, got, ansi.Strip(l))
		}
	}
}

// Every screen, with and without overlays, at many sizes: no panic, and every line exactly as wide
// as the screen. TestEverySizeWithoutAGap, which is heavy, checks all small sizes.
func TestEverySize(t *testing.T) {
	everySize(t, 3)
	t.Run("overlays", func(t *testing.T) {
		t.Parallel()
		d := drive(t, can(sampled()).parts(), 120, 40)
		if len(d.a.screens) != len(screenNames) {
			t.Fatalf("%d screens, and names for %d", len(d.a.screens), len(screenNames))
		}
		d.start(d.a.goTo(len(d.a.screens) - 1))
		d.settle()
		for _, keys := range [][]string{{":"}, {"esc", "?"}, {"esc", "/"}, {"esc", "q"}} {
			d.press(keys...)
			for _, s := range [][2]int{{1, 1}, {2, 2}, {5, 3}, {10, 4}, {33, 9}, {60, 20}, {200, 60}} {
				d.a.resize(s[0], s[1])
				checkFrame(t, d.a.View(), s[0], s[1])
			}
		}
	})
}

// everySize draws each screen at every size up to the first with panes side by side, in steps, and
// at every third above.
func everySize(t *testing.T, step int) {
	next := func(n, dense int) int {
		if n < dense {
			return n + step
		}
		return n + 3
	}
	for i, name := range screenNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, can(sampled()).parts(), 120, 40)
			d.start(d.a.goTo(i))
			d.settle()
			for h := 1; h <= 60; h = next(h, 26) {
				for w := 1 + i%2; w <= 200; w = next(w, 20) {
					d.a.resize(w, h)
					lines := strings.Split(d.a.View(), "\n")
					if len(lines) != h {
						t.Fatalf("%d×%d: %d lines", w, h, len(lines))
					}
					if (w*7+h)%11 == 0 { // measuring costs more than drawing
						checkFrame(t, strings.Join(lines, "\n"), w, h)
					}
				}
			}
		})
	}
}

// screenNames are the screens in their order.
var screenNames = []string{"home", "samples", "features", "threshold", "crawl", "harvest", "label", "lab"}

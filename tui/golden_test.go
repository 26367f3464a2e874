package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"angler/tui/ui"
)

var update = flag.Bool("update", false, "write the golden files anew")

// states are the screens in what an analyst would see of them.
var states = []struct {
	name string
	at   func() *moment
	next func() *moment // what the key that changes something leads to
	keys []string
}{
	{"home", sampled, nil, []string{"0"}},
	{"home-empty", bare, nil, []string{"0"}},
	{"home-look", seeded, nil, []string{"0"}},
	{"home-samples", unjudged, nil, []string{"0"}},
	{"home-harvest", unharvested, nil, []string{"0"}},
	{"home-read", harvested, nil, []string{"0"}},
	{"samples", sampled, nil, nil},
	{"samples-empty", bare, nil, nil},
	{"features", sampled, nil, []string{"2", "j"}},
	{"threshold", sampled, nil, []string{"3", "[", "[", "[", "[", "["}},
	{"features-labels", labelled, nil, []string{"2", "E"}},
	{"terms", sampled, nil, []string{"2", "t", "space", "j"}},
	{"threshold-labels", labelled, nil, []string{"3", "b"}},
	{"threshold-learner", taught, nil, []string{"3"}},
	{"crawl", sampled, nil, []string{"4"}},
	{"crawl-steer", sampled, nil, []string{"4", "p", "enter"}},
	{"crawl-rules", ruled, nil, []string{"4", "r"}},
	{"crawl-requests", sampled, nil, []string{"4", "tab", "tab", "tab", "tab", "tab"}},
	{"crawl-idle", between, nil, []string{"4"}},
	{"crawl-run", between, nil, []string{"4", "shift+tab", "enter"}},
	{"crawl-branch", between, nil, []string{"4", "tab", "tab", "A"}},
	{"crawl-pages", between, nil, []string{"4", "tab", "tab", "enter"}},
	{"crawl-workers", crowded, nil, []string{"4", "shift+tab"}},
	{"crawl-workers-none", lonely, nil, []string{"4", "shift+tab"}},
	{"crawl-worker", crowded, nil, []string{"4", "shift+tab", "j", "enter"}},
	{"crawl-worker-act", crowded, nil, []string{"4", "shift+tab", "A"}},
	{"lab", sampled, nil, []string{"7"}},
	{"lab-run", sampled, nil, []string{"7", "j", "j", "j", "j", "space", "r"}},
	{"crawl-empty", bare, nil, []string{"4"}},
	{"harvest", sampled, nil, []string{"5"}},
	{"label", sampled, nil, []string{"6"}},
	{"label-empty", unjudged, nil, []string{"6"}},
	{"label-ready", labelled, nil, []string{"6", "E", "j", "j"}},
	{"label-learner", taught, nil, []string{"6", "E"}},
	{"palette", sampled, nil, []string{"3", ":"}},
	{"help", sampled, nil, []string{"?"}},
	{"settings", sampled, nil, []string{","}},
	{"workspaces", sampled, nil, []string{"ctrl+o"}},
	{"source", sampled, nil, []string{"ctrl+v"}},
	{"hosts", sampled, nil, []string{"h"}},
	{"harvest-notice", sampled, nil, []string{"5", "j", "enter"}},
	{"harvest-export", sampled, nil, []string{"5", "e"}},
	{"harvest-format", sampled, nil, []string{"5", "e", "notices", "enter"}},
	{"label-batch", labelled, nil, []string{"6", "B", "enter"}},
	{"samples-negative", sampled, unwanted, []string{"j", "j", "j", "!"}},
	{"features-negative", sampled, unwanted, []string{"j", "j", "j", "!", "2"}},
	{"threshold-negative", sampled, unwanted, []string{"j", "j", "j", "!", "3"}},
}

// drawState drives a state until the screen shows it.
func drawState(t testing.TB, code string, i, w, h int) *driver {
	st := states[i]
	c := can(st.at())
	if st.next != nil {
		c.next = st.next()
	}
	d := driveIn(t, code, c.parts(), w, h)
	for _, k := range st.keys {
		d.press(k)
	}
	return d
}

var goldenSizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}}

func TestGolden(t *testing.T) {
	type one struct {
		state, size int
		lang        string
	}
	var all []one
	for i := range states {
		for k := range goldenSizes {
			all = append(all, one{i, k, "en"}, one{i, k, "zh"})
		}
	}
	for _, g := range all {
		st, size := states[g.state], goldenSizes[g.size]
		name := fmt.Sprintf("%s-%dx%d", st.name, size[0], size[1])
		if g.lang != "en" {
			name += "-" + g.lang
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drawState(t, g.lang, g.state, size[0], size[1])
			view := d.a.View()
			checkFrame(t, view, size[0], size[1])
			for _, seq := range strings.Split(view, "\x1b[")[1:] {
				if code, _, _ := strings.Cut(seq, "m"); strings.Contains(code, "38;") || strings.Contains(code, "48;") {
					t.Fatalf("NO_COLOR, but %q", code)
				}
			}
			matches(t, name, view)
			everyDepth(t, d, size[0], size[1])
		})
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
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
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

// Every screen, with and without overlays, at every size: no panic, and every
// line exactly as wide as the screen.
func TestEverySize(t *testing.T) {
	// Every size up to where panes stand side by side, then every third.
	next := func(n, dense int) int {
		if n < dense && !testing.Short() {
			return n + 1
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

// screenNames are the screens in their order.
var screenNames = []string{"home", "samples", "features", "threshold", "crawl", "harvest", "label", "lab"}

func BenchmarkFrame(b *testing.B) {
	for i, name := range screenNames {
		b.Run(name, func(b *testing.B) {
			d := drive(b, can(sampled()).parts(), 160, 50)
			d.a.theme, _ = ui.Pick("dark", false, env(map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}))
			d.a.resize(160, 50)
			d.press(fmt.Sprint(i))
			b.ReportAllocs()
			for b.Loop() {
				_ = d.a.View()
			}
		})
	}
}

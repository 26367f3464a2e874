package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/seeds"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// maker is a Maker that makes nothing.
type maker struct {
	files map[string]string
	made  []string
	fail  error
}

func (m *maker) ReadSeeds(path string) (string, error) {
	if s, ok := m.files[path]; ok {
		return s, nil
	}
	return "", fmt.Errorf("cannot read %s; give an address with http:// or a file", path)
}
func (m *maker) Free(dir string) error {
	if dir == "taken" {
		return errors.New("taken is a workspace already; open it instead")
	}
	return nil
}
func (m *maker) Create(p seeds.WorkspacePlan) error {
	m.made = append([]string{p.Dir, p.Topic, p.Notices, p.Scope}, p.Seeds...)
	return m.fail
}
func (m *maker) Places() []seeds.WorkspacePlace { return places() }

// wizards drives a wizard; Cmds run synchronously.
type wizards struct {
	t *testing.T
	w *wizard
	q bool
}

func (x *wizards) send(msg tea.Msg) {
	_, cmd := x.w.Update(msg)
	for cmd != nil {
		msg := cmd()
		if _, ok := msg.(tea.QuitMsg); ok {
			x.q = true
			return
		}
		_, cmd = x.w.Update(msg)
	}
}

func (x *wizards) press(keys ...string) {
	for _, k := range keyMsgs(keys...) {
		x.send(k)
	}
}

func (x *wizards) shows(want ...string) {
	x.t.Helper()
	for _, s := range want {
		if got := trimLines(ansi.Strip(x.w.View())); !strings.Contains(got, s) {
			x.t.Errorf("the wizard does not show %q:\n%s", s, got)
		}
	}
}

func newWizards(t *testing.T, m *maker) *wizards { return wizardsIn(t, m, "en") }

// wizardsIn drives a wizard in a language.
func wizardsIn(t *testing.T, m *maker, code string) *wizards {
	t.Helper()
	theme, err := widget.Pick("mono", false, env(nil))
	must(t, err)
	x := &wizards{t: t, w: newWizard(m, theme.In(lang(t, code)), func() time.Time { return tuitest.Start })}
	x.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	return x
}

func TestWizardMakesAWorkspace(t *testing.T) {
	m := &maker{files: map[string]string{"more.txt": "c.test/zb/\nnot an address\n"}}
	x := newWizards(t, m)
	x.shows("look around in the demo", "new workspace", "open jobs")
	x.press("new jobs", "enter")
	x.shows("1 seeds", "jobs in the folder jobs · notices: jobs · scope: site")
	x.press("enter")
	x.shows("at least one address")
	x.press("http://www.a.test/", "enter", "b.test", "enter", "@gone.txt", "enter")
	x.shows("✓ http://www.a.test/", "✓ http://b.test/", "cannot read gone.txt")
	x.press("@more.txt", "enter")
	x.shows("✓ http://c.test/zb/", "✗ not", "3 seeds of 3 hosts", "3 no address")
	x.press("tab")
	x.shows("2 name", "What do you look for?")
	x.press("ctrl+u", "jobs here", "tab")
	x.press("ctrl+u", "taken", "enter")
	x.shows("is a workspace already")
	x.press("ctrl+u", "here", "enter")
	x.shows("● site", "in: *.a.test")
	x.press("http://zb.a.test/x")
	x.shows("✓ in: http://zb.a.test/x")
	x.press("tab")
	x.shows("● host", "✗ out: http://zb.a.test/x", "in: www.a.test/*")
	x.press("enter")
	if want := "here,jobs here,jobs,host,http://www.a.test/,http://b.test/,http://c.test/zb/"; strings.Join(m.made, ",") != want {
		t.Errorf("made %v", m.made)
	}
	if !x.q || x.w.choice.Dir != "here" {
		t.Errorf("ended %v with %+v", x.q, x.w.choice)
	}
}

func TestWizardTakesALongPaste(t *testing.T) {
	x := newWizards(t, &maker{})
	x.w.begin(stepSeeds)
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "http://h%d.test/zbgg/\r", i) // as a terminal converts line ends
	}
	x.send(pasted(text.String()))
	x.shows("10 000 seeds of 10 000 hosts")
	x.press("pgdown", "pgdown")
	for _, size := range [][2]int{{1, 1}, {2, 2}, {20, 5}, {300, 100}} {
		x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		checkFrame(t, x.w.View(), size[0], size[1])
	}
	x.press("ctrl+x")
	x.shows("Paste a list of addresses here")
}

func TestWizardOffersDemoAndPlaces(t *testing.T) {
	x := newWizards(t, &maker{})
	lines := strings.Split(ansi.Strip(x.w.View()), "\n")
	at := func(text string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, text) })
	}
	if a, b, c := at("open jobs"), at("new workspace: tenders"), at("in the demo"); a < 0 || a > b || b > c {
		t.Errorf("workspaces, new ones and the demo stand on lines %d, %d, %d", a, b, c)
	}
	x.shows("52 pages · 581 notices · last used 11-04", "in use, counts not known")
	x.press("demo", "enter")
	if !x.q || !x.w.choice.Demo {
		t.Errorf("%+v", x.w.choice)
	}
	x = newWizards(t, &maker{})
	x.press("open jobs", "enter")
	if !x.q || x.w.choice.Dir != "/data/jobs" {
		t.Errorf("%+v", x.w.choice)
	}
	x = newWizards(t, &maker{fail: errors.New("the disk is full")})
	x.press("own", "enter", "水利 桥梁", "enter")
	x.shows("水利 in the folder 水利", "notices: 水利 桥梁")
	x.press("a.test", "enter", "enter")
	x.shows("the disk is full")
	x.press("esc", "esc", "prices", "enter")
	x.shows("prices in the folder prices")
	x.press("esc", "esc")
	if !x.q || x.w.choice != (Switch{}) {
		t.Errorf("left with %+v", x.w.choice)
	}
}

// wizardSteps are the keys that lead to each page of the wizard.
var wizardSteps = map[string][]string{
	"menu": nil, "words": {"own", "enter"}, "seeds": {"new workspace", "enter", "a.test", "enter", "not an address", "enter"},
	"name": {"new workspace", "enter", "tab"}, "scope": {"new workspace", "enter", "a.test", "enter", "tab", "enter", "enter"},
}

func TestWizardGolden(t *testing.T) {
	for name, keys := range wizardSteps {
		for _, code := range []string{"en", "zh"} {
			t.Run(name+"-"+code, func(t *testing.T) {
				x := wizardsIn(t, &maker{}, code)
				x.press(keys...)
				for _, size := range sizes {
					x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					checkFrame(t, x.w.View(), size[0], size[1])
					if code == "en" && size == [2]int{120, 40} {
						matches(t, goldenName("wizard-"+name, 120, 40, code), x.w.View())
					}
				}
			})
		}
	}
}

// A click chooses like a key, and a torn mouse report types nothing.
func TestWizardTakesTheMouse(t *testing.T) {
	x := newWizards(t, &maker{})
	lines := strings.Split(ansi.Strip(x.w.View()), "\n")
	y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "new workspace: jobs") })
	x.send(tea.MouseMsg{X: 30, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	x.shows("jobs in the folder jobs")
	x.send(alt("["))
	x.send(runes("<65;20;12M"))
	is(t, "a torn report typed", x.w.prompt.Text(), "")
}

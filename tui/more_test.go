package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/setup"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/benchtest"
	"angler/tui/screen"
	"angler/tui/ui"
)

func TestProbeShowsItsProgress(t *testing.T) {
	d := drive(t, benchtest.New(50), 120, 40)
	d.press("s")
	if d.b.Calls["StartProbe"] != 1 {
		t.Fatal("s did not probe")
	}
	d.b.Publish(func(s *view.Snapshot) { s.Fetched = 45 })
	d.until("the progress shows", func() bool { return strings.Contains(d.screen(), "probing ■■······ 45 of 180") })
	d.press("s")
	d.shows("a run is under way")
}

func TestSampleByAddress(t *testing.T) {
	d := drive(t, benchtest.New(50), 120, 40)
	d.press("a", "http://ztb.yunxi.test/zbgg/list.htm", "enter")
	if !d.b.IsSample(101) {
		t.Error("the address is no sample")
	}
	d.press("a", "http://nowhere.test/", "enter")
	d.shows("failed", "404")
	d.press("a", "one two", "enter")
	d.shows("after a file comes the address")
	d.press("esc")
}

func TestHostAndSectionFilter(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("h", "ztb.yunxi.test/zbgg/", "enter")
	d.shows("only ztb.yunxi.test/zbgg/", "candidates 2 of 568")
	d.press("h", "baita", "enter")
	d.shows("only www.baita.test")
	d.press("esc")
	d.shows("candidates 568")
}

func TestSourceIsShownOnceAskedFor(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	if d.b.Calls["Source"] != 0 {
		t.Fatal("the source was read before anyone asked")
	}
	d.press("V")
	d.shows("<!DOCTYPE html>", "<li><a href=")
	d.b.Fail["Source"] = errors.New("disk is full")
	d.press("j")
	d.shows("disk is full")
}

func TestWordsBecomeStopAndUserWords(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("2")
	d.press("x")
	if !d.b.Stopped("公告") {
		t.Error("x stopped nothing")
	}
	d.press("W", "x", "enter")
	d.shows("2 to 32 characters")
	d.press("esc", "W", "竞争性谈判", "enter")
	if !d.b.Accepted("竞争性谈判") {
		t.Error("W took no word")
	}
	d.press("w", "esc", "w")
	for range 5 {
		d.send(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	d.press("11", "enter")
	d.shows("a number from 0 to 10")
	d.send(tea.KeyMsg{Type: tea.KeyBackspace})
	d.send(tea.KeyMsg{Type: tea.KeyBackspace})
	d.press("2.5", "enter")
	found := false
	for _, x := range d.b.Config().Weights {
		found = found || x == 2.5
	}
	if !found {
		t.Errorf("weights %v", d.b.Config().Weights)
	}
}

func TestSchemesShowTheirF1WhereTheyAreChosen(t *testing.T) {
	d := drive(t, labelled(t, 16), 160, 45)
	d.press("2")
	d.press("s")
	if strings.Contains(d.screen(), "tf-idf  F1") {
		t.Error("figures before anything was measured")
	}
	d.press("esc", "E")
	d.press("s")
	rows, err := d.b.Evaluate()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if strings.HasPrefix(r.Name, "tf-idf/") && r.F1 != nil {
			d.shows("tf-idf  F1 " + ui.Score(r.F1.Value, 2))
		}
	}
	d.press("esc")
}

func TestBatchLabelsCountFirstAndUndoAtOnce(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("6")
	d.press("B")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("nowhere.test")
	d.press("enter")
	d.shows("no page matches")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("www.baita.test/xyxw")
	d.shows("2 pages, 0 labelled yes")
	if d.b.Calls["LabelURLs"] != 0 {
		t.Fatal("labels were given while the pattern was typed")
	}
	d.press("enter", "enter")
	rows, _ := d.b.PagesLike(context.Background(), "www.baita.test/xyxw")
	for _, r := range rows {
		if r.Label != topic.No {
			t.Errorf("%s has label %q", r.URL, r.Label)
		}
	}
	d.press("u")
	rows, _ = d.b.PagesLike(context.Background(), "www.baita.test/xyxw")
	for _, r := range rows {
		if r.Label != topic.NoLabel {
			t.Errorf("u left %q on %s", r.Label, r.URL)
		}
	}
}

func TestSkipAndUnsure(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	rows, err := d.b.LabelQueue(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	d.press("6")
	d.press("space")
	d.press("?")
	if got := d.b.Label(rows[0].ID); got != topic.NoLabel {
		t.Errorf("a skipped page has label %q", got)
	}
	if got := d.b.Label(rows[1].ID); got != topic.Unsure {
		t.Errorf("? gave label %q", got)
	}
	if d.a.over.help != nil {
		t.Error("? opened the help on the label screen")
	}
	d.shows("f1 help")
	d.send(tea.KeyMsg{Type: tea.KeyF1})
	d.shows("j k scroll")
}

func TestHarvestSearchDetailAndExport(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("5", "tab", "j")
	d.shows("first seen", "招标文件.docx", "taken: its list scored", "三、投标截止时间")
	d.press("Q", "显微镜", "enter")
	d.shows("notices with “显微镜”: ")
	d.press("Q")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("没有的词", "enter")
	d.shows("No notice holds “没有的词”")
	d.press("esc")
	d.until("all are shown again", func() bool { return strings.Contains(d.screen(), "newest 80") })
	d.press("X", "notices", "enter", "enter", "enter")
	if d.b.Written != "notices jsonl notices.jsonl" {
		t.Errorf("written %q", d.b.Written)
	}
	d.shows("42 rows written to notices.jsonl")
	d.press("X", "notices", "enter", "enter", "enter")
	d.shows("is there already")
	d.press("enter") // the key that asked does not replace
	if d.a.over.prompt == nil {
		t.Error("enter replaced the file")
	}
	d.press("esc")
}

func TestExportFormats(t *testing.T) {
	for _, c := range []struct{ what, format, written string }{
		{"pages", "JSON lines", "pages jsonl pages.jsonl"},
		{"links", "CSV", "links csv links.csv"},
		{"notices", "CSV for spreadsheets", "BOM notices csv notices.csv"},
		{"aggregations", "Atom feed", "aggregations atom aggregations.atom"},
	} {
		d := drive(t, sampled(t), 120, 40)
		d.press("5", "X", c.what, "enter")
		d.shows("export " + c.what + " as")
		d.press(c.format, "enter", "enter")
		if d.b.Written != c.written {
			t.Errorf("%s as %s: written %q", c.what, c.format, d.b.Written)
		}
	}
	for err, says := range map[error]string{
		context.Canceled:               "the export of links failed: it was cancelled, nothing was written",
		errors.New("the disk is full"): "the export of links failed: the disk is full",
	} {
		d := drive(t, sampled(t), 120, 40)
		d.b.Fail["ExportFile"] = err
		d.press("5", "X", "links", "enter", "enter", "enter")
		d.shows(says)
	}
	d := drive(t, sampled(t), 120, 40)
	d.press("5", "X", "frontier", "enter")
	if strings.Contains(d.screen(), "Atom") {
		t.Error("the frontier is offered as a feed")
	}
}

func TestSettingsAreCheckedAndSaved(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press(",")
	d.press("crawl.depth", "enter")
	d.send(tea.KeyMsg{Type: tea.KeyBackspace})
	d.press("9999", "enter")
	d.shows("9999 is outside 0 … 1000")
	if d.b.Calls["ChangeSetting"] != 0 {
		t.Fatal("a wrong value was saved")
	}
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("3", "enter")
	if got := d.b.Settings().Crawl.Depth; got != 3 {
		t.Errorf("depth is %d", got)
	}
	d.shows("crawl.depth set to 3", "settings · angler.toml")
	d.press("ignore_robots", "enter") // typed on, the list is back by itself
	if !d.b.Settings().Crawl.IgnoreRobots {
		t.Error("a switch did not switch")
	}
	d.press("esc")
	d.b.Fail["ChangeSetting"] = errors.New("the disk is full")
	d.press(",")
	d.press("crawl.depth", "enter", "enter")
	d.shows("failed: the disk is full")
}

func TestWorkspaceSwitchAsksWhileACrawlRuns(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("ctrl+o", "招标")
	d.press("enter")
	d.shows("Quit and stop it?")
	d.press("n")
	if d.quit || d.a.next != nil {
		t.Fatal("the workspace was left")
	}
	d.press("ctrl+o")
	d.press("jobs", "enter", "y")
	d.until("the program ends", func() bool { return d.quit })
	if d.a.next == nil || d.a.next.Dir != "/data/jobs" {
		t.Errorf("quit %v, next %+v", d.quit, d.a.next)
	}
}

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
func (m *maker) Create(dir, name, scope string, seeds []string) error {
	m.made = append([]string{dir, name, scope}, seeds...)
	return m.fail
}
func (m *maker) Places() []setup.Place { return places() }

// wizards drives a wizard; Cmds run where they are.
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
	for _, k := range keys {
		if kt, ok := named[k]; ok {
			x.send(tea.KeyMsg{Type: kt})
			continue
		}
		for _, r := range k {
			x.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
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

func newWizards(t *testing.T, m *maker) *wizards {
	theme, err := ui.Pick("mono", false, env(nil))
	if err != nil {
		t.Fatal(err)
	}
	x := &wizards{t: t, w: newWizard(m, theme)}
	x.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	return x
}

func TestWizardMakesAWorkspace(t *testing.T) {
	m := &maker{files: map[string]string{"more.txt": "c.test/zb/\nnot an address\n"}}
	x := newWizards(t, m)
	x.shows("look around in the demo", "new workspace", "open jobs")
	x.press("new", "enter")
	x.shows("1 name", "What do you look for?")
	x.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	x.press("jobs here", "enter")
	x.shows("jobs-here")
	x.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	x.press("taken", "enter")
	x.shows("is a workspace already")
	x.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	x.press("here", "enter", "enter")
	x.shows("at least one address")
	x.press("http://www.a.test/", "enter", "b.test", "enter", "@gone.txt", "enter")
	x.shows("✓ http://www.a.test/", "✓ http://b.test/", "cannot read gone.txt")
	x.press("@more.txt", "enter")
	x.shows("✓ http://c.test/zb/", "✗ not", "3 seeds of 3 hosts", "3 no address")
	x.press("enter")
	x.shows("● site", "in: *.a.test")
	x.press("http://zb.a.test/x")
	x.shows("✓ in: http://zb.a.test/x")
	x.press("tab")
	x.shows("● host", "✗ out: http://zb.a.test/x", "in: www.a.test/*")
	x.press("enter")
	if want := "here,jobs here,host,http://www.a.test/,http://b.test/,http://c.test/zb/"; strings.Join(m.made, ",") != want {
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
		fmt.Fprintf(&text, "http://h%d.test/zbgg/\r", i) // what a terminal makes of line ends
	}
	x.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text.String()), Paste: true})
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
	x.press("enter")
	if !x.q || !x.w.choice.Demo {
		t.Errorf("%+v", x.w.choice)
	}
	x = newWizards(t, &maker{})
	x.press("open jobs", "enter")
	if !x.q || x.w.choice.Dir != "/data/jobs" {
		t.Errorf("%+v", x.w.choice)
	}
	x = newWizards(t, &maker{fail: errors.New("the disk is full")})
	x.w.begin(stepSeeds)
	x.press("a.test", "enter", "enter", "enter")
	x.shows("the disk is full")
	x.press("esc", "esc", "esc", "esc", "esc")
	if !x.q || x.w.choice != (Choice{}) {
		t.Errorf("left with %+v", x.w.choice)
	}
}

// bomb is a screen that panics where it is told to.
type bomb struct {
	screen.Screen
	view, cmd bool
}

func (b *bomb) View(c *ui.Canvas) {
	if b.view {
		panic("in the view")
	}
	b.Screen.View(c)
}

func (b *bomb) Update(msg tea.Msg) tea.Cmd {
	if b.cmd {
		return func() tea.Msg { panic("in a Cmd") }
	}
	panic("in Update")
}

func TestAPanicEndsInOrder(t *testing.T) {
	for name, b := range map[string]*bomb{"view": {view: true}, "cmd": {cmd: true}, "update": {}} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, sampled(t), 80, 24)
			b.Screen = d.a.screens[0]
			d.a.screens[0] = b
			killed := make(chan struct{})
			d.a.kill = func() { close(killed) }
			g := guarded{d.a, d.a}
			switch name {
			case "view":
				if s := g.View(); !strings.Contains(s, "crashed: in the view") {
					t.Errorf("the frame is %q", s)
				}
				<-killed
			case "cmd":
				_, cmd := g.Update(screen.TickMsg{})
				var crash crashMsg
				found := false
				for _, c := range flat(cmd) {
					if m, ok := c().(crashMsg); ok {
						crash, found = m, true
					}
				}
				if !found {
					t.Fatal("the panic of a Cmd was lost")
				}
				g.Update(crash)
			case "update":
				g.Update(screen.TickMsg{})
			}
			var crash *Crash
			if !errors.As(d.a.err, &crash) || !strings.Contains(string(crash.Stack), "bomb") {
				t.Errorf("the error is %v", d.a.err)
			}
			d.a.err = nil
		})
	}
}

// flat runs a Cmd as far as it is a batch.
func flat(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		return batch
	}
	return []tea.Cmd{func() tea.Msg { return msg }}
}

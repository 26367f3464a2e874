package tui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestFirstFrameComesBeforeTheWorkspace(t *testing.T) {
	p := tuitest.Parts(t, tuitest.Empty)
	release := make(chan struct{})
	open := func(ctx context.Context, progress func(string)) (screen.Parts, error) {
		progress("loading the dictionary\x1b[2J 40 %")
		<-release
		return p, nil
	}
	theme, _ := widget.Pick("mono", false, env(nil))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &driver{t: t, msgs: make(chan tea.Msg, 64)}
	d.a = newApp(ctx, open, theme, Options{})
	d.start(d.a.Init())
	d.shows("[0 Home]", "opening the workspace")
	d.comes("loading the dictionary 40 %")
	d.press("S")
	d.shows("S waits until the screen is ready")
	close(release)
	d.until("the parts are there", func() bool { return d.a.ready })
	d.settle()
	d.press("1")
	d.shows("No pages yet. Press F to sample the sites")
	d.a.close()
}

func TestRunReturnsTheErrorOfOpening(t *testing.T) {
	locked := errors.New("workspace tenders is locked by process 4711; close it or choose another folder")
	in, _, err := os.Pipe()
	must(t, err)
	defer in.Close()
	var out strings.Builder
	err = Run(context.Background(), func(context.Context, func(string)) (screen.Parts, error) { return screen.Parts{}, locked },
		Options{Input: in, Output: &out, Getenv: env(map[string]string{"TERM": "xterm"})})
	if !errors.Is(err, locked) {
		t.Errorf("Run returned %v", err)
	}
	if err := Run(context.Background(), nil, Options{Theme: "pink", Getenv: env(nil)}); err == nil {
		t.Error("an unknown theme was accepted")
	}
}

// The order of package initialisation keeps Bubble Tea from querying the terminal for its colours
// before main runs.
func TestInitOrder(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	early := strings.Index(string(trace), "init angler/tui/early ")
	tea := strings.Index(string(trace), "init github.com/charmbracelet/bubbletea ")
	if early < 0 || tea < 0 || early > tea {
		t.Errorf("angler/tui/early is not initialised before Bubble Tea, which then asks the terminal and waits:\n%s", trace)
	}
}

func TestFailuresAreOneLine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Crawled)
	d, calls := watched(t, e, 120, 40)
	calls.Fail("ToggleSample", errors.New("the page holds no words;\n\x1b[31mchoose a list page"))
	d.press("s")
	d.shows("failed: the page holds no words; choose a list page")
	is(t, "samples after a failure", e.Snapshot().Counts.Samples, 0)
	calls.Fail("Candidates", errors.New("disk is\nfull"))
	asked := calls.Of("Candidates")
	d.press("y", "2", "1") // a label makes the pages load again
	if calls.Of("Candidates") == asked {
		t.Error("the pages were not asked for again")
	}
	checkFrame(t, d.a.View(), 120, 40)
}

func TestFreezeHoldsThisDisplayOnly(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	d := workbench(t, e, 120, 40)
	d.press("4", "f")
	d.shows("FROZEN", " · learned")
	must(t, e.Settings.SetStrategy("bfs"))
	d.until("the snapshot has come", func() bool { return d.a.latest.Strategy == "bfs" })
	if d.a.shared.Snap.Strategy != "learned" {
		t.Error("a frozen display moved")
	}
	d.shows(" · learned")
	d.press("f")
	d.shows(" · bfs")
}

func TestPaletteHoldsEveryActionAndRunsIt(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.press(":")
	d.shows("every action")
	d.press("otsu", "enter") // its scores have never been read
	if d.a.at != 3 {
		t.Fatalf("the palette went to screen %d", d.a.at)
	}
	d.shows("otsu: there are no scores yet")
	d.press("1", ":", "otsu", "enter")
	d.shows("preview θ " + widget.Score(float64(int(e.Topic.Scores().Otsu*1000+.5))/1000, 3))
	d.press("1", ":", "go to Crawl", "enter")
	if d.a.at != 4 {
		t.Errorf("the palette went to screen %d", d.a.at)
	}
	d.press(":", "zzzz")
	d.shows("nothing matches")
	d.press("esc", "esc")
	if d.a.over.chooser != nil {
		t.Error("esc left the palette open")
	}
}

func TestHelpAndKeyTableComeFromTheBindings(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	d.press("?")
	d.shows("help", "make the page a sample")
	d.press("G")
	d.press("esc")
	table := keyTable()
	for _, s := range d.a.sections() {
		for _, b := range s.keys {
			if b.Do == nil && b.Off == "" {
				t.Errorf("%s: %s works nothing", s.title, b.Printed())
			}
			if b.Help == "" || b.Name() == "" {
				t.Errorf("%s: %s has no words", s.title, b.Printed())
			}
		}
	}
	for _, want := range []string{"**3 Threshold**", "| `[` | lower θ by .01 |", "| `s` | make the page a sample", "| `ctrl+r` |", "| `q` |", "| `X` | stop the run; fetches under way are broken off"} {
		if !strings.Contains(table, want) {
			t.Errorf("the key table lacks %q:\n%s", want, table)
		}
	}
}

func TestQuitAsksOnceWhileACrawlRuns(t *testing.T) {
	d := workbench(t, tuitest.Running(t, tuitest.Sampled), 80, 24)
	d.press("q")
	if d.quit {
		t.Fatal("q quit a running crawl without asking")
	}
	d.shows("Quit and stop it?")
	d.press("q")
	if d.quit {
		t.Fatal("the key that asked also confirmed")
	}
	d.press("ctrl+c", "y")
	d.until("it quits", func() bool { return d.quit })
	idle := workbench(t, tuitest.Open(t, tuitest.Empty), 80, 24)
	idle.press("q")
	idle.until("it quits", func() bool { return idle.quit })
}

// subscriptions counts the open subscriptions of an engine.
type subscriptions struct {
	screen.Live
	open atomic.Int32
}

func (s *subscriptions) Subscribe() (<-chan *view.Snapshot, func()) {
	snaps, end := s.Live.Subscribe()
	s.open.Add(1)
	return snaps, func() { s.open.Add(-1); end() }
}

func TestCloseEndsTheSubscription(t *testing.T) {
	p := tuitest.Parts(t, tuitest.Crawled)
	live := &subscriptions{Live: p.Live}
	p.Live = live
	d := drive(t, p, 80, 24)
	if n := live.open.Load(); n != 1 {
		t.Fatalf("%d viewers", n)
	}
	d.a.close()
	is(t, "viewers after close", live.open.Load(), 0)
}

func TestMouseChoosesTabsRowsAndHeads(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	d.click(5, 10)
	if _, y := d.find("›"); y != 10 {
		t.Errorf("a click on line 10 put the cursor on line %d", y)
	}
	x, y := d.find("score title")
	d.click(x+2, y)
	d.shows("by score", "score▼")
	d.mouse(5, 10, tea.MouseButtonWheelDown, tea.MouseActionPress)
	x, _ = d.find("4 Crawl")
	d.click(x, 0)
	d.shows("[4 Crawl]", "frontier")
}

func TestCopyWritesOSC52(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	out := make(written, 4)
	d.a.o.Output = out
	d.press("c")
	d.until("the reader is told", func() bool { return strings.HasPrefix(d.a.flash, "copied http://") })
	url := strings.TrimPrefix(d.a.flash, "copied ")
	select {
	case got := <-out:
		if got != ansi.SetSystemClipboard(url) {
			t.Errorf("written %q for %s", got, url)
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("nothing was written to the terminal")
	}
}

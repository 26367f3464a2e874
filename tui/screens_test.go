package tui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/benchtest"
	"angler/tui/screen/judging"
	"angler/tui/ui"
)

func TestSampleToggleUndoRedo(t *testing.T) {
	d := drive(t, benchtest.New(50), 120, 40)
	id := d.a.screens[0].(*judging.Samples).Current()
	d.press("space")
	if !d.b.IsSample(id) {
		t.Fatal("space did not make the page a sample")
	}
	d.shows("sample added", "1 sample", "✓")
	d.press("u")
	if d.b.IsSample(id) {
		t.Error("u did not undo")
	}
	d.shows("undone: sample")
	d.press("ctrl+r")
	if !d.b.IsSample(id) {
		t.Error("ctrl+r did not redo")
	}
}

func TestLabels(t *testing.T) {
	for key, want := range map[string]topic.Label{"y": topic.Yes, "n": topic.No, "U": topic.Unsure} {
		d := drive(t, benchtest.New(50), 120, 40)
		id := d.a.screens[0].(*judging.Samples).Current()
		d.press(key)
		if got := d.b.Label(id); got != want {
			t.Errorf("%s labels %q, want %q", key, got, want)
		}
		d.press(key)
		if got := d.b.Label(id); got != topic.NoLabel {
			t.Errorf("%s again leaves %q", key, got)
		}
	}
}

func TestPreviewOfQuickMovesShowsOnlyTheLast(t *testing.T) {
	b := benchtest.New(50)
	d := drive(t, b, 120, 40)
	release, asked, cancelled := make(chan struct{}), make(chan uint64, 256), make(chan uint64, 256)
	b.Hold = func(ctx context.Context, id uint64) error {
		asked <- id
		select {
		case <-ctx.Done():
			cancelled <- id
			return ctx.Err()
		case <-release:
			return nil
		}
	}
	d.send(tea.KeyMsg{Type: tea.KeyDown})
	first := <-asked
	const moves = 40
	for range moves {
		d.send(tea.KeyMsg{Type: tea.KeyDown})
	}
	select {
	case id := <-cancelled: // the overtaken request was told to stop
		if id != first {
			t.Errorf("%d was cancelled, want %d", id, first)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the overtaken preview was not cancelled")
	}
	close(release)
	d.settle()
	id := d.a.screens[0].(*judging.Samples).Current()
	p, err := b.Preview(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	d.shows(p.URL)
	if n := len(asked); n > moves/2 {
		t.Errorf("%d of %d rows that were passed over were read", n, moves)
	}
}

func TestFeaturesSwitchWeightExpertScheme(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("2")
	d.shows("公告", "招标", "TF/IDF", "in samples", "3/3")
	d.press("space")
	if off := d.b.Config().Off; len(off) != 1 {
		t.Fatalf("space switched off %v", off)
	}
	word := d.b.Config().Off[0]
	d.shows("word "+word, "off")
	d.press("g", "/", word, "enter", "space", "esc")
	if off := d.b.Config().Off; len(off) != 0 {
		t.Errorf("space again leaves off %v", off)
	}
	d.press("g", "=", "=", "-")
	if w := d.b.Config().Weights; len(w) != 1 {
		t.Fatalf("weights %v", w)
	}
	for w, v := range d.b.Config().Weights {
		if v != 1.1 {
			t.Errorf("weight of %s is %v after = = -, want 1.1", w, v)
		}
	}
	d.press("0")
	if w := d.b.Config().Weights; len(w) != 0 {
		t.Errorf("0 leaves weights %v", w)
	}
	d.press("+", "竞价", "enter")
	if e := d.b.Config().Expert; len(e) != 1 || e[0] != "竞价" {
		t.Errorf("expert words %v", e)
	}
	d.press("s", "tf-idf", "enter")
	if s := d.b.Config().Scheme; s != topic.SchemeTFIDF {
		t.Errorf("scheme %q", s)
	}
	d.press("m")
	d.press("\b")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("0", "enter")
	d.shows("a number from 1")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("20", "enter")
	if m := d.b.Config().M; m != 20 {
		t.Errorf("m is %d", m)
	}
}

func TestThresholdMovesAppliesAndGoesBack(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("3")
	sc := d.b.Scores()
	at := func(theta float64) string {
		return fmt.Sprintf("here θ %s → %d pages", ui.Score(theta, 3), sc.Above(theta))
	}
	d.shows("now θ .300 auto", at(.3))
	d.press("[", "[", "]", "{", "{", "}")
	d.shows(at(.289))
	if d.b.Config().Theta != 0 {
		t.Fatal("moving the hand changed the crawl")
	}
	d.press("esc")
	d.shows(at(.3))
	d.press("t")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("50%", "enter")
	d.shows(at(.5), fmt.Sprintf("would lose −%d", sc.Above(.3)-sc.Above(.5)), "−")
	d.press("enter")
	if th := d.b.Config().Theta; th != .5 {
		t.Fatalf("enter applied θ %v", th)
	}
	d.until("the new θ is in force", func() bool { return strings.Contains(d.screen(), "now θ .500 → ") })
	d.press("u")
	if th := d.b.Config().Theta; th != 0 {
		t.Errorf("undo left θ %v", th)
	}
	d.press("o")
	d.shows(at(float64(int(sc.Otsu*1000+.5)) / 1000))
}

func TestThresholdFollowsTheMouse(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("3")
	x, y := d.find("▲")
	x6, _ := d.find(".6")
	d.mouse(x, y-3, tea.MouseButtonLeft, tea.MouseActionPress)
	for i := x; i <= x6; i += 5 {
		d.mouse(i, y-4, tea.MouseButtonLeft, tea.MouseActionMotion)
	}
	d.mouse(x6, y-4, tea.MouseButtonLeft, tea.MouseActionMotion)
	d.mouse(x6, y-4, tea.MouseButtonNone, tea.MouseActionRelease)
	d.shows("would lose")
	at := regexp.MustCompile(`here θ \.(59|60)\d`).FindString(d.screen())
	if at == "" {
		t.Errorf("dragging to .6 ended elsewhere:\n%s", d.screen())
	}
	d.mouse(x, y-4, tea.MouseButtonLeft, tea.MouseActionMotion) // released: no drag
	d.shows(at)
}

func TestCrawlKeysDriveTheRun(t *testing.T) {
	d := drive(t, benchtest.New(50), 120, 40)
	d.press("4")
	d.press("space")
	d.shows("nothing runs: S starts a discovery")
	for _, c := range []struct {
		name, call string
		keys       []string
		state      view.RunState
	}{
		{"discovery", "StartDiscovery", []string{"S"}, view.Running},
		{"pause", "Pause", []string{"space"}, view.Paused},
		{"step", "Step", []string{"."}, view.Paused},
		{"resume", "Resume", []string{"space"}, view.Running},
		{"strategy", "SetStrategy", []string{"s", "shark", "enter"}, view.Running},
		{"workers", "SetWorkers", []string{"w", "2", "enter"}, view.Running},
		{"seeds", "AddSeeds", []string{"+", "http://www.xinhe.test/ http://b.test/", "enter"}, view.Running},
		{"stop", "Stop", []string{"x"}, view.Idle},
		{"harvest", "StartHarvest", []string{"H"}, view.Running},
	} {
		before := d.b.Calls[c.call]
		d.press(c.keys...)
		if d.b.Calls[c.call] != before+1 {
			t.Fatalf("%s: %v did not call %s:\n%s", c.name, c.keys, c.call, d.screen())
		}
		d.until(c.name+" shows", func() bool { return d.a.shared.Snap.State == c.state })
	}
	d.shows("▶ harvest")
	d.press("space")
	d.until("the pause is loud", func() bool { return strings.Contains(d.screen(), "PAUSED") })
	d.press("+", "ftp://x", "enter")
	d.shows("is no http:// or https:// URL")
}

func TestFilterKeysAndRecall(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	total := 24*2 + 120 + 400
	d.shows(fmt.Sprintf("candidates %d", total))
	d.press("/", "白塔 招标公告", "enter")
	d.shows(fmt.Sprintf("2 of %d", total), "白塔音乐学院 招标公告")
	d.press("esc")
	d.shows(fmt.Sprintf("candidates %d", total))
	d.press("/", "up", "enter")
	d.shows("/白塔 招标公告")
	d.press("/")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("!大学", "enter")
	if s := d.screen(); strings.Contains(s, "云溪大学 招标") || !strings.Contains(s, "北岭师范学院") {
		t.Errorf("!大学 shows the wrong rows:\n%s", s)
	}
	d.press("/", "esc")
	d.shows(fmt.Sprintf("candidates %d", total))
}

func TestLiveRowsKeepTheCursor(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.press("5", "j", "j")
	_, y := d.find("›")
	line := strings.Split(d.screen(), "\n")[y]
	mark := strings.TrimSpace(strings.Split(line, "│")[1])
	d.b.Publish(func(s *view.Snapshot) {
		var rows []view.HarvestRow
		for i := range 12 {
			rows = append(rows, view.HarvestRow{ID: uint64(7000 + i), Title: fmt.Sprintf("新来的页面%d", i), Score: 1})
		}
		s.Harvest = append(rows, s.Harvest...)
	})
	d.until("the rows have come", func() bool { return len(d.a.shared.Snap.Harvest) > 12 && strings.Contains(d.screen(), "new ↑") })
	d.shows("12 new ↑", mark)
}

// The row that a key acted on stays under the cursor: j after space is the next
// row even when others have arrived above meanwhile.
func TestRowsArrivingAboveDoNotTakeTheNextKey(t *testing.T) {
	d := drive(t, benchtest.New(50), 120, 40)
	id := d.a.screens[0].(*judging.Samples).Current()
	d.press("space")
	d.b.Grow(3)
	d.b.Rename(func(i int, old string) string { return old })
	d.a.o.Now = func() time.Time { return benchtest.Start.Add(time.Hour) }
	d.send(clockMsg{})
	d.press(">", ">", ">", ">", ">", ">") // another order puts other rows above
	if got := d.a.screens[0].(*judging.Samples).Current(); got != id {
		t.Fatalf("page %d slipped under the cursor that stood on %d", got, id)
	}
	d.press("j", "space")
	if !d.b.IsSample(id) {
		t.Error("the second space took the first sample back")
	}
}

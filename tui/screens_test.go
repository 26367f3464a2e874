package tui

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/demo"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/message"
	"angler/topic"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestSampleToggleUndoRedo(t *testing.T) {
	e, d := opened(t, tuitest.Crawled, 120, 40)
	id := d.current()
	d.press("s")
	if !tuitest.Row(t, e, id).Sample {
		t.Fatal("s did not make the page a sample")
	}
	d.shows("sample added", "1 sample", "✓")
	d.press("u")
	if tuitest.Row(t, e, id).Sample {
		t.Error("u did not undo")
	}
	d.shows("undone: sample")
	d.press("ctrl+r")
	if !tuitest.Row(t, e, id).Sample {
		t.Error("ctrl+r did not redo")
	}
}

// Without a sample no candidate has a score.
func TestNoScoreBeforeASample(t *testing.T) {
	for of, shows := range map[*moment]bool{unjudged(): false, sampled(): true} {
		d := drive(t, can(func() *moment { return of }()).parts(), 160, 40)
		if got := regexp.MustCompile(` \.\d\d\d `).MatchString(strings.Join(strings.Split(d.screen(), "\n")[2:30], "\n")); got != shows {
			t.Errorf("candidates show scores: %v\n%s", got, d.screen())
		}
	}
}

// A page that fails the gate says so when it becomes a sample, and the list of candidates says how
// many samples θ rejects.
func TestSamplesAreJudgedWhenTheyAreTaken(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 40)
	rows, err := e.Pages.Candidates(t.Context())
	must(t, err)
	short := slices.IndexFunc(rows, func(r query.CandidateRow) bool { return r.Dated < 3 && !page.IsHomePage(r.URL) && !r.Sample })
	list := slices.IndexFunc(rows, func(r query.CandidateRow) bool { return r.Dated >= 10 && 2*r.Dated >= r.Records && !r.Sample })
	for at, says := range map[int]bool{short: true, list: false} {
		d.press("/", rows[at].URL, "enter", "g")
		if d.current() != rows[at].ID {
			t.Fatalf("the cursor is not on %s\n%s", rows[at].URL, d.screen())
		}
		d.press("s")
		d.shows("sample added")
		if got := d.sees("fewer than 3 dated records: pages like this are not accepted"); got != says {
			t.Errorf("a page with %d dated records of %d: told %v\n%s", rows[at].Dated, rows[at].Records, got, d.screen())
		}
		d.press("s", "esc")
	}
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .999; return "θ" }))
	d.comes("θ .999 rejects 3 of your 3 samples")
}

func TestLabels(t *testing.T) {
	for key, want := range map[string]topic.Label{"y": topic.Yes, "x": topic.No, "-": topic.Unsure} {
		e, d := opened(t, tuitest.Crawled, 120, 40)
		id := d.current()
		d.press(key)
		if got := tuitest.Row(t, e, id).Label; got != want {
			t.Errorf("%s labels %q, want %q", key, got, want)
		}
		d.press(key)
		if got := tuitest.Row(t, e, id).Label; got != topic.NoLabel {
			t.Errorf("%s again leaves %q", key, got)
		}
	}
}

func TestPreviewOfQuickMovesShowsOnlyTheLast(t *testing.T) {
	e := tuitest.Open(t, tuitest.Crawled)
	release, asked, cancelled := make(chan struct{}), make(chan int32, 256), make(chan int32, 256)
	var number atomic.Int32
	d, calls := watched(t, e, 120, 40)
	d.a.shared.After = time.After // quick moves are those within a time
	calls.Hold("Preview", func(ctx context.Context) error {
		n := number.Add(1)
		asked <- n
		select {
		case <-ctx.Done():
			cancelled <- n
			return ctx.Err()
		case <-release:
			return nil
		}
	})
	d.pressKey("down")
	first := int32(0)
	for first == 0 {
		select {
		case first = <-asked:
		case m := <-d.msgs: // several Cmds of one key come as a message
			d.send(m)
		}
	}
	const moves = 40
	for range moves {
		d.pressKey("down")
	}
	select {
	case n := <-cancelled: // the outdated request was cancelled
		if n != first {
			t.Errorf("request %d was cancelled, want %d", n, first)
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("the overtaken preview was not cancelled")
	}
	close(release)
	d.settle()
	p, err := e.Pages.Preview(t.Context(), d.current())
	must(t, err)
	d.shows(p.URL)
	if n := len(asked); n > moves/2 {
		t.Errorf("%d of %d rows that were passed over were read", n, moves)
	}
}

func TestFeaturesSwitchWeightExpertScheme(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	d.press("2")
	d.shows("公告", "招标", "TF/IDF", "in samples", "3/3")
	d.press("o")
	if off := e.Topic.Config().Off; len(off) != 1 {
		t.Fatalf("o switched off %v", off)
	}
	word := e.Topic.Config().Off[0]
	d.shows("word "+word, "off")
	d.press("g", "/", word, "enter", "o", "esc")
	if off := e.Topic.Config().Off; len(off) != 0 {
		t.Errorf("o again leaves off %v", off)
	}
	d.press("g", "]", "]", "[")
	if w := e.Topic.Config().Weights; len(w) != 1 {
		t.Fatalf("weights %v", w)
	}
	for w, v := range e.Topic.Config().Weights {
		if v != 1.1 {
			t.Errorf("weight of %s is %v after ] ] [, want 1.1", w, v)
		}
	}
	d.press("=")
	if w := e.Topic.Config().Weights; len(w) != 0 {
		t.Errorf("= leaves weights %v", w)
	}
	d.press("+", "竞价", "enter")
	if e := e.Topic.Config().Expert; len(e) != 1 || e[0] != "竞价" {
		t.Errorf("expert words %v", e)
	}
	d.press("h", "tf-idf", "enter")
	is(t, "scheme", e.Topic.Config().Scheme, topic.SchemeTFIDF)
	d.press("p", "mean", "enter")
	is(t, "similarity", e.Topic.Config().Similarity, topic.SimilarityMean)
	d.comes("tf-idf · full · mean")
	d.press("3")
	d.comes("tf-idf · full · mean", "automatic: that of the centroid, times how alike the samples are")
	d.press("2", "u")
	if s := e.Topic.Config().Similarity; s == topic.SimilarityMean {
		t.Errorf("after undo the similarity is %q", s)
	}
	d.press("#")
	d.press("\b")
	d.press("ctrl+u", "0", "enter")
	d.shows("a number from 1")
	d.press("ctrl+u", "20", "enter")
	is(t, "m", e.Topic.Config().M, 20)
}

func TestThresholdMovesAppliesAndGoesBack(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.press("3")
	sc, passing := e.Topic.Scores(), e.Labels.Passing()
	at := func(theta float64) string {
		lists := "1 list"
		if n := passing.Lists(theta); n != 1 {
			lists = fmt.Sprintf("%d lists", n)
		}
		return "preview θ " + widget.Score(theta, 3) + ": " + lists + ", "
	}
	now := math.Round(sc.Theta*1000) / 1000
	d.shows("in force θ "+widget.Score(now, 3)+" auto", "preview θ "+widget.Score(now, 3))
	d.press("[", "[", "]", "{", "{", "}")
	d.shows(at(now - .011))
	if e.Topic.Config().Theta != 0 {
		t.Fatal("moving the hand changed the crawl")
	}
	d.press("esc")
	d.shows("preview θ " + widget.Score(now, 3))
	d.press("t")
	d.press("ctrl+u", "70%", "enter")
	lost := passing.Lists(now) - passing.Lists(.7)
	if lost <= 0 {
		t.Fatalf("%d pages lie between θ %v and .7", lost, now)
	}
	d.shows(at(.7), fmt.Sprintf("would lose −%d", lost), "−", fmt.Sprintf("; loses %d lists", lost))
	d.press("a")
	if th := e.Topic.Config().Theta; th != .7 {
		t.Fatalf("a applied θ %v", th)
	}
	d.comes("in force θ .700: ")
	d.press("u")
	is(t, "undo left θ", e.Topic.Config().Theta, 0)
	events := e.Snapshot().Events // as another session reads them: θ .700 is what was undone
	if last, want := events[len(events)-1].What.String(), "undo: θ .700 (was "+widget.Score(now, 3)+")"; last != want {
		t.Errorf("the undo is told as %q, want %q", last, want)
	}
	d.press("o")
	d.shows(at(float64(int(sc.Otsu*1000+.5)) / 1000))
}

// What is said of a threshold before it applies is so once it applies, also where it
// lies above samples, of which one is no page of the crawl.
func TestThresholdSaysWhatWillBe(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	must(t, e.Labels.SetLabel(openList(t, e), topic.No))
	if on, err := e.Topic.ToggleSample(openList(t, e)); err != nil || !on {
		t.Fatal(on, err)
	}
	if p := e.Labels.Passing(); p.Lists(1) == 0 || p.Lists(1) == e.Topic.Scores().Above(1) {
		t.Fatal("no sample is a page of the crawl")
	}
	d := workbench(t, e, 120, 40)
	d.press("3")
	said := regexp.MustCompile(`preview θ (\S+): (\d+) lists?`)
	for _, theta := range []string{".05", ".2", ".35", ".5", ".65", ".8", "1"} {
		d.press("t", theta, "enter")
		told := said.FindStringSubmatch(d.screen())
		if told == nil {
			t.Fatalf("θ %s: nothing is said:\n%s", theta, d.screen())
		}
		d.press("a")
		d.comes("in force θ " + told[1] + ": ")
		if n := len(e.Topic.Aggregations()); told[2] != strconv.Itoa(n) {
			t.Errorf("θ %s: %s lists were said, %d there are", theta, told[2], n)
		}
		d.until("the snapshot tells it", func() bool { return e.Snapshot().Counts.Aggregations == len(e.Topic.Aggregations()) })
		d.shows("in force θ " + told[1] + ": " + told[2] + " list")
	}
}

// Until pages have scores after opening, no screen shows a number of lists or their absence; then
// the numbers appear without a key.
func TestFiguresWaitForScores(t *testing.T) {
	c := can(sampled())
	full := *c.Snapshot()
	c.publish(func(s *view.Snapshot) { s.ModelRev, s.Theta, s.Harvest, s.Counts.Aggregations = 0, 0, nil, 0 })
	d := drive(t, c.parts(), 160, 45)
	for key, wants := range map[string][]string{"0": {"reading scores …"}, "3": {"reading scores …", "θ …"}, "5": {"aggregation pages …", "reading scores …"}} {
		d.press(key)
		d.comes(wants...)
		for _, lie := range []string{"0 lists", "No page lies", "aggregation pages 0", "θ .000"} {
			if d.sees(lie) {
				t.Errorf("screen %s says %q:\n%s", key, lie, d.screen())
			}
		}
	}
	c.publish(func(s *view.Snapshot) { seq := s.Seq; *s = full; s.Seq = seq })
	d.press("5")
	d.comes("aggregation pages " + strconv.Itoa(full.Counts.Aggregations))
	d.lacks(" new ↓", "lists that came with the scores are called new")
	d.press("3")
	d.comes("in force θ " + widget.Score(full.Theta, 3))
}

// openList returns a page above θ that is no sample.
func openList(t *testing.T, e *demo.Engine) uint64 {
	t.Helper()
	p := e.Labels.Passing()
	ids := p.Open.Between(e.Topic.Scores().Theta, 2, 1)
	if len(ids) == 0 {
		t.Fatal("θ lets in samples alone")
	}
	return ids[0]
}

func TestThresholdFollowsTheMouse(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	d.press("3")
	x, y := d.find("▲")
	x6, _ := d.find(".6")
	d.click(x, y-3)
	for i := x; i <= x6; i += 5 {
		d.mouse(i, y-4, tea.MouseButtonLeft, tea.MouseActionMotion)
	}
	d.mouse(x6, y-4, tea.MouseButtonLeft, tea.MouseActionMotion)
	d.mouse(x6, y-4, tea.MouseButtonNone, tea.MouseActionRelease)
	d.shows("would lose")
	at := regexp.MustCompile(`preview θ \.(59|60)\d`).FindString(d.screen())
	if at == "" {
		t.Errorf("dragging to .6 ended elsewhere:\n%s", d.screen())
	}
	d.mouse(x, y-4, tea.MouseButtonLeft, tea.MouseActionMotion) // released: no drag
	d.shows(at)
}

func TestCrawlKeysDriveTheRun(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.press("4")
	d.press("P")
	d.shows("nothing runs: S starts a discovery")
	for _, c := range []struct {
		name  string
		keys  []string
		state view.RunState
		then  func(was, now *view.Snapshot) bool
	}{
		{"discovery", []string{"S"}, view.Running, func(_, now *view.Snapshot) bool { return now.Task == view.Discovery }},
		{"pause", []string{"P"}, view.Paused, func(_, now *view.Snapshot) bool { return now.Busy == 0 && len(now.InFlight) == 0 }},
		{"step", []string{"T"}, view.Paused, func(was, now *view.Snapshot) bool { return now.Fetched == was.Fetched+1 }},
		{"rest", []string{"D", "ctrl+u", "1h", "enter"}, view.Paused, func(_, now *view.Snapshot) bool { return now.Delay == time.Hour }},
		{"resume", []string{"P"}, view.Running, func(_, now *view.Snapshot) bool { return now.Task == view.Discovery }},
		{"strategy", []string{"L", "shark", "enter"}, view.Running, func(_, now *view.Snapshot) bool { return now.Strategy == "shark" }},
		{"workers", []string{"w", "2", "enter"}, view.Running, func(_, now *view.Snapshot) bool { return now.Workers == 2 }},
		{"seeds", []string{"+", "http://www.xinhe.test/ http://b.test/", "enter"}, view.Running, func(_, now *view.Snapshot) bool {
			seeds := e.Set().Seeds
			return slices.Contains(seeds, "http://www.xinhe.test/") && slices.Contains(seeds, "http://b.test/")
		}},
		{"stop", []string{"X"}, view.Idle, func(_, now *view.Snapshot) bool { return now.Task == "" }},
		{"harvest", []string{"H"}, view.Running, func(_, now *view.Snapshot) bool { return now.Task == view.Harvest }},
	} {
		was := e.Snapshot()
		d.press(c.keys...)
		d.until(c.name+" shows", func() bool { return d.a.shared.Snap.State == c.state && c.then(was, d.a.shared.Snap) })
	}
	d.shows("▶ harvest")
	d.press("P")
	d.comes("PAUSED")
	d.press("+", "ftp://x", "enter")
	d.shows("is no http:// or https:// URL")
}

// A pasted list of hundreds of seeds is accepted during a run, and invalid lines are named.
func TestPastedSeedsAreTakenAndRefusedLinesNamed(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	must(t, e.Settings.SetDelay(time.Hour))
	d := workbench(t, e, 120, 40)
	d.press("4", "S")
	d.until("a run is under way", func() bool { return e.Snapshot().State == view.Running })
	was := len(e.Set().Seeds)
	var list strings.Builder
	for i := range 600 {
		fmt.Fprintf(&list, "http://www.a-long-name-of-a-site-%d.test/\n", i)
	}
	list.WriteString("www.bare.test\nnonsense\nftp://x\n")
	d.press("+")
	d.send(pasted(list.String()))
	d.press("enter")
	d.comes("add 601 seeds", "no URL: nonsense, ftp://x")
	d.until("the seeds are there", func() bool { return len(e.Set().Seeds) == was+601 })
}

func TestFilterKeysAndRecall(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	rows, err := e.Pages.Candidates(t.Context())
	must(t, err)
	total, hits := len(rows), 0
	for _, r := range rows {
		if strings.Contains(r.Title, "青崖") && strings.Contains(r.Title, "招标公告") {
			hits++
		}
	}
	if hits == 0 || hits == total {
		t.Fatalf("%d of %d pages are tender lists of 青崖", hits, total)
	}
	d.shows(fmt.Sprintf("candidates %d", total))
	d.press("/", "青崖 招标公告", "enter")
	d.shows(fmt.Sprintf("%d of %d", hits, total), "招标公告-青崖师范大学")
	d.press("esc")
	d.shows(fmt.Sprintf("candidates %d", total))
	d.press("/", "up", "enter")
	d.shows("/青崖 招标公告")
	d.press("/")
	d.press("ctrl+u", "!师范大学", "enter")
	if s := d.screen(); strings.Contains(s, "-青崖师范大学") || !strings.Contains(s, "-临澜海洋大学") {
		t.Errorf("!师范大学 shows the wrong rows:\n%s", s)
	}
	d.press("/", "esc")
	d.shows(fmt.Sprintf("candidates %d", total))
}

func TestLiveRowsKeepTheCursor(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 120, 40)
	d.press("5", "tab", "z", "j", "j")
	_, y := d.find("›")
	line := strings.Split(d.screen(), "\n")[y]
	mark := strings.TrimSpace(strings.Split(line, "│")[1])
	c.publish(func(s *view.Snapshot) {
		var rows []view.HarvestRow
		for i := range 12 {
			rows = append(rows, view.HarvestRow{ID: uint64(7000 + i), Title: fmt.Sprintf("新来的页面%d", i), Score: 1})
		}
		s.Harvest = append(rows, s.Harvest...)
	})
	d.until("the rows have come", func() bool { return len(d.a.shared.Snap.Harvest) > 12 && d.sees("new ↑") })
	d.shows("12 new ↑", mark)
}

// A list names the entries that the title patterns exclude, and the keys that change this.
func TestAListSaysWhatItsPatternsLeaveOut(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 160, 40)
	c.publish(func(s *view.Snapshot) {
		s.Harvest = []view.HarvestRow{{ID: 7000, Title: "通知公告", URL: "http://a.test/tz.htm", Score: 1, Records: 352, Unmatched: 338}}
	})
	d.press("5", "tab", "z")
	d.comes("通知公告")
	d.shows("338 entries do not match the title patterns", "y accepts all entries of this list · , changes the patterns")
}

// The row of a key stays under the cursor: j after s is the next row even if others have arrived
// above.
func TestRowsArrivingAboveDoNotTakeTheNextKey(t *testing.T) {
	e, d := opened(t, tuitest.Crawled, 120, 40)
	id, pages := d.current(), e.Snapshot().Counts.Pages
	d.press("s")
	_, err := e.Runs.Discover(t.Context(), run.Options{MaxPages: 30})
	must(t, err)
	now := tuitest.Start.Add(time.Hour)
	d.a.o.Now, d.a.shared.Now = func() time.Time { return now }, func() time.Time { return now }
	d.until("the new pages are counted", func() bool { return d.a.shared.Snap.Counts.Pages > pages })
	d.send(clockMsg{})
	d.settle()
	d.press(">", ">", ">", ">", ">", ">") // another order puts other rows above
	if got := d.current(); got != id {
		t.Fatalf("page %d slipped under the cursor that stood on %d", got, id)
	}
	d.press("j", "s")
	if !tuitest.Row(t, e, id).Sample {
		t.Error("the second s took the first sample back")
	}
}

// A threshold that rejects samples is shown in red before and after it applies, with the way back.
func TestThresholdWarnsOfSamplesCutOff(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 40)
	d.press("3")
	samples := e.Topic.Scores().Samples
	some := slices.Max(samples) - .0005 // below the highest
	d.press("t", widget.Score(some, 4), "enter")
	cut := 0
	for _, v := range samples {
		if v < math.Round(some*1000)/1000 {
			cut++
		}
	}
	d.shows(fmt.Sprintf("rejects %d of your %d samples", cut, len(samples)), "━●")
	d.press("t", "1", "enter")
	d.shows("above every sample")
	d.press("a")
	d.comes("above every sample: pages like them are not found · u undoes it")
	d.press("u")
	d.until("θ is automatic again", func() bool { return e.Topic.Config().Theta == 0 })
	d.press("o")
	d.shows("preview θ " + widget.Score(e.Topic.Scores().Otsu, 3))
}

// In flight, busy and processing are three figures, and each is explained on screen 4.
func TestTheFiguresOfWorkAreExplained(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	d.press("4")
	said := map[string]bool{}
	for i := range 8 * 30 {
		if i%30 == 0 {
			d.press("tab") // another pane
		}
		d.press("i")
		if f, ok := d.a.shared.Explain.Shown(); ok && slices.Contains([]string{"in flight", "busy", "processing"}, f.Name) && !strings.HasPrefix(f.Says, "fetches of the host") {
			said[f.Says] = true
		}
	}
	if len(said) != 3 || said[""] {
		t.Errorf("explained are %v", said)
	}
}

// ctrl+z suspends a workbench in its own terminal; elsewhere it says why not.
func TestSuspend(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Crawled), 120, 40)
	d.pressKey("ctrl+z")
	d.shows("only a workbench in its own terminal can be suspended")
	stopped := 0
	d.a.suspend = func() error { stopped++; return nil }
	d.press("ctrl+z")
	if stopped != 1 {
		t.Errorf("suspended %d times", stopped)
	}
}

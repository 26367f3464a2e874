package tui

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/crawl/demo"
	"angler/crawl/inbox"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// During a discovery and a harvest every place shows the same figures: snapshots, panes, status
// line, Home, metrics and events.
func TestEveryPlaceTellsTheSameFigures(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 200, 50)
	snaps, end := e.Subscribe()
	defer end()
	for _, task := range []struct {
		name string
		do   func(context.Context, run.Options) (run.Summary, error)
	}{{view.Discovery, e.Runs.Discover}, {view.Harvest, e.Runs.Harvest}} {
		t.Run(task.name, func(t *testing.T) {
			done := make(chan error, 1)
			var sum run.Summary
			go func() {
				var err error
				sum, err = task.do(context.Background(), run.Options{MaxPages: 300})
				done <- err
			}()
			for running := true; running; {
				select {
				case err := <-done:
					if running = false; err != nil {
						t.Fatal(err)
					}
				case s := <-snaps:
					agree(t, s)
				}
			}
			ran := e.Snapshot().Run
			if ran.Task != task.name || ran.End == "" || ran.Fetched != sum.Fetched || ran.Failed() != sum.Failed || ran.Notices != sum.Notices {
				t.Fatalf("the run ended with %+v, the snapshot keeps %+v", sum, ran)
			}
			d.until("the end is shown", func() bool { return d.a.shared.Snap.Run.End != "" && d.a.shared.Snap.Run.Task == task.name })
			agree(t, d.a.shared.Snap)
			told := fmt.Sprintf("%d fetched, %d failed, %d aggregation pages, %d addresses of new notices", ran.Fetched, ran.Failed(), d.a.shared.Snap.Counts.Aggregations, ran.Notices)
			if !strings.Contains(eventTexts(d.a.shared.Snap.Events), task.name+" ended") || !strings.Contains(eventTexts(d.a.shared.Snap.Events), told) {
				t.Errorf("no event tells %q:\n%s", told, eventTexts(d.a.shared.Snap.Events))
			}
			d.press("4")
			// Reading the fields of the new notices stands in the status line until it ends.
			d.until("the status line shows the outcome", func() bool {
				return strings.Contains(statusOf(d), screen.RunOutcome(d.a.shared))
			})
			line := statusOf(d)
			for _, k := range ran.Errors {
				if !strings.Contains(line, k.Reason+" "+widget.Count(k.N)) {
					t.Errorf("the status line is %q, without %d times %s", line, k.N, k.Reason)
				}
			}
			d.until("the run is in the history", func() bool {
				last := d.a.shared.Snap.Last
				return last != nil && last.Task == task.name && last.End != ""
			})
			if last := d.a.shared.Snap.Last; last.Fetched != ran.Fetched || last.Failures != ran.Failed() || last.Notices != ran.Notices || last.Lists != ran.Lists {
				t.Errorf("the history tells %+v, the run %+v", last, ran)
			}
			var b bytes.Buffer
			must(t, e.WriteMetrics(&b))
			for name, want := range map[string]float64{"angler_run_fetched": float64(ran.Fetched), "angler_run_home": float64(ran.Home()),
				"angler_harvest_rate": ran.HarvestRate(), "angler_queue{state=\"waiting\"}": float64(e.Snapshot().Counts.Waiting)} {
				if got := metric(t, b.String(), name); got != want {
					t.Errorf("%s is %v, want %v", name, got, want)
				}
			}
		})
	}
	// New means since today on every pane.
	book, err := d.p.Inbox.List(context.Background(), inbox.Request{})
	must(t, err)
	n := 0
	for _, y := range book.Yields {
		n += y.New
	}
	if today := e.Snapshot().Story.Today; n != today || n == 0 {
		t.Errorf("the lists have %d new notices, Home tells of %d", n, today)
	}
	d.press("0")
	d.shows(i18n.Count(n) + " new notices")
}

// A figure on two screens is equal: during a discovery, and after it and a harvest.
func TestAFigureOnTwoScreensIsOne(t *testing.T) {
	screens := []struct {
		key   string
		shows map[string]string // the figure by how the screen words it
	}{
		{"0", map[string]string{"pages": `(N) pages · N failed`, "failed": `· (N) failed URL`, "samples": `samples +●+ (N)`, "lists": `lets in (N) lists`, "notices": `harvest +(N) notices`}},
		{"1", map[string]string{"scored": `candidates (N) ·`, "samples": `candidates N · (N) samples`}},
		{"3", map[string]string{"scored": `similarity of (N) pages`, "lists": `in force θ [^:]*: (N) lists`}},
		{"4", map[string]string{"waiting": `frontier (N) ·`}},
		{"5", map[string]string{"notices": `▸notices (N) `, "lists": `aggregation pages (N) `}},
	}
	// read returns the figures that differ. Some differ for a moment: the next snapshot tells what the last page
	// changed, and the automatic threshold may settle after it.
	read := func(t *testing.T, e *demo.Engine, d *driver) (differ []string) {
		told := map[string]string{}
		tell := func(figure, n, where string) {
			if was, ok := told[figure]; !ok {
				told[figure] = n + " on " + where
			} else if before, _, _ := strings.Cut(was, " on "); before != n {
				differ = append(differ, fmt.Sprintf("%s: %s, and %s on %s", figure, was, n, where))
			}
		}
		counts := e.Snapshot().Counts
		for figure, n := range map[string]int{"pages": counts.Pages, "failed": counts.Exception, "samples": counts.Samples, "lists": counts.Aggregations, "notices": counts.Notices, "waiting": counts.Waiting} {
			tell(figure, widget.Count(n), "the snapshot")
		}
		for _, s := range screens {
			d.press(s.key)
			for figure, words := range s.shows {
				re := regexp.MustCompile(strings.ReplaceAll(words, "N", `\d+(?: \d{3})*`))
				d.until(s.key+" shows "+figure, func() bool { return re.MatchString(d.screen()) })
				tell(figure, re.FindStringSubmatch(d.screen())[1], "screen "+s.key)
			}
		}
		sites, err := e.Survey.Land(t.Context())
		must(t, err)
		sums := map[string]int{}
		for _, b := range sites.Hosts {
			for figure, n := range map[string]int{"pages": b.Pages, "failed": b.Dead, "waiting": b.Waiting, "lists": b.Lists, "notices": b.Notices} {
				sums[figure] += n
			}
		}
		for figure, n := range sums {
			tell(figure, widget.Count(n), "the hosts")
		}
		return differ
	}
	check := func(t *testing.T, e *demo.Engine) {
		d := workbench(t, e, 200, 50)
		deadline := time.After(2 * time.Minute)
		for {
			differ := read(t, e, d)
			if len(differ) == 0 {
				return
			}
			select {
			case m := <-d.msgs:
				d.send(m)
			case <-deadline:
				t.Fatal(strings.Join(differ, "\n"))
			}
		}
	}
	t.Run("running", func(t *testing.T) { check(t, tuitest.Running(t, tuitest.Sampled)) })
	t.Run("after", func(t *testing.T) {
		e := tuitest.Open(t, tuitest.Sampled)
		for _, do := range []func(context.Context, run.Options) (run.Summary, error){e.Runs.Discover, e.Runs.Harvest} {
			_, err := do(t.Context(), run.Options{MaxPages: 300})
			must(t, err)
		}
		check(t, e)
	})
}

// agree checks that a snapshot has consistent figures of its run.
func agree(t *testing.T, s *view.Snapshot) {
	t.Helper()
	r := &s.Run
	if s.Fetched != r.Fetched || s.Rate != r.Rate() || s.HarvestRate != r.HarvestRate() || s.ErrorRate != r.ErrorRate() || s.Bound != r.Bound {
		t.Errorf("the snapshot says %d %v %v %v %d, its run %+v", s.Fetched, s.Rate, s.HarvestRate, s.ErrorRate, s.Bound, r)
	}
	if n := len(s.Curve); n > 0 && r.End == "" && (s.Curve[n-1].Fetched != r.Fetched || s.Curve[n-1].Found > r.Fetched && s.Curve[n-1].Found != r.Home()) {
		t.Errorf("the curve ends at %+v, the run is at %+v", s.Curve[n-1], r)
	}
	if p, ok := s.Progress(); ok != (s.Task != "") || ok && (p.Done > p.Total || p.Done < 0) {
		t.Errorf("progress is %+v, %v in %q", p, ok, s.Task)
	}
}

func eventTexts(events []view.Event) string {
	var b strings.Builder
	for _, ev := range events {
		b.WriteString(ev.Text.String() + "\n")
	}
	return b.String()
}

// statusOf is the status line that is shown.
func statusOf(d *driver) string {
	lines := strings.Split(d.screen(), "\n")
	return lines[len(lines)-2]
}

func metric(t *testing.T, text, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("there is no metric %s", name)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	must(t, err)
	return v
}

// After a kill the status line and the history agree, in both languages.
func TestAKilledRunIsCalledKilledEverywhere(t *testing.T) {
	for code, word := range map[string]string{"en": "killed", "zh": "被终止"} {
		row := inventedRun()
		row.End = records.RunKilled
		c := can(between())
		c.publish(func(s *view.Snapshot) { s.Last = row; s.Take(view.TallyOf(row)) })
		d := begin(t, code, c.parts(), 160, 45)
		d.settle()
		if line := statusOf(d); !strings.Contains(line, "■ "+word) {
			t.Errorf("%s: the status line says %q", code, line)
		}
	}
}

// A slow dictionary reports its size and the remaining time.
func TestASlowDictionaryTellsHowLong(t *testing.T) {
	c := can(between())
	c.publish(func(s *view.Snapshot) {
		s.DictReady, s.DictWords, s.DictUntil = false, 352279, tuitest.Start.Add(3*time.Second)
	})
	d := begin(t, "en", c.parts(), 160, 45)
	d.settle()
	if line := statusOf(d); !strings.Contains(line, "dictionary loads · 352 279 words · ≈") || !strings.Contains(line, " left") {
		t.Errorf("the status line says %q", line)
	}
	c.publish(func(s *view.Snapshot) { s.DictUntil = tuitest.Start.Add(-time.Second) })
	d.until("the time is over", func() bool { return strings.Contains(statusOf(d), "any moment") })
}

// The previewed θ shows the harvested notices of its lists: if every list has some, the same number
// as Home, without an estimate. The short harvest of the stage sometimes leaves a list out, which
// one word says.
func TestThetaCountsTheNoticesOfHome(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	yields, err := e.Inbox.Yields(context.Background())
	must(t, err)
	lists, sum, all := e.Snapshot().Harvest, 0, true
	for _, r := range lists {
		sum += yields[r.ID].Notices
		all = all && yields[r.ID].Notices > 0
	}
	if n := e.Workspace().Counts().Notices; sum != n || n == 0 {
		t.Fatalf("%d of %d notices are of lists", sum, n)
	}
	d.press("3")
	worth := d.a.shared.N(len(lists), "list") + ", some "
	if all {
		worth = d.a.shared.N(len(lists), "list") + ", " + d.a.shared.N(sum, "notice")
	}
	d.comes(worth)
	d.press("[", "[", "[", "[", "[", "[", "[", "[", "[", "[")
	d.shows("lists, some ")
}

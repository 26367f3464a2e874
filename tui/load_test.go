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

	"angler/crawl/page"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/message"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// hostileTitles are possible titles of hostile pages.
var hostileTitles = []string{
	"\x1b[2J\x1b[H招标\x1b]0;owned\x07公告", "\u202e公告招标\u2066", "a\tb\tc\td", "第一行\n第二行\r\n第三行", strings.Repeat("宽", 10_000),
	"👨‍👩‍👧‍👦 家庭 \U0001f3fd", "\u009b31m红", "e\u0301\u0301\u0301\u0301", strings.Repeat("é", 3000), "\x00\x07\x08", "\xff\xfe\xfd", "한국어 ᄒᆞᆫ", "\u200b\u200d\ufeff", "ﷺ﷽",
}

func TestHostileTitlesAreHarmlessEverywhere(t *testing.T) {
	for _, code := range []string{"en", "zh"} {
		w := invent(400, 0)
		for i := range w.pages {
			p := &w.pages[i]
			p.row.Title = hostileTitles[i%len(hostileTitles)]
			p.show.Title = p.row.Title
		}
		calls, p := Count(can(w.at(decided{samples: marked}, func(s *view.Snapshot) {
			inDiscovery(s)
			for i := range s.Notices {
				s.Notices[i].Title, s.Notices[i].Host = hostileTitles[i%len(hostileTitles)], "x\x1b[31m.test"
			}
			s.Err, s.Why = "broken\x1b[2J\npipe", "waits\x1b[0m\u202e"
		})).parts())
		calls.Fail("SetLabel", errors.New("the page\x1b]0;owned\x07 is gone\r\n\u202e"))
		d := driveIn(t, code, p, 120, 40)
		for _, keys := range [][]string{{"1"}, {"ctrl+v"}, {"2"}, {"3"}, {"4"}, {"5"}, {"tab"}, {"j"}, {"6"}, {"y"}, {"7"}, {":"}, {"esc"}, {"1"}, {"h"}, {"esc"}} {
			d.press(keys...)
			view := d.a.View()
			checkFrame(t, view, 120, 40)
			rest := ansi.Strip(view)
			for _, bad := range []string{"\x1b", "\x07", "\x08", "\x00", "\t", "\r", "\u202e", "\u2066", "\u200d", "\u009b"} {
				if strings.Contains(rest, bad) {
					t.Fatalf("%s: %q reached the terminal after %v", code, bad, keys)
				}
			}
			for _, seq := range strings.Split(view, "\x1b")[1:] {
				if end := strings.IndexByte(seq, 'm'); end < 0 || seq[0] != '[' || strings.Trim(seq[1:end], "0123456789;") != "" {
					t.Fatalf("%s: a sequence that is no colour: %q", code, seq[:min(len(seq), 20)])
				}
			}
		}
	}
}

func TestResizeStorm(t *testing.T) {
	d := drive(t, can(labelled()).parts(), 120, 40)
	x := uint32(1)
	rnd := func(n int) int { x = x*1664525 + 1013904223; return int(x>>8) % n }
	keys := []string{"1", "2", "3", "4", "5", "6", "7", "j", "tab", "z", "J", "v", "?", "esc", ":", "esc", ",", "esc"}
	for i := range 200 {
		w, h := 1+rnd(300), 1+rnd(100)
		if i%10 == 0 {
			w, h = 1+rnd(4), 1+rnd(4)
		}
		d.send(tea.WindowSizeMsg{Width: w, Height: h})
		d.press(keys[rnd(len(keys))])
		checkFrame(t, d.a.View(), w, h)
	}
}

// Nothing is written to the terminal while nothing changes: Bubble Tea writes the lines that differ
// from the previous frame.
func TestFrameStandsStillWhileNothingChanges(t *testing.T) {
	e := tuitest.Open(t, tuitest.Labelled)
	now := tuitest.Start.Add(time.Minute)
	d := workbench(t, e, 120, 40)
	for i := range d.a.screens {
		d.start(d.a.goTo(i))
		d.settle()
		d.send(clockMsg{}) // completes loads in steps
		d.settle()
		// Background data may arrive late: eventually five snapshots in a row change nothing.
		before, changed, quiet := d.a.View(), "", 0
		for tries := 0; quiet < 5; tries++ {
			if tries == 50 {
				t.Errorf("screen %s changes by itself:\n%s", d.a.screens[i].Name(), changed)
				return
			}
			seen := d.a.latest.Seq
			now = now.Add(time.Second)
			d.a.o.Now = func() time.Time { return now }
			d.send(clockMsg{})
			e.Attend()() // an idle engine publishes nothing
			d.settle()
			d.until("another snapshot comes", func() bool { return d.a.latest.Seq > seen })
			after := d.a.View()
			if quiet++; after == before {
				continue
			}
			quiet, changed = 0, ""
			for k, l := range strings.Split(after, "\n") {
				if was := strings.Split(before, "\n")[k]; was != l {
					changed += ansi.Strip(was) + "\n" + ansi.Strip(l) + "\n"
				}
			}
			before = after
		}
	}
}

// big is a workspace of 100 000 pages and as many rows in the frontier.
func big() *canned {
	return can(invent(400, 100_000-568).at(decided{samples: marked}, func(s *view.Snapshot) {
		inDiscovery(s)
		s.Frontier = longFrontier(100_000)
	}))
}

func BenchmarkSort100000(b *testing.B) {
	type row = query.CandidateRow
	rows := make([]row, 100_000)
	for i := range rows {
		rows[i] = row{ID: uint64(i), Title: fmt.Sprintf("某大学 招标公告 第%d页", i*7919%100_000), Host: fmt.Sprintf("h%d.test", i%500), URL: fmt.Sprintf("http://h%d.test/zbgg/%d.htm", i%500, i), Score: float64(i*7919%100_000) / 1e5, Type: page.List}
	}
	table := func() *widget.Table[row] {
		t := widget.NewTable(func(r *row) uint64 { return r.ID }, func(r *row) string { return r.Title + " " + r.Host + " " + r.URL },
			widget.Column[row]{Title: "title", Cell: func(r *row) (string, widget.Style) { return r.Title, 0 }, Text: func(r *row) string { return r.Title }},
			widget.Column[row]{Title: "score", Cell: func(r *row) (string, widget.Style) { return "", 0 }, Number: func(r *row) float64 { return float64(r.Score) }})
		t.SetHeight(40)
		t.SetRows(rows)
		t.To(50_000)
		return t
	}
	for name, f := range map[string]func(*widget.Table[row]) tea.Cmd{
		"by-title": func(t *widget.Table[row]) tea.Cmd { return t.SortBy(0) },
		"by-score": func(t *widget.Table[row]) tea.Cmd { return t.SortBy(1) },
		"filter":   func(t *widget.Table[row]) tea.Cmd { return t.SetFilter(widget.NewFilter("第7 h12")) },
	} {
		b.Run(name, func(b *testing.B) {
			t := table()
			worst := time.Duration(0)
			for b.Loop() {
				start := time.Now()
				cmd := f(t)
				ask := time.Since(start)
				msg := cmd()
				start = time.Now()
				msg.(widget.Arranged).Show()
				worst = max(worst, ask+time.Since(start))
				b.StopTimer()
				t = table()
				b.StartTimer()
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-in-the-loop")
		})
	}
}

// A key typed while 100 000 rows are sorted is answered at once and not lost.
func TestKeysAreAnsweredWhileRowsAreSorted(t *testing.T) {
	d := drive(t, can(invent(400, 20_000).at(decided{}, nil)).parts(), 120, 40)
	_, cmd := d.a.Update(runes(">"))
	for range 3 {
		d.pressKey("j")
	}
	if _, y := d.find("›"); y != 6 {
		t.Errorf("the cursor stands on line %d before the order has come", y)
	}
	d.start(cmd)
	d.settle()
	d.comes("by ✓")
	if d.a.screens[1].(interface{ Current() uint64 }).Current() == 0 {
		t.Error("the cursor lost its row")
	}
}

// BenchmarkLive is one second of a live crawl at full speed: five snapshots that change everything,
// each with its loads and its frame. The metric is the share of one core.
func BenchmarkLive(b *testing.B) {
	for i, name := range screenNames {
		b.Run(name, func(b *testing.B) {
			c := big()
			d := drive(b, c.parts(), 120, 40)
			d.press(fmt.Sprint(i + 1))
			snaps := movingSnapshots(c.Snapshot(), 50)
			n := 0
			for b.Loop() {
				for range 5 {
					s := snaps[n%len(snaps)]
					n++
					d.send(snapshotMsg{s})
					_ = d.a.View()
				}
			}
			b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
			d.settle()
		})
	}
}

// movingSnapshots are moments of a crawl with 160 new pages each.
func movingSnapshots(from *view.Snapshot, n int) []*view.Snapshot {
	rows := longFrontier(100 + 20*n)
	out := make([]*view.Snapshot, n)
	for i := range out {
		s := *from
		s.At = from.At.Add(time.Duration(i) * 200 * time.Millisecond)
		s.Seq += uint64(i + 1)
		s.ScoresRev += uint64(i + 1)
		s.Fetched += 160 * i
		s.Counts.Pages += 160 * i
		s.Counts.Complete += 160 * i
		s.Frontier = rows[20*i : 20*i+100]
		s.Hosts = slices.Clone(from.Hosts)
		for k := range s.Hosts {
			s.Hosts[k].Done += i
		}
		s.Harvest = slices.Clone(from.Harvest)
		for k := range s.Harvest {
			s.Harvest[k].ID += uint64(i)
		}
		s.InFlight = slices.Clone(from.InFlight)
		for k := range s.InFlight {
			s.InFlight[k].ID += uint64(16 * i)
		}
		s.Events = slices.Clone(from.Events)
		s.Events = append(s.Events, view.Event{Seq: uint64(100 + i), At: s.At, Kind: "warn", Text: message.Of("429 · http://h%d.test/ · asked again in 30s", i)})
		s.Curve = append(slices.Clone(from.Curve), view.CurvePoint{Fetched: s.Fetched, Found: 1500 + i})
		out[i] = &s
	}
	return out
}

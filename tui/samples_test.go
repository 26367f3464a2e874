package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestProbeShowsItsProgress(t *testing.T) {
	e := tuitest.Open(t, tuitest.Crawled)
	if err := e.Settings.SetDelay(time.Hour); err != nil { // it comes to one page of every host
		t.Fatal(err)
	}
	d := workbench(t, e, 120, 40)
	d.press("F")
	if s := e.Snapshot(); s.State != view.Running || s.Task != view.Look || s.Bound == 0 {
		t.Fatalf("F did not probe: %s %s, bound %d", s.State, s.Task, s.Bound)
	}
	d.until("the progress shows", func() bool {
		p, _ := d.a.shared.Snap.Progress()
		if p.Done == 0 || p.Total == 0 {
			return false
		}
		far := fmt.Sprintf("%d/%d", p.Done, p.Total)
		shown := d.sees(fmt.Sprintf("sampling the sites %s %s", widget.Meter(float64(p.Done)/float64(p.Total), 8), far))
		return shown && d.sees("sample the sites "+far) // the status line counts as the pane does
	})
	d.press("F")
	d.shows("a run is under way")
}

func TestSampleByAddress(t *testing.T) {
	e, d := opened(t, tuitest.Crawled, 200, 40)
	url := e.TenderLists(1)[0]
	d.press("a", url, "enter")
	if samples := e.Topic.Samples(); len(samples) != 1 || samples[0].URL != url {
		t.Errorf("the samples are %+v, not %s", samples, url)
	}
	d.press("a", "http://www.qingya.test/nowhere.htm", "enter")
	d.shows("failed", "404")
	d.press("esc")
	d.press("a", "one two", "enter")
	d.shows("after a file comes the address")
	d.press("esc")
}

func TestHostAndSectionFilter(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	rows, err := e.Pages.Candidates(t.Context())
	must(t, err)
	const section = "www.qingya.test/zbgg/"
	inside := 0
	for _, r := range rows {
		if strings.HasPrefix(r.URL, "http://"+section) {
			inside++
		}
	}
	if inside == 0 {
		t.Fatal("no page lies in " + section)
	}
	d.press("h", section, "enter")
	d.shows("only "+section, fmt.Sprintf("candidates %d of %d", inside, len(rows)))
	d.press("h", "www.linlan", "enter")
	d.shows("only www.linlan.test")
	d.press("esc")
	d.shows(fmt.Sprintf("candidates %d", len(rows)))
}

func TestSourceIsShownOnceAskedFor(t *testing.T) {
	d, calls := watched(t, tuitest.Open(t, tuitest.Sampled), 160, 45)
	if calls.Of("Source") != 0 {
		t.Fatal("the source was read before anyone asked")
	}
	d.press("ctrl+v")
	d.shows("<!DOCTYPE html", "<TITLE>招标公告-青崖师范大学</TITLE>")
	calls.Fail("Source", errors.New("disk is full"))
	d.press("j")
	d.shows("disk is full")
}

// A prompt whose answer fails reopens with its text and the reason, unless a key was pressed since.
func TestAFailedPromptStaysOpenWithItsText(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Crawled), 120, 40)
	d.press("a", "nosuch.html", "enter")
	foot := func() string { lines := strings.Split(d.screen(), "\n"); return lines[len(lines)-1] }
	if f := foot(); !strings.Contains(f, "sample: nosuch.html") || !strings.Contains(f, "cannot read nosuch.html") {
		t.Fatalf("the footer is %q", f)
	}
	d.press("2")
	if f := foot(); !strings.Contains(f, "sample: nosuch.html2") || strings.Contains(f, "cannot read nosuch.html") {
		t.Errorf("typed on, the footer is %q", f)
	}
	d.a.keys(enter) // its work begins nowhere: it is as slow as can be
	work := d.a.asked.work
	d.a.keys(runes("j"))
	d.send(workMsg{work, screen.ActMsg{What: "sample", Err: errors.New("too late")}})
	if d.a.over.open() || !d.sees("too late") {
		t.Errorf("a key later the prompt takes the keys again, or nothing is said:\n%s", d.screen())
	}
}
